/**
 * Checks from a table's log whether device decks were dealt and reported honestly. Once a deck's
 * secret is published, its cards are dealt again and all events of its player are replayed: each
 * card that an event shows must be the card that was really there. companion/device_decks/check.py
 * does the same in Python.
 * @import { Cards, Cell, Finding, FairGame, Pack } from "./types.js"
 * @import { Entry } from "../core/types.js"
 */
import {
  getCardAt,
  computeCommitment,
  dealCards,
  drawCard,
  discardCard,
  putKittenBack,
  sealCell,
  shuffleGrid,
} from "./fair.js";
import { getOwnValue } from "../core/value.js";

/**
 * Splits a log into games, each with its device decks and the events that were not undone.
 * @param {Entry[]} log @returns {FairGame[]}
 */
export function splitGames(log) {
  /** @type {FairGame[]} */
  const games = [];
  /** @type {Record<string, string>} */
  let commits = {};
  for (const entry of log) {
    const { type, facts } = entry;
    const game = games.at(-1);
    if (type === "deck_said") commits = { ...commits, [facts.seat]: facts.commit ?? "" };
    else if (type === "game_began") {
      const deckSeats = facts.order.filter((/** @type {string} */ seat) =>
        getOwnValue(commits, seat),
      );
      const decks = Object.fromEntries(deckSeats.map((/** @type {string} */ s) => [s, commits[s]]));
      games.push({
        number: games.length + 1,
        salt: facts.salt ?? "",
        decks,
        opened: {},
        events: [],
      });
      commits = {};
    } else if (game && type === "deck_opened")
      game.opened[facts.seat] = { version: entry.version, secret: facts.secret };
    else if (game && type === "undone") {
      while ((game.events.at(-1)?.version ?? -1) >= facts.version) game.events.pop();
    } else game?.events.push(entry);
  }
  return games;
}

/**
 * Replays a seat's deck, whose secret has been published. Returns the mismatches, or an empty list
 * if the player was honest. After a mismatch the replay continues with the honest cards, so later
 * mismatches may only be consequences of the first.
 * @param {Pack} pack
 * @param {FairGame} game
 * @param {string} seat
 * @returns {Finding[]}
 */
export function checkDeck(pack, game, seat) {
  const { version, secret } = /** @type {FairGame["opened"][string]} */ (
    getOwnValue(game.opened, seat)
  );
  if (computeCommitment(secret) !== getOwnValue(game.decks, seat))
    return [{ version, what: "another-secret" }];
  if (!game.salt) return [{ version, what: "no-salt" }];
  /** @type {Cards | null} */
  let cards = dealCards(pack, secret, game.salt);
  /** @type {Finding[]} */
  const mismatches = [];
  for (const event of game.events) {
    if (event.seat !== seat || !cards) continue;
    const shows = CHECKS[event.type];
    const after = shows?.(cards, event, { pack, secret });
    if (!after) continue;
    mismatches.push(...after.found);
    cards = after.cards;
  }
  return mismatches;
}

/**
 * @typedef {{cards: Cards | null, found: Finding[]}} After `cards` is null if the replay can't continue
 * @typedef {(cards: Cards, event: Entry, by: {pack: Pack, secret: string}) => After} Shows
 */

/** @param {Cards} cards @param {number} version @param {string} said @returns {After} */
function checkPlay(cards, version, said) {
  if (cards.hand.includes(said)) return { cards: discardCard(cards, said), found: [] };
  return { cards, found: [{ version, what: "not-in-hand", shownCard: said }] };
}

/** @type {Shows} */
function checkReveal(cards, { version, facts: { cell, card: said } }) {
  const actual = getCardAt(cards, cell);
  return {
    cards,
    found:
      actual === said
        ? []
        : [{ version, what: "another-card", shownCard: said, actualCard: actual, cell }],
  };
}

/** @type {Shows} */
function checkDraw(cards, { version, facts: { cell, card: said } }, { pack }) {
  const actual = getCardAt(cards, cell);
  /** @type {Finding[]} */
  const mismatches = [];
  if (actual === pack.kitten)
    mismatches.push({ version, what: "a-kitten", shownCard: said, actualCard: actual, cell });
  else if (actual === null || (said !== null && said !== actual))
    mismatches.push({ version, what: "another-card", shownCard: said, actualCard: actual, cell });
  return { cards: drawCard(cards, cell), found: mismatches };
}

/** @type {Shows} */
function checkKitten(cards, { version, facts: { cell, kitten: said } }) {
  const actual = getCardAt(cards, cell);
  return {
    cards,
    found:
      actual === said
        ? []
        : [{ version, what: "no-kitten", shownCard: said, actualCard: actual, cell }],
  };
}

/** @type {Shows} */
function checkShuffle(cards, { version, facts: { cells, salt } }, { secret }) {
  if (!salt) return { cards: null, found: [{ version, what: "no-salt" }] };
  if (cells.length !== cards.grid.length)
    return { cards: null, found: [{ version, what: "other-cells" }] };
  return { cards: shuffleGrid(cards, secret, salt, cells), found: [] };
}

/** @type {Shows} */
function checkDefuse(
  cards,
  { version, facts: { card, cells, salt, hidden, still } },
  { pack, secret },
) {
  const { cards: rest, found } = checkPlay(cards, version, card);
  const endCheck = (/** @type {Finding["what"]} */ what) => ({
    cards: null,
    found: [...found, { version, what }],
  });
  const cell = cells.find(
    (/** @type {Cell} */ one) => sealCell(secret, version - 1, one) === hidden,
  );
  if (!salt) return endCheck("no-salt");
  if (!cell) return endCheck("not-sealed");
  const coversGrid = cells.length === cards.grid.length;
  if (!rest || !coversGrid || !cards.grid.some((one) => one.card === pack.kitten))
    return endCheck("other-cells");
  const kitten = { card: pack.kitten, cell };
  return { cards: putKittenBack(rest, secret, salt, cells, kitten, still), found };
}

/**
 * For each event type, a function that checks the cards that such an event shows.
 * @type {Record<string, Shows>}
 */
const CHECKS = {
  card_played: (cards, { version, facts }) => checkPlay(cards, version, facts.card),
  nope_played: (cards, { version, facts }) => checkPlay(cards, version, facts.nope),
  card_revealed: checkReveal,
  card_drawn: checkDraw,
  kitten_shown: checkKitten,
  grid_shuffled: checkShuffle,
  kitten_defused: checkDefuse,
};
