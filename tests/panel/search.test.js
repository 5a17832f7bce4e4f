import assert from "node:assert/strict";
import { test } from "node:test";
import { collectEntries, searchEntries } from "../../static/js/core/search.js";
import { readSentences } from "./variant.js";

/** Search terms, each with the ruling or card that must be found first. */
const FOUND = {
  en: {
    setup: "ruling-prepare-in-order",
    "set up the cards": "ruling-prepare-in-order",
    dealing: "ruling-prepare-in-order",
    "nope a nope": "ruling-yup",
    "can I Nope a Nope?": "ruling-yup",
    yup: "ruling-yup",
    "who starts": "ruling-first-player",
    "Who goes first?": "ruling-first-player",
    "starting player": "ruling-first-player",
    "initial order": "ruling-alphabetical-order",
    "order initial": "ruling-alphabetical-order",
    "who is next": "ruling-alphabetical-order",
    "how many players": "ruling-player-count",
    shuffling: "card-shuffle",
    "shuffled the grid": "ruling-shuffle-needs-a-new-word",
    peek: "card-see_future",
    winning: "ruling-last-one-standing",
    "how do I win": "ruling-last-one-standing",
    "three of a kind": "ruling-no-combos",
    attack: "ruling-cards-of-this-game",
    kicked: "ruling-leaving",
    misclick: "ruling-undo",
    pause: "ruling-hold",
    timer: "ruling-in-time",
    "join late": "ruling-seats-in-the-setup",
    "put the kitten back": "ruling-defuse-hides-the-grid",
    "noping my own card": "ruling-not-your-own",
    "left or right": "ruling-as-the-drawer-sees-it",
    "told-once": "ruling-told-once",
    "without a screen": "ruling-host-acts-for",
  },
  it: {
    setup: "ruling-prepare-in-order",
    "preparare la partita": "ruling-prepare-in-order",
    "no al no": "ruling-yup",
    "nope a un nope": "ruling-yup",
    yup: "ruling-yup",
    "chi comincia": "ruling-first-player",
    "chi inizia?": "ruling-first-player",
    "ordine iniziale": "ruling-alphabetical-order",
    "iniziale, l'ordine": "ruling-alphabetical-order",
    "chi è il prossimo": "ruling-alphabetical-order",
    "quanti giocatori": "ruling-player-count",
    mescolare: "card-shuffle",
    "mescolato la griglia": "ruling-shuffle-needs-a-new-word",
    sbirciare: "card-see_future",
    vincere: "ruling-last-one-standing",
    "chi ha vinto": "ruling-last-one-standing",
    tris: "ruling-no-combos",
    probabilita: "ruling-possible-report",
    PROBABILITÀ: "ruling-possible-report",
    espulso: "ruling-leaving",
    pausa: "ruling-hold",
    "arrivare tardi": "ruling-seats-in-the-setup",
    "rimettere il gattino": "ruling-defuse-hides-the-grid",
    "destra o sinistra": "ruling-as-the-drawer-sees-it",
    "senza schermo": "ruling-host-acts-for",
    scoperte: "ruling-favor-turns-one-up",
  },
};

test("a variant without search words for its language is searched by its exact words", () => {
  const entries = collectEntries({
    rulings: {
      hop: { title: "A Hop", text: "Ends the turn." },
      other: { title: "Other", text: "Hops about." },
    },
  });
  assert.deepEqual(searchEntries("hop", entries, null), ["ruling-hop", "ruling-other"]);
  assert.deepEqual(searchEntries("turn ends", entries, null), ["ruling-hop"]);
});

for (const [language, table] of Object.entries(FOUND)) {
  const texts = readSentences(language);
  const entries = collectEntries(texts);
  for (const [query, first] of Object.entries(table))
    test(`“${query}” finds ${first} first (${language})`, () =>
      assert.equal(searchEntries(query, entries, texts.search)[0] ?? null, first));

  test(`every ${language} title, other name and slug finds its own entry`, () => {
    for (const { id, names, also } of entries)
      for (const name of [names, ...(also ?? "").split(",")].filter((name) => name.trim()))
        assert.ok(searchEntries(name, entries, texts.search).includes(id), `${name}: ${id}`);
  });

  test(`an empty search finds everything and an unknown word nothing (${language})`, () => {
    assert.equal(searchEntries(" ", entries, texts.search).length, entries.length);
    assert.deepEqual(searchEntries("zzz", entries, texts.search), []);
  });
}
