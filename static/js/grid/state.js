/**
 * Queries on the view of a draw grid: which cells hold a card, which command a tap or a digit
 * sends, which seats have a device deck (ruling own-deck), and where the cards are. Legal commands
 * come from `you.may`; no rule is decided here.
 */
import { getAllCards, getVariant } from "../core/deck.js";
import { isListOf, isText, storeValue, readValue, readStoredSeat } from "../core/memory.js";
import { getSeatToAct, findAllowedCommands, findSeat } from "../core/moves.js";
import { findNewestCommand } from "../core/undone.js";
import { getOwnValue } from "../core/value.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Command } from "../core/types.js" */
/** @import { Cell, Seat, View } from "./types.js" */

/** Returns the view, typed as the view of a draw grid. @param {Controller} ctrl */
export const getView = (ctrl) => /** @type {View | null} */ (ctrl.view);

/** @param {Cell | null | undefined} one @param {Cell | null | undefined} other */
export const isSameCell = (one, other) =>
  !!one && !!other && one[0] === other[0] && one[1] === other[1];

/**
 * Returns a key that identifies the current turn among all turns of all tables.
 * @param {Controller} ctrl
 */
export const getTurnKey = ({ table, view }) => `${table}.${view?.game}.${view?.turn?.number}`;

/**
 * Returns true in the first turn in which this device shows percentages on cards. A sentence then
 * explains them, until the viewer has read it.
 * @param {Controller} ctrl
 */
export function mustExplainOdds(ctrl) {
  const { turn, window, seats } = /** @type {View} */ (getView(ctrl));
  const { oddsHint = getTurnKey(ctrl), lessons } = ctrl.prefs;
  return (
    oddsHint === getTurnKey(ctrl) &&
    ["tell", "act"].includes(turn?.step ?? "") &&
    !window &&
    !ctrl.aimedCard &&
    !lessons?.seen?.includes("odds") &&
    seats.some(({ odds }) => odds)
  );
}

/** Returns all cells that hold a card. @param {Seat | undefined} seat @returns {Cell[]} */
export const getOccupiedCells = (seat) =>
  (seat?.grid ?? []).flatMap((row, r) =>
    row.flatMap((face, c) => (face === null ? [] : [/** @type {Cell} */ ([r, c])])),
  );

/**
 * Returns the command that is allowed now for a cell of this grid, or undefined.
 * @param {View} view
 * @param {string | null} as
 * @param {string} owner
 * @param {Cell} cell
 * @returns {Command | undefined}
 */
export function findCellCommand(view, as, owner, cell) {
  const turn = view.turn?.seat;
  return findAllowedCommands(view, as).find((one) => {
    if (!isSameCell(one.cell, cell) || one.type === "note") return false;
    return one.type === "play" ? one.target === owner : owner === turn;
  });
}

/**
 * Returns the command that a tap on this cell would send now, or undefined.
 * @param {Controller} ctrl
 * @param {string} owner
 * @param {Cell} cell
 */
export function getCommandAt(ctrl, owner, cell) {
  const view = /** @type {View} */ (ctrl.view);
  if (ctrl.draft?.hideKitten)
    return owner === ctrl.me ? findAllowedCommands(view, ctrl.as, "defuse")[0] : undefined;
  const command = findCellCommand(view, ctrl.as, owner, cell);
  if (command?.type !== "play") return command;
  return findAllowedCommands(view, ctrl.as, "play").find(
    (one) =>
      one.card === ctrl.aimedCard && one.target === owner && one.cell?.join() === cell.join(),
  );
}

/** Handles a tap on a cell. @param {Controller} ctrl @param {string} owner @param {Cell} cell */
export function tapCell(ctrl, owner, cell) {
  const command = getCommandAt(ctrl, owner, cell);
  if (!command) return;
  if (ctrl.draft?.hideKitten) return ctrl.draft.hideKitten(cell);
  const view = /** @type {View} */ (ctrl.view);
  const isFaceUp = findSeat(view, owner)?.grid[cell[0]]?.[cell[1]] !== "down";
  ctrl.aimedCard = null;
  ctrl.followUp =
    command.type === "draw" && isFaceUp ? (next) => getCertainReport(ctrl, next) : null;
  ctrl.send(command).then((answer) => {
    if (!answer?.ok) ctrl.followUp = null;
  });
}

/**
 * After the draw of a face-up card, the panel sends the report of the card without another tap.
 * Returns this report. Everybody has seen the card, so usually only one report is legal. Returns
 * undefined while no report is legal yet, and null if the player has to choose a report.
 * @param {Controller} ctrl
 * @param {import("../core/types.js").View} view
 */
function getCertainReport(ctrl, view) {
  if (view.turn?.step === "act") return undefined;
  const [report, other] = findAllowedCommands(view, ctrl.as, "report");
  return report && !other ? report : null;
}

/**
 * Taps a cell of the visible grid by its number in reading order.
 * @param {number} digit
 * @param {Document} doc
 */
export function tapCellNumber(digit, doc) {
  const at = digit - 1;
  const focused = doc.activeElement?.closest(".targets .grid");
  const grid = focused ?? doc.querySelector(".stage .grid.large");
  if (grid) {
    const cell = /** @type {HTMLElement | undefined} */ (grid.querySelectorAll(".cell")[at]);
    cell?.click();
    return !!cell;
  }
  return chooseGrid(doc.querySelectorAll(".targets .grid")[at]);
}

/**
 * Chooses one of several target grids. The next digit then taps a cell in it.
 * @param {Element | undefined} grid
 */
function chooseGrid(grid) {
  const gridButton = /** @type {HTMLElement | null | undefined} */ (grid?.closest("button"));
  gridButton?.click();
  const cell = /** @type {HTMLElement | null | undefined} */ (grid?.querySelector(".cell.able"));
  cell?.focus();
  return !!(gridButton ?? cell);
}

/** Types of commands that nobody can give without seeing the cards. */
export const COMMANDS_NEEDING_CARDS = ["play", "nope", "report", "reveal", "defuse", "explode"];

/** Returns true if a device keeps this seat's cards. @param {Seat | undefined} seat */
export const hasDeviceDeck = (seat) => seat?.deck?.kind === "device";

/** Returns true if the seat's device has reported that it lacks the deck. @param {Seat | undefined} seat */
export const isDeckMissing = (seat) => seat?.deck?.kind === "device" && seat.deck.here === false;

/** Steps in which the seat that has to act must see its cards. */
export const STEPS_NEEDING_CARDS = ["act", "reveal", "report", "kitten"];

/**
 * Returns whether the device that keeps another player's deck is connected: "here" if it is, "away"
 * if it isn't. Returns null if no device keeps this seat's deck, or the viewer's own does.
 * @param {Controller} ctrl
 * @param {import("../core/types.js").Seat} seat
 */
export function locateDeck(ctrl, seat) {
  const { deck, robot } = /** @type {Seat} */ (seat);
  if (seat.seat === ctrl.me || robot || deck?.kind !== "device" || deck.secret) return null;
  return deck.here !== false && getOwnValue(ctrl.presence.seats, seat.seat) === "here"
    ? "here"
    : "away";
}

/**
 * Returns the seat whose absent device deck blocks the game, or null. Always null unless the viewer
 * is the host.
 * @param {Controller} ctrl
 */
export function findSeatOfAbsentDeck(ctrl) {
  const view = getView(ctrl);
  if (!view?.you?.host || !view.turn || !STEPS_NEEDING_CARDS.includes(view.turn.step)) return null;
  const seat = findSeat(view, getSeatToAct(view));
  return seat && locateDeck(ctrl, seat) === "away" ? seat : null;
}

/**
 * Returns the viewer's seat, even if the viewer has left the game.
 * @param {Controller} ctrl
 * @param {View} view
 */
export const findOwnSeat = (ctrl, view) =>
  findSeat(view, view.you?.seat ?? readStoredSeat(ctrl.table)?.seat);

/**
 * Returns the storage key of the deck that this device still has to open (publish) after a game.
 * @param {string} table
 */
export const getOwedDeckKey = (table) => `owed.${table}`;

/**
 * For each choice of a deck, the storage key of a list. It has the codes of the tables at which the
 * viewer last made that choice, the newest first.
 */
const CHOICES = /** @type {const} */ ([
  ["device", true],
  ["real-cards", false],
]);
const TABLES = 5;

/** @param {string} key */
const readTables = (key) => /** @type {string[]} */ (readValue(key, isListOf(isText)) ?? []);

/**
 * Returns the viewer's last choice at this table: true for a device deck, false for real cards, null
 * if they made none.
 * @param {string} table
 * @returns {boolean | null}
 */
export const readDeckChoice = (table) =>
  CHOICES.find(([key]) => readTables(key).includes(table))?.[1] ?? null;

/**
 * Stores the viewer's choice of deck for the table's next games.
 * @param {string} table
 * @param {boolean | null} device null forgets the choice
 */
export function storeDeckChoice(table, device) {
  if (device === readDeckChoice(table)) return;
  for (const [key, value] of CHOICES) {
    const others = readTables(key).filter((one) => one !== table);
    storeValue(key, value === device ? [table, ...others].slice(0, TABLES) : others);
  }
}

/**
 * Returns true if the host has said that nobody has cards, and the viewer hasn't chosen a deck
 * themselves.
 * @param {string} table
 * @param {View} view
 */
export const isDeviceDeckProposed = (table, view) =>
  !!view.options.device_decks && readDeckChoice(table) === null;

/**
 * Returns true in a lobby in which a deck can be chosen. Returns false if the host has just ended a
 * game: the end can still be undone, and the choice of a deck would make this undo impossible.
 * @param {View} view
 */
export const isOpenLobby = (view) =>
  view.phase === "lobby" && findNewestCommand(view.log)?.type !== "game_ended";

/**
 * Returns the players whose cards are on no device. Returns null if that isn't known yet, because
 * after a game the devices wait with their choice until the preparation.
 * @param {View} view
 * @returns {Seat[] | null}
 */
export const listSeatsWithoutDeck = (view) =>
  view.phase === "setup" || isOpenLobby(view)
    ? view.seats.filter((seat) => !hasDeviceDeck(seat) && !seat.robot)
    : null;

/** Returns the number of cards at each place in the preparation, as the variant defines it. */
export function countCards() {
  const all = getAllCards().reduce((sum, card) => sum + card.count, 0);
  const { put_away: away = 0, hand: dealt = 0, grid: laid = 0 } = getVariant()?.deal ?? {};
  const { rows = 0, columns = 0 } = getVariant()?.grid ?? {};
  return { all, rest: all - 2, away, dealt, hand: dealt + 1, laid, cells: laid + 1, rows, columns };
}

/** @typedef {ReturnType<typeof countCards>} Sizes */

/**
 * Returns true if `card` stands for an instruction that can be Noped (ruling noped-instruction).
 * @param {unknown} card
 */
export const isInstruction = (card) => card === "instruction";
