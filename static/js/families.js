/**
 * The families of games by name, as a variant's document names its own. The first is joined with
 * the first load; another comes when a table plays it.
 * @import { Family } from "./core/types.js"
 */
import { loadStyles, loadShared } from "./core/late.js";
import { grid } from "./grid/family.js";
import { valueAt } from "./core/value.js";

/** What the games with one pile wear. */
const PILE = ["pile", "pile-middle", "pile-dock", "pile-sheets"];

/** @type {Promise<Family> | null} */
let coming = null;

/** Asked for once, however often it is wanted while it comes. */
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
 * What a replay asks for to show hidden cards, where a family's decks can be opened.
 * @type {Record<string, () => Promise<typeof import("./grid/deck/laid.js").cardsByMoment>>}
 */
const BARE = {
  grid: () => import("./grid/deck/laid.js").then(({ cardsByMoment: laid }) => laid),
};

/** @param {string} name */
export const canBare = (name) => Object.hasOwn(BARE, name);

/** @param {string} name */
export const bareOf = (name) => /** @type {NonNullable<typeof BARE[string]>} */ (BARE[name])();
