/**
 * The family of games that this table plays. The modules in core/ and shell/ work for every family,
 * and get the rest from this one (`Family` in types.d.ts). It is set once, before the first view is
 * shown. families.js lists the families by name.
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

/** Returns the table's family. Call it only once the family is known. */
export const getFamily = () => /** @type {Family} */ (current);
