/**
 * Keeps the device deck of the viewer's own seat. It removes commands from `you.may` that
 * contradict the cards, sends commands by itself if there is nothing to choose, and opens the deck
 * (publishes its secret) after the game. It adds no commands; the server still decides the rules.
 * @import { Controller } from "../../core/controller.js"
 * @import { Command, Entry } from "../../core/types.js"
 * @import { Cell, Seat, View, You } from "../types.js"
 * @import { OwnDeck } from "./fold.js"
 */
import { findCardWithEffect } from "../../core/deck.js";
import { Refusal, request } from "../../core/http.js";
import { loadSharedFiles } from "../../core/late.js";
import {
  isStorageTemporary,
  isText,
  storeValue,
  readValue,
  readStoredSeat,
} from "../../core/memory.js";
import { findAllowedCommands, findSeat } from "../../core/moves.js";
import * as vault from "../../core/vault.js";
import { findNewestCommand } from "../../core/undone.js";
import {
  getCardAt,
  computeCommitment,
  formatHex,
  readPack,
  sealCell,
  decryptSecret,
  encryptSecret,
} from "../fair.js";
import { t } from "../../core/text.js";
import { RETRYABLE_CODES } from "../../core/wire.js";
import {
  COMMANDS_NEEDING_CARDS,
  getOccupiedCells,
  getOwedDeckKey,
  findOwnSeat,
  isSameCell,
  storeDeckChoice,
} from "../state.js";
import { schedulePass } from "./alone.js";
import { computeChances, seeCard } from "./chances.js";
import { computeDeck } from "./fold.js";

/** Types of commands that are sent automatically, because there is nothing to choose. */
const FORCED_COMMANDS = ["report", "reveal", "shuffled"];
const TRIES = 3;
/** Delay between the end of a game and the opening of decks. It leaves time for an undo. */
const OPENS_MS = 15_000;

/**
 * The secrets of decks, by commitment (the published hash of the secret). An empty string means
 * that the secret is still being looked up, null that this device lacks it.
 * @type {Map<string, string | null>}
 */
const secrets = new Map();
/**
 * The part of the table's log that this page has received so far, and the log's epoch. The epoch
 * changes if the server loses events.
 * @type {{epoch: string, log: Entry[]}}
 */
let loadedLog = { epoch: "", log: [] };
let fetchingLog = false;
/**
 * The commitments of the secrets that are stored on this device, and so are kept when the page is
 * closed.
 */
const stored = new Set();
/**
 * True while the server hasn't answered a `deck_here` command, which reports whether this device
 * has the deck.
 */
let reporting = false;
/** Epoch and version of the view for which `sendForcedCommand` was called last. */
let handledView = "";
/** True while the secret of the last game's deck is being sent. */
let openingLastDeck = false;

/**
 * Returns the view for a player with a device deck, and updates `ctrl.deviceDeck`.
 * @param {Controller} ctrl
 * @param {View} view
 * @returns {View}
 */
export function applyDeckToView(ctrl, view) {
  const seat = findOwnSeat(ctrl, view);
  ctrl.deviceDeck = null;
  if (seat?.deck?.kind !== "device") return view;
  const secret = secrets.get(seat.deck.commit);
  if (secret === undefined) loadSecret(ctrl, seat.deck.commit);
  if (view.you && !seat.deck.secret) reportDeck(ctrl, seat.deck);
  if (secret === null) {
    ctrl.deviceDeck = { lost: true };
    return removeCardCommands(view);
  }
  if (!secret) return removeFalseCommands(view, null);
  ctrl.deviceDeck = { lost: false };
  if (view.phase === "lobby" || view.phase === "setup") {
    openLastDeck(ctrl, view);
    return view;
  }
  rememberToOpen(ctrl.table, seat.deck);
  storeDeckChoice(ctrl.table, true); // needed if the deck was moved here by a link
  const cards = computeCurrentDeck(ctrl, view, seat.seat, secret);
  if (cards) ctrl.deviceDeck = { lost: false, ...cards };
  const adaptedView = removeFalseCommands(view, cards, ctrl.prefs.bare);
  queueMicrotask(() => sendForcedCommand(ctrl, adaptedView, { seat, secret }));
  queueMicrotask(() => schedulePass(ctrl, adaptedView, cards));
  if (isStorageTemporary && view.phase === "play") warnOfLoss(ctrl, seat.deck.commit);
  return adaptedView;
}

/**
 * Reports to the server whether this device has the deck, if the server doesn't know this yet or
 * has it wrong. The device has a deck only once the secret is stored, because a secret in memory is
 * lost with the page.
 * @param {Controller} ctrl
 * @param {{commit: string, here?: boolean | null}} deck
 */
async function reportDeck(ctrl, { commit, here: known = true }) {
  const here = hasDeck(commit);
  if (here === null || here === known || reporting || !ctrl.wire) return;
  reporting = true;
  await ctrl.wire.send({ type: "deck_here", here });
  reporting = false;
  // If the deck was moved here by a link in the meantime, report it again.
  if (hasDeck(commit) !== here) ctrl.wire.showAgain();
}

/**
 * Returns true if the device has the deck, false if it lacks the deck, or null if that isn't known
 * yet.
 * @param {string} commit
 */
const hasDeck = (commit) => (secrets.get(commit) === null ? false : stored.has(commit) || null);

/**
 * Warns the viewer, once for each deck, that the deck is lost when the tab is closed.
 * @param {Controller} ctrl
 * @param {string} commit
 */
async function warnOfLoss(ctrl, commit) {
  if (readValue("warned", isText) === commit) return;
  storeValue("warned", commit);
  await loadSharedFiles();
  ctrl.showProblem({ code: "brief", text: t("deck.briefly") }, "now");
}

/**
 * Returns the deck at this view's version. Returns null if the log has to be fetched first.
 * @param {Controller} ctrl
 * @param {View} view
 * @param {string} seat
 * @param {string} secret
 * @returns {OwnDeck | null}
 */
function computeCurrentDeck(ctrl, view, seat, secret) {
  const upTo = loadedLog.epoch === view.epoch ? (loadedLog.log.at(-1)?.version ?? -1) : -1;
  const oldest = view.log[0]?.version ?? 0;
  const includesGameStart = view.log.some((entry) => entry.type === "game_began");
  if (!ctrl.variant || (oldest > upTo && !includesGameStart)) {
    if (ctrl.variant) fetchLog(ctrl, view.epoch);
    return null;
  }
  const olderEntries = oldest > upTo ? [] : loadedLog.log;
  const newEntries = view.log.filter((entry) => oldest > upTo || entry.version > upTo);
  loadedLog = { epoch: view.epoch, log: [...olderEntries, ...newEntries] };
  const log = loadedLog.log.filter((entry) => entry.version <= view.version);
  return computeDeck({ pack: readPack(ctrl.variant), secret, seat }, log);
}

/**
 * Fetches the whole log, because a view contains only its end.
 * @param {Controller} ctrl
 * @param {string} epoch
 */
async function fetchLog(ctrl, epoch) {
  if (fetchingLog) return;
  fetchingLog = true;
  try {
    const path = `/api/tables/${ctrl.table}/log`;
    loadedLog = { epoch, log: await request(path, undefined, readStoredSeat(ctrl.table)?.token) };
    ctrl.wire?.showAgain();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    setTimeout(() => ctrl.wire?.showAgain(), 1000);
  } finally {
    fetchingLog = false;
  }
}

/**
 * Stores that this device still has to open (publish) this deck after the game, until the secret is
 * public. So a device that is asleep at the end of the game can open its deck later.
 * @param {string} table
 * @param {{commit: string, secret?: string | null}} deck
 */
function rememberToOpen(table, { commit, secret }) {
  const due = secret ? null : commit;
  if (readValue(getOwedDeckKey(table), isText) !== due) storeValue(getOwedDeckKey(table), due);
}

/**
 * Opens the deck of the last game (publishes its secret), if this device hasn't done so yet, while
 * the next game is being prepared. Does nothing in the lobby, because there an undo can still
 * continue the last game. If the server couldn't handle the command, a later view tries again.
 * @param {Controller} ctrl
 * @param {View} view
 */
export async function openLastDeck(ctrl, view) {
  const commit = readValue(getOwedDeckKey(ctrl.table), isText);
  if (!commit || openingLastDeck || !ctrl.wire || view.phase === "lobby") return;
  openingLastDeck = true;
  const secret = secrets.get(commit) || (await vault.readSecret(commit).catch(() => null));
  const answer = secret ? await ctrl.wire.send({ type: "open", secret }) : null;
  if (!isTemporaryError(answer)) storeValue(getOwedDeckKey(ctrl.table), null);
  openingLastDeck = false;
}

/**
 * Returns true if the server couldn't handle a command, so that the same command can succeed later.
 * @param {import("../../core/types.js").Answer | null} answer
 */
const isTemporaryError = (answer) => RETRYABLE_CODES.includes(answer?.error?.code ?? "");

/** @param {Controller} ctrl @param {string} commit */
async function loadSecret(ctrl, commit) {
  secrets.set(commit, "");
  const storedSecret = await vault.readSecret(commit).catch(() => null);
  if (storedSecret) stored.add(commit);
  // If a link has brought the secret in the meantime, keep that secret.
  if (!secrets.get(commit)) secrets.set(commit, storedSecret);
  ctrl.wire?.showAgain();
}

/**
 * Returns the view without commands that contradict the cards, and with the seen cards as notes.
 * @param {View} view
 * @param {OwnDeck | null} cards null if they aren't known yet, or are lost
 * @param {boolean} [bare] true if the hand is uncovered. While it is covered, a Nope is always
 *   offered, so that the button doesn't show what the hand holds
 * @returns {View}
 */
function removeFalseCommands(view, cards, bare = false) {
  const { you } = view;
  if (!you) return view;
  const isAllowed = (/** @type {Command} */ command) =>
    command.as !== you.seat ||
    !COMMANDS_NEEDING_CARDS.includes(command.type) ||
    (!!cards && ((!bare && command.type === "nope") || isTrueOfCards(view, cards, command)));
  const knows =
    bare && cards ? describeKnowledge(view, you, cards) : { notes: [], odds: undefined };
  return { ...view, you: { ...you, may: you.may.filter(isAllowed), ...knows } };
}

/**
 * Returns the notes and odds of a player who sees their cards. To the server's notes and odds, it
 * adds what the player knows from the cards that this device has shown. While the cards are
 * covered, the odds are those that everybody sees.
 * @param {View} view
 * @param {You} you
 * @param {OwnDeck} cards
 */
function describeKnowledge(view, you, cards) {
  const seat = findSeat(view, you.seat);
  const cells = getOccupiedCells(seat).filter(
    ([row, column]) => seat?.grid[row]?.[column] === "down",
  );
  const ownNotes = you.notes.filter(({ cell }) => !cards.seen.some((one) => isSameCell(one, cell)));
  const seen = cells.filter((cell) => cards.seen.some((one) => isSameCell(one, cell)));
  const notes = [
    ...ownNotes,
    ...seen.map((cell) => ({ cell, card: String(getCardAt(cards, cell)) })),
  ];
  if (!you.odds) return { notes };
  const unseen = ownNotes.reduce((known, { card }) => seeCard(known, card), cards.unseen);
  const chances = computeChances(unseen);
  const odds = Object.fromEntries(
    cells.map((cell) => {
      const note = notes.find((one) => isSameCell(one.cell, cell));
      return [cell.join(), note ? { [note.card]: 1 } : chances];
    }),
  );
  return { notes, odds: { cells: odds, holds: {}, placed: false } };
}

/**
 * Returns the view for a seat whose deck is on another device, without the commands that need
 * cards. Also removes the draw, because nobody could report which card was drawn.
 * @param {View} view
 * @returns {View}
 */
function removeCardCommands(view) {
  const adaptedView = removeFalseCommands(view, null);
  const { you } = adaptedView;
  if (!you) return adaptedView;
  const may = you.may.filter(({ as, type }) => as !== you.seat || type !== "draw");
  return { ...adaptedView, you: { ...you, may } };
}

/**
 * Returns true if the command agrees with the cards: the hand contains the card to play, or the
 * card to report is the card that is really there.
 * @param {View} view
 * @param {OwnDeck} cards
 * @param {Command} one
 */
function isTrueOfCards(view, cards, one) {
  const { hand } = cards;
  const getCardAtCell = (/** @type {Cell | null | undefined} */ cell) =>
    cell && getCardAt(cards, cell);
  if (one.type === "play") return hand.includes(one.card);
  if (one.type === "nope") return hand.includes(findCardWithEffect("nope"));
  if (one.type === "defuse") return hand.includes(findCardWithEffect("defuse"));
  if (one.type === "reveal") return getCardAtCell(view.played?.cell) === one.card;
  if (one.type === "report")
    return (
      (getCardAtCell(view.turn?.told) === findCardWithEffect("kitten")) ===
      (one.outcome === "kitten")
    );
  return true;
}

/**
 * Sends a command if there is nothing to choose. Sends nothing directly after an undo. If the host
 * drew a card for this seat, sends no report of the card: the player has to report it. While the
 * cards aren't known, because the variant or the log hasn't arrived, does nothing: the same view is
 * then shown again.
 * @param {Controller} ctrl
 * @param {View} view
 * @param {{seat: Seat, secret: string}} own
 */
function sendForcedCommand(ctrl, view, { seat, secret }) {
  const key = `${view.epoch} ${view.version}`;
  const knowsCards = !!ctrl.deviceDeck?.grid;
  if (handledView === key || (view.phase !== "over" && !knowsCards)) return;
  handledView = key;
  if (view.phase === "over") {
    if (seat.deck?.kind === "device" && !seat.deck.secret) scheduleDeckOpening(ctrl, view, secret);
    return;
  }
  const undoneAt = view.log.findLast((entry) => entry.type === "undone")?.version ?? -1;
  if (undoneAt > (findNewestCommand(view.log)?.version ?? 0)) return;
  const command = FORCED_COMMANDS.flatMap((type) => findAllowedCommands(view, seat.seat, type))[0];
  const touched = view.log.findLast((entry) => entry.type === "card_touched");
  if (command?.type === "report" && touched?.facts.by) return;
  if (command) ctrl.send(command);
}

/**
 * After the end of the game, opens the deck (publishes its secret) with a delay that leaves time
 * for an undo. Does nothing while an undo is requested. The command contains the version, so the
 * server refuses it if anything has happened during the delay.
 * @param {Controller} ctrl
 * @param {View} view
 * @param {string} secret
 */
function scheduleDeckOpening(ctrl, view, secret) {
  if (view.asked) return;
  const ended = view.log.findLast((entry) => entry.type === "game_won")?.at ?? 0;
  const delay = Math.max(0, Math.min(OPENS_MS, ended + OPENS_MS - ctrl.clock.now()));
  setTimeout(() => ctrl.wire?.send({ type: "open", secret, version: view.version }), delay);
}

/**
 * Sets the viewer's choice between real cards and a device deck. Shows a problem if this device
 * can't store a deck. Rejects if the server couldn't handle the choice of a device deck, so that an
 * automatic choice is made again.
 * @param {Controller} ctrl
 * @param {"table" | "device"} kind
 * @param {boolean} [own] true if the viewer made the choice; then it counts for the next games, too
 */
export async function chooseDeck(ctrl, kind, own = true) {
  if (kind === "table") {
    if (own) storeDeckChoice(ctrl.table, false);
    return sendChoice(ctrl, { type: "deck", kind });
  }
  const secret = formatHex(crypto.getRandomValues(new Uint8Array(32)));
  const commit = computeCommitment(secret);
  try {
    await vault.storeSecret({ commit, secret, table: ctrl.table });
    stored.add(commit);
  } catch {
    storeDeckChoice(ctrl.table, false);
    ctrl.showProblem({ code: "no-storage", text: t("deck.no-storage") }, "now");
    return null;
  }
  secrets.set(commit, secret);
  if (own) storeDeckChoice(ctrl.table, true);
  const answer = await sendChoice(ctrl, { type: "deck", kind, commit });
  if (answer?.error && isTemporaryError(answer)) throw new Refusal(answer.error);
  return answer;
}

/**
 * Sends the choice of a deck. If the view with this choice has come before the answer, shows it
 * again after the answer, because it may require another choice.
 * @param {Controller} ctrl
 * @param {Command} choice
 */
async function sendChoice(ctrl, choice) {
  const answer = await ctrl.send(choice);
  if (answer?.ok && Number(answer.version) <= Number(ctrl.view?.version))
    setTimeout(() => ctrl.wire?.showAgain());
  return answer;
}

/**
 * Sends a Defuse with the seal of the cell in which the Kitten is hidden.
 * @param {Controller} ctrl
 * @param {Cell} cell
 * @param {boolean} still true if the other cards stay where they are
 */
export async function sendDefuse(ctrl, cell, still) {
  const view = /** @type {View} */ (ctrl.view);
  const secret = getOwnSecret(ctrl);
  if (!secret) return;
  let version = view.version;
  for (let tried = 0; tried < TRIES; tried++) {
    const hidden = sealCell(secret, version, cell);
    const fields = still ? { hidden, still } : { hidden };
    const answer = await ctrl.send({ type: "defuse", as: String(ctrl.me), ...fields, version });
    if (answer?.error?.code !== "stale") return;
    // The table's version has changed, so the cell needs a new seal.
    version = answer.version ?? version;
  }
}

/** Returns the secret of the viewer's deck, if it is on this device. @param {Controller} ctrl */
function getOwnSecret(ctrl) {
  const deck = ctrl.view && findOwnSeat(ctrl, /** @type {View} */ (ctrl.view))?.deck;
  return deck?.kind === "device" ? secrets.get(deck.commit) : undefined;
}

/**
 * Returns the secret of the viewer's deck, to lend it to a robot, or null if this device lacks it.
 * @param {Controller} ctrl
 */
export const getSecretToLend = (ctrl) => getOwnSecret(ctrl) ?? null;

/**
 * Returns the deck's encrypted secret, for a link that moves this seat to another device. Returns
 * null if this device has no deck of the seat.
 * @param {Controller} ctrl
 * @param {string} claim
 */
export function encryptDeckForLink(ctrl, claim) {
  const secret = getOwnSecret(ctrl);
  return secret ? encryptSecret(secret, claim) : null;
}

/**
 * Stores a deck that was moved to this device with a link. Throws an error for the player if that
 * fails.
 * @param {string} table
 * @param {string} claim
 * @param {string} deck
 */
export async function receiveDeck(table, claim, deck) {
  if (!/^[\da-f]{64}$/.test(deck)) return;
  const secret = decryptSecret(deck, claim);
  const commit = computeCommitment(secret);
  secrets.set(commit, secret);
  await vault.storeSecret({ commit, secret, table }).catch(() => {
    throw new Error(t("deck.no-storage"));
  });
  stored.add(commit);
}

/**
 * Deletes a table's decks from this device, because the seat has moved to another device or no
 * longer exists. Keeps them if the other device doesn't have the deck yet, since a link made by the
 * host doesn't carry it. Also keeps them if this device can't find out, because the table admits no
 * spectators.
 * @param {string} table
 * @param {string} seat
 * @returns {Promise<import("../../core/types.js").DeckNeed>} "gone" if the decks were deleted
 */
export async function deleteDecks(table, seat) {
  try {
    /** @type {View} */
    const view = await request(`/api/tables/${table}`);
    const deck = view.seats.find((one) => one.seat === seat)?.deck;
    const moves = deck?.kind === "device" && !deck.secret && deck.here !== undefined;
    if (moves && (await vault.readSecret(deck.commit)))
      return deck.here === null ? "unknown" : "here";
  } catch (error) {
    const code = error instanceof Refusal ? error.problem.code : null;
    if (code === "forbidden") return (await vault.hasDeckOfTable(table)) ? "here" : "gone";
    if (code !== "not_found") return "unknown";
  }
  secrets.clear();
  stored.clear();
  storeDeckChoice(table, null);
  storeValue(getOwedDeckKey(table), null);
  await vault.deleteDecks(table);
  return "gone";
}
