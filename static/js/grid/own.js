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
  isDeviceDeckProposed,
  isOpenLobby,
  readDeckChoice,
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
  if (view.phase !== "lobby" && view.phase !== "setup") chosenFor = "";
  if (withdrawsProposal(ctrl, view)) chooseDeck(ctrl, "table", false);
  if (!hasDeviceDeck(findOwnSeat(ctrl, view))) {
    ctrl.deviceDeck = null;
    if (readValue(getOwedDeckKey(ctrl.table), isText))
      loadKeeper().then((module) => module.openLastDeck(ctrl, view));
    chooseDeviceDeck(ctrl, view);
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

/**
 * The choice of a deck that the server hasn't answered yet, or null. Resolves to true if the server
 * accepts the choice.
 * @type {Promise<boolean> | null}
 */
let choosing = null;

/**
 * Sets the viewer's choice between real cards and a device deck, after the server has answered the
 * choice before it. Rejects if the module that keeps the deck can't be loaded, or if the server
 * couldn't handle the choice.
 * @param {Controller} ctrl
 * @param {"table" | "device"} kind
 * @param {boolean} [own] true if the viewer made the choice
 */
export async function chooseDeck(ctrl, kind, own = true) {
  const answer = Promise.all([loadKeeper(), choosing]).then(([module]) =>
    module.chooseDeck(ctrl, kind, own),
  );
  const accepted = answer.then(
    (given) => !!given?.ok,
    () => false,
  );
  choosing = accepted;
  accepted.then(() => {
    if (choosing === accepted) choosing = null;
  });
  return answer;
}

/**
 * Returns the choice of a deck for which this command has to wait, or null if it can be sent at
 * once. Only `ready` has to wait, because the server accepts no choice from a player who is ready.
 * @param {Controller} _ctrl
 * @param {Command} command
 */
export const findEarlierChoice = (_ctrl, { type }) => (type === "ready" ? choosing : null);

/**
 * The preparation for which this page has already chosen the device deck automatically, or "" if it
 * chose none.
 */
let chosenFor = "";
/** True if the newest view said that nobody has cards. */
let nobodyHadCards = false;
/** True if the host has switched "Nobody has cards" off during this preparation. */
let isWithdrawn = false;

/**
 * Chooses the device deck automatically, because every new game assumes real cards. There are two
 * reasons to choose it. The player chose a device deck for the last game, or the host has said that
 * nobody has cards, which proposes device decks to everybody. In the lobby, the deck is chosen only
 * after such a proposal, and only if no undo can continue the last game. Does nothing in a practice
 * game, where robots.js chooses the deck.
 * @param {Controller} ctrl
 * @param {View} view
 */
function chooseDeviceDeck(ctrl, view) {
  const { table, begins } = ctrl.prefs.practice ?? {};
  const practises = begins && table === ctrl.table;
  const proposed = isDeviceDeckProposed(ctrl.table, view);
  const wanted =
    (proposed || readDeckChoice(ctrl.table) === true) &&
    (view.phase === "setup" || (!!view.options.device_decks && isOpenLobby(view)));
  const preparation = wanted ? `${view.game} ${view.phase}` : "";
  const seat = findOwnSeat(ctrl, view);
  if (chosenFor === preparation || practises || (wanted && (!view.you || !seat || seat.ready)))
    return;
  if (wanted && choosing) return;
  chosenFor = preparation;
  if (!wanted) return;
  chooseDeck(ctrl, "device", !proposed).catch(() => {
    chosenFor = "";
  });
}

/**
 * Returns true if the host has switched "Nobody has cards" off, and the viewer has a device deck
 * only because it was on. Returns false while a choice waits for its answer, because the deck may
 * change.
 * @param {Controller} ctrl
 * @param {View} view
 */
function withdrawsProposal(ctrl, view) {
  const prepares = view.phase === "lobby" || view.phase === "setup";
  const seat = findOwnSeat(ctrl, view);
  isWithdrawn = prepares && !view.options.device_decks && (isWithdrawn || nobodyHadCards);
  nobodyHadCards = !!view.options.device_decks;
  if (!isWithdrawn || choosing || !view.you || seat?.ready) return false;
  return hasDeviceDeck(seat) && readDeckChoice(ctrl.table) === null;
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
