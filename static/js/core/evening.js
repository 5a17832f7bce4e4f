/**
 * The games of an evening, added up for each player; and the evenings that this device remembers.
 * Pure but for what it remembers. The games are the table's, from `GET /api/tables/<code>/evening`.
 */
import { truncateName } from "./characters.js";
import { isListOf, isRecord, isText, keep, recall } from "./memory.js";
import { decodePart } from "./page.js";

/**
 * @typedef {{seat: string, name: string, robot?: string, place: number, out: "kitten" | "left" |
 *   null, nopes: number, survival?: number}} Played
 */
/** @typedef {{game: number, at: number, players: Played[]}} Game */
/**
 * @typedef {{seat: string, name: string, won: number, first: number, nopes: number, luck: number |
 *   null, places: (Played | null)[]}} Score
 */
/** @typedef {{table: string, names: string[], games: number, at: number}} Kept */

const REMEMBERED = 8;
/** The last date that there is, in ms. */
const LATEST = 8.64e15;

/**
 * Everybody's sums, who won most first; `luck` from 0 to 1: how unlikely it was to get as far as
 * they did, on average.
 * @param {Game[]} games
 * @returns {Score[]}
 */
export function scores(games) {
  const seats = new Map(games.flatMap(({ players }) => players.map((one) => [one.seat, one.name])));
  const found = [...seats].map(([seat, name]) => {
    const places = games.map(({ players }) => players.find((one) => one.seat === seat) ?? null);
    const chances = places.flatMap((one) => one?.survival ?? []);
    return {
      seat,
      name,
      places,
      won: places.filter((one) => one?.place === 1).length,
      first: places.filter((one, at) => one && one.place === games[at].players.length).length,
      nopes: places.reduce((sum, one) => sum + (one?.nopes ?? 0), 0),
      luck: chances.length
        ? chances.reduce((sum, chance) => sum + 1 - chance, 0) / chances.length
        : null,
    };
  });
  return found.sort((one, other) => other.won - one.won || one.first - other.first);
}

/** Whether it is an evening as `remember` keeps one. @param {any} found */
const isKept = (found) =>
  isRecord(found) &&
  isText(found.table) &&
  isListOf(isText)(found.names) &&
  Number.isInteger(found.games) &&
  Number.isInteger(found.at) &&
  Math.abs(found.at) <= LATEST;

/** @returns {Kept[]} the newest first */
export const evenings = () => (recall("evenings", Array.isArray) ?? []).filter(isKept);

/** Who was there, without robots; who won most first. @param {Game[]} games */
export function playerNames(games) {
  const robots = new Set(
    games.flatMap(({ players }) => players.filter((one) => one.robot).map((one) => one.seat)),
  );
  return scores(games)
    .filter(({ seat }) => !robots.has(seat))
    .map(({ name }) => name);
}

/** Whoever practised alone had no evening. @param {string} table @param {Game[]} games */
export function remember(table, games) {
  const names = playerNames(games);
  if (names.length < 2) return;
  const evening = { table, names, games: games.length, at: games.at(-1)?.at ?? 0 };
  const others = evenings().filter((one) => one.table !== table);
  keep("evenings", [evening, ...others].slice(0, REMEMBERED));
}

/** The fragment of a link that brings people's names along. @param {string[]} names */
export const namesFragment = (names) => `#with=${names.map(encodeURIComponent).join(",")}`;

/** The names that an address's fragment brought. @param {string} hash @returns {string[]} */
export function namesInFragment(hash) {
  const [, list] = /^#with=(.+)$/.exec(hash) ?? [];
  return (list ?? "")
    .split(",")
    .map((name) => truncateName(decodePart(name) ?? ""))
    .filter(Boolean)
    .slice(0, 10);
}
