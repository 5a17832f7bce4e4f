import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { joinNames, t, setSentences } from "../../static/js/core/text.js";

const NAMES = ["Anna", "Elena", "Ivo", "Olga", "Ugo", "Àlvise", "Élodie"];
const TITLES = { en: ["Exploding Kitten", "Attack"], it: ["Exploding Kitten", "Attacco"] };
const LISTS = ["names", "cards", "titles"];
const NUMBERS = ["count", "all", "n", "turn", "seconds", "number", "row", "column"];

/** Patterns of grammatical mistakes, such as "a Attack", "a Anna", "e Elena" and "1 cards". */
const WRONG = {
  en: [/\ba [AEIOU]/i, /\b1 \w+s\b/],
  it: [/\ba [aàá]/i, /\be [eèé]/i, /\b1 \w+[ei]\b/],
};

/** Sentences with a list that read the same for one item and for several. */
const SAME_FOR_ALL = {
  en: [
    "asked.waits",
    "call.setup",
    "deck.missing",
    "ring",
    "seat.face-up",
    "setup.waits",
    "window.waits",
  ],
  it: [
    "asked.waits",
    "call.setup",
    "deck.missing",
    "ring",
    "seat.face-up",
    "setup.waits",
    "window.waits",
  ],
};
/** Sentences with a list of card titles and no verb. */
const OF_TITLES = ["aria.order", "combo.pair", "combo.triple", "hand.known", "hand.never"];

const readJson = (file) =>
  JSON.parse(readFileSync(new URL(`../../static/text/${file}.json`, import.meta.url), "utf-8"));

for (const file of ["en", "it", "late/en", "late/it", "pile/en", "pile/it"]) {
  const language = file.slice(-2);
  const own = readJson(file);
  const words = { ...readJson(language), ...own };
  const getForms = (key) =>
    typeof words[key] === "string"
      ? [words[key]]
      : Object.values(words[key]).filter((form) => form !== true);
  const getFacts = (key) => [
    ...new Set(
      getForms(key).flatMap((form) =>
        [...form.matchAll(/\{(\w+)(?::([^{}]+))?\}/g)].map(([, first, second]) =>
          second && !second.includes("|") ? second : first,
        ),
      ),
    ),
  ];
  const buildText = (key, first, many, mine = []) => {
    const getName = (i) => NAMES[(first + i) % NAMES.length];
    const makeFact = (key, i) =>
      LISTS.includes(key)
        ? joinNames(Array.from({ length: many }, (_, at) => getName(at)))
        : key === "card"
          ? TITLES[language][first % 2]
          : NUMBERS.includes(key)
            ? many
            : getName(i);
    return t(key, {
      count: many,
      mine,
      ...Object.fromEntries(getFacts(key).map((key, i) => [key, makeFact(key, i)])),
    });
  };
  const keys = Object.keys(own).filter((key) => !["small", "language"].includes(key));

  test(`every sentence of ${file} is grammatical with every name, number and list`, () => {
    setSentences(language, words);
    for (const key of keys)
      for (const first of NAMES.keys())
        for (const many of [1, 2, 3, 11])
          for (const mine of [[], ...getFacts(key).map((fact) => [fact])]) {
            const text = buildText(key, first, many, mine);
            for (const wrong of [...WRONG[language], /[{}|*]/, /\s[ ,.]/, /^\s|\s$/])
              assert.doesNotMatch(text, wrong, key);
          }
  });

  const listing = keys.filter(
    (key) => !OF_TITLES.includes(key) && getFacts(key).some((fact) => LISTS.includes(fact)),
  );

  test(`every verb of ${file} agrees with the number of list items`, () => {
    setSentences(language, words);
    for (const key of listing) {
      const [one, more] = [1, 3].map((many) =>
        NAMES.reduce((text, name) => text.replaceAll(name, ""), buildText(key, 2, many)).replace(
          /[, ]+(and|ed?) |, |\s+/g,
          " ",
        ),
      );
      assert.equal(one === more, SAME_FOR_ALL[language].includes(key), `${key}: ${one} / ${more}`);
    }
  });
}
