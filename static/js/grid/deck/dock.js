/**
 * The dock of a player with a device deck: the hand, the commands that are true of it, and the choice
 * of a place for the Kitten.
 */
import { cardWithEffect, hueClass, title } from "../../core/deck.js";
import { html, nothing } from "../../core/lit.js";
import { allowedCommands, playableCards, seatOf } from "../../core/moves.js";
import { capitalize, t } from "../../core/text.js";
import { newestCommand } from "../../core/undone.js";
import { cardBack } from "../../../art/cards.js";
import { renderCardCaption, renderExplodeButton } from "../../shell/dock.js";
import { art, renderCardBadge } from "../../shell/parts.js";
import { dock as plain } from "../dock.js";
import { at } from "../fair.js";
import { loadKeeper } from "../own.js";
import { describeCell } from "../words.js";

/** @import { Controller } from "../../core/controller.js" */
/** @import { Cell, View } from "../types.js" */

/** @param {Controller} ctrl */
export function dock(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const { lost, hand } = ctrl.kept;
  if (ctrl.as && ctrl.as !== ctrl.me) return plain(ctrl);
  const step = view.turn?.step;
  if (lost) return needsNoCards(ctrl) ? plain(ctrl) : missingDeckNotice(ctrl);
  if (!hand)
    return html`<div class="dock"><p class="quiet" aria-busy="true">${t("deck.coming")}</p></div>`;
  if (view.window) return html`${plain(ctrl)}${ctrl.prefs.bare ? nothing : uncover(ctrl)}`;
  if (ctrl.as && step === "kitten") return fate(ctrl);
  if (ctrl.as && step !== "act" && step !== "tell") return plain(ctrl);
  return seatOf(view, ctrl.me)?.alive && !view.roll_call ? handView(ctrl) : plain(ctrl);
}

/**
 * Returns true if the next action needs no eyes on the viewer's cards.
 * @param {Controller} ctrl
 */
function needsNoCards(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  if (view.window || view.roll_call || !seatOf(view, ctrl.me)?.alive) return true;
  return !!ctrl.as && view.turn?.step === "shuffle";
}

/** Draws the notice that the deck isn't on this device, with a way out. @param {Controller} ctrl */
const missingDeckNotice = (ctrl) =>
  html`<div class="dock without"><p class="quiet lost" role="status">${t("deck.lost")}</p>
    <button type="button" class="press small" data-do="lost"
      @click=${() => ctrl.set({ sheet: { kind: "seat", seat: String(ctrl.me) } })}>
      ${t("deck.lost.do")}
    </button>
  </div>`;

/** Draws the hand, one button per title. @param {Controller} ctrl */
function handView(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const hand = /** @type {string[]} */ (ctrl.kept.hand);
  const plays = playableCards(view, ctrl.as);
  if (!hand.length) return html`<div class="dock"><p class="quiet">${t("dock.no-cards")}</p></div>`;
  if (!ctrl.prefs.bare)
    return html`<div class="dock covered">
      ${uncover(
        ctrl,
        html`<span class="fan" aria-hidden="true">${hand.slice(0, 7).map(() => cardBack())}</span>`,
      )}
    </div>`;
  const titles = [...new Set(hand)];
  const many = (/** @type {string} */ card) => hand.filter((one) => one === card).length;
  return html`<div class="dock kept" role="group"
    aria-label=${t("deck.hand", { count: hand.length })}
    .style=${`--across:${titles.length > 4 ? 4 : titles.length + 1}`}>
    ${titles.map((card) => one(ctrl, card, many(card), plays.includes(card)))}
    <button type="button" class="press play cover" data-do="cover" aria-label=${t("deck.cover")}
      title=${t("deck.cover")} @click=${() => cover(ctrl, true)}>
      <span class="face">${art("watch")}</span>
      <span class="caption">${t("deck.cover.short")}</span>
    </button>
  </div>`;
}

/**
 * Draws one title of the hand; a button if it can be played.
 * @param {Controller} ctrl
 * @param {string} card
 * @param {number} many
 * @param {boolean} plays
 */
function one(ctrl, card, many, plays) {
  const face = html`<span class="face">
    ${renderCardBadge(card)}${many > 1 ? html`<b class="copies">×${many}</b>` : nothing}
  </span>${renderCardCaption(card)}`;
  if (!plays)
    return html`<span class="press play held ${hueClass(card)}" data-held=${card}>${face}</span>`;
  return html`<button type="button"
    class="press play ${hueClass(card)} ${ctrl.aim === card ? "aiming" : ""}" data-play=${card}
    aria-pressed=${card === ctrl.aim ? "true" : nothing} @click=${() => ctrl.tapCard(card)}>
    ${face}
  </button>`;
}

/**
 * Draws the button that uncovers the hand, which is hidden for players who share their screen.
 * @param {Controller} ctrl
 * @param {unknown} [cards]
 */
const uncover = (ctrl, cards = nothing) =>
  html`<button type="button" class="press wide uncover" data-do="uncover"
    @click=${() => cover(ctrl, false)}>
    ${cards}${t("deck.uncover")}
  </button>`;

/**
 * Covers or uncovers the cards everywhere on the page.
 * @param {Controller} ctrl
 * @param {boolean} covered
 */
function cover(ctrl, covered) {
  ctrl.prefer("bare", !covered);
  ctrl.wire?.showAgain();
}

/**
 * Draws the choice between Defuse and explosion; after a Defuse, the choice of a cell for the Kitten.
 * @param {Controller} ctrl
 */
function fate(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const [defuse] = allowedCommands(view, ctrl.as, "defuse");
  const [explode] = allowedCommands(view, ctrl.as, "explode");
  const { hides: hiding, still = false } = ctrl.kept;
  const keep = (/** @type {object} */ more) => ctrl.set({ kept: { ...ctrl.kept, ...more } });
  if (hiding)
    return html`<div class="dock"><p class="quiet">${t("deck.where")}</p></div>
      <div class="dock two equal">
        <button type="button" class="press small" data-do="still"
          aria-pressed=${still ? "true" : "false"} @click=${() => keep({ still: !still })}>
          ${t("deck.still")}
        </button>
        <button type="button" class="press small" data-do="hide-not"
          @click=${() => keep({ hides: null })}>
          ${t("deck.where.not")}
        </button>
      </div>`;
  const hides = (/** @type {Cell} */ cell) =>
    loadKeeper().then((keeper) => keeper.hide(ctrl, cell, !!ctrl.kept.still));
  return html`<div class="fate">
    ${
      defuse
        ? html`<div class="dock">
          <button type="button" class="press good wide" data-do="hide"
            @click=${() => keep({ hides })}>
            ${renderCardBadge(cardWithEffect("defuse"))}
            ${t("deck.defuse", { card: title(cardWithEffect("defuse")) })}
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

/** Draws the card that this player has just looked at, with its place. @param {Controller} ctrl */
export function aside(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const last = newestCommand(view.log);
  const cell = /** @type {Cell | undefined} */ (last?.facts.cell);
  if (last?.type !== "looked" || last.seat !== ctrl.me || !cell || ctrl.aim) return nothing;
  const card = ctrl.kept.grid && at(ctrl.kept, cell);
  if (!card || !ctrl.prefs.bare) return nothing;
  const own = seatOf(view, ctrl.me);
  const place = own ? describeCell(own.grid, cell) : "";
  return html`<p class="hint saw ${hueClass(card)}">
    ${renderCardBadge(card)}
    <span>${capitalize(t("deck.saw", { place, card: title(card) }))}</span>
  </p>`;
}
