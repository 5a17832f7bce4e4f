/**
 * The families of games by name. A variant's document names its family. The first family is part of
 * the panel's first load. Any other family is loaded when a table plays one of its games.
 * @import { Family } from "./core/types.js"
 */
import { loadStyleSheet, loadSharedFiles } from "./core/late.js";
import { gridFamily } from "./grid/family.js";
import { getOwnValue } from "./core/value.js";

/** Style sheets of the games with one pile. */
const PILE = ["pile", "pile-middle", "pile-dock", "pile-sheets"];

/** @type {Promise<Family> | null} */
let loadingPile = null;

/** Loads the pile family. After a failure the next call tries again. */
function loadPileFamily() {
  loadingPile ??= Promise.all([
    import("./pile/family.js"),
    loadSharedFiles(),
    ...PILE.map(loadStyleSheet),
  ]).then(([{ pile }]) => pile);
  loadingPile.catch(() => {
    loadingPile = null;
  });
  return loadingPile;
}

/** @type {Record<string, () => Family | Promise<Family>>} */
const FAMILIES = {
  grid: () => gridFamily,
  pile: loadPileFamily,
};

/** @param {string} [name] @returns {Promise<Family>} */
export async function fetchFamily(name = "grid") {
  const getOrLoad = getOwnValue(FAMILIES, name);
  if (!getOrLoad) throw new Error(`this panel has no family “${name}”: ${Object.keys(FAMILIES)}`);
  return getOrLoad();
}

/**
 * For each family whose replays can reveal hidden cards, a function that loads the code for that.
 * @type {Record<string, () => Promise<typeof import("./grid/deck/laid.js").createCardRevealer>>}
 */
const CARD_REVEALERS = {
  grid: () => import("./grid/deck/laid.js").then(({ createCardRevealer: laid }) => laid),
};

/** @param {string} name */
export const canRevealCards = (name) => Object.hasOwn(CARD_REVEALERS, name);

/** @param {string} name */
export const loadCardRevealer = (name) =>
  /** @type {NonNullable<typeof CARD_REVEALERS[string]>} */ (CARD_REVEALERS[name])();
