/**
 * The viewer's own deck, where their device keeps it (ruling own-deck): what there is to keep comes
 * when a seat says so, and not before. What only somebody who sees the cards can say, nobody says
 * for such a seat.
 * @import { Controller } from "../core/controller.js"
 * @import { Seat, View } from "./types.js"
 */
import { isText, recall } from "../core/memory.js";
import { OF_CARDS, isKept, isMissing, owed, ownSeat, playsByDevice } from "./state.js";

/** @type {typeof import("./deck/keeper.js") | null} */
let keeper = null;
/** @type {Promise<typeof import("./deck/keeper.js")> | null} */
let coming = null;

/** What keeps the deck; a device that has none doesn't fetch it. */
export function keeps() {
  coming ??= import("./deck/keeper.js").then((found) => {
    keeper = found;
    return found;
  });
  coming.catch(() => {
    coming = null;
  });
  return coming;
}

/** A view as it is for this device. @param {Controller} ctrl @param {View} view @returns {View} */
export function viewForDevice(ctrl, view) {
  const others = without(view, (seat) => seat.seat !== view.you?.seat && isKept(seat));
  if (view.phase !== "setup") chosen = false;
  if (!isKept(ownSeat(ctrl, view))) {
    ctrl.kept = null;
    if (recall(owed(ctrl.table), isText)) keeps().then((found) => found.settle(ctrl, view));
    chooseAgain(ctrl, view);
    return others;
  }
  if (keeper) return keeper.viewWithDeck(ctrl, others);
  keeps().then(
    () => ctrl.wire?.showAgain(),
    () => setTimeout(() => ctrl.wire?.showAgain(), 1000),
  );
  return without(others, (seat) => seat.seat === view.you?.seat);
}

/** Whether this device was chosen by itself in this preparation: it is said once. */
let chosen = false;

/**
 * Each game begins with everybody's cards on the table: whoever chose their device for the last one
 * has it for this one, too, until they choose otherwise. Not in a lobby, where that would end what
 * can be taken back, nor in a practice game, which goes by itself.
 * @param {Controller} ctrl
 * @param {View} view
 */
function chooseAgain(ctrl, view) {
  const { table, begins } = ctrl.prefs.practice ?? {};
  const practises = begins && table === ctrl.table;
  if (chosen || practises || view.phase !== "setup" || !playsByDevice(ctrl.table)) return;
  if (!view.you || ownSeat(ctrl, view)?.ready) return;
  chosen = true;
  keeps().then(
    (found) => found.choose(ctrl, "device"),
    () => {
      chosen = false;
    },
  );
}

/**
 * The next game is prepared while its player still looks at the end of this one.
 * @param {Controller} ctrl
 * @param {View} next
 */
export const settleNextGame = (ctrl, next) => keeper?.settle(ctrl, next);

/**
 * Without what asks for eyes on these seats' cards; a robot speaks for itself.
 * @param {View} view
 * @param {(seat: Seat) => boolean} blind
 * @returns {View}
 */
function without(view, blind) {
  const { you } = view;
  const hidden = new Map(view.seats.filter(blind).map((one) => [one.seat, one]));
  if (!you || !hidden.size) return view;
  const may = you.may.filter(({ as = "", type }) => {
    const seat = hidden.get(as);
    if (!seat) return true;
    // A card that is touched without its deck could be named by nobody.
    return !(seat.robot || OF_CARDS.includes(type) || (isMissing(seat) && type === "draw"));
  });
  return { ...view, you: { ...you, may } };
}
