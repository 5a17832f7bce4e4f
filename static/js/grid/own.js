/**
 * Connects the panel to the viewer's device deck (ruling own-deck). The module that keeps the deck
 * is loaded only if the viewer has one. This module also removes commands that can't be given
 * without seeing the device deck of another seat.
 * @import { Controller } from "../core/controller.js"
 * @import { Command } from "../core/types.js"
 * @import { Seat, View } from "./types.js"
 */
import { findCardWithEffect } from "../core/deck.js";
import { isText, readValue } from "../core/memory.js";
import { t } from "../core/text.js";
import {
  COMMANDS_NEEDING_CARDS,
  hasDeviceDeck,
  isDeckMissing,
  getOwedDeckKey,
  findOwnSeat,
  prefersDeviceDeck,
} from "./state.js";

/** @type {typeof import("./deck/keeper.js") | null} */
let keeper = null;
/** @type {Promise<typeof import("./deck/keeper.js")> | null} */
let loadingKeeper = null;

/** Loads the module that keeps the deck. After a failure the next call tries again. */
export function loadKeeper() {
  loadingKeeper ??= import("./deck/keeper.js").then((module) => {
    keeper = module;
    return module;
  });
  loadingKeeper.catch(() => {
    loadingKeeper = null;
  });
  return loadingKeeper;
}

/**
 * Returns the view with only those commands that can be given on this device.
 * @param {Controller} ctrl
 * @param {View} view
 * @returns {View}
 */
export function adaptViewToDevice(ctrl, view) {
  const others = removeBlindCommands(
    view,
    (seat) => seat.seat !== view.you?.seat && hasDeviceDeck(seat),
  );
  if (view.phase !== "setup") choseAutomatically = false;
  if (!hasDeviceDeck(findOwnSeat(ctrl, view))) {
    ctrl.deviceDeck = null;
    if (readValue(getOwedDeckKey(ctrl.table), isText))
      loadKeeper().then((module) => module.openLastDeck(ctrl, view));
    chooseDeviceDeckAgain(ctrl, view);
    return others;
  }
  if (keeper) return keeper.applyDeckToView(ctrl, others);
  loadKeeper().then(
    () => ctrl.wire?.showAgain(),
    () => setTimeout(() => ctrl.wire?.showAgain(), 1000),
  );
  return removeBlindCommands(others, (seat) => seat.seat === view.you?.seat);
}

/**
 * Returns a sentence for a player who presses Nope but holds none. The button is there because it
 * would otherwise show what a covered hand holds.
 * @param {Controller} ctrl
 * @param {Command} command
 */
export function findMissingNope({ deviceDeck, me }, { type, as }) {
  const hand = /** @type {string[] | undefined} */ (deviceDeck?.hand);
  if (type !== "nope" || as !== me || !hand || hand.includes(findCardWithEffect("nope")))
    return null;
  return t("deck.no-nope");
}

/** True if this page has chosen the device deck automatically in the current preparation. */
let choseAutomatically = false;

/**
 * Chooses the device deck again for a player who had one in the last game, because each new game
 * begins with real cards for every seat. Does nothing before the preparation: in the lobby the
 * players can still undo the end of the last game, but not once a deck has been chosen. Does
 * nothing in a practice game either, where robots.js chooses the deck.
 * @param {Controller} ctrl
 * @param {View} view
 */
function chooseDeviceDeckAgain(ctrl, view) {
  const { table, begins } = ctrl.prefs.practice ?? {};
  const practises = begins && table === ctrl.table;
  if (choseAutomatically || practises || view.phase !== "setup" || !prefersDeviceDeck(ctrl.table))
    return;
  if (!view.you || findOwnSeat(ctrl, view)?.ready) return;
  choseAutomatically = true;
  loadKeeper().then(
    (module) => module.chooseDeck(ctrl, "device"),
    () => {
      choseAutomatically = false;
    },
  );
}

/**
 * Opens the deck of the last game (publishes its secret) if the others already prepare the next
 * game while the viewer still looks at the end of the last one.
 * @param {Controller} ctrl
 * @param {View} next
 */
export const openDeckBeforeNextGame = (ctrl, next) => keeper?.openLastDeck(ctrl, next);

/**
 * Removes the commands that require seeing a seat's cards, for all seats for which `blind` returns
 * true. If a robot plays one of these seats, removes all commands for that seat.
 * @param {View} view
 * @param {(seat: Seat) => boolean} blind
 * @returns {View}
 */
function removeBlindCommands(view, blind) {
  const { you } = view;
  const hidden = new Map(view.seats.filter(blind).map((one) => [one.seat, one]));
  if (!you || !hidden.size) return view;
  const may = you.may.filter(({ as = "", type }) => {
    const seat = hidden.get(as);
    if (!seat) return true;
    // If the deck is missing, nobody can report which card was drawn.
    return !(
      seat.robot ||
      COMMANDS_NEEDING_CARDS.includes(type) ||
      (isDeckMissing(seat) && type === "draw")
    );
  });
  return { ...view, you: { ...you, may } };
}
