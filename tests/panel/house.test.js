import assert from "node:assert/strict";
import { test } from "node:test";
import "./grid.js";
import * as house from "../../static/js/core/house.js";

/** The form of the house rules of a small draw grid, as the server sends it in `house`. */
const GRID = {
  fields: [
    { key: "cards.kitten", kind: "count", is: 1, least: 1, most: 1 },
    { key: "cards.defuse", kind: "count", is: 2, least: 1, most: 20 },
    { key: "cards.skip", kind: "count", is: 12, least: 0, most: 60 },
    { key: "deal.put_away", kind: "count", is: 4, least: 0, most: 300 },
    { key: "deal.hand", kind: "count", is: 4, least: 1, most: 15 },
    { key: "deal.grid", kind: "count", is: 5, least: 1, most: 29 },
    { key: "grid.rows", kind: "count", is: 2, least: 1, most: 5 },
    { key: "grid.columns", kind: "count", is: 3, least: 1, most: 6 },
    { key: "titles.skip", kind: "text", is: "Skip", most: 24 },
  ],
  sums: [
    {
      id: "placed",
      is: [["deal.put_away"], ["deal.hand"], ["deal.grid"]],
      should: [["cards.kitten"], ["cards.defuse"], ["cards.skip"], [-2]],
      evens: ["deal.put_away", "deal.hand"],
    },
    {
      id: "cells",
      is: [["deal.grid"], [1]],
      should: [["grid.rows", "grid.columns"]],
      evens: ["deal.grid"],
    },
  ],
  presets: {},
};

/** The form of the house rules of a classic game for three players. */
const PILE = {
  fields: [
    { key: "cards.defuse", kind: "count", is: 3, least: 3, most: 20, box: 10 },
    { key: "cards.skip", kind: "count", is: 30, least: 0, most: 60 },
    { key: "hand", kind: "count", is: 7, least: 1, most: 15 },
    { key: "combos", kind: "many", is: ["pair", "triple"], of: ["pair", "triple", "five"] },
    { key: "attack_stacks", kind: "bool", is: true },
    { key: "extra_defuses", kind: "choice", is: "before", of: ["before", "after"] },
  ],
  sums: ["before", "after"].map((when) => ({
    id: "dealt",
    when: { extra_defuses: when },
    at_most: true,
    is: [[3, "hand"], [3]],
    should: [["cards.skip"], when === "before" ? ["cards.defuse"] : [3]],
    evens: ["hand"],
  })),
  presets: {},
};

const getSums = (form, changed) =>
  house.checkSums(form, changed).map(({ is, should }) => [is, should]);

test("a field that is set back to its original value isn't a change", () => {
  const more = house.setFieldValue(GRID, {}, "cards.skip", 13);
  assert.deepEqual(more, { "cards.skip": 13 });
  assert.deepEqual(house.setFieldValue(GRID, more, "cards.skip", 12), {});
  const fewer = house.setFieldValue(PILE, {}, "combos", ["pair"]);
  assert.deepEqual(house.setFieldValue(PILE, fewer, "combos", ["pair", "triple"]), {});
});

test("a sum has its actual and its required value", () => {
  assert.deepEqual(getSums(GRID, {}), [
    [13, 13],
    [6, 6],
  ]);
  assert.deepEqual(getSums(GRID, { "cards.skip": 13, "grid.rows": 3 }), [
    [13, 14],
    [6, 9],
  ]);
});

test("only sums whose conditions hold are checked, and an upper limit needn't be reached", () => {
  assert.deepEqual(getSums(PILE, {}), [[24, 33]]);
  const spare = { extra_defuses: "after", "cards.defuse": 9 };
  assert.deepEqual(getSums(PILE, spare), [[24, 33]]);
  assert.ok(house.checkSums(PILE, spare).every(({ even }) => even));
  assert.ok(!house.checkSums(PILE, { "cards.skip": 20 }).every(({ even }) => even));
});

test("fields that follow from others or have only one value can't be chosen", () => {
  const keys = house.findChoosableFields(GRID).map(({ key }) => key);
  assert.ok(!keys.includes("deal.grid") && !keys.includes("cards.kitten"));
  assert.deepEqual(house.applyDependents(GRID, { "grid.rows": 3 }), {
    "grid.rows": 3,
    "deal.grid": 8,
  });
  assert.deepEqual(house.applyDependents(PILE, { "cards.skip": 2 }), { "cards.skip": 2 });
});

test("sums are balanced by changing the first field that can change", () => {
  const fit = house.balanceSums(GRID, { "cards.skip": 13, "grid.rows": 3 });
  assert.deepEqual(fit, { "cards.skip": 13, "grid.rows": 3, "deal.grid": 8, "deal.put_away": 2 });
  const small = house.balanceSums(GRID, { "cards.skip": 8 });
  assert.deepEqual(small, { "cards.skip": 8, "deal.put_away": 0 });
  const tiny = house.balanceSums(GRID, { "cards.skip": 6 });
  assert.deepEqual(tiny, { "cards.skip": 6, "deal.put_away": 0, "deal.hand": 2 });
  assert.deepEqual(house.balanceSums(PILE, { "cards.skip": 16 }), { "cards.skip": 16, hand: 5 });
  assert.deepEqual(house.balanceSums(PILE, { "cards.skip": 60 }), { "cards.skip": 60 });
});

test("sums that no field can balance stay unchanged", () => {
  assert.equal(house.balanceSums(GRID, { "cards.skip": 2 }), null);
  assert.equal(house.balanceSums(PILE, { "cards.skip": 0 }), null);
});

test("an overlay contains only the changes, and reading it gives the same changes", () => {
  const changed = { "cards.skip": 13, "deal.put_away": 5, "titles.skip": "Snooze" };
  const sent = house.convertToOverlay(changed, "Ours");
  assert.deepEqual(sent, {
    name: "Ours",
    cards: { skip: 13 },
    deal: { put_away: 5 },
    titles: { skip: "Snooze" },
  });
  assert.deepEqual(house.convertFromOverlay(GRID, sent), { changed, whole: true });
  assert.equal(house.convertToOverlay({}, "Ours"), null);
  const pile = { combos: ["pair"], attack_stacks: false, extra_defuses: "after" };
  assert.deepEqual(house.convertFromOverlay(PILE, house.convertToOverlay(pile)), {
    changed: pile,
    whole: true,
  });
});

test("values without a field or outside its limits are left out", () => {
  const odd = {
    cards: { skip: 61, attack: 2, defuse: 3 },
    deal: 7,
    grid: { rows: "3" },
    titles: { skip: "x".repeat(25) },
    constructor: { name: 1 },
  };
  assert.deepEqual(house.convertFromOverlay(GRID, odd), {
    changed: { "cards.defuse": 3 },
    whole: false,
  });
  const mad = { combos: "pair", attack_stacks: 1, extra_defuses: "never", hand: 1.5 };
  assert.deepEqual(house.convertFromOverlay(PILE, mad), { changed: {}, whole: false });
});

test("house rules saved in a file or a link can be read again", () => {
  const kept = { like: "quarantined", rules: { name: "Üñ & “#”", cards: { skip: 4 } } };
  assert.deepEqual(house.parseRulesFile(house.formatRulesFile(kept)), kept);
  assert.deepEqual(house.parseRulesFragment(house.formatRulesFragment(kept)), kept);
  assert.equal(house.parseRulesFragment("#with=Ana"), undefined);
});

test("a text that isn't a file of house rules is rejected", () => {
  for (const text of [
    "",
    "null",
    "[]",
    "{",
    '{"format":"hiss-rules","version":2,"like":"quarantined","rules":{}}',
    '{"format":"hiss-rules","version":1,"like":7,"rules":{}}',
    '{"format":"hiss-rules","version":1,"like":"quarantined","rules":[]}',
    `{"format":"hiss-rules","version":1,"like":"quarantined","rules":{"name":"${"x".repeat(9000)}"}}`,
  ])
    assert.equal(house.parseRulesFile(text), null);
  assert.equal(house.parseRulesFragment("#rules=%E0%A4%A"), null);
  assert.equal(house.parseRulesFragment("#rules="), null);
});

test("the copies of a card are limited by the largest box", () => {
  const editions = [{ titles: { skip: 4 } }, { titles: { skip: 10 } }];
  assert.equal(house.findMostInBoxes({ editions }, { key: "cards.skip" }), 10);
  assert.equal(house.findMostInBoxes({ editions }, { key: "cards.attack" }), 0);
  assert.equal(house.findMostInBoxes({ editions }, { key: "deal.hand" }), undefined);
  assert.equal(house.findMostInBoxes({}, { key: "cards.skip" }), undefined);
  assert.equal(house.findMostInBoxes({}, { key: "cards.skip", box: 7 }), 7);
});
