/**
 * The families of games by name, as a variant's document names its own. The first is joined with
 * the first load; another comes when a table plays it.
 * @import { Family } from "./core/types.js"
 */
import { dress } from "./core/late.js";
import { grid } from "./grid/family.js";

/** @type {Record<string, () => Family | Promise<Family>>} */
const FAMILIES = {
  grid: () => grid,
  pile: () => Promise.all([import("./pile/family.js"), dress("pile")]).then(([{ pile }]) => pile),
};

/** @param {string} [name] @returns {Promise<Family>} */
export async function familyOf(name = "grid") {
  const found = FAMILIES[name];
  if (!found) throw new Error(`this panel has no family “${name}”: ${Object.keys(FAMILIES)}`);
  return found();
}
