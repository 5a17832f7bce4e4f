/**
 * The search in the help sheet. It finds words in any order, by their stems and by synonyms, and
 * ignores case and accents. The variant's texts contain the synonyms, stop words and word endings,
 * so this module depends on no language.
 */

/**
 * A searchable entry. `also` contains synonyms, separated by commas.
 * @typedef {{id: string, names: string, also?: string, text: string}} Entry
 */
/**
 * A language's stop words and word endings, separated by spaces.
 * @typedef {{little: string, endings: string}} Language
 */

/** Minimum number of letters in a stem. */
const SHORTEST = 3;
/** Extra score if the query is exactly one of an entry's names. */
const PHRASE = 100;
/** Weight of a match in an entry's names. A match in its text has weight 1. */
const NAMED = 3;

/** Splits a text into words in lower case, without accents. @param {string} text */
const splitWords = (text) =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/**
 * Returns a function that removes a word's ending if at least SHORTEST letters remain.
 * @param {string[]} endings
 * @returns {(word: string) => string}
 */
const createStemmer = (endings) => (word) => {
  const ending = endings.find((one) => word.endsWith(one) && word.length - one.length >= SHORTEST);
  return ending ? word.slice(0, -ending.length) : word;
};

/**
 * Returns a function that splits a text into the stems of its words, without stop words.
 * @param {Language} language
 * @returns {(text: string) => string[]}
 */
function createSplitter({ little, endings }) {
  const stem = createStemmer(endings.split(" ").filter(Boolean));
  const stopWords = new Set(splitWords(little));
  return (text) => {
    const textWords = splitWords(text);
    const meaningfulWords = textWords.filter((word) => !stopWords.has(word));
    return (meaningfulWords.length ? meaningfulWords : textWords).map(stem);
  };
}

/** A language without stop words and endings. @type {Language} */
const NONE = { little: "", endings: "" };
/**
 * The stems of the entries' texts, so that each key press needn't compute them again.
 * @type {WeakMap<Language, Map<string, string[]>>}
 */
const stored = new WeakMap();

/**
 * Returns a function with the same results as `getStems` that computes the stems of each text only
 * once.
 * @param {Language} language
 * @param {(text: string) => string[]} getStems
 * @returns {(text: string) => string[]}
 */
function cacheStems(language, getStems) {
  const stems = stored.get(language) ?? new Map();
  stored.set(language, stems);
  return (text) => {
    if (!stems.has(text)) stems.set(text, getStems(text));
    return stems.get(text);
  };
}

/**
 * Returns the entries that contain every word of the query, the best match first. An empty query
 * matches all of them.
 * @param {string} query
 * @param {Entry[]} entries
 * @param {Language | null} [language] null if there are no stop words and no endings
 * @returns {string[]} ids of the entries
 */
export function searchEntries(query, entries, language) {
  const getStems = createSplitter(language ?? NONE);
  const queryStems = getStems(query);
  const getStored = cacheStems(language ?? NONE, getStems);
  const scored = entries.map((entry) => ({
    id: entry.id,
    score: scoreEntry(queryStems, entry, getStored),
  }));
  return scored
    .filter((one) => one.score >= 0)
    .sort((a, b) => b.score - a.score)
    .map((one) => one.id);
}

/**
 * Returns how well an entry matches the query, or -1 if it lacks a word of the query.
 * @param {string[]} queryStems stems of the query
 * @param {Entry} entry
 * @param {(text: string) => string[]} getStems splits a text into stems
 */
function scoreEntry(queryStems, { names, also = "", text }, getStems) {
  const phrases = [names, ...also.split(",")].map(getStems);
  const inNames = phrases.flat();
  const inText = getStems(text);
  const wordScores = queryStems.map((word) =>
    Math.max(NAMED * scoreWord(word, inNames), scoreWord(word, inText)),
  );
  if (wordScores.includes(0)) return -1;
  const isPhrase = phrases.some((phrase) => phrase.join() === queryStems.join());
  return wordScores.reduce((sum, one) => sum + one, isPhrase ? PHRASE : 0);
}

/**
 * Returns 2 if the list contains the word, 1 if it contains a word that begins with this word or is
 * its beginning, else 0.
 * @param {string} word
 * @param {string[]} candidates
 */
function scoreWord(word, candidates) {
  if (candidates.includes(word)) return 2;
  return candidates.some(
    (one) => one.startsWith(word) || (one.length > SHORTEST && word.startsWith(one)),
  )
    ? 1
    : 0;
}

/**
 * Returns the searchable entries of a variant: its cards and rulings.
 * @param {Record<string, Record<string, any>>} texts
 * @returns {Entry[]}
 */
export const collectEntries = ({ cards = {}, rulings = {} }) => [
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
