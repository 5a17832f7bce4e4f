/** Renders groups of buttons: titles to choose a card from, and names to choose a target from. */
import { hand } from "../../art/marks.js";
import { getHueClass, getCardTitle } from "../core/deck.js";
import { html, nothing } from "../core/lit.js";
import { findSeat } from "../core/moves.js";
import { addSoftHyphens, t } from "../core/text.js";
import { renderCardBadge, renderEmblem, getLongClass, renderPlayerName } from "../shell/parts.js";
import { getView } from "./state.js";

/** @import { Controller } from "../core/controller.js" */

/**
 * Shortens a title for a narrow button: removes text in brackets, and lets a very long word break.
 * @param {string} card
 */
export function renderCaption(card) {
  const words = getCardTitle(card).replace(/\s*\(.*\)$/, "");
  return html`<span class="caption ${getLongClass(words, 6, 16)}">${addSoftHyphens(words, 10)}</span>`;
}

/**
 * @param {string[]} cards
 * @param {{label: string, tap: (card: string) => void, count?: (card: string) => number, able?:
 *   (card: string) => boolean,
 *   pending?: (card: string) => boolean}} how `count`: number of copies already chosen
 */
export function renderTitleButtons(cards, { label, tap, count, able, pending }) {
  return html`<div class="palette" role="group" aria-label=${label} data-count=${cards.length}>
    ${cards.map((card) => {
      const copies = count?.(card) ?? 0;
      return html`<button type="button"
        class="press play ${getHueClass(card)} ${copies ? "picked" : ""} ${pending?.(card) ? "pending" : ""}"
        data-pick=${card} data-digit aria-pressed=${count ? String(copies > 0) : nothing}
        ?disabled=${able && !able(card)}
        aria-label=${copies > 1 ? `${copies}× ${getCardTitle(card)}` : getCardTitle(card)}
        @click=${() => tap(card)}>
        <span class="face">
          ${renderCardBadge(card)}${copies > 1 ? html`<b class="many">${copies}×</b>` : nothing}
        </span>
        ${renderCaption(card)}
      </button>`;
    })}
  </div>`;
}

/**
 * Renders a button for each player whom the command can target.
 * @param {Controller} ctrl
 * @param {string[]} seats
 * @param {(seat: string) => void} tap
 */
export function renderTargetButtons(ctrl, seats, tap) {
  return html`<div class="whom" role="group" aria-label=${t("now.combo.whom")}
    data-count=${seats.length}>
    ${seats.map((id) => {
      const seat = findSeat(getView(ctrl), id);
      return html`<button type="button" class="press" data-whom=${id} data-digit
        @click=${() => tap(id)}>
        ${renderEmblem(ctrl, id)}
        <span class="grow clip ${getLongClass(seat?.name ?? "", 9)}">${renderPlayerName(
          seat?.name ?? "",
        )}</span>
        <span class="holds" title=${t("seat.hand", { count: seat?.hand ?? 0 })}>
          ${hand(seat?.hand ?? 0)}
          <span aria-hidden="true">${seat?.hand}</span>
          <span class="unseen">${t("seat.hand", { count: seat?.hand ?? 0 })}</span>
        </span>
      </button>`;
    })}
  </div>`;
}
