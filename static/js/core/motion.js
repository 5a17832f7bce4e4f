/**
 * What moves when the view changes: a card flips when it is turned up, a grid riffles when it
 * is shuffled, the Kitten shakes. `moments` is pure: what moves between two views; `move`
 * moves it. How a thing moves, and that it doesn't for those who want no motion, is for
 * art.css to say.
 * @import { View } from "./types.js"
 */

/** @typedef {{of: string, how: string}} Moment which elements get which class for a while */

const LASTS_MS = 1000;

/** @param {string} seat */
const gridOf = (seat) => `[data-grid=${JSON.stringify(seat)}]`;

/** @param {string} seat @param {unknown} cell */
const cellOf = (seat, cell) => `${gridOf(seat)} [data-cell=${JSON.stringify(String(cell))}]`;

/** Event → what moves. @type {Record<string, (facts: Record<string, any>) => Moment[]>} */
const MOVES = {
  instructed: ({ target, cell }) => [{ of: cellOf(target, cell), how: "pops" }],
  looked: ({ seat, cell }) => [{ of: cellOf(seat, cell), how: "pops" }],
  card_revealed: ({ seat, cell }) => [{ of: cellOf(seat, cell), how: "flips" }],
  grid_shuffled: ({ seat }) => [{ of: gridOf(seat), how: "riffles" }],
  kitten_defused: ({ seat }) => [{ of: gridOf(seat), how: "riffles" }],
  kitten_shown: () => [{ of: ".kitten-stage", how: "shakes" }],
  went_out: ({ seat }) => [{ of: `[data-seat=${JSON.stringify(seat)}]`, how: "shakes" }],
};

/** What is news between two views of one log; all at once would be none. @param {View | null} before @param {View} after */
const news = (before, after) =>
  before?.epoch === after.epoch && before.game === after.game
    ? after.log.filter((entry) => entry.version > before.version)
    : [];

/**
 * @param {View | null} before
 * @param {View} after
 * @returns {Moment[]}
 */
export const moments = (before, after) =>
  news(before, after).flatMap(({ type, facts }) => MOVES[type]?.(facts) ?? []);

/**
 * Moves what has changed, once the new view stands on the page.
 * @param {HTMLElement} root
 * @param {View | null} before
 * @param {View} after
 */
export function move(root, before, after) {
  const moved = moments(before, after);
  requestAnimationFrame(() => {
    for (const { of, how } of moved)
      for (const element of root.querySelectorAll(of)) once(element, how);
  });
}

/** @param {Element} element @param {string} how */
function once(element, how) {
  element.classList.add(how);
  setTimeout(() => element.classList.remove(how), LASTS_MS);
}
