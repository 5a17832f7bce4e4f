/**
 * Whose cards a device keeps (ruling own-deck), and what nobody says for such a seat who doesn't see them.
 * @import { Controller } from "../core/controller.js"
 * @import { Seat, View } from "./types.js"
 */
import { seatAt } from "../core/memory.js";
import { seatOf } from "../core/moves.js";

/** What nobody may say who can't see the cards. */
export const OF_CARDS = ["play", "nope", "report", "reveal", "defuse", "explode"];

/** Whether a device keeps this seat's cards. @param {Seat | undefined} seat */
export const isKept = (seat) => seat?.deck?.kind === "device";

/** The viewer's seat, also after they have left. @param {Controller} ctrl @param {View} view */
export const ownSeat = (ctrl, view) => seatOf(view, view.you?.seat ?? seatAt(ctrl.table)?.seat);

/** Where this device remembers the deck that it has to open. @param {string} table */
export const owed = (table) => `owed.${table}`;
