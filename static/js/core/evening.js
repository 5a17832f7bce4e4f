/**
 * Computes the scores of a session, which is all games played at one table, and stores past
 * sessions on this device. The games come from `GET /api/tables/<code>/evening`.
 */
import { truncateName } from "./characters.js";
import { isListOf, isRecord, isText, storeValue, readValue } from "./memory.js";
import { decodeUrlPart } from "./page.js";

/**
 * @typedef {{seat: string, name: string, robot?: string, place: number, out: "kitten" | "left" |
 *   null, nopes: number, survival?: number}} Played
 */
/** @typedef {{game: number, at: number, players: Played[]}} Game */
/**
 * @typedef {{seat: string, name: string, won: number, first: number, nopes: number, luck: number |
 *   null, places: (Played | null)[]}} Score
 */
/** @typedef {{table: string, names: string[], games: number, at: number}} StoredEvening */

const REMEMBERED = 8;
/** The last date that JavaScript can represent, in ms. */
const LATEST = 8.64e15;

/**
 * Returns the players' scores, sorted by wins. `luck`, from 0 to 1, is high for a player who stayed
 * in against the odds: it is the average of 1 − `survival` (the probability of staying in that
 * long) over the player's games. `luck` is null if no game has a `survival` for the player.
 * @param {Game[]} games
 * @returns {Score[]}
 */
export function computeScores(games) {
  const seats = new Map(
    games.flatMap(({ players }) => players.map((player) => [player.seat, player.name])),
  );
  const scores = [...seats].map(([seat, name]) => {
    const places = games.map(
      ({ players }) => players.find((player) => player.seat === seat) ?? null,
    );
    const chances = places.flatMap((result) => result?.survival ?? []);
    return {
      seat,
      name,
      places,
      won: places.filter((result) => result?.place === 1).length,
      first: places.filter((result, at) => result && result.place === games[at].players.length)
        .length,
      nopes: places.reduce((sum, result) => sum + (result?.nopes ?? 0), 0),
      luck: chances.length
        ? chances.reduce((sum, chance) => sum + 1 - chance, 0) / chances.length
        : null,
    };
  });
  return scores.sort((one, other) => other.won - one.won || one.first - other.first);
}

/** Returns true if a stored session is valid. @param {any} value */
const isStoredEvening = (value) =>
  isRecord(value) &&
  isText(value.table) &&
  isListOf(isText)(value.names) &&
  Number.isInteger(value.games) &&
  Number.isInteger(value.at) &&
  Math.abs(value.at) <= LATEST;

/** @returns {StoredEvening[]} the newest first */
export const readEvenings = () =>
  (readValue("evenings", Array.isArray) ?? []).filter(isStoredEvening);

/** Returns the names of the human players, sorted by wins. @param {Game[]} games */
export function listPlayerNames(games) {
  const robots = new Set(
    games.flatMap(({ players }) =>
      players.filter((player) => player.robot).map((player) => player.seat),
    ),
  );
  return computeScores(games)
    .filter(({ seat }) => !robots.has(seat))
    .map(({ name }) => name);
}

/**
 * Stores a session on this device. A session with fewer than two human players is only practice and
 * isn't stored.
 * @param {string} table
 * @param {Game[]} games
 */
export function storeEvening(table, games) {
  const names = listPlayerNames(games);
  if (names.length < 2) return;
  const evening = { table, names, games: games.length, at: games.at(-1)?.at ?? 0 };
  const others = readEvenings().filter((evening) => evening.table !== table);
  storeValue("evenings", [evening, ...others].slice(0, REMEMBERED));
}

/** Returns a URL fragment that contains the players' names. @param {string[]} names */
export const formatNamesFragment = (names) => `#with=${names.map(encodeURIComponent).join(",")}`;

/**
 * Returns the players' names that a URL fragment contains.
 * @param {string} hash
 * @returns {string[]}
 */
export function parseNamesFragment(hash) {
  const [, list] = /^#with=(.+)$/.exec(hash) ?? [];
  return (list ?? "")
    .split(",")
    .map((name) => truncateName(decodeUrlPart(name) ?? ""))
    .filter(Boolean)
    .slice(0, 10);
}
