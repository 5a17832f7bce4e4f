/** How many cards go where when a deck is prepared for draw grids (ruling prepare-in-order). */
import { deck, variantOf } from "../core/deck.js";

export function sizes() {
  const all = deck().reduce((sum, card) => sum + card.count, 0);
  const { put_away: away = 0, hand: dealt = 0, grid: laid = 0 } = variantOf()?.deal ?? {};
  const { rows = 0, columns = 0 } = variantOf()?.grid ?? {};
  return { all, rest: all - 2, away, dealt, hand: dealt + 1, laid, cells: laid + 1, rows, columns };
}

/** @typedef {ReturnType<typeof sizes>} Sizes */
