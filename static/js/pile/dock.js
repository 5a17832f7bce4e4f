/** Renders the dock of a table with one pile: the buttons for the current step. */
import { findCardWithEffect, getCardTitle, getHueClass } from "../core/deck.js";
import { html, nothing } from "../core/lit.js";
import { getPlayableCards, findSeat, getCommandTag, getSeatName } from "../core/moves.js";
import { t } from "../core/text.js";
import {
  renderExplodeButton,
  renderOutcomesDock,
  renderWaitingDock,
  renderSpectatorDock,
} from "../shell/dock.js";
import {
  art,
  getViewerFacts,
  renderCardBadge,
  renderCommandButton,
  renderConfirmButton,
} from "../shell/parts.js";
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
  isImplodingFaceUp,
  isImplodingOnTop,
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
  report: renderReportDock,
  kitten: renderKittenDock,
  imploding: renderPutBackDock,
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
 * Renders the cards that can be played, and buttons that draw a card and report it with one tap: as
 * safe or as a Kitten.
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

/**
 * For each outcome of a draw, the letter on the keyboard that presses its button.
 * @type {Record<string, string>}
 */
const OUTCOME_KEYS = { safe: "S", kitten: "K", imploding: "I" };

/**
 * Renders a button for each outcome of a draw. If everybody sees the Imploding Kitten on top, it is
 * the only possible outcome. While it lies face up elsewhere in the pile, another button reports
 * that it has come to the top.
 * @param {Controller} ctrl @param {Command} draw
 */
function renderDrawButtons(ctrl, draw) {
  const view = getView(ctrl);
  const [seen] = getAllowedCommands(ctrl, "see_imploding");
  const outcomes = isImplodingOnTop(view)
    ? ["imploding"]
    : ["safe", "kitten", ...(view.pile?.imploding ? ["imploding"] : [])];
  return html`<div class="dock draws ${getRowClass(outcomes.length + (seen ? 1 : 0))}">
    ${outcomes.map((outcome) => renderOutcomeButton(ctrl, draw, outcome, outcomes))}
    ${
      seen
        ? renderCommandButton(
            ctrl,
            seen,
            html`${art("imploding")}<span>${t("dock.see_imploding")}</span>`,
          )
        : nothing
    }
  </div>`;
}

/** Returns the CSS classes for a row with this number of buttons. @param {number} count */
const getRowClass = (count) =>
  count === 1 ? "two alone" : `two equal ${count === 3 ? "three" : ""} ${count > 2 ? "many" : ""}`;

/**
 * @param {Controller} ctrl
 * @param {Command} draw
 * @param {string} what
 * @param {string[]} all the outcomes of all buttons in the row
 */
const renderOutcomeButton = (ctrl, draw, what, all) =>
  html`<button type="button"
    class="press ${what === "safe" ? "good" : "danger"} ${
      ctrl.pending.has(getCommandTag(draw)) ? "pending" : ""
    }"
    data-say=${what} aria-keyshortcuts=${OUTCOME_KEYS[what] ?? nothing}
    @click=${() => drawAndReport(ctrl, draw, what)}>
    ${art(what === "safe" ? "check" : what)}
    <span>${getOutcomeLabel(what, all)}</span>
    <kbd aria-hidden="true">${OUTCOME_KEYS[what]}</kbd>
  </button>`;

/**
 * Returns the label of the button for an outcome. If the pile has two kinds of Kittens, the label
 * is the card's title.
 * @param {string} what
 * @param {string[]} all the outcomes of all buttons in the row
 */
function getOutcomeLabel(what, all) {
  if (what === "imploding" && all.length === 1) return t("dock.draw-imploding");
  return what === "safe" || all.length < 3
    ? t(`dock.drew.${what}`)
    : getCardTitle(findCardWithEffect(what));
}

/**
 * Renders the buttons that report the drawn card. If the player can have drawn the Imploding Kitten
 * face up, they can also name the cards of their hand.
 * @param {Controller} ctrl
 */
function renderReportDock(ctrl) {
  const reports = getAllowedCommands(ctrl, "report");
  const imploding = reports.find(({ outcome }) => outcome === "imploding");
  if (!imploding) return renderOutcomesDock(ctrl);
  const isDeadly = isImplodingFaceUp(getView(ctrl));
  if (getDraft(ctrl)?.told && isDeadly) return renderHandReportForm(ctrl, imploding);
  const buttons = reports.filter((report) => report !== imploding || !isDeadly);
  return html`<div class="fate">
    ${
      buttons.length
        ? html`<div class="dock many ${getRowClass(buttons.length)}">
          ${buttons.map((report) => renderReportButton(ctrl, report))}
        </div>`
        : nothing
    }
    ${isDeadly ? renderExitButtons(ctrl, renderImplodeButton(ctrl, imploding)) : nothing}
  </div>`;
}

/** @param {Controller} ctrl @param {Command} report */
function renderReportButton(ctrl, report) {
  const { outcome } = report;
  const safe = outcome === "safe";
  return renderCommandButton(
    ctrl,
    report,
    html`${art(safe ? "check" : outcome)}<span>${
      safe ? t("dock.safe") : getCardTitle(findCardWithEffect(outcome))
    }</span>`,
    { kind: safe ? "good" : "danger", id: outcome, key: OUTCOME_KEYS[outcome] },
  );
}

/**
 * Renders the button with which a player reports that they drew the Imploding Kitten face up. It
 * asks for confirmation.
 * @param {Controller} ctrl
 * @param {Command} report
 */
function renderImplodeButton(ctrl, report) {
  const facts = {
    who: getSeatName(getView(ctrl), ctrl.as),
    mine: getViewerFacts(ctrl, { who: ctrl.as }),
  };
  return renderConfirmButton(ctrl, report, {
    label: html`${art("imploding")}${t("dock.implode")}`,
    ask: t("sure.implode", facts),
    yes: t("sure.implode.yes"),
    kind: "danger small",
    spot: "now",
  });
}

/**
 * Renders two buttons for a player who goes out: `button`, and a button that opens the form for the
 * cards of their hand.
 * @param {Controller} ctrl
 * @param {unknown} button
 */
const renderExitButtons = (ctrl, button) =>
  html`<div class="dock gone-dock">
    ${button}
    ${
      findSeat(getView(ctrl), ctrl.as)?.hand
        ? html`<button type="button" class="press plain small" data-do="tell"
          @click=${() => setDraft(ctrl, { alone: true, told: [] })}>
          ${t("dock.tell")}
        </button>`
        : nothing
    }
  </div>`;

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
  return html`<div class="fate">
    ${defuse ? renderHideButtons(ctrl, defuse, 1) : nothing}
    ${
      explode && !draft?.place
        ? renderExitButtons(ctrl, renderExplodeButton(ctrl, explode, chance))
        : nothing
    }
  </div>`;
}

/**
 * Renders the button with which a player puts the Imploding Kitten back into the pile. The form for
 * its place first proposes the second place: on top, everybody would see the card.
 * @param {Controller} ctrl
 */
function renderPutBackDock(ctrl) {
  const [putBack] = getAllowedCommands(ctrl, "put_back");
  const cards = getView(ctrl).pile?.cards ?? 0;
  if (!putBack) return renderWaitingDock(ctrl);
  return html`<div class="fate">${renderHideButtons(ctrl, putBack, cards ? 2 : 1)}</div>`;
}

/**
 * Renders the button that puts a Kitten back into the pile. The player can also note its place.
 * @param {Controller} ctrl
 * @param {Command} command
 * @param {number} first the place that the form shows first
 */
function renderHideButtons(ctrl, command, first) {
  const place = getDraft(ctrl)?.place;
  const canNotePlace = ctrl.as === ctrl.me;
  return html`<div class="dock two ${canNotePlace ? "" : "alone"}">
    ${renderCommandButton(
      ctrl,
      place ? { ...command, place } : command,
      t(`dock.${command.type}`),
      { kind: "good" },
    )}
    ${
      canNotePlace
        ? html`<button type="button" class="press small" data-do="place"
          aria-pressed=${String(!!place)}
          @click=${() => setDraft(ctrl, place ? null : { place: first })}>
          ${t(place ? "dock.no-note" : "dock.place")}
        </button>`
        : nothing
    }
  </div>`;
}

/**
 * Renders the form in which a player who goes out lists the cards of their hand. They list all of
 * them or none.
 * @param {Controller} ctrl
 * @param {Command} goOut the command that puts the player out
 */
function renderHandReportForm(ctrl, goOut) {
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
          : goOut.type === "report"
            ? renderImplodeButton(ctrl, { ...goOut, cards })
            : renderExplodeButton(ctrl, { ...goOut, cards }, 0)
      }
      <button type="button" class="press small" data-do="untell"
        @click=${() => setDraft(ctrl, cards.length ? { alone: true, told: [] } : null)}>
        ${t(cards.length ? "dock.tell.again" : "back")}
      </button>
    </div>
  </div>`;
}
