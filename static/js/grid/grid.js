/**
 * Renders a grid in several sizes: large for tapping, small for an overview. Also renders a seat's
 * tile in the chain (the list of all players), with its grid, hand and discard pile.
 */
import { cardBack, emptyCell } from "../../art/cards.js";
import { danger } from "../../art/marks.js";
import { findCardWithEffect, getHueClass, getCardTitle } from "../core/deck.js";
import { guard, html, nothing } from "../core/lit.js";
import { getCommandTag } from "../core/moves.js";
import { getLanguage, formatPercent, t } from "../core/text.js";
import { findNewestCommand } from "../core/undone.js";
import { getOwnValue } from "../core/value.js";
import { art, renderCardBadge, renderCardFace } from "../shell/parts.js";
import { getCommandAt, isInstruction, isSameCell, tapCell, getView } from "./state.js";
import { describeCell } from "./words.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Cell, Face, Seat } from "./types.js" */

/**
 * Returns the indexes of rows or columns in the order in which the viewer sees them.
 * @param {number} count
 * @param {boolean} turned
 */
const orderIndexes = (count, turned) => {
  const along = Array.from({ length: count }, (_, at) => at);
  return turned ? along.reverse() : along;
};

/**
 * Returns the *lens* for a seat: how the viewer sees its grid on camera (`own`, `across`, `mirror`
 * or `flipped`).
 * @param {Controller} ctrl
 * @param {string} seat
 */
export const getLens = (ctrl, seat) => ctrl.prefs.lens?.[`${ctrl.table}.${seat}`] ?? "own";

/**
 * @param {Controller} ctrl
 * @param {Seat} seat
 * @param {{size: "large" | "middle" | "wide" | "shared" | "small", noting?: boolean, idle?: boolean}} how
 *   noting: a tap selects the cell for a note; idle: a picture without buttons
 */
export function renderGrid(ctrl, seat, { size, noting = false, idle = false }) {
  const marks = findMarks(ctrl, seat);
  const how = { size, noting, idle, marks };
  return guard(collectDependencies(ctrl, seat, how), () => renderGridCells(ctrl, seat, how));
}

/** @typedef {{size: string, noting: boolean, idle: boolean, marks: Record<string, Cell | null>}} How */

/**
 * Returns all values that affect the drawing of a grid. lit doesn't redraw the grid while these
 * values stay the same.
 * @param {Controller} ctrl
 * @param {Seat} seat
 * @param {How} how
 */
function collectDependencies(ctrl, seat, { size, noting, idle, marks }) {
  const you = getView(ctrl)?.you;
  const ownKnowledge = seat.seat === ctrl.me ? [you?.odds, you?.notes] : [];
  const choices = [noting, ctrl.draft];
  const interactive = [you, ctrl.as, ctrl.aimedCard, [...ctrl.pending].join(), ...choices];
  const appearance = [size, idle, getLens(ctrl, seat.seat), JSON.stringify(marks)];
  return [
    seat,
    ctrl.me,
    ctrl.variant,
    getLanguage(),
    ...appearance,
    ...ownKnowledge,
    ...(idle ? [] : interactive),
  ];
}

/** @param {Controller} ctrl @param {Seat} seat @param {How} how */
function renderGridCells(ctrl, seat, how) {
  const { size, idle } = how;
  const lens = getLens(ctrl, seat.seat);
  const columns = seat.grid[0]?.length ?? 0;
  const rows = orderIndexes(seat.grid.length, lens === "across" || lens === "flipped");
  const along = orderIndexes(columns, lens === "across" || lens === "mirror");
  return html`<div class="grid ${size}" role=${idle ? "img" : "group"} data-grid=${seat.seat}
    .style=${`--rows:${rows.length};--columns:${columns}`}
    aria-label=${t(idle ? "grid.small" : "grid.of", {
      name: seat.name,
      count: seat.grid.flat().filter(Boolean).length,
    })}>
    ${rows.map((row) => along.map((column) => renderCell(ctrl, seat, [row, column], how)))}
  </div>`;
}

/** @param {Controller} ctrl @param {Seat} seat @param {Cell} at @param {How} how */
function renderCell(ctrl, seat, at, { size, noting, idle, marks: all }) {
  const face = seat.grid[at[0]]?.[at[1]] ?? null;
  const marks = Object.keys(all).filter((mark) => isSameCell(all[mark], at));
  const side = face === null ? "empty" : face === "down" ? "down" : `up ${getHueClass(face)}`;
  const classes = `cell ${side} ${marks.join(" ")}`;
  if (size === "small")
    return html`<i class=${classes}>${face && face !== "down" ? renderCardBadge(face) : nothing}${
      marks.includes("told") ? art("paw") : nothing
    }</i>`;
  if (idle)
    return html`<i class=${classes} data-cell=${size === "shared" ? at.join() : nothing}>${renderCellContent(
      ctrl,
      seat,
      at,
      face,
      size,
    )}</i>`;
  const chosenCells = getArrangedCells(ctrl, seat);
  if (face === null && !chosenCells)
    return html`<span class=${classes} data-cell=${at.join()}>${emptyCell()}</span>`;
  const lies = chosenCells && (includesCell(chosenCells, at) ? "down" : null);
  const command = getCommandAt(ctrl, seat.seat, at);
  const enabled = noting ? face === "down" : chosenCells || !!command;
  const pending = command && ctrl.pending.has(getCommandTag(command));
  const arranged = chosenCells ? (includesCell(chosenCells, at) ? "laid" : "bare") : "";
  return html`<button type="button"
    class="${classes} ${enabled ? "able" : ""} ${pending ? "pending" : ""} ${arranged}"
    data-cell=${at.join()} ?disabled=${!enabled}
    aria-label=${
      chosenCells
        ? t("cell.spot", { row: at[0] + 1, column: at[1] + 1 })
        : getCellLabel(ctrl, seat, at, face, marks)
    } aria-pressed=${chosenCells ? String(includesCell(chosenCells, at)) : nothing}
    @click=${() =>
      noting
        ? ctrl.set({ noteSpot: at })
        : chosenCells
          ? toggleCell(ctrl, chosenCells, at)
          : tapCell(ctrl, seat.seat, at)}>
    ${chosenCells ? (lies ? cardBack() : emptyCell()) : renderCellContent(ctrl, seat, at, face, size)}
  </button>`;
}

/**
 * Renders the content of a cell. If the size leaves room for it, also renders the chance that the
 * Kitten is there.
 * @param {Controller} ctrl
 * @param {Seat} seat
 * @param {Cell} at
 * @param {Face} face
 * @param {string} size
 */
function renderCellContent(ctrl, seat, at, face, size) {
  const up = face && face !== "down";
  const chance = face === "down" && size !== "wide" ? getKittenChance(ctrl, seat, at) : null;
  const note = findNote(ctrl, seat, at);
  const card = face === null ? emptyCell() : up ? renderCardFace(face) : cardBack();
  return html`${card}
    ${note ? html`<span class="noted">${renderCardBadge(note.card)}</span>` : nothing}${
      chance === null ? nothing : html`<span class="risk">${danger(chance)}</span>`
    }<span class="pin" aria-hidden="true">${art("paw")}</span><span class="seen" aria-hidden="true">
      ${art("watch")}
    </span>`;
}

/**
 * Returns the viewer's private note about this cell of their own grid, or undefined.
 * @param {Controller} ctrl
 * @param {Seat} seat
 * @param {Cell} at
 */
const findNote = (ctrl, seat, at) =>
  seat.seat === ctrl.me
    ? getView(ctrl)?.you?.notes.find((note) => isSameCell(note.cell, at))
    : undefined;

/**
 * Returns the chance that the Kitten is in a cell, or null if the table shows no odds. In the
 * viewer's own grid, the viewer's notes and the cards that the device has shown are taken into
 * account.
 * @param {Controller} ctrl
 * @param {Seat} seat
 * @param {Cell} at
 * @returns {number | null}
 */
function getKittenChance(ctrl, seat, at) {
  const chances = getOdds(ctrl, seat)?.cells[at.join()];
  return chances ? (getOwnValue(chances, findCardWithEffect("kitten")) ?? 0) : null;
}

/** @param {Controller} ctrl @param {Seat} seat */
export const getOdds = (ctrl, seat) =>
  seat.seat === ctrl.me ? (getView(ctrl)?.you?.odds ?? seat.odds) : seat.odds;

/**
 * For each mark, by its CSS class, returns the cell of this grid that has the mark, or null.
 * @param {Controller} ctrl
 * @param {Seat} seat
 */
function findMarks(ctrl, seat) {
  const view = getView(ctrl);
  const turn = view?.turn?.seat === seat.seat ? view.turn : null;
  const told = turn?.told ?? null;
  const last = turn?.step === "act" ? findNewestCommand(view?.log ?? []) : null;
  return {
    told,
    lifted: turn?.step === "report" ? told : null,
    aimed:
      view?.played?.target === seat.seat && !isInstruction(view.played.card)
        ? view.played.cell
        : null,
    // The card that the turn player has just looked at.
    looked: last?.type === "looked" ? last.facts.cell : null,
  };
}

/** @param {Controller} ctrl @param {Seat} seat @param {Cell} at @param {Face} face @param {string[]} marks */
function getCellLabel(ctrl, seat, at, face, marks) {
  const mine = seat.seat === ctrl.me;
  const where =
    face === null
      ? t("place.empty", { row: at[0] + 1, column: at[1] + 1 })
      : describeCell(seat.grid, at, !mine);
  const content =
    face === null ? t("cell.empty") : face === "down" ? t("cell.down") : getCardTitle(face);
  const chance = face === "down" ? getKittenChance(ctrl, seat, at) : null;
  const odds = chance === null ? [] : [t("cell.risk", { chance: formatPercent(chance) })];
  const note = face === "down" ? findNote(ctrl, seat, at) : undefined;
  return [
    where,
    content,
    ...(note ? [t("cell.noted", { card: getCardTitle(note.card) })] : []),
    ...odds,
    ...marks.filter((mark) => mark !== "lifted").map((mark) => t(`cell.${mark}`)),
  ].join(", ");
}

/**
 * Returns the cells that the owner of this grid has chosen so far while rearranging it, or null if
 * the grid isn't being rearranged.
 * @param {Controller} ctrl
 * @param {Seat} seat
 */
const getArrangedCells = (ctrl, seat) =>
  ctrl.view?.turn?.seat === seat.seat && Array.isArray(ctrl.draft) ? ctrl.draft : null;

/** @param {Cell[]} cells @param {Cell} at */
const includesCell = (cells, at) => cells.some((one) => isSameCell(one, at));

/** @param {Controller} ctrl @param {Cell[]} cells @param {Cell} at */
function toggleCell(ctrl, cells, at) {
  ctrl.set({
    draft: includesCell(cells, at) ? cells.filter((one) => !isSameCell(one, at)) : [...cells, at],
  });
}

/** @param {Controller} ctrl @param {Seat} seat @param {boolean} wide */
export const renderTile = (ctrl, seat, wide) =>
  html`${renderGrid(ctrl, seat, { size: wide ? "wide" : "small", idle: true })}<span class="tile-side">
    <span class="count">${art("cards")}${seat.hand}</span>${renderDiscardPile(seat)}
  </span>`;

/** Renders the top of the discard pile. @param {Seat} seat */
export function renderDiscardPile(seat) {
  const top = seat.discard.at(-1);
  return top
    ? html`<span class="count pile-top ${getHueClass(top)}">
        ${renderCardBadge(top)}${seat.discard.length}
      </span>`
    : nothing;
}

/** Describes the face-up cards of a grid in words. @param {Controller} _ctrl @param {Seat} seat */
export function describeFaceUpCards(_ctrl, seat) {
  const up = seat.grid.flat().filter((face) => face && face !== "down");
  return up.length
    ? [t("seat.face-up", { cards: up.map((card) => getCardTitle(String(card))).join(", ") })]
    : [];
}
