import assert from "node:assert/strict";
import { test } from "node:test";
import {
  addSoftHyphens,
  joinNames,
  loadSentences,
  addSentences,
  getSentencePieces,
  listWantedLanguages,
  setRenamedTitles,
  t,
  setSentences,
} from "../../static/js/core/text.js";

test("plural and ordinal forms are the language's own", () => {
  setSentences("en", {
    cards: { one: "{count} card", other: "{count} cards" },
    nth: { ordinal: true, one: "{n}st", two: "{n}nd", few: "{n}rd", other: "{n}th" },
  });
  assert.equal(t("cards", { count: 1 }), "1 card");
  assert.equal(t("cards", { count: 0 }), "0 cards");
  assert.deepEqual(
    [1, 2, 3, 4, 11, 21].map((n) => t("nth", { n })),
    ["1st", "2nd", "3rd", "4th", "11th", "21st"],
  );
});

test("a fact is inserted unchanged, even if it contains braces", () => {
  setSentences("en", { hello: "{a} and {b}" });
  const b = { template: true };
  assert.deepEqual(
    getSentencePieces("hello", { a: "{b}", b }).filter((piece) => piece !== ""),
    ["{b}", " and ", b],
  );
});

test("small words fit the next word, and verb forms fit the number of names", () => {
  setSentences("it", {
    small: { a: { ad: "a" }, e: { ed: "e" } },
    tell: "Di’ {a:who}",
    wait: "{names:Si aspetta|Si aspettano} {names}",
  });
  assert.deepEqual(
    ["Anna", "Àlvise", "Elena", "Bruno"].map((who) => t("tell", { who })),
    ["Di’ ad Anna", "Di’ ad Àlvise", "Di’ a Elena", "Di’ a Bruno"],
  );
  assert.deepEqual(getSentencePieces("tell", { who: { values: ["Anna"] } }).slice(1, 3), [
    "ad ",
    { values: ["Anna"] },
  ]);
  assert.deepEqual(
    [["Ugo"], ["Ugo", "Eva"]].map((names) => t("wait", { names })),
    ["Si aspetta Ugo", "Si aspettano Ugo,Eva"],
  );
  assert.deepEqual(
    [["Ugo"], ["Ugo", "Eva"], ["Ugo", "Eva", "Anna"], ["Anna", "Élodie"]].map(joinNames),
    ["Ugo", "Ugo ed Eva", "Ugo, Eva e Anna", "Anna ed Élodie"],
  );
});

test("a sentence addresses the reader as “you” and names the other players", () => {
  setSentences("en", { plays: "{who:You play|* plays} on {by:you|*}, {by:your |}{card}." });
  const facts = { who: "Ana", by: "Ben", card: "Skip" };
  assert.equal(t("plays", facts), "Ana plays on Ben, Skip.");
  assert.equal(t("plays", { ...facts, mine: ["who"] }), "You play on Ben, Skip.");
  assert.equal(t("plays", { ...facts, mine: ["by"] }), "Ana plays on you, your Skip.");
});

test("the viewer's choice comes first, then the browser's languages, then English", async (about) => {
  assert.deepEqual(listWantedLanguages("it", ["en"]), ["it", "en"]);
  assert.deepEqual(listWantedLanguages(null, ["it-CH", "en"]), ["it", "en"]);
  assert.deepEqual(listWantedLanguages(null, ["fil-PH", "i-klingon", "zh-Hant-TW"]), ["fil", "zh"]);
  assert.deepEqual(listWantedLanguages("../x", ["de-DE", "it-IT", "de"]), ["de", "it"]);
  globalThis.document = /** @type {any} */ ({ documentElement: {} });
  /* which language is the server's to choose, of all that are wanted */
  about.mock.method(globalThis, "fetch", async (/** @type {string} */ url) => {
    const wanted = /([a-z,]+)\.json$/.exec(url)?.[1]?.split(",") ?? [];
    const lang = wanted.find((code) => ["en", "it"].includes(code)) ?? "en";
    return { json: async () => ({ said: lang, lang }) };
  });
  for (const [codes, said] of /** @type {[string[], string][]} */ ([
    [["xx", "it"], "it"],
    [["de"], "en"],
    [[], "en"],
  ])) {
    await loadSentences(codes, "late");
    assert.equal(t("said"), said);
  }
});

test("late texts appear in the current language, in whatever order the files arrive", async (about) => {
  /** @type {Map<string, (words: object) => void>} */
  const asked = new Map();
  const answerRequest = (/** @type {string} */ file, /** @type {object} */ words) =>
    asked.get(`/static/text/${file}.json`)?.(words);
  const nextTask = () => new Promise((resolve) => setTimeout(resolve));
  globalThis.document = /** @type {any} */ ({ documentElement: {} });
  about.mock.method(globalThis, "fetch", (/** @type {string} */ url) => ({
    ok: true,
    json: () => new Promise((resolve) => asked.set(url.replace(/^.*(?=\/static)/, ""), resolve)),
  }));
  setSentences("en", { a: "shared" });
  const italian = loadSentences("it");
  const later = addSentences("late");
  await nextTask();
  answerRequest("it", { lang: "it", a: "di tutti" });
  answerRequest("late/en", { a: "never", b: "late" });
  await later;
  await nextTask();
  answerRequest("it", { lang: "it", a: "di tutti" });
  answerRequest("late/it", { b: "tardi" });
  await italian;
  assert.deepEqual([t("a"), t("b")], ["di tutti", "tardi"]);
  const english = loadSentences("en", "pile");
  await nextTask();
  answerRequest("en", { lang: "en", a: "shared" });
  answerRequest("late/en", { b: "late", c: "late" });
  answerRequest("pile/en", { b: "its own" });
  await english;
  assert.deepEqual([t("a"), t("b"), t("c")], ["shared", "its own", "late"]);
});

test("the panel's texts use the titles that house rules give to cards", () => {
  setSentences("en", {
    hint: "Safe, or the Kitten?",
    who: "{who:You Nope|* Nopes} {card}!",
    pile: { one: "{count} Kitten", other: "{count} Kittens" },
    kitten: "{kitten}",
  });
  setRenamedTitles(() => ({ Kitten: "Bomb", Kittens: "Bombs", Nope: "Halt", Nopes: "Halts" }));
  assert.equal(t("hint"), "Safe, or the Bomb?");
  assert.equal(t("who", { who: "Ben", card: "Skip" }), "Ben Halts Skip!");
  assert.equal(t("pile", { count: 2 }), "2 Bombs");
  assert.equal(t("kitten", { kitten: "Kitten" }), "Kitten", "a player's name stays");
  setRenamedTitles(() => undefined);
  assert.equal(t("hint"), "Safe, or the Kitten?");
});

test("a long word can break before a syllable near its middle", () => {
  const breakWord = (word) => addSoftHyphens(word, 10).replace("\u00ad", "-");
  assert.equal(breakWord("vomitarcobaleno"), "vomitarco-baleno");
  assert.equal(breakWord("Gattanguria peloso"), "Gattan-guria peloso");
  assert.equal(breakWord("Cattermelon"), "Catter-melon");
  assert.equal(breakWord("Attraversare"), "Attra-versare");
  assert.equal(breakWord("Ограбление"), "Ограб-ление");
  assert.equal(breakWord("Favore"), "Favore");
});
