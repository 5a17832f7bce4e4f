/** The dock of a table with one pile: the buttons for the current step. */
import { cardWithEffect, hueClass } from "../core/deck.js";
import { html, nothing } from "../core/lit.js";
import { playableCards, seatOf, commandTag } from "../core/moves.js";
import { t } from "../core/text.js";
import { explodeButton, outcomesDock, waitingDock, watchingDock } from "../shell/dock.js";
import { art, cardBadge, commandButton } from "../shell/parts.js";
import { windowDock } from "../shell/windowed.js";
import { begin, kinds } from "./combo.js";
import { caption, palette } from "./palette.js";
import { saw } from "./saw.js";
import { arrange, countCards, draftOf, drew, mine, titles, viewOf } from "./state.js";
import { valueAt } from "../core/value.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Command } from "../core/types.js" */

/** @type {Record<string, (ctrl: Controller) => unknown>} */
const STEPS = {
  act,
  look: saw,
  shuffle: (ctrl) => one(ctrl, "shuffled"),
  give: (ctrl) => one(ctrl, "give"),
  take: (ctrl) => one(ctrl, "take"),
  answer,
  pick,
  report: outcomesDock,
  kitten: fate,
};

/** @param {Controller} ctrl */
export function dock(ctrl) {
  const view = viewOf(ctrl);
  if (view.window) return windowDock(ctrl);
  if (!ctrl.me) return watchingDock(ctrl);
  const step = valueAt(STEPS, view.turn?.step);
  return ctrl.as && step ? step(ctrl) : waitingDock(ctrl);
}

/**
 * Draws the cards to play and the draw, which is reported as safe or Kitten with the same tap.
 * @param {Controller} ctrl
 */
function act(ctrl) {
  if (draftOf(ctrl)?.kind || ctrl.aim) return nothing;
  const [draw] = mine(ctrl, "draw");
  return html`<div class="acts">${hand(ctrl)}${draw ? drawing(ctrl, draw) : nothing}</div>`;
}

/** @param {Controller} ctrl */
function hand(ctrl) {
  const cards = playableCards(viewOf(ctrl), ctrl.as);
  const combos = kinds(ctrl).length > 0;
  const count = cards.length + (combos ? 1 : 0);
  if (!count) return html`<div class="dock"><p class="quiet">${t("dock.no-cards")}</p></div>`;
  return html`<div class="dock hand plays" role="group" aria-label=${t("dock.play")}
    data-count=${count}>
    ${cards.map(
      (card) => html`<button type="button"
        class="press play ${hueClass(card)} ${waits(ctrl, card) ? "pending" : ""}" data-play=${card}
        data-digit @click=${() => play(ctrl, card)}>
        <span class="face">${cardBadge(card)}</span>
        ${caption(card)}
      </button>`,
    )}
    ${
      combos
        ? html`<button type="button" class="press play combo" data-do="combo" data-digit
          aria-keyshortcuts="C" @click=${() => begin(ctrl)}>
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
function play(ctrl, card) {
  const [only, ...others] = mine(ctrl, "play").filter((one) => one.card === card);
  if (only && !others.length) ctrl.send(only);
  else ctrl.tapCard(card);
}

/** @param {Controller} ctrl @param {string} card */
const waits = (ctrl, card) =>
  mine(ctrl, "play").some((one) => one.card === card && ctrl.pending.has(commandTag(one)));

/** @param {Controller} ctrl @param {Command} draw */
const drawing = (ctrl, draw) =>
  html`<div class="dock two equal draws">
    ${outcome(ctrl, draw, "safe")}${outcome(ctrl, draw, "kitten")}
  </div>`;

/** @param {Controller} ctrl @param {Command} draw @param {"safe" | "kitten"} what */
const outcome = (ctrl, draw, what) =>
  html`<button type="button"
    class="press ${what === "safe" ? "good" : "danger"} ${
      ctrl.pending.has(commandTag(draw)) ? "pending" : ""
    }"
    data-say=${what} aria-keyshortcuts=${what === "safe" ? "S" : "K"}
    @click=${() => drew(ctrl, draw, what)}>
    ${art(what === "safe" ? "check" : "kitten")}
    <span>${t(`dock.drew.${what}`)}</span>
    <kbd aria-hidden="true">${what === "safe" ? "S" : "K"}</kbd>
  </button>`;

/**
 * Draws one button, to tap once something has been done at the table.
 * @param {Controller} ctrl
 * @param {string} type
 */
function one(ctrl, type) {
  const [command] = mine(ctrl, type);
  return command
    ? html`<div class="dock two alone">${commandButton(ctrl, command, t(`dock.${type}`), {
        kind: "main",
      })}</div>`
    : waitingDock(ctrl);
}

/** Draws the answer to a triple: does the hand have the title or not? @param {Controller} ctrl */
function answer(ctrl) {
  return html`<div class="dock two equal">${mine(ctrl, "answer").map((one) =>
    commandButton(
      ctrl,
      one,
      html`${art(one.has ? "check" : "close")}<span>${t(`dock.answer.${one.has}`)}</span>`,
      {
        kind: one.has ? "good" : "",
        id: `answer-${one.has}`,
      },
    ),
  )}</div>`;
}

/** Draws the cards of the discard pile that five different cards can fetch. @param {Controller} ctrl */
function pick(ctrl) {
  const found = mine(ctrl, "pick");
  const of = (/** @type {string} */ card) => found.find((one) => one.card === card);
  return palette(
    found.map((one) => one.card),
    {
      label: t("dock.pick"),
      tap: (card) => ctrl.send(/** @type {Command} */ (of(card))),
      pending: (card) => ctrl.pending.has(commandTag(/** @type {Command} */ (of(card)))),
    },
  );
}

/** Draws the choice between Defuse and explosion. @param {Controller} ctrl */
function fate(ctrl) {
  const view = viewOf(ctrl);
  const draft = draftOf(ctrl);
  const [defuse] = mine(ctrl, "defuse");
  const [explode] = mine(ctrl, "explode");
  if (draft?.told && explode) return telling(ctrl, explode);
  const sure = valueAt(seatOf(view, ctrl.as)?.known, cardWithEffect("defuse")) ? 1 : 0;
  const place = draft?.place;
  const note = ctrl.as === ctrl.me && defuse;
  return html`<div class="fate">
    ${
      defuse
        ? html`<div class="dock two ${note ? "" : "alone"}">
          ${commandButton(ctrl, place ? { ...defuse, place } : defuse, t("dock.defuse"), { kind: "good" })}
          ${
            note
              ? html`<button type="button" class="press small" data-do="place"
                aria-pressed=${String(!!place)}
                @click=${() => arrange(ctrl, place ? null : { place: 1 })}>
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
          ${explodeButton(ctrl, explode, sure)}
          ${
            seatOf(view, ctrl.as)?.hand
              ? html`<button type="button" class="press plain small" data-do="tell"
                @click=${() => arrange(ctrl, { alone: true, told: [] })}>
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
 * Draws the form in which an exploding player may name all cards of the hand, or none.
 * @param {Controller} ctrl
 * @param {Command} explode
 */
function telling(ctrl, explode) {
  const told = draftOf(ctrl)?.told ?? [];
  const hand = seatOf(viewOf(ctrl), ctrl.as)?.hand ?? 0;
  const many = countCards(told);
  const left = hand - told.length;
  return html`<div class="fate">
    ${palette(titles(), {
      label: t("dock.tell"),
      tap: (card) => arrange(ctrl, { alone: true, told: [...told, card] }),
      count: (card) => many.get(card) ?? 0,
      able: () => left > 0,
    })}
    <div class="dock two">
      ${
        left
          ? html`<p class="quiet">${t("dock.tell.left", { count: left })}</p>`
          : explodeButton(ctrl, { ...explode, cards: told }, 0)
      }
      <button type="button" class="press small" data-do="untell"
        @click=${() => arrange(ctrl, told.length ? { alone: true, told: [] } : null)}>
        ${t(told.length ? "dock.tell.again" : "back")}
      </button>
    </div>
  </div>`;
}
