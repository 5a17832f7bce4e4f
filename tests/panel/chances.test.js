/** Compares the chances that a device computes with a count of all deals and shuffles. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  computeChances,
  seeCard,
  shuffleIn,
  startUnseen,
} from "../../static/js/grid/deck/chances.js";

/** @import { Pack } from "../../static/js/grid/types.js" */

/** A deck with one card in the hand besides the Defuse, one put away, and four cells. @type {Pack} */
const PACK = {
  cards: ["kitten", "defuse", "skip", "skip", "skip", "nope", "favor"],
  kitten: "kitten",
  defuse: "defuse",
  away: 1,
  hand: 1,
  cells: [
    [0, 0],
    [0, 1],
    [1, 0],
    [1, 1],
  ],
};

/** @template T @param {T[]} items @returns {T[][]} */
const listOrders = (items) =>
  items.length < 2
    ? [items]
    : items.flatMap((item, at) =>
        listOrders(items.filter((_, index) => index !== at)).map((rest) => [item, ...rest]),
      );

/**
 * @template T, K
 * @param {T[]} items
 * @param {(item: T) => K} getKey
 * @returns {[K, T[]][]}
 */
function groupBy(items, getKey) {
  /** @type {Map<K, T[]>} */
  const groups = new Map();
  for (const item of items) {
    const key = getKey(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups];
}

/** A hand, and the card of each cell. @typedef {{hand: string, grid: (string | null)[]}} World */

/** All deals. Each occurs in proportion to its probability. @type {World[]} */
const DEALS = listOrders(["skip", "skip", "skip", "nope", "favor"]).flatMap(
  ([, hand = "", ...laid]) => listOrders([...laid, "kitten"]).map((grid) => ({ hand, grid })),
);

/** Every order of the cards that are left in the grid. @param {World} world @returns {World[]} */
const shuffleWorld = ({ hand, grid }) =>
  listOrders(grid.filter((card) => card !== null)).map((cards) => {
    const left = [...cards];
    return { hand, grid: grid.map((card) => card && (left.shift() ?? null)) };
  });

/** Steps of a game as the player sees them: "see" shows a cell, "draw" also takes its card away. */
const SCRIPTS = [
  ["see 0"],
  ["see 0", "draw 1"],
  ["see 0", "shuffle", "draw 1"],
  ["see 0", "see 1", "shuffle", "draw 2", "see 0"],
  ["draw 3", "see 0", "shuffle", "see 1", "shuffle", "draw 0"],
];

test("the chances equal the shares of all deals that agree with what the player saw", () => {
  let compared = 0;
  for (const script of SCRIPTS) compared += compareShares(script);
  assert.ok(compared > 40, String(compared));
});

/**
 * Plays a script in all worlds at once. Compares the chances in each group of worlds that look the
 * same to the player. Returns the number of groups.
 * @param {string[]} script
 */
function compareShares(script) {
  /** @typedef {{worlds: World[], unseen: import("../../static/js/grid/deck/chances.js").Unseen, seen: Map<number, string>}} Group */
  /** @type {Group[]} */
  let groups = groupBy(DEALS, ({ hand }) => hand).map(([hand, worlds]) => ({
    worlds,
    unseen: startUnseen(PACK, [hand, "defuse"]),
    seen: new Map(),
  }));
  for (const step of script) {
    const [what, at] = step.split(" ");
    const cell = Number(at);
    groups = groups.flatMap((group) => {
      if (what === "shuffle")
        return [
          {
            worlds: group.worlds.flatMap(shuffleWorld),
            unseen: shuffleIn(group.unseen, [...group.seen.values()]),
            seen: new Map(),
          },
        ];
      const byCard = groupBy(group.worlds, ({ grid }) => grid[cell]);
      return byCard.flatMap(([card, worlds]) => {
        if (!card || (what === "draw" && card === "kitten")) return [];
        const seen = new Map([...group.seen, [cell, card]]);
        if (what === "draw") seen.delete(cell);
        const left = worlds.map(({ hand, grid }) => ({
          hand,
          grid: what === "draw" ? grid.with(cell, null) : grid,
        }));
        const unseen = group.seen.has(cell) ? group.unseen : seeCard(group.unseen, card);
        return [{ worlds: left, unseen, seen }];
      });
    });
  }
  for (const { worlds, unseen, seen } of groups) {
    const open = PACK.cells.flatMap((_, at) => (worlds[0]?.grid[at] && !seen.has(at) ? [at] : []));
    const chances = computeChances(unseen);
    for (const cell of open)
      for (const title of new Set(PACK.cards)) {
        const share = worlds.filter(({ grid }) => grid[cell] === title).length / worlds.length;
        assert.ok(Math.abs((chances[title] ?? 0) - share) < 1e-9, `${script} ${title}`);
      }
  }
  return groups.length;
}

test("a card that can't be there changes nothing", () => {
  const unseen = startUnseen(PACK, ["nope", "defuse"]);
  assert.deepEqual(seeCard(unseen, "nope"), unseen);
});
