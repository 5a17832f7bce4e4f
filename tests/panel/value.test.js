/** Tests for cards, seats and texts whose names are properties that every object inherits. */
import assert from "node:assert/strict";
import test from "node:test";
import "./grid.js";
import { countDecks, getCardsLeft, getCardsToTake } from "../../static/js/shell/box.js";
import * as deck from "../../static/js/core/deck.js";
import { applyPatch } from "../../static/js/core/patch.js";
import { fillSentence } from "../../static/js/core/text.js";
import { splitGames } from "../../static/js/grid/check.js";

const OWN = ["constructor", "toString", "__proto__", "hasOwnProperty"];

for (const own of OWN) {
  test(`a card, a seat and a text can be named ${own}`, () => {
    const box = { id: "box", cards: 1, titles: { skip: 1 } };
    const cards = [{ id: own, count: 1 }];
    assert.equal(countDecks(box, cards), 0);
    assert.deepEqual(getCardsToTake(box, cards, 1), [{ id: own, take: 1, of: 0 }]);
    const odd = { ...box, titles: JSON.parse(`{"${own}": 3}`) };
    assert.deepEqual(getCardsLeft(odd, [], 1), [{ id: own, count: 3 }]);
    assert.deepEqual(getCardsLeft(odd, cards, 2), [{ id: own, count: 1 }]);

    deck.setVariant({ cards: [], language: "en", texts: { en: { cards: {}, elsewhere: {} } } });
    assert.equal(deck.getCardTitle(own), own.replaceAll("_", " "));
    deck.setVariant(null);

    assert.equal(fillSentence(`{${own}}.`, undefined, {}).join(""), ".");
    assert.equal(fillSentence(`{${own}:who}.`, {}, { who: "Ana" }).join(""), `${own} Ana.`);

    /** @type {any} */
    const view = { epoch: "e", version: 1, log: [], seats: [{ seat: own, hand: 5 }] };
    /** @type {any} */
    const patch = { epoch: "e", from: 1, version: 2, log: [], seats: {}, keys: { seats: {} } };
    assert.deepEqual(applyPatch(view, patch)?.seats, view.seats);

    /** @type {any[]} */
    const log = [{ version: 1, type: "game_began", facts: { order: [own], salt: "" } }];
    assert.deepEqual(Object.keys(splitGames(log)[0]?.decks ?? {}), []);
  });
}
