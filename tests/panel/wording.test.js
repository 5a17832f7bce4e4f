import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import "./grid.js";
import * as deck from "../../static/js/core/deck.js";
import { setSentences } from "../../static/js/core/text.js";
import { describeEvent, describeRefusal } from "../../static/js/core/wording.js";
import { readSentences } from "./variant.js";
import { newView } from "./views.js";

const VARIANT = { language: "en", texts: { en: readSentences("en"), it: readSentences("it") } };
deck.setVariant(VARIANT);
const useLanguage = (language) =>
  setSentences(
    language,
    JSON.parse(
      readFileSync(new URL(`../../static/text/${language}.json`, import.meta.url), "utf-8"),
    ),
  );
const favor = {
  type: "card_played",
  case: "target",
  text: "ana plays Favor on ben: …",
  facts: {
    seat: "ana",
    card: "favor",
    target: "ben",
    cell: [0, 0],
    place: { row: 0, rows: 2, index: 0, count: 3 },
  },
};
const line = (me, entry) => describeEvent(entry, newView({ me }), VARIANT);

test("a log line calls its reader “you” in every role", () => {
  useLanguage("en");
  assert.equal(line("ana", favor), "You played Favor on ben: top row, first from their left.");
  assert.equal(line("ben", favor), "ana played Favor on you: top row, first from your left.");
  assert.equal(line("cleo", favor), favor.text, "other readers get the server's text");
  assert.equal(line(null, favor), favor.text);
  const yup = {
    type: "nope_played",
    case: "yes",
    text: "",
    facts: { seat: "ana", by: "ana", card: "skip", counts: true },
  };
  assert.equal(line("ana", yup), "Yup! You Noped the Nope: your Skip counts again.");
});

test("an Italian log line calls its reader “you”, too", () => {
  useLanguage("it");
  assert.equal(
    line("ana", favor),
    "Hai giocato Favore contro ben: fila in alto, prima dalla sua sinistra.",
  );
  assert.match(
    line("ben", favor),
    /^ana ha giocato .+ contro di te: fila in alto, prima dalla tua sinistra\.$/,
  );
  assert.match(line("cleo", favor), /^ana ha giocato .+ contro ben: /);
});

test("the line about a seat's deck is in the viewer's language and says “you” only to its player", () => {
  const describe = {
    type: "deck_said",
    case: "device",
    text: "ana's cards are kept by their device.",
    facts: { seat: "ana", kind: "device" },
  };
  useLanguage("en");
  assert.equal(line("ana", describe), "Your cards are kept by your device.");
  useLanguage("it");
  assert.equal(line("ben", describe), "Le carte di ana le tiene il suo dispositivo.");
});

test("the line about what stays known after an undo is in the viewer's language", () => {
  const place = { row: 0, rows: 2, index: 0, count: 3 };
  const seen = { known: "seen", target: "ben", cell: [0, 0], card: "skip", place };
  const undone = { type: "undone", text: "…", facts: { version: 9, closes_at: null, ...seen } };
  useLanguage("en");
  assert.equal(
    line("ben", undone),
    "The host undid the last move. What was seen stays known of your grid: Skip (top row, first from your left).",
  );
  assert.equal(line("ana", undone), "…");
  useLanguage("it");
  assert.equal(
    line("ben", { ...undone, case: "agreed", facts: { ...undone.facts, seat: "ben" } }),
    "Hai annullato l’ultima mossa: agli altri va bene. Quel che si è visto della tua griglia resta noto: Salta (fila in alto, prima dalla tua sinistra).",
  );
  const touched = { seat: "ben", cell: [0, 0], place, by: "ana" };
  useLanguage("en");
  assert.equal(
    line("ben", { type: "card_touched", case: "host", text: "…", facts: touched }),
    "ana touched the card for you: top row, first from your left.",
  );
});

test("a player who has left keeps their name in the log", () => {
  useLanguage("it");
  const taken = {
    version: 2,
    type: "seat_taken",
    text: "Dora sits down.",
    facts: { seat: "dora", name: "Dora", panel: true },
  };
  assert.equal(describeEvent(taken, { ...newView(), log: [taken] }, VARIANT), "Dora prende posto.");
});

test("a refusal addresses the refused player as “you”", () => {
  useLanguage("en");
  const problem = {
    code: "refused",
    ruling: "draw-what-you-were-told",
    text: "ana …",
    facts: { case: "cell", seat: "ana", cell: [0, 0], told: [0, 1] },
  };
  assert.match(
    describeRefusal(problem, newView({ me: "ana" }), VARIANT),
    /^You .+: top row, middle/,
  );
  assert.equal(describeRefusal(problem, newView({ me: "ben" }), VARIANT), "ana …");
});

test("a stored variant without “you” forms shows names", () => {
  useLanguage("en");
  const old = {
    language: "en",
    texts: { en: { ...VARIANT.texts.en, log: { card_played: "{seat} plays {card}." } } },
  };
  assert.equal(
    describeEvent(
      { ...favor, facts: { seat: "ana", card: "skip", target: null } },
      newView({ me: "ana" }),
      old,
    ),
    "ana plays Skip.",
  );
});

test("a name's special characters aren't interpreted", () => {
  useLanguage("en");
  const view = newView({ me: "ben" });
  view.seats[0].name = "{card} $& *|}";
  assert.equal(
    describeEvent({ type: "passed", text: "", facts: { seat: "ana", next: "ben" } }, view, VARIANT),
    "{card} $& *|} passed.",
  );
});

test("a viewer with another language than the table reads errors, refusals and the log in that language", () => {
  useLanguage("it");
  const describeProblem = (problem) =>
    describeRefusal({ text: "…", ...problem }, newView({ me: "cleo" }), VARIANT);
  assert.equal(
    describeProblem({ code: "not_found", facts: { what: "table" } }),
    "Non c’è nessun tavolo con questo codice.",
  );
  assert.equal(
    describeProblem({ code: "bad_request", facts: { at: "$.cell", why: "…" } }),
    "Il server non capisce questa richiesta ($.cell).",
  );
  assert.equal(describeProblem({ code: "offline" }), "…");
  assert.match(
    line("cleo", {
      type: "instructed",
      text: "…",
      facts: { ...favor.facts, seat: "ben", target: "ana" },
    }),
    /^ben ha scelto per ana: /,
  );
});
