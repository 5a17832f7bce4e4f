/**
 * How many cards go where when a box is prepared for so many players (rulings paw-prints to shuffle-and-place), counted from the
 * variant's data.
 */
import { deck, doing, variantOf } from "../core/deck.js";

/** @typedef {{id: string, paw: number, plain: number, about?: boolean}} Title */
/** @typedef {{least: number, most: number, paw: boolean, plain: boolean}} Size */

/** @param {number} players */
export function sizes(players) {
  const { sizes: all = [], hand = 0, extra_defuses: extra = "before" } = variantOf() ?? {};
  /** @type {Size | undefined} */
  const size = all.find((/** @type {Size} */ one) => one.least <= players && players <= one.most);
  const serves = (/** @type {Title} */ { paw, plain }) =>
    (size?.paw ? paw : 0) + (size?.plain ? plain : 0);
  const cards = /** @type {Title[]} */ (/** @type {unknown} */ (deck()));
  const of = (/** @type {string} */ id) =>
    cards.find((one) => one.id === id) ?? { id, paw: 0, plain: 0 };
  const boxed = of(doing("kitten"));
  const kittens = boxed.paw + boxed.plain;
  const used = cards
    .filter(({ id }) => id !== boxed.id)
    .map((one) => ({ id: one.id, count: serves(one), about: !!(one.about && size?.plain) }))
    .filter(({ count }) => count);
  const all_used = used.reduce((sum, one) => sum + one.count, 0);
  const defuses = serves(of(doing("defuse")));
  return {
    served: !!size && all_used > 0,
    which:
      !size || all.length < 2
        ? "all"
        : size.paw && size.plain
          ? "both"
          : size.paw
            ? "paw"
            : "plain",
    used,
    count: all_used,
    kittens,
    players,
    defuses,
    extra: defuses - players,
    before: extra === "before",
    dealt: hand,
    hand: hand + 1,
    added: players - 1,
    pile: all_used - players * (hand + 1) + players - 1,
  };
}

/** @typedef {ReturnType<typeof sizes>} Sizes */
