/**
 * Connects the panel to the viewer's device deck (ruling own-deck). The code that keeps the deck is
 * loaded only when a seat has one. Commands that need eyes on the cards of other seats' device decks
 * are removed from the view.
 * @import { Controller } from "../core/controller.js"
 * @import { Seat, View } from "./types.js"
 */
import { isText, recall } from "../core/memory.js";
import { OF_CARDS, isKept, isMissing, owedDeckKey, ownSeat, playsByDevice } from "./state.js";

/** @type {typeof import("./deck/keeper.js") | null} */
let keeper = null;
/** @type {Promise<typeof import("./deck/keeper.js")> | null} */
let coming = null;

/** Loads the module that keeps the deck, once. */
export function loadKeeper() {
  coming ??= import("./deck/keeper.js").then((found) => {
    keeper = found;
    return found;
  });
  coming.catch(() => {
    coming = null;
  });
  return coming;
}

/**
 * Returns the view with the commands that make sense on this device.
 * @param {Controller} ctrl
 * @param {View} view
 * @returns {View}
 */
export function viewForDevice(ctrl, view) {
  const others = withoutBlindCommands(view, (seat) => seat.seat !== view.you?.seat && isKept(seat));
  if (view.phase !== "setup") chosen = false;
  if (!isKept(ownSeat(ctrl, view))) {
    ctrl.kept = null;
    if (recall(owedDeckKey(ctrl.table), isText))
      loadKeeper().then((found) => found.settle(ctrl, view));
    chooseAgain(ctrl, view);
    return others;
  }
  if (keeper) return keeper.viewWithDeck(ctrl, others);
  loadKeeper().then(
    () => ctrl.wire?.showAgain(),
    () => setTimeout(() => ctrl.wire?.showAgain(), 1000),
  );
  return withoutBlindCommands(others, (seat) => seat.seat === view.you?.seat);
}

/** True once the device deck was chosen automatically in this preparation. */
let chosen = false;

/**
 * Chooses the device deck again for a player who had one in the last game, since each game begins
 * with all decks on the table. Not in a lobby, where that would put an end to undo, nor in a practice
 * game, which chooses by itself.
 * @param {Controller} ctrl
 * @param {View} view
 */
function chooseAgain(ctrl, view) {
  const { table, begins } = ctrl.prefs.practice ?? {};
  const practises = begins && table === ctrl.table;
  if (chosen || practises || view.phase !== "setup" || !playsByDevice(ctrl.table)) return;
  if (!view.you || ownSeat(ctrl, view)?.ready) return;
  chosen = true;
  loadKeeper().then(
    (found) => found.choose(ctrl, "device"),
    () => {
      chosen = false;
    },
  );
}

/**
 * Opens the last deck when the next game is prepared while this player still looks at the end.
 * @param {Controller} ctrl
 * @param {View} next
 */
export const settleNextGame = (ctrl, next) => keeper?.settle(ctrl, next);

/**
 * Removes commands that need eyes on the cards of `blind` seats, and all commands of robots.
 * @param {View} view
 * @param {(seat: Seat) => boolean} blind
 * @returns {View}
 */
function withoutBlindCommands(view, blind) {
  const { you } = view;
  const hidden = new Map(view.seats.filter(blind).map((one) => [one.seat, one]));
  if (!you || !hidden.size) return view;
  const may = you.may.filter(({ as = "", type }) => {
    const seat = hidden.get(as);
    if (!seat) return true;
    // Nobody could say which card was drawn from a missing deck.
    return !(seat.robot || OF_CARDS.includes(type) || (isMissing(seat) && type === "draw"));
  });
  return { ...view, you: { ...you, may } };
}
