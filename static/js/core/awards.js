/**
 * The awards at the end of a game. Each has a fixed rule, which is worked out from the game's log, so
 * that every panel gives the same awards. An award goes to the one player with the highest score. If
 * several players share that score, or if it is too low, nobody gets the award. Each player gets one
 * at most: the first in the order of `RULES`.
 * @import { Entry, Seat } from "./types.js"
 */
import { getFamily } from "./family.js";
import { SIDE_EVENTS } from "./undone.js";

/**
 * A player's score for an award. `facts` has the values that are inserted into the sentence about
 * the award, such as the name of another player.
 * @typedef {{score: number, facts?: Record<string, unknown>}} Score
 */
/** @typedef {{award: string, seat: string, score: number, facts: Record<string, unknown>}} Award */
/** @typedef {{game: Entry[], seats: Seat[]}} Ended */
/** @typedef {(ended: Ended) => Map<string, Score>} Rule */

/** Types of events that are a player's decision. The time before a decision is thinking time. */
const DECISIONS = ["card_played", "combo_played", "card_touched"];
/**
 * Types of events that aren't moves. Private events, such as notes, are among them: only one
 * player's panel has such an event, and all panels must give the same awards.
 */
const NO_MOVES = [...SIDE_EVENTS, "top_noted", "kitten_placed", "passed", "held", "released"];
/** The longest time in ms that counts as thinking. After a longer time, the players had a break. */
const BREAK_MS = 15 * 60_000;

/**
 * The awards, from the highest ranking to the lowest. Each row has the award's name, its rule, and
 * the lowest score for which the award is given.
 * @type {[string, Rule, number][]}
 */
const RULES = [
  ["lives", ({ game }) => countBySeat(pickByType(game, "kitten_defused")), 1],
  ["grudge", ({ game }) => findGrudges(game), 2],
  ["noped", ({ game }) => countBySeat(findPlays(game).filter((play) => !play.counts)), 1],
  ["bravest", ({ seats }) => scoreSeats(seats, (seat) => seat.boldest ?? 0), 0.2],
  ["bouncer", ({ game }) => countBySeat(pickByType(game, "nope_played")), 1],
  ["slippery", ({ game }) => countBySeat(findTurnsWithoutDraw(game)), 1],
  ["favourite", ({ game }) => countTargets(game), 2],
  ["shuffler", ({ game }) => countBySeat(pickByKind(game, "shuffle")), 2],
  ["nosy", ({ game }) => countBySeat(pickByKind(game, "look")), 1],
  ["ponderer", ({ game }) => findLongestThoughts(game), 20_000],
  ["harmless", ({ game, seats }) => findHarmless(game, seats), 1],
  ["opener", ({ game }) => findFirstOut(game), 1],
];

/**
 * Gives the awards of a finished game.
 * @param {Entry[]} game the game's events, without those that were undone
 * @param {Seat[]} seats
 * @returns {Map<string, Award>} by seat
 */
export function giveAwards(game, seats) {
  /** @type {Map<string, Award>} */
  const awards = new Map();
  for (const [award, rule, least] of RULES) {
    const [first, second] = [...rule({ game, seats })].sort(
      ([, one], [, other]) => other.score - one.score,
    );
    if (!first || first[1].score < least || first[1].score === second?.[1].score) continue;
    const [seat, { score, facts = {} }] = first;
    if (seats.some((one) => one.seat === seat) && !awards.has(seat))
      awards.set(seat, { award, seat, score, facts });
  }
  return awards;
}

/** @param {Entry[]} game @param {string} type */
const pickByType = (game, type) => game.filter((entry) => entry.type === type);

/**
 * Returns the events of one kind, such as "shuffle". The family of games has a kind for each type
 * of event that its stories show.
 * @param {Entry[]} game
 * @param {string} kind
 */
const pickByKind = (game, kind) =>
  game.filter(({ type }) => getFamily().story.kinds[type] === kind);

/**
 * Counts entries by their seat.
 * @param {{seat: string | null}[]} entries
 * @returns {Map<string, Score>}
 */
function countBySeat(entries) {
  /** @type {Map<string, Score>} */
  const scores = new Map();
  for (const { seat } of entries)
    if (seat) scores.set(seat, { score: (scores.get(seat)?.score ?? 0) + 1 });
  return scores;
}

/**
 * @param {Seat[]} seats
 * @param {(seat: Seat) => number} getScore
 * @returns {Map<string, Score>}
 */
const scoreSeats = (seats, getScore) =>
  new Map(seats.map((seat) => [seat.seat, { score: getScore(seat) }]));

/**
 * Returns the plays of the game. `counts` is false if Nopes have cancelled the play. `nopes` lists
 * the Nopes on the play: `by` played the Nope, and `at` is the player whose play or Nope it hit.
 * @param {Entry[]} game
 */
function findPlays(game) {
  /** @typedef {{by: string, at: string}} Act */
  /** @type {{seat: string, target: string | null, counts: boolean, nopes: Act[]}[]} */
  const plays = [];
  for (const { type, seat, facts } of game) {
    const play = plays.at(-1);
    if (getFamily().isCardless(facts.card)) continue;
    if ((type === "card_played" || type === "combo_played") && seat)
      plays.push({ seat, target: facts.target ?? null, counts: true, nopes: [] });
    else if (type === "nope_played" && play && seat)
      play.nopes.push({ by: seat, at: play.nopes.at(-1)?.by ?? play.seat });
    else if (type === "window_closed" && play) play.counts = facts.counts !== false;
  }
  return plays;
}

/**
 * Returns the turns in which the player drew no card and didn't go out.
 * @param {Entry[]} game
 */
function findTurnsWithoutDraw(game) {
  const begins = game.flatMap(({ type }, at) => (type === "turn_began" ? [at] : []));
  return begins.slice(0, -1).flatMap((begin, number) => {
    const { seat } = game[begin];
    const turn = game.slice(begin, begins[number + 1]);
    const stays = !turn.some(
      (entry) => entry.seat === seat && ["card_touched", "went_out"].includes(entry.type),
    );
    return stays ? [{ seat }] : [];
  });
}

/**
 * Finds, for each player, the other player whom they hit most often with plays and Nopes. The score
 * is the number of these hits.
 * @param {Entry[]} game
 */
function findGrudges(game) {
  /** @type {Map<string, Map<string, number>>} */
  const hits = new Map();
  for (const { seat, target, nopes } of findPlays(game))
    for (const act of [...(target ? [{ by: seat, at: target }] : []), ...nopes]) {
      if (act.by === act.at) continue;
      const own = hits.get(act.by) ?? new Map();
      hits.set(act.by, own.set(act.at, (own.get(act.at) ?? 0) + 1));
    }
  /** @type {Map<string, Score>} */
  const scores = new Map();
  for (const [seat, own] of hits) {
    const [[target, score]] = [...own].sort(([, one], [, other]) => other - one);
    scores.set(seat, { score, facts: { target } });
  }
  return scores;
}

/** Counts how many plays aimed at each player. @param {Entry[]} game */
const countTargets = (game) =>
  countBySeat(
    findPlays(game).map(({ target, seat }) => ({ seat: target === seat ? null : target })),
  );

/**
 * Returns each player's longest thinking time in ms. A thinking time begins with the last move
 * before the player's decision, and ends with the decision.
 * @param {Entry[]} game
 */
function findLongestThoughts(game) {
  /** @type {Map<string, Score>} */
  const scores = new Map();
  let before = game[0]?.at ?? 0;
  for (const { type, seat, at } of game) {
    if (NO_MOVES.includes(type)) continue;
    const took = at - before;
    before = at;
    if (!seat || !DECISIONS.includes(type) || took > BREAK_MS) continue;
    if (took > (scores.get(seat)?.score ?? 0)) scores.set(seat, { score: took });
  }
  return scores;
}

/**
 * Returns the players who have neither aimed at anybody nor played a Nope.
 * @param {Entry[]} game
 * @param {Seat[]} seats
 */
function findHarmless(game, seats) {
  const plays = findPlays(game);
  const harmful = new Set([
    ...plays.filter(({ target }) => target).map(({ seat }) => seat),
    ...plays.flatMap(({ nopes }) => nopes.map(({ by }) => by)),
  ]);
  return scoreSeats(seats, ({ seat }) => (harmful.has(seat) ? 0 : 1));
}

/**
 * Returns the first player who exploded.
 * @param {Entry[]} game
 * @returns {Map<string, Score>}
 */
function findFirstOut(game) {
  const out = game.findIndex(({ type, facts }) => type === "went_out" && facts.out === "kitten");
  const seat = game[out]?.seat;
  if (!seat) return new Map();
  const turn = game.slice(0, out).findLast(({ type }) => type === "turn_began")?.facts.number;
  return new Map([[seat, { score: 1, facts: { turn } }]]);
}
