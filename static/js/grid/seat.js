/**
 * Renders the sheet of one seat: its grid, hand, discard pile and odds, and the viewer's private
 * notes on face-down cards (ruling private-notes).
 */
import { LEVELS, danger } from "../../art/marks.js";
import { getHueClass, getCardsInGame, getCardTitle } from "../core/deck.js";
import { html, nothing } from "../core/lit.js";
import { findSeat } from "../core/moves.js";
import { formatPercent, t } from "../core/text.js";
import { art, renderCardBadge } from "../shell/parts.js";
import { renderSeatSheet } from "../shell/seat.js";
import { sendCameraSigns } from "../shell/sheets.js";
import { renderGrid, getOdds } from "./grid.js";
import { getView, hasDeviceDeck, isSameCell } from "./state.js";
import { describeCell } from "./words.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Odds, Seat, View } from "./types.js" */

/** @param {Controller} ctrl */
export const renderGridSeatSheet = (ctrl) =>
  renderSeatSheet(ctrl, (found, mine) => renderCards(ctrl, /** @type {Seat} */ (found), mine));

/**
 * Opens the camera check of a seat, and notifies the seat's player.
 * @param {Controller} ctrl
 * @param {string} seat
 */
export function startCameraCheck(ctrl, seat) {
  ctrl.set({ sheet: { kind: "camera", seat } });
  sendCameraSigns(ctrl, seat);
}

/** @param {Controller} ctrl @param {Seat} shownSeat @param {boolean} mine */
function renderCards(ctrl, shownSeat, mine) {
  const camera =
    mine || hasDeviceDeck(shownSeat)
      ? nothing
      : html`<button type="button" class="press" data-do="camera"
          @click=${() => startCameraCheck(ctrl, shownSeat.seat)}>
          ${art("camera")}
          ${t("sheet.camera")}
        </button>`;
  if (ctrl.view?.phase === "setup") return camera;
  if (!shownSeat.alive) return renderDiscardPile(shownSeat);
  return html`<div class="felt">${renderGrid(ctrl, shownSeat, { size: "large", noting: mine })}</div>
    <p class="row">${art("cards")}${t("seat.hand", { count: shownSeat.hand })}</p>
    ${mine ? renderNotes(ctrl) : nothing}${renderOdds(ctrl, shownSeat)}
    ${renderDiscardPile(shownSeat)}${camera}`;
}

/** @param {Seat} shownSeat */
function renderDiscardPile(shownSeat) {
  if (!shownSeat.discard.length) return html`<p class="soft">${t("seat.no-discard")}</p>`;
  return html`<h4>${t("seat.discard", { count: shownSeat.discard.length })}</h4>
    <p class="pile">
      ${shownSeat.discard.map(
        (card) =>
          html`<span class="chip ${getHueClass(card)}">${renderCardBadge(card)}${getCardTitle(card)}</span>`,
      )}
    </p>`;
}

/** @param {Controller} ctrl */
function renderNotes(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const mine = findSeat(view, ctrl.me);
  const at = ctrl.noteSpot;
  if (!mine || view.phase !== "play") return nothing;
  if (!at || mine.grid[at[0]]?.[at[1]] !== "down")
    return html`<p class="soft">${t("notes.how")}</p>`;
  const existingNote = view.you?.notes.find((note) => isSameCell(note.cell, at));
  const note = (/** @type {string | null} */ card) => {
    ctrl.send({ type: "note", cell: at, card }, "sheet");
    ctrl.set({ noteSpot: null });
  };
  return html`<div class="noting">
    <h4>${t("notes.what", { place: describeCell(mine.grid, at) })}</h4>
    <div class="row wrap">
      ${getCardsInGame().map(
        ({ id: card }) =>
          html`<button type="button" class="press small ${getHueClass(card)}" data-note=${card}
            @click=${() => note(card)}>
            ${renderCardBadge(card)}
            ${getCardTitle(card)}
          </button>`,
      )}
      ${
        existingNote
          ? html`<button type="button" class="press small" @click=${() => note(null)}>
            ${t("notes.forget")}
          </button>`
          : nothing
      }
    </div>
  </div>`;
}

/** @param {Controller} ctrl @param {Seat} seat */
function renderOdds(ctrl, seat) {
  const odds = getOdds(ctrl, seat);
  if (!odds) return nothing;
  const down = averageChances(ctrl, seat, odds);
  return html`<div class="odds">
    ${
      down
        ? html`<h4>${t("odds.legend")}</h4>${renderLegend()}
          <h4>${t("odds.cells")}</h4>${renderChances(down)}${
            odds.placed ? html`<p class="soft">${t("odds.placed")}</p>` : nothing
          }`
        : nothing
    }
    ${
      seat.hand && Object.keys(odds.holds).length
        ? html`<h4>${t("odds.hand")}</h4>${renderChances(odds.holds)}`
        : nothing
    }
  </div>`;
}

/**
 * Returns the chances for a face-down card, as the average over all cells that have no note of the
 * viewer. Returns null if there is no such cell.
 * @param {Controller} ctrl
 * @param {Seat} seat
 * @param {Odds} odds
 */
function averageChances(ctrl, seat, { cells }) {
  const notes = seat.seat === ctrl.me ? (getView(ctrl)?.you?.notes ?? []) : [];
  const noted = new Set(notes.map(({ cell }) => cell.join()));
  const open = Object.entries(cells).flatMap(([cell, chances]) =>
    noted.has(cell) ? [] : [chances],
  );
  if (!open.length) return null;
  /** @type {Map<string, number>} */
  const sums = new Map();
  for (const [card, chance] of open.flatMap(Object.entries))
    sums.set(card, (sums.get(card) ?? 0) + chance / open.length);
  return Object.fromEntries(sums);
}

/** Renders the legend of the danger marks: each mark with its range of chances. */
function renderLegend() {
  const steps = [0, ...LEVELS.slice(0, -1).map(([below]) => below), 1];
  return html`<ul class="row wrap dangers">${steps.map((from, at) => {
    const to = steps[at + 1];
    const words =
      to === undefined ? formatPercent(1) : `${Math.round(from * 100)}–${formatPercent(to - 0.01)}`;
    return html`<li class="row">${danger(from)}${words}</li>`;
  })}</ul>`;
}

/** @param {Record<string, number>} chances */
const renderChances = (chances) =>
  html`<ul class="bars">
    ${Object.entries(chances)
      .filter(([, chance]) => chance > 0)
      .sort(([, one], [, other]) => other - one)
      .map(
        ([card, chance]) => html`<li class=${getHueClass(card)}>
          ${renderCardBadge(card)}<span class="grow clip">${getCardTitle(card)}</span>
          <b>${formatPercent(chance)}</b>
          <i class="bar" .style=${`--share:${chance}`}></i>
        </li>`,
      )}
  </ul>`;
