/**
 * What the panel knows, as a table of draw grids has it: which cells hold a card, what a tap on one
 * says, or its digit; whose cards a device keeps (ruling own-deck); how many cards go where. It
 * only reads `you.may`: no rule is decided here.
 */
import { deck, currentVariant } from "../core/deck.js";
import { isListOf, isText, keep, recall, storedSeat } from "../core/memory.js";
import { askedSeat, allowedCommands, seatOf } from "../core/moves.js";
import { valueAt } from "../core/value.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Command } from "../core/types.js" */
/** @import { Cell, Seat, View } from "./types.js" */

/** What the panel knows, as a table of draw grids has it. @param {Controller} ctrl */
export const viewOf = (ctrl) => /** @type {View | null} */ (ctrl.view);

/** @param {Cell | null | undefined} one @param {Cell | null | undefined} other */
export const same = (one, other) => !!one && !!other && one[0] === other[0] && one[1] === other[1];

/** All cells that hold a card. @param {Seat | undefined} seat @returns {Cell[]} */
export const occupiedCells = (seat) =>
  (seat?.grid ?? []).flatMap((row, r) =>
    row.flatMap((face, c) => (face === null ? [] : [/** @type {Cell} */ ([r, c])])),
  );

/**
 * What a tap on a cell of this grid says, if anything.
 * @param {View} view
 * @param {string | null} as
 * @param {string} owner
 * @param {Cell} cell
 * @returns {Command | undefined}
 */
export function onCell(view, as, owner, cell) {
  const turn = view.turn?.seat;
  return allowedCommands(view, as).find((one) => {
    if (!same(one.cell, cell) || one.type === "note") return false;
    return one.type === "play" ? one.target === owner : owner === turn;
  });
}

/** What a tap on this cell would say. @param {Controller} ctrl @param {string} owner @param {Cell} cell */
export function at(ctrl, owner, cell) {
  const view = /** @type {View} */ (ctrl.view);
  if (ctrl.kept?.hides)
    return owner === ctrl.me ? allowedCommands(view, ctrl.as, "defuse")[0] : undefined;
  const command = onCell(view, ctrl.as, owner, cell);
  if (command?.type !== "play") return command;
  return allowedCommands(view, ctrl.as, "play").find(
    (one) => one.card === ctrl.aim && one.target === owner && one.cell?.join() === cell.join(),
  );
}

/** A cell of a grid was tapped. @param {Controller} ctrl @param {string} owner @param {Cell} cell */
export function tap(ctrl, owner, cell) {
  const command = at(ctrl, owner, cell);
  if (!command) return;
  if (ctrl.kept?.hides) return ctrl.kept.hides(cell);
  const view = /** @type {View} */ (ctrl.view);
  const up = seatOf(view, owner)?.grid[cell[0]]?.[cell[1]] !== "down";
  ctrl.aim = null;
  ctrl.follow = command.type === "draw" && up ? (next) => certainReport(ctrl, next) : null;
  ctrl.send(command).then((answer) => {
    if (!answer?.ok) ctrl.follow = null;
  });
}

/**
 * Everybody sees what was drawn face up: it is reported without a question.
 * @param {Controller} ctrl
 * @param {import("../core/types.js").View} view
 */
function certainReport(ctrl, view) {
  if (view.turn?.step === "act") return undefined;
  const [report, other] = allowedCommands(view, ctrl.as, "report");
  return report && !other ? report : null;
}

/** Taps that cell of the shown grid in reading order. @param {number} digit @param {Document} doc */
export function digit(digit, doc) {
  const at = digit - 1;
  const focused = doc.activeElement?.closest(".targets .grid");
  const grid = focused ?? doc.querySelector(".stage .grid.large");
  if (grid) {
    const cell = /** @type {HTMLElement | undefined} */ (grid.querySelectorAll(".cell")[at]);
    cell?.click();
    return !!cell;
  }
  return choose(doc.querySelectorAll(".targets .grid")[at]);
}

/**
 * Among several targets the first digit picks whose grid the next one taps.
 * @param {Element | undefined} grid
 */
function choose(grid) {
  const whole = /** @type {HTMLElement | null | undefined} */ (grid?.closest("button"));
  whole?.click();
  const cell = /** @type {HTMLElement | null | undefined} */ (grid?.querySelector(".cell.able"));
  cell?.focus();
  return !!(whole ?? cell);
}

/** What nobody may say who can't see the cards. */
export const OF_CARDS = ["play", "nope", "report", "reveal", "defuse", "explode"];

/** Whether a device keeps this seat's cards. @param {Seat | undefined} seat */
export const isKept = (seat) => seat?.deck?.kind === "device";

/** Whether the seat's device has said that it doesn't have the seat's deck. @param {Seat | undefined} seat */
export const isMissing = (seat) => seat?.deck?.kind === "device" && seat.deck.here === false;

/** The steps that only somebody who sees the cards of the seat that is asked can end. */
export const WITH_CARDS = ["act", "reveal", "report", "kitten"];

/**
 * Whether a device keeps the deck of another player's seat, and is here with it or not; null: none.
 * @param {Controller} ctrl
 * @param {import("../core/types.js").Seat} seat
 */
export function keepsFor(ctrl, seat) {
  const { deck, robot } = /** @type {Seat} */ (seat);
  if (seat.seat === ctrl.me || robot || deck?.kind !== "device" || deck.secret) return null;
  return deck.here !== false && valueAt(ctrl.presence.seats, seat.seat) === "here"
    ? "here"
    : "away";
}

/**
 * The seat without whose deck the game can't go on, where that concerns the host.
 * @param {Controller} ctrl
 */
export function waitsForDeck(ctrl) {
  const view = viewOf(ctrl);
  if (!view?.you?.host || !view.turn || !WITH_CARDS.includes(view.turn.step)) return null;
  const seat = seatOf(view, askedSeat(view));
  return seat && keepsFor(ctrl, seat) === "away" ? seat : null;
}

/** The viewer's seat, also after they have left. @param {Controller} ctrl @param {View} view */
export const ownSeat = (ctrl, view) => seatOf(view, view.you?.seat ?? storedSeat(ctrl.table)?.seat);

/** Where this device remembers the deck that it has to open. @param {string} table */
export const owed = (table) => `owed.${table}`;

/** The tables at which the viewer last chose this device for their cards, the newest first. */
const byDevice = () => /** @type {string[]} */ (recall("device", isListOf(isText)) ?? []);
const TABLES = 5;

/** Whether the viewer chose this device for their cards at a table. @param {string} table */
export const playsByDevice = (table) => byDevice().includes(table);

/** Remembers that choice for the table's next games. @param {string} table @param {boolean} device */
export function rememberDevice(table, device) {
  if (device === playsByDevice(table)) return;
  const others = byDevice().filter((one) => one !== table);
  keep("device", device ? [table, ...others].slice(0, TABLES) : others);
}

export function sizes() {
  const all = deck().reduce((sum, card) => sum + card.count, 0);
  const { put_away: away = 0, hand: dealt = 0, grid: laid = 0 } = currentVariant()?.deal ?? {};
  const { rows = 0, columns = 0 } = currentVariant()?.grid ?? {};
  return { all, rest: all - 2, away, dealt, hand: dealt + 1, laid, cells: laid + 1, rows, columns };
}

/** @typedef {ReturnType<typeof sizes>} Sizes */
