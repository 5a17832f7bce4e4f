import assert from "node:assert/strict";
import { test } from "node:test";
import "./grid.js";
import { countDecks, getCardsLeft, getCardsToTake } from "../../static/js/shell/box.js";

const DECK = [
  { id: "kitten", count: 1 },
  { id: "see_future", count: 3 },
  { id: "skip", count: 3 },
];
const CLASSIC = {
  id: "classic",
  cards: 17,
  titles: { kitten: 4, see_future: 5, skip: 4, attack: 4 },
};
const PARTY = { id: "party", cards: 25, titles: { kitten: 9, see_future: 6, skip: 10 } };

test("the scarcest title decides how many decks a box holds", () => {
  assert.equal(countDecks(CLASSIC, DECK), 1);
  assert.equal(countDecks(PARTY, DECK), 2);
  assert.equal(countDecks({ ...PARTY, titles: { kitten: 9, see_future: 6 } }, DECK), 0);
});

test("the cards to take and the cards left add up to the whole box", () => {
  const out = getCardsToTake(PARTY, DECK, 2);
  assert.deepEqual(
    out.map(({ take, of }) => [take, of]),
    [
      [2, 9],
      [6, 6],
      [6, 10],
    ],
  );
  const rest = getCardsLeft(PARTY, DECK, 2);
  assert.deepEqual(rest, [
    { id: "kitten", count: 7 },
    { id: "skip", count: 4 },
  ]);
  assert.equal(
    [...out.map(({ take }) => take), ...rest.map(({ count }) => count)].reduce(
      (sum, one) => sum + one,
    ),
    PARTY.cards,
  );
});

test("titles that this game doesn't have stay in the box", () => {
  assert.deepEqual(
    getCardsLeft(CLASSIC, DECK, 1).find(({ id }) => id === "attack"),
    { id: "attack", count: 4 },
  );
});
