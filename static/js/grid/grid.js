/** A draw grid as a picture of cards: large to tap, small to glance at. */
import { danger } from "../../art/marks.js";
import { cardBack, emptyCell } from "../../art/cards.js";
import { doing, hue, title } from "../core/deck.js";
import { html, nothing } from "../core/lit.js";
import { tag } from "../core/moves.js";
import { spoken } from "./place.js";
import { percent, t } from "../core/text.js";
import { newestWord } from "../core/undone.js";
import { art, badge, faceOf } from "../shell/parts.js";
import { at as commandAt, same, tap, viewOf } from "./cells.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Cell, Face, Seat } from "./types.js" */

/**
 * The rows and columns in the order in which this viewer sees them.
 * @param {number} count
 * @param {boolean} turned
 */
const order = (count, turned) => {
  const along = Array.from({ length: count }, (_, at) => at);
  return turned ? along.reverse() : along;
};

/** How the viewer looks at a seat's grid: `own`, `across`, `mirror` or `flipped`. @param {Controller} ctrl @param {string} seat */
export const lensOf = (ctrl, seat) => ctrl.prefs.lens?.[`${ctrl.table}.${seat}`] ?? "own";

/**
 * @param {Controller} ctrl
 * @param {Seat} seat
 * @param {{size: "large" | "middle" | "wide" | "small", noting?: boolean, idle?: boolean}} how idle: a picture, nothing to tap
 */
export function grid(ctrl, seat, { size, noting = false, idle = false }) {
  const lens = lensOf(ctrl, seat.seat);
  const columns = seat.grid[0]?.length ?? 0;
  const rows = order(seat.grid.length, lens === "across" || lens === "flipped");
  const along = order(columns, lens === "across" || lens === "mirror");
  return html`<div class="grid ${size}" role=${idle ? "img" : "group"} data-grid=${seat.seat} .style=${`--rows:${rows.length};--columns:${columns}`}
    aria-label=${t(idle ? "grid.small" : "grid.of", { name: seat.name, count: seat.grid.flat().filter(Boolean).length })}>
    ${rows.map((row) => along.map((column) => cell(ctrl, seat, [row, column], { size, noting, idle })))}
  </div>`;
}

/** @param {Controller} ctrl @param {Seat} seat @param {Cell} at @param {{size: string, noting: boolean, idle: boolean}} how */
function cell(ctrl, seat, at, { size, noting, idle }) {
  const face = seat.grid[at[0]]?.[at[1]] ?? null;
  const marks = marked(ctrl, seat, at);
  const looks = `cell ${face === null ? "empty" : face === "down" ? "down" : `up ${hue(face)}`} ${marks.join(" ")}`;
  if (size === "small")
    return html`<i class=${looks}>${face && face !== "down" ? badge(face) : nothing}</i>`;
  if (idle) return html`<i class=${looks}>${inside(ctrl, seat, at, face)}</i>`;
  const free = arranging(ctrl, seat);
  if (face === null && !free)
    return html`<span class=${looks} data-cell=${at.join()}>${emptyCell()}</span>`;
  const lies = free && (has(free, at) ? "down" : null);
  const command = commandAt(ctrl, seat.seat, at);
  const able = noting ? face === "down" : free || !!command;
  const pending = command && ctrl.pending.has(tag(command));
  return html`<button type="button" class="${looks} ${able ? "able" : ""} ${pending ? "pending" : ""} ${free ? (has(free, at) ? "laid" : "bare") : ""}" data-cell=${at.join()}
    ?disabled=${!able} aria-label=${free ? t("cell.spot", { row: at[0] + 1, column: at[1] + 1 }) : label(ctrl, seat, at, face, marks)} aria-pressed=${free ? String(has(free, at)) : nothing}
    @click=${() => (noting ? ctrl.set({ noting: at }) : free ? toggle(ctrl, free, at) : tap(ctrl, seat.seat, at))}>${free ? (lies ? cardBack() : emptyCell()) : inside(ctrl, seat, at, face)}</button>`;
}

/** @param {Controller} ctrl @param {Seat} seat @param {Cell} at @param {Face} face */
function inside(ctrl, seat, at, face) {
  const up = face && face !== "down";
  const chance = face === "down" ? risk(ctrl, seat, at) : null;
  const note = seat.seat === ctrl.me && viewOf(ctrl)?.you?.notes.find((one) => same(one.cell, at));
  const card = face === null ? emptyCell() : up ? faceOf(face) : cardBack();
  return html`${card}
    ${note ? html`<span class="noted">${badge(note.card)}</span>` : nothing}${chance === null ? nothing : html`<span class="risk">${danger(chance)}</span>`}<span class="pin" aria-hidden="true">${art("paw")}</span><span class="seen" aria-hidden="true">${art("watch")}</span>`;
}

/** The chance that the Kitten lies there; one's own grid is seen with one's own notes. @param {Controller} ctrl @param {Seat} seat @param {Cell} at @returns {number | null} */
export function risk(ctrl, seat, at) {
  const chances = oddsOf(ctrl, seat)?.cells[at.join()];
  return chances ? (chances[doing("kitten")] ?? 0) : null;
}

/** @param {Controller} ctrl @param {Seat} seat */
export const oddsOf = (ctrl, seat) =>
  seat.seat === ctrl.me ? (viewOf(ctrl)?.you?.odds ?? seat.odds) : seat.odds;

/** What is to be seen about a cell, as classes. @param {Controller} ctrl @param {Seat} seat @param {Cell} at */
function marked(ctrl, seat, at) {
  const view = viewOf(ctrl);
  const turn = view?.turn;
  const up = turn?.seat === seat.seat;
  const told = up && turn.step !== "look" && same(turn.told, at);
  const aimed = view?.played?.target === seat.seat && same(view.played.cell, at);
  return [
    told && "told",
    told && turn?.step === "report" && "lifted",
    aimed && "aimed",
    up && turn.step === "act" && looked(ctrl, at) && "looked",
  ].filter((mark) => typeof mark === "string");
}

/** Whether the turn player has just looked at this card: the call saw which it was. @param {Controller} ctrl @param {Cell} at */
function looked(ctrl, at) {
  const last = newestWord(ctrl.view?.log ?? []);
  return last?.type === "looked" && same(last.facts.cell, at);
}

/** @param {Controller} ctrl @param {Seat} seat @param {Cell} at @param {Face} face @param {string[]} marks */
function label(ctrl, seat, at, face, marks) {
  const mine = seat.seat === ctrl.me;
  const where =
    face === null
      ? t("place.empty", { row: at[0] + 1, column: at[1] + 1 })
      : spoken(seat.grid, at, !mine);
  const what = face === null ? t("cell.empty") : face === "down" ? t("cell.down") : title(face);
  const chance = face === "down" ? risk(ctrl, seat, at) : null;
  const odds = chance === null ? [] : [t("cell.risk", { chance: percent(chance) })];
  return [
    where,
    what,
    ...odds,
    ...marks.filter((mark) => mark !== "lifted").map((mark) => t(`cell.${mark}`)),
  ].join(", ");
}

/** The cells being laid anew, when this grid's owner says where its cards lie. @param {Controller} ctrl @param {Seat} seat */
const arranging = (ctrl, seat) => (ctrl.view?.turn?.seat === seat.seat ? ctrl.draft : null);

/** @param {Cell[]} cells @param {Cell} at */
const has = (cells, at) => cells.some((one) => same(one, at));

/** @param {Controller} ctrl @param {Cell[]} cells @param {Cell} at */
function toggle(ctrl, cells, at) {
  ctrl.set({ draft: has(cells, at) ? cells.filter((one) => !same(one, at)) : [...cells, at] });
}
