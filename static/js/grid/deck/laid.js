/**
 * Reveals hidden cards in a replay. `createCardRevealer` returns a function that reveals the cards
 * of device decks at a moment. It computes them from the published secrets and the log, and returns
 * three things: `view` is the view with these cards face up, `hands` has the players' hands, and
 * `mark` is a function that marks the cards which lay face down at that moment.
 * @import { Entry } from "../../core/types.js"
 * @import { Seat, View } from "../types.js"
 */
import { readPack } from "../fair.js";
import { computeDeck } from "./fold.js";
import { getOwnValue } from "../../core/value.js";

/** @typedef {{entries: Entry[], last: number, getView: (at: number) => any}} Reel */

/**
 * @param {any} variant
 * @param {Reel} reel
 */
export function createCardRevealer(variant, reel) {
  const pack = readPack(variant);
  const end = /** @type {View} */ (reel.getView(reel.last));
  const decks = end.seats.flatMap(({ seat, deck }) =>
    deck?.kind === "device" && deck.secret
      ? [createDeckReader({ pack, secret: deck.secret, seat }, reel.entries)]
      : [],
  );
  /** @param {View} view @param {number} upTo the moment; -1 shows the view as it was and removes all marks */
  return (view, upTo) => {
    const cards = Object.fromEntries(
      decks.flatMap(({ seat, getDeckAt }) => {
        const deck = upTo < 0 || !hasCards(view, seat) ? null : getDeckAt(upTo);
        return deck ? [[seat, deck]] : [];
      }),
    );
    const seats = view.seats.map((seat) => turnCardsUp(seat, getOwnValue(cards, seat.seat)));
    const hands = Object.entries(cards).map(([seat, { hand }]) => [seat, hand]);
    return {
      view: { ...view, seats },
      hands: Object.fromEntries(hands),
      mark: (/** @type {HTMLElement} */ root) => markHiddenCards(root, upTo < 0 ? null : view),
    };
  };
}

/** Returns true if the seat has a card in its grid. @param {View} view @param {string} seat */
const hasCards = (view, seat) =>
  view.seats.some((one) => one.seat === seat && one.grid.flat().some(Boolean));

/**
 * Returns the seat and `getDeckAt`. This function returns the seat's deck at a moment, and caches
 * its results.
 * @param {import("./fold.js").Owner} owner
 * @param {Entry[]} entries
 */
function createDeckReader(owner, entries) {
  const relevantVersions = entries.flatMap(({ type, seat }, index) =>
    seat === owner.seat || type === "undone" || type === "game_began" ? [index + 1] : [],
  );
  /** @type {Map<number, import("./fold.js").OwnDeck | null>} */
  const cache = new Map();
  const getDeckAt = (/** @type {number} */ upTo) => {
    const newest = relevantVersions.findLast((at) => at <= upTo) ?? 0;
    if (!cache.has(newest)) cache.set(newest, computeDeck(owner, entries.slice(0, newest)));
    return cache.get(newest);
  };
  return { seat: owner.seat, getDeckAt };
}

/**
 * Seats with their cards turned up, cached so that an unchanged seat is the same object and isn't
 * redrawn.
 * @type {WeakMap<Seat, {cards: import("./fold.js").OwnDeck, shown: Seat}>}
 */
const revealedSeats = new WeakMap();

/** @param {Seat} seat @param {import("./fold.js").OwnDeck | undefined} cards @returns {Seat} */
function turnCardsUp(seat, cards) {
  if (!cards) return seat;
  const cached = revealedSeats.get(seat);
  if (cached?.cards === cards) return cached.shown;
  const revealedSeat = revealGrid(seat, cards);
  revealedSeats.set(seat, { cards, shown: revealedSeat });
  return revealedSeat;
}

/** @param {Seat} seat @param {import("./fold.js").OwnDeck} cards @returns {Seat} */
function revealGrid(seat, cards) {
  const lying = new Map(cards.grid.map(({ cell, card }) => [cell.join(), card]));
  const grid = seat.grid.map((line, row) =>
    line.map((face, column) => (face === "down" ? (lying.get(`${row},${column}`) ?? face) : face)),
  );
  return { ...seat, grid };
}

/**
 * Marks the cards that were face down at the shown moment.
 * @param {HTMLElement} root
 * @param {View | null} view the view as players saw it; null removes all marks
 */
function markHiddenCards(root, view) {
  for (const drawn of root.querySelectorAll("[data-grid] [data-cell]")) {
    const owner = drawn.closest("[data-grid]")?.getAttribute("data-grid");
    const [row = 0, column = 0] = (drawn.getAttribute("data-cell") ?? "").split(",").map(Number);
    const seat = view?.seats.find((one) => one.seat === owner);
    drawn.classList.toggle("hidden-then", seat?.grid[row]?.[column] === "down");
  }
}
