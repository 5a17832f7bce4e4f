/** Renders the dock of a table with one pile: the buttons for the current step. */
import { findCardWithEffect, getHueClass } from "../core/deck.js";
import { html, nothing } from "../core/lit.js";
import { getPlayableCards, findSeat, getCommandTag } from "../core/moves.js";
import { t } from "../core/text.js";
import {
  renderExplodeButton,
  renderOutcomesDock,
  renderWaitingDock,
  renderSpectatorDock,
} from "../shell/dock.js";
import { art, renderCardBadge, renderCommandButton } from "../shell/parts.js";
import { renderWindowDock } from "../shell/windowed.js";
import { startCombo, getComboKinds } from "./combo.js";
import { renderCaption, renderTitleButtons } from "./palette.js";
import { renderLookDock } from "./saw.js";
import {
  setDraft,
  countCards,
  getDraft,
  drawAndReport,
  getAllowedCommands,
  getTitles,
  getView,
} from "./state.js";
import { getOwnValue } from "../core/value.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Command } from "../core/types.js" */

/** @type {Record<string, (ctrl: Controller) => unknown>} */
const STEPS = {
  act: renderActDock,
  look: renderLookDock,
  shuffle: (ctrl) => renderDoneButton(ctrl, "shuffled"),
  give: (ctrl) => renderDoneButton(ctrl, "give"),
  take: (ctrl) => renderDoneButton(ctrl, "take"),
  answer: renderAnswerButtons,
  pick: renderPickChoice,
  report: renderOutcomesDock,
  kitten: renderKittenDock,
};

/** @param {Controller} ctrl */
export function renderDock(ctrl) {
  const view = getView(ctrl);
  if (view.window) return renderWindowDock(ctrl);
  if (!ctrl.me) return renderSpectatorDock(ctrl);
  const step = getOwnValue(STEPS, view.turn?.step);
  return ctrl.as && step ? step(ctrl) : renderWaitingDock(ctrl);
}

/**
 * Renders the cards that can be played, and two buttons that draw a card and report it with one
 * tap: as safe or as a Kitten.
 * @param {Controller} ctrl
 */
function renderActDock(ctrl) {
  if (getDraft(ctrl)?.kind || ctrl.aimedCard) return nothing;
  const [draw] = getAllowedCommands(ctrl, "draw");
  return html`<div class="acts">
    ${renderPlayableCards(ctrl)}${draw ? renderDrawButtons(ctrl, draw) : nothing}
  </div>`;
}

/** @param {Controller} ctrl */
function renderPlayableCards(ctrl) {
  const cards = getPlayableCards(getView(ctrl), ctrl.as);
  const combos = getComboKinds(ctrl).length > 0;
  const count = cards.length + (combos ? 1 : 0);
  if (!count) return html`<div class="dock"><p class="quiet">${t("dock.no-cards")}</p></div>`;
  return html`<div class="dock hand plays" role="group" aria-label=${t("dock.play")}
    data-count=${count}>
    ${cards.map(
      (card) => html`<button type="button"
        class="press play ${getHueClass(card)} ${isPending(ctrl, card) ? "pending" : ""}" data-play=${card}
        data-digit @click=${() => playCard(ctrl, card)}>
        <span class="face">${renderCardBadge(card)}</span>
        ${renderCaption(card)}
      </button>`,
    )}
    ${
      combos
        ? html`<button type="button" class="press play combo" data-do="combo" data-digit
          aria-keyshortcuts="C" @click=${() => startCombo(ctrl)}>
          <span class="face">${art("pair")}</span>
          <span class="caption">${t("combo")}</span>
        </button>`
        : nothing
    }
  </div>`;
}

/**
 * Plays a card; asks for a target only if there are several.
 * @param {Controller} ctrl
 * @param {string} card
 */
function playCard(ctrl, card) {
  const [only, ...others] = getAllowedCommands(ctrl, "play").filter(
    (command) => command.card === card,
  );
  if (only && !others.length) ctrl.send(only);
  else ctrl.tapCard(card);
}

/** @param {Controller} ctrl @param {string} card */
const isPending = (ctrl, card) =>
  getAllowedCommands(ctrl, "play").some(
    (command) => command.card === card && ctrl.pending.has(getCommandTag(command)),
  );

/** @param {Controller} ctrl @param {Command} draw */
const renderDrawButtons = (ctrl, draw) =>
  html`<div class="dock two equal draws">
    ${renderOutcomeButton(ctrl, draw, "safe")}${renderOutcomeButton(ctrl, draw, "kitten")}
  </div>`;

/** @param {Controller} ctrl @param {Command} draw @param {"safe" | "kitten"} what */
const renderOutcomeButton = (ctrl, draw, what) =>
  html`<button type="button"
    class="press ${what === "safe" ? "good" : "danger"} ${
      ctrl.pending.has(getCommandTag(draw)) ? "pending" : ""
    }"
    data-say=${what} aria-keyshortcuts=${what === "safe" ? "S" : "K"}
    @click=${() => drawAndReport(ctrl, draw, what)}>
    ${art(what === "safe" ? "check" : "kitten")}
    <span>${t(`dock.drew.${what}`)}</span>
    <kbd aria-hidden="true">${what === "safe" ? "S" : "K"}</kbd>
  </button>`;

/**
 * Renders one button, which the player taps after having done something with the real cards.
 * @param {Controller} ctrl
 * @param {string} type
 */
function renderDoneButton(ctrl, type) {
  const [command] = getAllowedCommands(ctrl, type);
  return command
    ? html`<div class="dock two alone">${renderCommandButton(ctrl, command, t(`dock.${type}`), {
        kind: "main",
      })}</div>`
    : renderWaitingDock(ctrl);
}

/** Renders the two answers to a triple: "yes, I have that card" and "no". @param {Controller} ctrl */
function renderAnswerButtons(ctrl) {
  return html`<div class="dock two equal">${getAllowedCommands(ctrl, "answer").map((command) =>
    renderCommandButton(
      ctrl,
      command,
      html`${art(command.has ? "check" : "close")}<span>${t(`dock.answer.${command.has}`)}</span>`,
      {
        kind: command.has ? "good" : "",
        id: `answer-${command.has}`,
      },
    ),
  )}</div>`;
}

/**
 * Renders the cards on the discard pile, so that a player who has played five different cards can
 * take one.
 * @param {Controller} ctrl
 */
function renderPickChoice(ctrl) {
  const commands = getAllowedCommands(ctrl, "pick");
  const findCommand = (/** @type {string} */ card) =>
    commands.find((command) => command.card === card);
  return renderTitleButtons(
    commands.map((command) => command.card),
    {
      label: t("dock.pick"),
      tap: (card) => ctrl.send(/** @type {Command} */ (findCommand(card))),
      pending: (card) =>
        ctrl.pending.has(getCommandTag(/** @type {Command} */ (findCommand(card)))),
    },
  );
}

/** Renders the choice between playing a Defuse and exploding. @param {Controller} ctrl */
function renderKittenDock(ctrl) {
  const view = getView(ctrl);
  const draft = getDraft(ctrl);
  const [defuse] = getAllowedCommands(ctrl, "defuse");
  const [explode] = getAllowedCommands(ctrl, "explode");
  if (draft?.told && explode) return renderHandReportForm(ctrl, explode);
  const chance = getOwnValue(findSeat(view, ctrl.as)?.known, findCardWithEffect("defuse")) ? 1 : 0;
  const place = draft?.place;
  const canNotePlace = ctrl.as === ctrl.me && defuse;
  return html`<div class="fate">
    ${
      defuse
        ? html`<div class="dock two ${canNotePlace ? "" : "alone"}">
          ${renderCommandButton(ctrl, place ? { ...defuse, place } : defuse, t("dock.defuse"), {
            kind: "good",
          })}
          ${
            canNotePlace
              ? html`<button type="button" class="press small" data-do="place"
                aria-pressed=${String(!!place)}
                @click=${() => setDraft(ctrl, place ? null : { place: 1 })}>
                ${t(place ? "dock.no-note" : "dock.place")}
              </button>`
              : nothing
          }
        </div>`
        : nothing
    }
    ${
      explode && !place
        ? html`<div class="dock gone-dock">
          ${renderExplodeButton(ctrl, explode, chance)}
          ${
            findSeat(view, ctrl.as)?.hand
              ? html`<button type="button" class="press plain small" data-do="tell"
                @click=${() => setDraft(ctrl, { alone: true, told: [] })}>
                ${t("dock.tell")}
              </button>`
              : nothing
          }
        </div>`
        : nothing
    }
  </div>`;
}

/**
 * Renders the form in which an exploding player lists the cards of their hand. They list all of them
 * or none.
 * @param {Controller} ctrl
 * @param {Command} explode
 */
function renderHandReportForm(ctrl, explode) {
  const cards = getDraft(ctrl)?.told ?? [];
  const hand = findSeat(getView(ctrl), ctrl.as)?.hand ?? 0;
  const counts = countCards(cards);
  const left = hand - cards.length;
  return html`<div class="fate">
    ${renderTitleButtons(getTitles(), {
      label: t("dock.tell"),
      tap: (card) => setDraft(ctrl, { alone: true, told: [...cards, card] }),
      count: (card) => counts.get(card) ?? 0,
      able: () => left > 0,
    })}
    <div class="dock two">
      ${
        left
          ? html`<p class="quiet">${t("dock.tell.left", { count: left })}</p>`
          : renderExplodeButton(ctrl, { ...explode, cards }, 0)
      }
      <button type="button" class="press small" data-do="untell"
        @click=${() => setDraft(ctrl, cards.length ? { alone: true, told: [] } : null)}>
        ${t(cards.length ? "dock.tell.again" : "back")}
      </button>
    </div>
  </div>`;
}
