/**
 * Turns a game's log into its story: a list of moments. The log comes from `GET
 * /api/tables/<code>/log`.
 * @import { Entry } from "./types.js"
 */
import { getFamily } from "./family.js";

/**
 * @typedef {{kind: string, seat: string, turn: number, version: number, card?: string, to?: string,
 *   how?: string, lost?: boolean}} Moment
 */

/** Returns the part of the log that begins with the newest game. @param {Entry[]} log */
export const getNewestGameLog = (log) =>
  log.slice(
    Math.max(
      0,
      log.findLastIndex(({ type }) => type === "game_began"),
    ),
  );

/**
 * Returns the newest game's events, without those that were undone (ruling undo).
 * @param {Entry[]} log
 */
export function getNewestGameEvents(log) {
  /** @type {Entry[]} */
  let game = [];
  for (const entry of log) {
    if (entry.type === "game_began") game = [];
    game =
      entry.type === "undone"
        ? game.filter((one) => one.version < entry.facts.version)
        : [...game, entry];
  }
  return game;
}

/** The kinds of moments, by event type, in every family of games. @type {Record<string, string>} */
const KINDS = {
  card_played: "play",
  nope_played: "nope",
  card_drawn: "draw",
  kitten_shown: "kitten",
  kitten_defused: "defuse",
  went_out: "out",
  game_won: "won",
};

/** Returns the moments of a game. @param {Entry[]} game @returns {Moment[]} */
export function findMoments(game) {
  /** @type {Moment[]} */
  const moments = [];
  let turn = 0;
  for (const { type, facts, version } of game) {
    if (type === "turn_began") turn = facts.number;
    const last = moments.findLast((one) => one.kind === "play");
    const cardless = getFamily().isCardless(facts.card);
    if (type === "window_closed" && last && !facts.counts && !cardless) last.lost = true;
    const kind = getFamily().story.kinds[type] ?? KINDS[type];
    if (!kind || !facts.seat) continue;
    moments.push({
      kind,
      seat: facts.seat,
      turn,
      version,
      card: cardless ? facts.nope : (facts.card ?? facts.nope),
      to: facts.target ?? facts.by,
      how: facts.out,
    });
  }
  return moments;
}

/**
 * Returns the seats in the order of their ranks: the winner first, then the others by how long they
 * stayed in the game.
 * @param {Moment[]} story
 * @param {string[]} order
 */
export function rankPlayers(story, order) {
  const won = story.find((one) => one.kind === "won")?.seat;
  const out = story.filter((one) => one.kind === "out").map((one) => one.seat);
  const getRank = (/** @type {string} */ seat) =>
    seat === won ? -1 : out.length - out.indexOf(seat);
  return [...order].sort((one, other) => getRank(one) - getRank(other));
}
