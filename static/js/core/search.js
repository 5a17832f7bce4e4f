/**
 * Finds what somebody looks for in help: words in any order, by their stems and by other names for
 * a thing; accents and capitals don't count. Other names, small words and endings stand in the
 * variant's texts; no word of a language here.
 */

/** What can be found. @typedef {{id: string, names: string, also?: string, text: string}} Entry */
/**
 * A language's small words and endings, separated by blanks.
 * @typedef {{little: string, endings: string}} Language
 */

const SHORTEST = 3;
const PHRASE = 100;
const NAMED = 3;

/** @param {string} text */
const words = (text) =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/**
 * A word without its ending, if enough of it is left.
 * @param {string[]} endings
 * @returns {(word: string) => string}
 */
const stemmer = (endings) => (word) => {
  const ending = endings.find((one) => word.endsWith(one) && word.length - one.length >= SHORTEST);
  return ending ? word.slice(0, -ending.length) : word;
};

/**
 * The entries that hold every word of the query, those that are named by it first; all of them for
 * an empty one.
 * @param {string} query
 * @param {Entry[]} entries
 * @param {Language | null} [language] none: no word is small, none has an ending
 * @returns {string[]} their ids
 */
export function find(query, entries, language) {
  const { little, endings } = language ?? { little: "", endings: "" };
  const stem = stemmer(endings.split(" ").filter(Boolean));
  const small = new Set(words(little));
  const stemsOf = (/** @type {string} */ text) => {
    const all = words(text);
    const telling = all.filter((word) => !small.has(word));
    return (telling.length ? telling : all).map(stem);
  };
  const scored = entries.map((entry) => ({
    id: entry.id,
    score: score(stemsOf(query), entry, stemsOf),
  }));
  return scored
    .filter((one) => one.score >= 0)
    .sort((a, b) => b.score - a.score)
    .map((one) => one.id);
}

/**
 * How well an entry suits what is asked; below 0: not at all.
 * @param {string[]} asked
 * @param {Entry} entry
 * @param {(text: string) => string[]} told
 */
function score(asked, { names, also = "", text }, told) {
  const phrases = [names, ...also.split(",")].map(told);
  const found = asked.map((word) =>
    Math.max(NAMED * best(word, phrases.flat()), best(word, told(text))),
  );
  if (found.includes(0)) return -1;
  const whole = phrases.some((phrase) => phrase.join() === asked.join());
  return found.reduce((sum, one) => sum + one, whole ? PHRASE : 0);
}

/**
 * 2 for the word, 1 for one of which either begins the other, else 0.
 * @param {string} word
 * @param {string[]} among
 */
function best(word, among) {
  if (among.includes(word)) return 2;
  return among.some(
    (one) => one.startsWith(word) || (one.length > SHORTEST && word.startsWith(one)),
  )
    ? 1
    : 0;
}

/**
 * The cards and rulings of a variant as they are searched.
 * @param {Record<string, Record<string, any>>} texts
 * @returns {Entry[]}
 */
export const entriesOf = ({ cards = {}, rulings = {} }) => [
  ...Object.entries(cards).map(([id, { title, also, here, base }]) => ({
    id: `card-${id}`,
    names: title,
    also,
    text: `${here} ${base}`,
  })),
  ...Object.entries(rulings).map(([id, { title, also, text }]) => ({
    id: `ruling-${id}`,
    names: title,
    also: `${also ?? ""},${id}`,
    text,
  })),
];
