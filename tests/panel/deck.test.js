import assert from "node:assert/strict";
import { test } from "node:test";
import * as deck from "../../static/js/core/deck.js";

test("a card's picture follows its effect unless the variant names another face", () => {
  const cards = [
    { id: "hop", count: 1, effect: "skip" },
    { id: "tabby", count: 4, effect: "powerless", face: "cat-tabby" },
  ];
  deck.setVariant({ cards, texts: {} });
  assert.deepEqual(["hop", "tabby", "gone"].map(deck.getPictureName), [
    "skip",
    "cat-tabby",
    "unknown",
  ]);
  assert.deepEqual(["hop", "tabby"].map(deck.getHueClass), ["hue-skip", "hue-cat-tabby"]);
  deck.setVariant(null);
});
