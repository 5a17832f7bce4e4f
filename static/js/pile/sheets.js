/**
 * Renders the sheets of games with one pile: the pile with its odds, the whole discard pile, a seat,
 * and the viewer's private notes about places in the pile (ruling private-notes).
 */
import { danger, hand } from "../../art/marks.js";
import { getHueClass, getCardsInGame, getCardTitle } from "../core/deck.js";
import { html, nothing } from "../core/lit.js";
import { findSeat } from "../core/moves.js";
import { t } from "../core/text.js";
import { renderCardBadge } from "../shell/parts.js";
import { renderSeatSheet } from "../shell/seat.js";
import { describeEndOdds } from "./middle.js";
import { countCards, describePile, getEndOdds, describePlace, getView } from "./state.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { End, Seat } from "./types.js" */

/**
 * Renders the sheet about the pile: its number of cards, and the odds of both ends.
 * @param {Controller} ctrl
 */
export function renderOddsSheet(ctrl) {
  const view = getView(ctrl);
  const { exact = true, imploding } = view.pile ?? {};
  const { top, bottom } = getEndOdds(view);
  return html`<div class="pile-sheet">
    <p class="row"><b>${describePile(view)}</b></p>
    ${renderEndOdds("top", top)}${renderEndOdds("bottom", bottom)}
    ${renderOddsReasons(top, bottom)}
    ${imploding ? html`<p class="soft">${t("pile.imploding.odds")}</p>` : nothing}
    ${exact ? nothing : html`<p class="soft">${t("pile.counts.what")}</p>`}
    ${renderNotes(ctrl)}
  </div>`;
}

/**
 * Renders the odds of one end: a bar from the lowest to the highest possible chance, with a mark at
 * the estimate.
 * @param {string} which
 * @param {End | undefined} odds
 */
function renderEndOdds(which, odds) {
  if (!odds) return nothing;
  return html`<div class="side">
    <span class="end-mark">${danger(odds.even)}</span>
    <span class="grow"><b>${t(`pile.${which}`)}</b>
      <span>${describeEndOdds(which, odds)}</span>
      <span class="odds-reach" aria-hidden="true"
        .style=${`--least:${odds.least};--most:${odds.most};--even:${odds.even}`}>
        <i></i>
        <b></b>
      </span></span>
  </div>`;
}

/** Explains why the odds are a range and not one number. @param {...(End | undefined)} both */
function renderOddsReasons(...both) {
  const states = new Set(both.flatMap((odds) => odds?.state ?? []));
  return [...states].map((state) => html`<p class="soft">${t(`odds.${state}.what`)}</p>`);
}

/** Renders the sheet with the whole discard pile. @param {Controller} ctrl */
export function renderDiscardSheet(ctrl) {
  const { cards, unnoted } = getView(ctrl).discard ?? { cards: [], unnoted: 0 };
  if (!cards.length && !unnoted) return html`<p class="soft">${t("seat.no-discard")}</p>`;
  return html`<p class="soft">${t("discard.how")}</p>
    ${unnoted ? html`<p>${t("discard.unnoted.what", { count: unnoted })}</p>` : nothing}
    <h3>${t("discard.newest")}</h3><p class="pile">
      ${cards
        .toReversed()
        .map(
          (card) =>
            html`<span class="chip ${getHueClass(card)}">${renderCardBadge(card)}${getCardTitle(
              card,
            )}</span>`,
        )}
    </p>
    <h3>${t("discard.titles")}</h3><p class="pile">
      ${[...countCards(cards)].map(
        ([card, count]) =>
          html`<span class="chip ${getHueClass(card)}">${renderCardBadge(card)}${count}× ${getCardTitle(
            card,
          )}</span>`,
      )}
    </p>`;
}

/** @param {Controller} ctrl */
function renderNotes(ctrl) {
  const view = getView(ctrl);
  const cards = view.pile?.cards ?? 0;
  const alive = view.seats.some((seat) => seat.seat === ctrl.me && seat.alive);
  if (!view.you || view.phase !== "play" || !alive || !cards) return nothing;
  const at = Math.min(ctrl.noteSpot ?? 0, cards);
  const sendNote = (/** @type {number} */ where, /** @type {string | null} */ card) => {
    ctrl.send({ type: "note", place: where, card }, "sheet");
    ctrl.set({ noteSpot: null });
  };
  return html`<section class="noting">
    <h3>${t("notes")}</h3>
    ${
      view.you.notes.length
        ? html`<ul class="note-list">
          ${view.you.notes.map(
            (note) =>
              html`<li class="row">
                <span class="grow">
                  ${describePlace(note.place, cards)}: <b>${getCardTitle(note.card)}</b>
                </span>
                <button type="button" class="press small" @click=${() => sendNote(note.place, null)}>
                  ${t("notes.forget")}
                </button>
              </li>`,
          )}
        </ul>`
        : html`<p class="soft">${t("notes.none")}</p>`
    }
    <div class="row wrap" role="group" aria-label=${t("notes.place")}>
      ${[1, 2, 3, cards]
        .filter((position, i, all) => position <= cards && all.indexOf(position) === i)
        .map(
          (position) =>
            html`<button type="button" class="press small"
              aria-pressed=${String(position === at)} @click=${() => ctrl.set({ noteSpot: position })}>
              ${describePlace(position, cards)}
            </button>`,
        )}
    </div>
    ${
      at
        ? html`<div class="row wrap">
          ${getCardsInGame().map(
            ({ id }) =>
              html`<button type="button" class="press small ${getHueClass(id)}" data-note=${id}
                @click=${() => sendNote(at, id)}>
                ${renderCardBadge(id)}
                ${getCardTitle(id)}
              </button>`,
          )}
        </div>`
        : nothing
    }
  </section>`;
}

/**
 * Renders the sheet of a seat: its hand as a fan of cards, and what everybody knows about the hand.
 * @param {Controller} ctrl
 */
export const renderPileSeatSheet = (ctrl) =>
  renderSeatSheet(ctrl, (found, mine) => renderSeatCards(ctrl, /** @type {Seat} */ (found), mine));

/** @param {Controller} ctrl @param {Seat} seat @param {boolean} mine */
function renderSeatCards(ctrl, seat, mine) {
  if (!seat.alive || getView(ctrl).phase === "setup") return nothing;
  const known = Object.entries(seat.known ?? {});
  const never = seat.never ?? [];
  const nothingKnown = seat.known && !known.length && !never.length;
  const nextPlayer = seat.next === seat.seat ? undefined : findSeat(getView(ctrl), seat.next);
  return html`<p class="hand-row">
    ${hand(seat.hand)}
    <b>${t("seat.hand", { count: seat.hand })}</b>
  </p>
    ${
      known.length
        ? html`<h4>${t("hand.surely")}</h4><p class="pile">
          ${known.map(
            ([card, least]) =>
              html`<span class="chip ${getHueClass(card)}">
                ${renderCardBadge(card)}
                ${least > 1 ? `${least}× ` : ""}${getCardTitle(card)}
              </span>`,
          )}
        </p>`
        : nothing
    }
    ${
      never.length
        ? html`<h4>${t("hand.surely-not")}</h4><p class="pile never">
          ${never.map(
            (card) =>
              html`<span class="chip">${renderCardBadge(card)}<s>${getCardTitle(card)}</s></span>`,
          )}
        </p>`
        : nothing
    }
    ${nothingKnown ? html`<p class="soft">${t("hand.nothing")}</p>` : nothing}
    ${nextPlayer ? html`<p class="soft">${t("then", { who: nextPlayer.name })}</p>` : nothing}
    ${mine ? renderNotes(ctrl) : nothing}`;
}
