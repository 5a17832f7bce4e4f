import assert from "node:assert/strict";
import { test } from "node:test";
import * as deck from "../../static/js/core/deck.js";

test("a card looks like what it does, unless its variant names another face", () => {
  const cards = [
    { id: "hop", count: 1, effect: "skip" },
    { id: "tabby", count: 4, effect: "powerless", face: "cat-tabby" },
  ];
  deck.useVariant({ cards, texts: {} });
  assert.deepEqual(["hop", "tabby", "gone"].map(deck.pictureOf), ["skip", "cat-tabby", "unknown"]);
  assert.deepEqual(["hop", "tabby"].map(deck.hueClass), ["hue-skip", "hue-cat-tabby"]);
  deck.useVariant(null);
});
