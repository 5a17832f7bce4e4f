/**
 * The families of games by name; a variant's document names its family. The first is part of the first
 * load; others are loaded when a table plays them.
 * @import { Family } from "./core/types.js"
 */
import { loadStyles, loadShared } from "./core/late.js";
import { grid } from "./grid/family.js";
import { valueAt } from "./core/value.js";

/** Style sheets of the games with one pile. */
const PILE = ["pile", "pile-middle", "pile-dock", "pile-sheets"];

/** @type {Promise<Family> | null} */
let coming = null;

/** Loads the pile family: once, and again if that failed. */
function late() {
  coming ??= Promise.all([import("./pile/family.js"), loadShared(), ...PILE.map(loadStyles)]).then(
    ([{ pile }]) => pile,
  );
  coming.catch(() => {
    coming = null;
  });
  return coming;
}

/** @type {Record<string, () => Family | Promise<Family>>} */
const FAMILIES = {
  grid: () => grid,
  pile: late,
};

/** @param {string} [name] @returns {Promise<Family>} */
export async function familyOf(name = "grid") {
  const found = valueAt(FAMILIES, name);
  if (!found) throw new Error(`this panel has no family “${name}”: ${Object.keys(FAMILIES)}`);
  return found();
}

/**
 * Loads the module with which a replay shows hidden cards, for families whose decks can be opened.
 * @type {Record<string, () => Promise<typeof import("./grid/deck/laid.js").cardsByMoment>>}
 */
const BARE = {
  grid: () => import("./grid/deck/laid.js").then(({ cardsByMoment: laid }) => laid),
};

/** @param {string} name */
export const canBare = (name) => Object.hasOwn(BARE, name);

/** @param {string} name */
export const bareOf = (name) => /** @type {NonNullable<typeof BARE[string]>} */ (BARE[name])();
