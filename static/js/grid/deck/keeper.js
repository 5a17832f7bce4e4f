/**
 * The deck that this device keeps for its own seat. Of each view it makes one in which only that
 * can be said which is true of the cards, says by itself what needs no choice, and opens the deck
 * at the end. The rules stay the server's: what its cards don't bear out is left out of `you.may`,
 * nothing is added.
 * @import { Controller } from "../../core/controller.js"
 * @import { Command, Entry } from "../../core/types.js"
 * @import { Cell, Seat, View } from "../types.js"
 * @import { Kept } from "./fold.js"
 */
import { cardWithEffect } from "../../core/deck.js";
import { Refusal, request } from "../../core/http.js";
import { loadShared } from "../../core/late.js";
import { isTemporary, isText, keep, recall, storedSeat } from "../../core/memory.js";
import { allowedCommands } from "../../core/moves.js";
import * as vault from "../../core/vault.js";
import { newestCommand } from "../../core/undone.js";
import { at, commitment, hex, packOf, seal, lifted, lock } from "../fair.js";
import { t } from "../../core/text.js";
import { OF_CARDS, owed, ownSeat, rememberDevice } from "../state.js";
import { deckAfter } from "./fold.js";

/** What is said as soon as it may be: there is nothing to choose in it. */
const BY_ITSELF = ["report", "reveal", "shuffled"];
const TRIES = 3;
/** For so long after its end a game can be taken back before its decks are opened. */
const OPENS_MS = 15_000;

/** Commitment → its secret; null: this device doesn't have it. @type {Map<string, string | null>} */
const secrets = new Map();
/** What of the log is known, and of which table. @type {{epoch: string, log: Entry[]}} */
let known = { epoch: "", log: [] };
let reading = false;
/** The commitments whose secrets are stored on this device, so that they outlive this page. */
const stored = new Set();
/** The table is being told whether this device has its deck. */
let reporting = false;
/** The view in which something was said by itself. */
let spoken = "";
/** A deck of a game that is over is being opened. */
let settling = false;

/**
 * The view for somebody whose device keeps the deck.
 * @param {Controller} ctrl
 * @param {View} view
 * @returns {View}
 */
export function viewWithDeck(ctrl, view) {
  const seat = ownSeat(ctrl, view);
  ctrl.kept = null;
  if (seat?.deck?.kind !== "device") return view;
  const secret = secrets.get(seat.deck.commit);
  if (secret === undefined) find(ctrl, seat.deck.commit);
  if (view.you && !seat.deck.secret) report(ctrl, seat.deck);
  if (secret === null) {
    ctrl.kept = { lost: true };
    return withoutDeck(view);
  }
  if (!secret) return onlyTrueMoves(view, null);
  ctrl.kept = { lost: false };
  if (view.phase === "lobby" || view.phase === "setup") {
    settle(ctrl, view);
    return view;
  }
  owe(ctrl.table, seat.deck);
  rememberDevice(ctrl.table, true); // also where a link brought the deck
  const cards = follow(ctrl, view, seat.seat, secret);
  if (cards) ctrl.kept = { lost: false, ...cards };
  const shown = onlyTrueMoves(view, cards, ctrl.prefs.bare);
  queueMicrotask(() => speak(ctrl, shown, { seat, secret }));
  if (isTemporary && view.phase === "play") warn(ctrl, seat.deck.commit);
  return shown;
}

/**
 * Tells the table whether this device has the deck, where the table takes it otherwise or doesn't
 * know: what a page alone holds isn't here to stay.
 * @param {Controller} ctrl
 * @param {{commit: string, here?: boolean | null}} deck
 */
async function report(ctrl, { commit, here: known = true }) {
  const here = whether(commit);
  if (here === null || here === known || reporting || !ctrl.wire) return;
  reporting = true;
  await ctrl.wire.send({ type: "deck_here", here });
  reporting = false;
  if (whether(commit) !== here) ctrl.wire.showAgain(); // meanwhile a link has brought it
}

/** Whether this device has the deck; null: that isn't known yet. @param {string} commit */
const whether = (commit) => (secrets.get(commit) === null ? false : stored.has(commit) || null);

/** Once a deck it is said that it is gone with the tab. @param {Controller} ctrl @param {string} commit */
async function warn(ctrl, commit) {
  if (recall("warned", isText) === commit) return;
  keep("warned", commit);
  await loadShared();
  ctrl.showProblem({ code: "brief", text: t("deck.briefly") }, "now");
}

/**
 * The deck in this view; null while the log is being fetched.
 * @param {Controller} ctrl
 * @param {View} view
 * @param {string} seat
 * @param {string} secret
 * @returns {Kept | null}
 */
function follow(ctrl, view, seat, secret) {
  const upTo = known.epoch === view.epoch ? (known.log.at(-1)?.version ?? -1) : -1;
  const oldest = view.log[0]?.version ?? 0;
  const whole = view.log.some((entry) => entry.type === "game_began");
  if (!ctrl.variant || (oldest > upTo && !whole)) {
    if (ctrl.variant) readLog(ctrl, view.epoch);
    return null;
  }
  const before = oldest > upTo ? [] : known.log;
  const news = view.log.filter((entry) => oldest > upTo || entry.version > upTo);
  known = { epoch: view.epoch, log: [...before, ...news] };
  const log = known.log.filter((entry) => entry.version <= view.version);
  return deckAfter({ pack: packOf(ctrl.variant), secret, seat }, log);
}

/** The whole log: a view has but its end. @param {Controller} ctrl @param {string} epoch */
async function readLog(ctrl, epoch) {
  if (reading) return;
  reading = true;
  try {
    const path = `/api/tables/${ctrl.table}/log`;
    known = { epoch, log: await request(path, undefined, storedSeat(ctrl.table)?.token) };
    ctrl.wire?.showAgain();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    setTimeout(() => ctrl.wire?.showAgain(), 1000);
  } finally {
    reading = false;
  }
}

/**
 * A dealt deck is to be opened in the end; this device knows it also when it sleeps through the
 * end.
 * @param {string} table
 * @param {{commit: string, secret?: string | null}} deck
 */
function owe(table, { commit, secret }) {
  const due = secret ? null : commit;
  if (recall(owed(table), isText) !== due) keep(owed(table), due);
}

/**
 * A game has gone by: its deck is opened before the next one begins. In the lobby its end can still
 * be taken back.
 * @param {Controller} ctrl
 * @param {View} view
 */
export async function settle(ctrl, view) {
  const commit = recall(owed(ctrl.table), isText);
  if (!commit || settling || !ctrl.wire || view.phase === "lobby") return;
  settling = true;
  const secret = secrets.get(commit) || (await vault.secretOf(commit).catch(() => null));
  if (secret) await ctrl.wire.send({ type: "open", secret });
  keep(owed(ctrl.table), null);
  settling = false;
}

/** @param {Controller} ctrl @param {string} commit */
async function find(ctrl, commit) {
  secrets.set(commit, "");
  const found = await vault.secretOf(commit).catch(() => null);
  if (found) stored.add(commit);
  if (!secrets.get(commit)) secrets.set(commit, found); // a link may have brought it meanwhile
  ctrl.wire?.showAgain();
}

/**
 * The view in which nothing can be said that isn't so, with what its player has seen of their own cards.
 * @param {View} view @param {Kept | null} cards null: not known yet, or lost @param {boolean}
 *   [bare] the cards are to be seen: a Nope that is there tells of one
 * @returns {View}
 */
function onlyTrueMoves(view, cards, bare = false) {
  const { you } = view;
  if (!you) return view;
  const fits = (/** @type {Command} */ one) =>
    one.as !== you.seat ||
    !OF_CARDS.includes(one.type) ||
    (!!cards && isSo(view, cards, one) && (bare || one.type !== "nope"));
  const notes = (bare && cards ? cards.seen : []).flatMap((cell) => {
    const card = cards && at(cards, cell);
    return card ? [{ cell, card }] : [];
  });
  return { ...view, you: { ...you, may: you.may.filter(fits), notes } };
}

/**
 * The view for a seat whose deck is elsewhere: nor can a card be touched that nobody could then
 * name.
 * @param {View} view
 * @returns {View}
 */
function withoutDeck(view) {
  const shown = onlyTrueMoves(view, null);
  const { you } = shown;
  if (!you) return shown;
  const may = you.may.filter(({ as, type }) => as !== you.seat || type !== "draw");
  return { ...shown, you: { ...you, may } };
}

/** Whether the cards bear it out. @param {View} view @param {Kept} cards @param {Command} one */
function isSo(view, cards, one) {
  const { hand } = cards;
  const lying = (/** @type {Cell | null | undefined} */ cell) => cell && at(cards, cell);
  if (one.type === "play") return hand.includes(one.card);
  if (one.type === "nope") return hand.includes(cardWithEffect("nope"));
  if (one.type === "defuse") return hand.includes(cardWithEffect("defuse"));
  if (one.type === "reveal") return lying(view.played?.cell) === one.card;
  if (one.type === "report")
    return (lying(view.turn?.told) === cardWithEffect("kitten")) === (one.outcome === "kitten");
  return true;
}

/**
 * Says what needs no choice; not what was just taken back, nor of a card that the host touched: its
 * player says it.
 * @param {Controller} ctrl
 * @param {View} view
 * @param {{seat: Seat, secret: string}} own
 */
function speak(ctrl, view, { seat, secret }) {
  const key = `${view.epoch} ${view.version}`;
  if (spoken === key) return;
  spoken = key;
  if (view.phase === "over") {
    if (seat.deck?.kind === "device" && !seat.deck.secret) open(ctrl, view, secret);
    return;
  }
  const undone = view.log.findLast((entry) => entry.type === "undone")?.version ?? -1;
  if (undone > (newestCommand(view.log)?.version ?? 0)) return;
  const command = BY_ITSELF.flatMap((type) => allowedCommands(view, seat.seat, type))[0];
  const touched = view.log.findLast((entry) => entry.type === "card_touched");
  if (command?.type === "report" && touched?.facts.by) return;
  if (command && ctrl.kept?.grid) ctrl.send(command);
}

/**
 * Opens the deck once the end has stood for a while; not while somebody asks to take it back, nor
 * if anything happens meanwhile: that view is another.
 * @param {Controller} ctrl
 * @param {View} view
 * @param {string} secret
 */
function open(ctrl, view, secret) {
  if (view.asked) return;
  const ended = view.log.findLast((entry) => entry.type === "game_won")?.at ?? 0;
  const left = Math.max(0, Math.min(OPENS_MS, ended + OPENS_MS - ctrl.clock.now()));
  setTimeout(() => ctrl.wire?.send({ type: "open", secret, version: view.version }), left);
}

/**
 * Where the cards are to be: on the table, or on this device, which says so if it can't keep any.
 * @param {Controller} ctrl
 * @param {"table" | "device"} kind
 */
export async function choose(ctrl, kind) {
  if (kind === "table") {
    rememberDevice(ctrl.table, false);
    return ctrl.send({ type: "deck", kind });
  }
  const secret = hex(crypto.getRandomValues(new Uint8Array(32)));
  const commit = commitment(secret);
  try {
    await vault.keep({ commit, secret, table: ctrl.table });
    stored.add(commit);
  } catch {
    rememberDevice(ctrl.table, false);
    ctrl.showProblem({ code: "no-storage", text: t("deck.no-storage") }, "now");
    return null;
  }
  secrets.set(commit, secret);
  rememberDevice(ctrl.table, true);
  return ctrl.send({ type: "deck", kind, commit });
}

/**
 * The Kitten goes back where its player wants it, sealed.
 * @param {Controller} ctrl
 * @param {Cell} cell
 * @param {boolean} still the others stay where they lie
 */
export async function hide(ctrl, cell, still) {
  const view = /** @type {View} */ (ctrl.view);
  const secret = mine(ctrl);
  if (!secret) return;
  let version = view.version;
  for (let tried = 0; tried < TRIES; tried++) {
    const hidden = seal(secret, version, cell);
    const how = still ? { hidden, still } : { hidden };
    const answer = await ctrl.send({ type: "defuse", as: String(ctrl.me), ...how, version });
    if (answer?.error?.code !== "stale") return;
    version = answer.version ?? version; // somebody noted something meanwhile: sealed anew
  }
}

/** The secret of the viewer's deck, if it is here. @param {Controller} ctrl */
function mine(ctrl) {
  const deck = ctrl.view && ownSeat(ctrl, /** @type {View} */ (ctrl.view))?.deck;
  return deck?.kind === "device" ? secrets.get(deck.commit) : undefined;
}

/** The deck's secret, for whoever is to play on with it. @param {Controller} ctrl */
export const lent = (ctrl) => mine(ctrl) ?? null;

/**
 * What a link that moves this seat carries besides; null: no deck is kept here.
 * @param {Controller} ctrl
 * @param {string} claim
 */
export function deckForLink(ctrl, claim) {
  const secret = mine(ctrl);
  return secret ? lock(secret, claim) : null;
}

/**
 * A link has brought a deck; fails, in words, where it can't be kept longer than the page is open.
 * @param {string} table
 * @param {string} claim
 * @param {string} deck
 */
export async function receiveDeck(table, claim, deck) {
  if (!/^[\da-f]{64}$/.test(deck)) return;
  const secret = lifted(deck, claim);
  const commit = commitment(secret);
  secrets.set(commit, secret);
  await vault.keep({ commit, secret, table }).catch(() => {
    throw new Error(t("deck.no-storage"));
  });
  stored.add(commit);
}

/**
 * The seat is another device's now, or gone. The deck goes only once that device has it: a link that
 * the host made brings none. Where nobody may watch that can't be seen, and the deck stays.
 * @param {string} table
 * @param {string} seat
 * @returns {Promise<import("../../core/types.js").DeckNeed>} whether the deck is still needed here
 */
export async function forget(table, seat) {
  try {
    /** @type {View} */
    const view = await request(`/api/tables/${table}`);
    const deck = view.seats.find((one) => one.seat === seat)?.deck;
    const moves = deck?.kind === "device" && !deck.secret && deck.here !== undefined;
    if (moves && (await vault.secretOf(deck.commit)))
      return deck.here === null ? "unknown" : "here";
  } catch (error) {
    const code = error instanceof Refusal ? error.problem.code : null;
    if (code === "forbidden") return (await vault.holds(table)) ? "here" : "gone";
    if (code !== "not_found") return "unknown";
  }
  secrets.clear();
  stored.clear();
  rememberDevice(table, false);
  keep(owed(table), null);
  await vault.forget(table);
  return "gone";
}
