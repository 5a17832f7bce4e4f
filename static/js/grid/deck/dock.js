/**
 * The dock of a player with a device deck: the hand, the commands that the player's cards permit,
 * and the choice of a cell for the Kitten.
 */
import { findCardWithEffect, getHueClass, getCardTitle } from "../../core/deck.js";
import { html, nothing } from "../../core/lit.js";
import { findAllowedCommands, getPlayableCards, findSeat } from "../../core/moves.js";
import { capitalize, t } from "../../core/text.js";
import { findNewestCommand } from "../../core/undone.js";
import { cardBack } from "../../../art/cards.js";
import { renderCardCaption, renderExplodeButton } from "../../shell/dock.js";
import { art, renderCardBadge } from "../../shell/parts.js";
import { renderDock as plain } from "../dock.js";
import { getCardAt } from "../fair.js";
import { loadKeeper } from "../own.js";
import { describeCell } from "../words.js";
import { renderAutomaticPass } from "./alone.js";

/** @import { Controller } from "../../core/controller.js" */
/** @import { Cell, View } from "../types.js" */

/** @param {Controller} ctrl */
export function renderDeckDock(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const { lost, hand } = ctrl.deviceDeck;
  if (ctrl.as && ctrl.as !== ctrl.me) return plain(ctrl);
  const step = view.turn?.step;
  if (lost) return canActWithoutCards(ctrl) ? plain(ctrl) : renderMissingDeckNotice(ctrl);
  if (!hand)
    return html`<div class="dock"><p class="quiet" aria-busy="true">${t("deck.coming")}</p></div>`;
  if (view.window)
    return html`${plain(ctrl)}${renderAutomaticPass(ctrl)}
      ${ctrl.prefs.bare ? nothing : renderUncoverButton(ctrl)}`;
  if (ctrl.as && step === "kitten") return renderKittenChoice(ctrl);
  if (ctrl.as && step !== "act" && step !== "tell") return plain(ctrl);
  return findSeat(view, ctrl.me)?.alive && !view.roll_call ? renderHand(ctrl) : plain(ctrl);
}

/**
 * Returns true if the viewer doesn't need to see their cards for the next action.
 * @param {Controller} ctrl
 */
function canActWithoutCards(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  if (view.window || view.roll_call || !findSeat(view, ctrl.me)?.alive) return true;
  return !!ctrl.as && view.turn?.step === "shuffle";
}

/**
 * Renders the notice that the deck isn't on this device, with a button that helps the player to go
 * on.
 * @param {Controller} ctrl
 */
const renderMissingDeckNotice = (ctrl) =>
  html`<div class="dock without"><p class="quiet lost" role="status">${t("deck.lost")}</p>
    <button type="button" class="press small" data-do="lost"
      @click=${() => ctrl.set({ sheet: { kind: "seat", seat: String(ctrl.me) } })}>
      ${t("deck.lost.do")}
    </button>
  </div>`;

/** Renders the hand. Cards of the same title share one button. @param {Controller} ctrl */
function renderHand(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const hand = /** @type {string[]} */ (ctrl.deviceDeck.hand);
  const plays = getPlayableCards(view, ctrl.as);
  if (!hand.length) return html`<div class="dock"><p class="quiet">${t("dock.no-cards")}</p></div>`;
  if (!ctrl.prefs.bare)
    return html`<div class="dock covered">
      ${renderUncoverButton(
        ctrl,
        html`<span class="fan" aria-hidden="true">${hand.slice(0, 7).map(() => cardBack())}</span>`,
      )}
    </div>`;
  const titles = [...new Set(hand)];
  const countCopies = (/** @type {string} */ card) => hand.filter((one) => one === card).length;
  return html`<div class="dock kept" role="group"
    aria-label=${t("deck.hand", { count: hand.length })}
    .style=${`--across:${titles.length > 4 ? 4 : titles.length + 1}`}>
    ${titles.map((card) => renderHandCard(ctrl, card, countCopies(card), plays.includes(card)))}
    <button type="button" class="press play cover" data-do="cover" aria-label=${t("deck.cover")}
      title=${t("deck.cover")} @click=${() => setCovered(ctrl, true)}>
      <span class="face">${art("watch")}</span>
      <span class="caption">${t("deck.cover.short")}</span>
    </button>
  </div>`;
}

/**
 * Renders one title of the hand. It is a button if the card can be played.
 * @param {Controller} ctrl
 * @param {string} card
 * @param {number} copies
 * @param {boolean} isPlayable
 */
function renderHandCard(ctrl, card, copies, isPlayable) {
  const isNew = ctrl.newCard === card;
  const face = html`<span class="face">
    ${renderCardBadge(card)}${copies > 1 ? html`<b class="copies">×${copies}</b>` : nothing}
  </span>${renderCardCaption(card)}${isNew ? html`<b class="new-mark">${t("deck.new")}</b>` : nothing}`;
  const look = `${getHueClass(card)} ${isNew ? "is-new" : ""}`;
  if (!isPlayable)
    return html`<span class="press play held ${look}" data-held=${card}>${face}</span>`;
  return html`<button type="button"
    class="press play ${look} ${ctrl.aimedCard === card ? "aiming" : ""}" data-play=${card}
    aria-pressed=${card === ctrl.aimedCard ? "true" : nothing} @click=${() => ctrl.tapCard(card)}>
    ${face}
  </button>`;
}

/**
 * Renders the button that uncovers the hand. Hands are covered at first, so that players can share
 * their screen.
 * @param {Controller} ctrl
 * @param {unknown} [cards]
 */
const renderUncoverButton = (ctrl, cards = nothing) =>
  html`<button type="button" class="press wide uncover" data-do="uncover"
    @click=${() => setCovered(ctrl, false)}>
    ${cards}${t("deck.uncover")}
  </button>`;

/**
 * Covers or uncovers the viewer's cards everywhere on the page.
 * @param {Controller} ctrl
 * @param {boolean} covered
 */
function setCovered(ctrl, covered) {
  ctrl.prefer("bare", !covered);
  ctrl.wire?.showAgain();
}

/**
 * Renders the buttons Defuse and Explode. After a tap on Defuse, renders the choice of a cell for
 * the Kitten. Until the viewer taps the cell, `ctrl.draft` is the Defuse. `hideKitten` sends it,
 * and `still` is true if the other cards stay where they are.
 * @param {Controller} ctrl
 */
function renderKittenChoice(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const [defuse] = findAllowedCommands(view, ctrl.as, "defuse");
  const [explode] = findAllowedCommands(view, ctrl.as, "explode");
  if (ctrl.draft?.hideKitten) {
    const { still } = ctrl.draft;
    return html`<div class="dock"><p class="quiet">${t("deck.where")}</p></div>
      <div class="dock two equal">
        <button type="button" class="press small" data-do="still"
          aria-pressed=${still ? "true" : "false"}
          @click=${() => ctrl.set({ draft: { ...ctrl.draft, still: !still } })}>
          ${t("deck.still")}
        </button>
        <button type="button" class="press small" data-do="hide-not"
          @click=${() => ctrl.set({ draft: null })}>
          ${t("deck.where.not")}
        </button>
      </div>`;
  }
  const hideKitten = (/** @type {Cell} */ cell) => {
    const { still } = ctrl.draft;
    return loadKeeper().then((keeper) => keeper.sendDefuse(ctrl, cell, still));
  };
  return html`<div class="fate">
    ${
      defuse
        ? html`<div class="dock">
          <button type="button" class="press good wide" data-do="hide"
            @click=${() => ctrl.set({ draft: { hideKitten, still: false } })}>
            ${renderCardBadge(findCardWithEffect("defuse"))}
            ${t("deck.defuse", { card: getCardTitle(findCardWithEffect("defuse")) })}
          </button>
        </div>`
        : nothing
    }
    ${
      explode
        ? html`<div class="dock">
          ${renderExplodeButton(ctrl, explode, 1, defuse && t("deck.explode"))}
        </div>`
        : nothing
    }
  </div>`;
}

/**
 * Renders the card that this player has just looked at, with its position.
 * @param {Controller} ctrl
 */
export function renderSeenCard(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const last = findNewestCommand(view.log);
  const cell = /** @type {Cell | undefined} */ (last?.facts.cell);
  if (last?.type !== "looked" || last.seat !== ctrl.me || !cell || ctrl.aimedCard) return nothing;
  const card = ctrl.deviceDeck.grid && getCardAt(ctrl.deviceDeck, cell);
  if (!card || !ctrl.prefs.bare) return nothing;
  const ownSeat = findSeat(view, ctrl.me);
  const place = ownSeat ? describeCell(ownSeat.grid, cell) : "";
  return html`<p class="hint saw ${getHueClass(card)}">
    ${renderCardBadge(card)}
    <span>${capitalize(t("deck.saw", { place, card: getCardTitle(card) }))}</span>
  </p>`;
}
