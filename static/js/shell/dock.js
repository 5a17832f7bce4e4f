/**
 * Renders parts of the dock, the row of buttons under the stage. Each family of games builds its
 * dock from these parts.
 */
import { hand as fan } from "../../art/marks.js";
import { findCardWithEffect, getHueClass, getCardTitle } from "../core/deck.js";
import { html, nothing } from "../core/lit.js";
import {
  mustExplode,
  findAllowedCommands,
  getPlayableCards,
  findSeat,
  getCommandTag,
} from "../core/moves.js";
import { addSoftHyphens, formatPercent, t } from "../core/text.js";
import {
  art,
  renderCardBadge,
  getLongClass,
  renderCommandButton,
  renderRoundButton,
  renderConfirmButton,
} from "./parts.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Command, View } from "../core/types.js" */

/** Renders the dock of a spectator. @param {Controller} ctrl */
export const renderSpectatorDock = (ctrl) =>
  html`<div class="dock shows">${renderLatecomerNote(ctrl)}${renderSignsButton(ctrl)}</div>`;

/**
 * Renders the button that opens the sheet of reactions (signs), which are pictures to send. Renders
 * nothing if the host has switched reactions off.
 * @param {Controller} ctrl
 */
const renderSignsButton = (ctrl) =>
  ctrl.view?.options.signs
    ? renderRoundButton("sign", t("sheet.signs"), () => ctrl.set({ sheet: { kind: "signs" } }))
    : nothing;

/**
 * Renders the dock of a player who has nothing to do now. It shows the number of cards in their
 * hand.
 * @param {Controller} ctrl
 */
export function renderWaitingDock(ctrl) {
  const mine = ctrl.view && findSeat(ctrl.view, ctrl.me);
  const words = mine?.alive
    ? html`${fan(mine.hand)}${t("dock.hand", { count: mine.hand })}`
    : t("dock.watch");
  return html`<div class="dock shows">
    <p class="quiet">${words}</p>
    ${renderSignsButton(ctrl)}
  </div>`;
}

/** Renders a button for each card that may be played. @param {Controller} ctrl */
export function renderHandDock(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const cards = getPlayableCards(view, ctrl.as);
  if (!cards.length)
    return html`<div class="dock"><p class="quiet">${t("dock.no-cards")}</p></div>`;
  return html`<div class="dock hand" role="group" aria-label=${t("dock.play")}
    data-count=${cards.length}>
    ${cards.map(
      (card) => html`<button type="button"
        class="press play ${getHueClass(card)} ${ctrl.aimedCard === card ? "aiming" : ""} ${getPendingClass(
          ctrl,
          card,
        )}"
        data-play=${card} aria-pressed=${card === ctrl.aimedCard ? "true" : nothing}
        @click=${() => ctrl.tapCard(card)}>
        <span class="face">${renderCardBadge(card)}</span>
        ${renderCardCaption(card)}
      </button>`,
    )}
  </div>`;
}

/**
 * Renders a card's title under its button. A very long word can break near its middle.
 * @param {string | undefined} card
 */
export function renderCardCaption(card) {
  const words = getCardTitle(String(card));
  return html`<span class="caption ${getLongClass(words, 8)}">${addSoftHyphens(words, 12)}</span>`;
}

/**
 * Returns the CSS class "pending" if the command to play this card is pending.
 * @param {Controller} ctrl
 * @param {string} card
 */
const getPendingClass = (ctrl, card) =>
  findAllowedCommands(/** @type {View} */ (ctrl.view), ctrl.as, "play").some(
    (command) => command.card === card && ctrl.pending.has(getCommandTag(command)),
  )
    ? "pending"
    : "";

/**
 * Renders the buttons that report whether the drawn card was safe or a Kitten.
 * @param {Controller} ctrl
 */
export function renderOutcomesDock(ctrl) {
  const reports = findAllowedCommands(/** @type {View} */ (ctrl.view), ctrl.as, "report");
  return html`<div class="dock two equal">${reports.map((report) =>
    renderCommandButton(
      ctrl,
      report,
      report.outcome === "safe"
        ? html`${art("check")}${t("dock.safe")}`
        : html`${art("kitten")}${t("dock.kitten")}`,
      {
        kind: report.outcome === "safe" ? "good" : "danger",
        id: report.outcome,
        key: report.outcome === "safe" ? "S" : "K",
      },
    ),
  )}</div>`;
}

/**
 * Renders the button with which a player reports that they exploded. Before sending, it asks for
 * confirmation and says how likely it is that the player holds a Defuse. If the player may not play
 * a Defuse, it sends the report without asking.
 * @param {Controller} ctrl
 * @param {Command} explode
 * @param {number} chance probability, from 0 to 1, of a Defuse in the hand
 * @param {string | false} [label] the button's text, if it isn't the usual one
 */
export function renderExplodeButton(ctrl, explode, chance, label) {
  const boom = html`${art("boom")}${label || t("dock.explode")}`;
  if (mustExplode(/** @type {View} */ (ctrl.view), ctrl.as))
    return renderCommandButton(ctrl, explode, boom, { kind: "danger wide" });
  const card = findCardWithEffect("defuse");
  const side = chance > 0.995 ? "surely" : chance > 0 ? "maybe" : "plain";
  const ask = t(`sure.explode.${side}`, {
    chance: formatPercent(chance),
    card: getCardTitle(card),
  });
  return renderConfirmButton(ctrl, explode, {
    label: boom,
    ask,
    yes: t("sure.explode.yes"),
    kind: "danger small",
    spot: "now",
  });
}

/**
 * Renders the offer of a seat in the next game, for visitors who came during the current game.
 * @param {Controller} ctrl
 */
export function renderLatecomerNote(ctrl) {
  const waits = ctrl.waitingSeat;
  if (ctrl.view?.options.locked && !waits) return html`<p class="quiet">${t("dock.watch")}</p>`;
  const late = ctrl.view?.phase === "over" ? "wait.over" : "wait.late";
  return html`<p class="quiet">${t(waits ? "wait.have" : late)}</p>
    <button type="button" class="press small" data-do="wait"
      @click=${() => ctrl.set({ sheet: { kind: "wait" } })}>
      ${t(waits ? "wait.who" : "wait.ask")}
    </button>${nothing}`;
}
