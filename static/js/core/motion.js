/**
 * What moves when the view changes: the Kitten shakes, and what the family lets move. `moments` is pure: what moves between two views; `move`
 * moves it. How a thing moves, and that it doesn't for those who want no motion, is for
 * art.css to say.
 * @import { Move, View } from "./types.js"
 */
import { family } from "./family.js";

const LASTS_MS = 1000;

/** Event → what moves in any game. @type {Record<string, (facts: Record<string, any>) => Move[]>} */
const MOVES = {
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
 * @returns {Move[]}
 */
export const moments = (before, after) =>
  news(before, after).flatMap(
    ({ type, facts }) => (family().moves[type] ?? MOVES[type])?.(facts) ?? [],
  );

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
