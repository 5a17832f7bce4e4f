/**
 * The family of games that this table plays: what only it knows, for everything that only any
 * game at a table knows. It is set once, before the first view is shown; `families.js` has them by name.
 * @import { Family } from "./types.js"
 */

/** @type {Family | null} */
let played = null;

/** Makes this family the panel's. @param {Family} found */
export function useFamily(found) {
  played = found;
}

/** Whether it is known what the table plays. */
export const isLoaded = () => !!played;

export const family = () => /** @type {Family} */ (played);
