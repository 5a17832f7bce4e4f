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

test("what is as it was isn't changed", () => {
  const more = house.setFieldValue(GRID, {}, "cards.skip", 13);
  assert.deepEqual(more, { "cards.skip": 13 });
  assert.deepEqual(house.setFieldValue(GRID, more, "cards.skip", 12), {});
  const fewer = house.setFieldValue(PILE, {}, "combos", ["pair"]);
  assert.deepEqual(house.setFieldValue(PILE, fewer, "combos", ["pair", "triple"]), {});
});

test("a sum says how much there is, and how much there should be", () => {
  assert.deepEqual(getSums(GRID, {}), [
    [13, 13],
    [6, 6],
  ]);
  assert.deepEqual(getSums(GRID, { "cards.skip": 13, "grid.rows": 3 }), [
    [13, 14],
    [6, 9],
  ]);
});

test("only a sum that holds now is counted, and it may have room", () => {
  assert.deepEqual(getSums(PILE, {}), [[24, 33]]);
  const spare = { extra_defuses: "after", "cards.defuse": 9 };
  assert.deepEqual(getSums(PILE, spare), [[24, 33]]);
  assert.ok(house.checkSums(PILE, spare).every(({ even }) => even));
  assert.ok(!house.checkSums(PILE, { "cards.skip": 20 }).every(({ even }) => even));
});

test("nobody chooses what follows from others, or what can't be otherwise", () => {
  const keys = house.findChoosableFields(GRID).map(({ key }) => key);
  assert.ok(!keys.includes("deal.grid") && !keys.includes("cards.kitten"));
  assert.deepEqual(house.applyDependents(GRID, { "grid.rows": 3 }), {
    "grid.rows": 3,
    "deal.grid": 8,
  });
  assert.deepEqual(house.applyDependents(PILE, { "cards.skip": 2 }), { "cards.skip": 2 });
});

test("uneven sums are evened out by the first field that can move", () => {
  const fit = house.balanceSums(GRID, { "cards.skip": 13, "grid.rows": 3 });
  assert.deepEqual(fit, { "cards.skip": 13, "grid.rows": 3, "deal.grid": 8, "deal.put_away": 2 });
  const small = house.balanceSums(GRID, { "cards.skip": 8 });
  assert.deepEqual(small, { "cards.skip": 8, "deal.put_away": 0 });
  const tiny = house.balanceSums(GRID, { "cards.skip": 6 });
  assert.deepEqual(tiny, { "cards.skip": 6, "deal.put_away": 0, "deal.hand": 2 });
  assert.deepEqual(house.balanceSums(PILE, { "cards.skip": 16 }), { "cards.skip": 16, hand: 5 });
  assert.deepEqual(house.balanceSums(PILE, { "cards.skip": 60 }), { "cards.skip": 60 });
});

test("what nothing can even out stays as it is", () => {
  assert.equal(house.balanceSums(GRID, { "cards.skip": 2 }), null);
  assert.equal(house.balanceSums(PILE, { "cards.skip": 0 }), null);
});

test("an overlay has only what differs, and is read again as it was sent", () => {
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

test("what a form has no field for, or what doesn't fit it, is left out", () => {
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

test("a file and a link bring back what was saved", () => {
  const kept = { like: "quarantined", rules: { name: "Üñ & “#”", cards: { skip: 4 } } };
  assert.deepEqual(house.parseRulesFile(house.formatRulesFile(kept)), kept);
  assert.deepEqual(house.parseRulesFragment(house.formatRulesFragment(kept)), kept);
  assert.equal(house.parseRulesFragment("#with=Ana"), undefined);
});

test("what is no file of house rules is none", () => {
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

test("a box says how many of a card it has", () => {
  const editions = [{ titles: { skip: 4 } }, { titles: { skip: 10 } }];
  assert.equal(house.findMostInBoxes({ editions }, { key: "cards.skip" }), 10);
  assert.equal(house.findMostInBoxes({ editions }, { key: "cards.attack" }), 0);
  assert.equal(house.findMostInBoxes({ editions }, { key: "deal.hand" }), undefined);
  assert.equal(house.findMostInBoxes({}, { key: "cards.skip" }), undefined);
  assert.equal(house.findMostInBoxes({}, { key: "cards.skip", box: 7 }), 7);
});
