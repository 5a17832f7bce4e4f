/**
 * The family of games that this table plays. core/ and shell/ work for any family and ask this one for
 * the rest (`Family` in types.d.ts). It is set once, before the first view is shown; families.js lists
 * the families by name.
 * @import { Family } from "./types.js"
 */

/** @type {Family | null} */
let current = null;

/** Sets the family of the panel's table. @param {Family} chosen */
export function setFamily(chosen) {
  current = chosen;
}

/** Returns true once the family is known. */
export const isFamilyLoaded = () => !!current;

/** Returns the table's family; call it only once the family is known. */
export const getFamily = () => /** @type {Family} */ (current);
