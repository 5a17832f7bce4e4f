/**
 * The panel's sentences, in the viewer's language. They are stored in static/text/ by message key,
 * such as "pass.absent", and no other module contains a sentence. A sentence has placeholders, such
 * as `{who}`; the values for them are called *facts*. `t(key, facts)` returns the filled sentence
 * as text. `getSentencePieces(key, facts)` returns it as a list, in which facts may be lit
 * templates. `Intl` selects plural and ordinal forms, so code never compares a count with 1 to
 * choose a sentence.
 * @import { Facts } from "./types.js"
 */

import { isolate, isRightToLeft } from "./direction.js";
import { listDocuments, resolvePath } from "./page.js";
import { getOwnValue } from "./value.js";

/** The sentences that are embedded in the page, by folder. @type {Record<string, any>} */
const delivered = JSON.parse(globalThis.document?.getElementById("words")?.textContent ?? "{}");
/** @type {Record<string, any>} */
let sentences = Object.assign({}, ...Object.values(delivered));
let language = sentences.lang ?? "en";
/** Returns the title of the card with this effect. @type {(effect: string) => string} */
let titleOf = (effect) => effect;
/**
 * Number of calls of `loadSentences`. If several calls overlap, only the sentences of the last call
 * are used.
 */
let loads = 0;
/**
 * The folders of sentences that were added later. Their sentences are loaded again when the
 * language changes.
 * @type {Set<string>}
 */
const addedFolders = new Set();
let plurals = new Intl.PluralRules(language);
let ordinals = new Intl.PluralRules(language, { type: "ordinal" });

/**
 * Sets the function that returns the title of the card with a given effect. The titles fill
 * placeholders such as `{titles.defuse}` in sentences.
 * @param {typeof titleOf} lookup
 */
export function setTitleLookup(lookup) {
  titleOf = lookup;
}

/**
 * Returns the new titles of the cards that house rules have renamed, by old title.
 * @type {() => Record<string, string> | undefined}
 */
let renames = () => undefined;

/**
 * Sets the function that returns the new titles of renamed cards.
 * @param {typeof renames} lookup
 */
export function setRenamedTitles(lookup) {
  renames = lookup;
}

/**
 * Replaces the old titles of renamed cards in one of the panel's sentences.
 * @param {string} sentence
 */
function applyRenames(sentence) {
  const replacements = renames();
  const oldTitles = Object.keys(replacements ?? {}).sort((a, b) => b.length - a.length);
  if (!replacements || !oldTitles.length) return sentence;
  const either = oldTitles.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|");
  const wholeWord = new RegExp(`(^|[^\\p{L}\\p{N}_])(${either})(?![\\p{L}\\p{N}_])`, "gu");
  return sentence.replace(wholeWord, (_, before, word) => before + replacements[word]);
}

/**
 * Sets the panel's language and its sentences.
 * @param {string} code the language
 * @param {Record<string, any>} loaded the sentences by key
 */
export function setSentences(code, loaded) {
  language = code;
  sentences = loaded;
  plurals = new Intl.PluralRules(code);
  ordinals = new Intl.PluralRules(code, { type: "ordinal" });
}

/**
 * Loads and uses the panel's sentences.
 * @param {string | string[]} codes languages in order of preference; English if none of them is
 *   available
 * @param {(string | undefined)[]} folders more folders under static/text/. Sentences of a later folder (the
 *   last is the family's) override those with the same key.
 */
export async function loadSentences(codes, ...folders) {
  const wanted = [codes].flat().join() || "en";
  const added = addedFolders.size;
  const paths = ["", ...[...addedFolders, ...folders.filter(Boolean)].map((name) => `${name}/`)];
  const thisLoad = ++loads;
  const loaded = await Promise.all(paths.map((path) => fetchSentences(path, wanted)));
  if (thisLoad !== loads) return;
  // A folder was added while these sentences were loading.
  if (addedFolders.size > added) return loadSentences(codes, ...folders);
  const chosen = loaded[0].lang;
  setSentences(chosen, Object.assign({}, ...loaded));
  for (const doc of listDocuments()) doc.documentElement.lang = chosen;
}

/**
 * Adds the sentences of a part that is loaded on demand. Doesn't replace existing sentences.
 * @param {string} folder
 */
export async function addSentences(folder) {
  addedFolders.add(folder);
  sentences = { ...(await fetchSentences(`${folder}/`, language)), ...sentences };
}

/**
 * Returns the sentences of a folder in the first available of these languages. Sentences that are
 * embedded in the page aren't fetched again.
 * @param {string} folder
 * @param {string} wanted language codes, separated by commas
 */
async function fetchSentences(folder, wanted) {
  const { lang, languages } = delivered[""] ?? {};
  const chosen = wanted.split(",").find((code) => Object.hasOwn(languages ?? {}, code)) ?? "en";
  if (chosen === lang && Object.hasOwn(delivered, folder)) return delivered[folder];
  return (await fetch(resolvePath(`/static/text/${folder}${wanted}.json`))).json();
}

/**
 * Returns the available languages: for each code, the name of the language in that language.
 * @returns {Record<string, string>}
 */
export const getAvailableLanguages = () => sentences.languages ?? {};

/**
 * Returns language codes in order of preference: the viewer's choice first, then the browser's
 * languages.
 * @returns {string[]}
 */
export function listWantedLanguages(
  /** @type {string | null} */ chosen,
  /** @type {readonly string[]} */ browserLanguages,
) {
  const codes = browserLanguages.map((tag) => tag.toLowerCase().split("-")[0] ?? "");
  return [...new Set([...(chosen ? [chosen] : []), ...codes])]
    .filter((code) => /^[a-z]{2,8}$/.test(code))
    .slice(0, 20);
}

/** Returns the code of the panel's language. */
export const getLanguage = () => language;

/**
 * Formats a date as is usual in the panel's language.
 * @param {number | undefined} at
 * @param {"long" | "medium"} dateStyle
 */
export const formatDate = (at, dateStyle) =>
  new Intl.DateTimeFormat(sentences.dates ?? language, { dateStyle }).format(at);

/** Returns true if there is a sentence for this message key. @param {string} key */
export const hasSentence = (key) => Object.hasOwn(sentences, key);

/**
 * Returns the sentence for a message key, filled with facts, as a list of pieces to insert into a
 * template. Facts may be templates themselves.
 * @param {string} key
 * @param {Facts & {mine?: string[]}} [facts] `mine`: names of the facts that refer to the viewer
 * @returns {unknown[]}
 */
export const getSentencePieces = (key, facts = {}) =>
  fillSentence(applyRenames(selectForm(key, facts)), sentences.small, facts, facts, facts.mine);

/**
 * Articles and prepositions whose form depends on the next word, such as "a" and "an". For each of
 * them: its other form, and the letters before which that form is used (`{"a": {"an": "aeiou"}}`).
 * @typedef {Record<string, Record<string, string>>} Small
 */

/**
 * Replaces the placeholders in a sentence by their values (facts), as the server's `fill_sentence`
 * does. The kinds of placeholders are:
 *
 * - `{who}`: the fact, with bidi isolation if the fact or the sentence runs from right to left;
 * - `{a:who}`: the fact, preceded by "a" or "an", whichever fits the fact;
 * - `{names:is|are}`: "is" if the fact is 1 or a list of one, else "are";
 * - `{who:You|*}`: "You" if the fact refers to the viewer, else the fact, which `*` stands for.
 * @param {string} sentence
 * @param {Small | undefined} small
 * @param {Facts} texts each fact as text
 * @param {Facts} [facts] the facts' values, if they differ from `texts`
 * @param {string[]} [mine] names of the facts that refer to the viewer
 * @returns {unknown[]}
 */
export function fillSentence(sentence, small, texts, facts = texts, mine = []) {
  const parts = sentence.split(/\{([\w.]+)(?::([^{}]+))?\}/);
  const rightToLeft = isRightToLeft(sentence);
  const getFactText = (/** @type {string} */ fact) =>
    isolate(
      fact.startsWith("titles.") ? titleOf(fact.slice(7)) : (getOwnValue(texts, fact) ?? ""),
      rightToLeft,
    );
  return parts.flatMap((part, i) => {
    if (i % 3 === 2) return [];
    if (i % 3 === 0) return [part];
    const after = parts[i + 1];
    if (!after) return [getFactText(part)];
    if (!after.includes("|")) return prependArticle(small, part, getFactText(after));
    const [first = "", second = ""] = after.split("|");
    const form = mine.includes(part) || getCount(getOwnValue(facts, part)) === 1 ? first : second;
    return form
      .split(/((?:\p{L}+ )?\*)/u)
      .flatMap((piece) =>
        piece.endsWith("*")
          ? prependArticle(small, piece.slice(0, -2), getFactText(part))
          : [piece],
      );
  });
}

/**
 * Returns a fact as a list of pieces. If the placeholder has an article or a preposition, such as
 * "a" in `{a:who}`, the list begins with its form that fits the fact ("a" or "an").
 * @param {Small | undefined} small
 * @param {string} word
 * @param {unknown} fact
 */
const prependArticle = (small, word, fact) =>
  word ? [`${selectArticleForm(small, word, getBeginning(fact))} `, fact] : [fact];

/**
 * Returns the form of an article or a preposition that fits the text after it: "an" instead of "a"
 * before a vowel. Ignores accents and case.
 * @param {Small | undefined} small
 * @param {string} word
 * @param {string} following
 */
function selectArticleForm(small, word, following) {
  const first = following
    .replace(/^\u2068/, "")
    .normalize("NFKD")
    .slice(0, 1)
    .toLowerCase();
  const other = Object.entries(getOwnValue(small, word) ?? {}).find(
    ([, letters]) => first && letters.includes(first),
  );
  return other?.[0] ?? word;
}

/**
 * Returns a text with the same first letter as the fact. If the fact is a template, this is the
 * template's first value. Otherwise it is the fact itself.
 * @param {any} fact @returns {string}
 */
const getBeginning = (fact) => (fact?.values ? getBeginning(fact.values[0]) : String(fact ?? ""));

/**
 * Returns the number that decides between singular and plural: the fact itself if it is a number,
 * the length of a list, otherwise 0.
 * @param {unknown} fact
 */
const getCount = (fact) =>
  Array.isArray(fact) ? fact.length : typeof fact === "number" ? fact : 0;

/**
 * Returns the sentence for a message key, filled with facts, as text.
 * @param {string} key
 * @param {Facts} [facts]
 */
export const t = (key, facts = {}) => getSentencePieces(key, facts).join("");

/** Returns the sentence with its first letter capitalized. @param {string} sentence */
export const capitalize = (sentence) =>
  sentence.slice(0, 1).toLocaleUpperCase(language) + sentence.slice(1);

/**
 * Returns the sentence for a message key. If it has several forms, returns the form that fits the
 * ordinal number `n` or the count `count` in the facts.
 * @returns {string}
 */
function selectForm(/** @type {string} */ key, /** @type {Facts} */ facts) {
  const entry = getOwnValue(sentences, key);
  if (entry === undefined) return key;
  if (typeof entry === "string") return entry;
  if ("n" in facts && entry.ordinal) return entry[ordinals.select(Number(facts.n))] ?? entry.other;
  return entry[plurals.select(Number(facts.count))] ?? entry.other;
}

/**
 * Formats a share as a percentage. Intl.NumberFormat would do it, too, but its setup takes a fifth
 * of a second on a phone.
 * @param {number} share from 0 to 1
 */
export const formatPercent = (share) => t("percent", { n: Math.round(100 * share) });

/** Matches a consonant before a vowel, which probably begins a syllable. */
const SYLLABLE = /[bcdfghj-np-tvwxz](?=[aeiouyà-ü])/giu;

/**
 * Returns the text with a soft hyphen near the middle of each word of at least `least` letters. The
 * hyphen stands before the syllable that begins nearest to the middle, or exactly in the middle if
 * no syllable begins near it.
 * @param {string} text
 * @param {number} least
 */
export const addSoftHyphens = (text, least) =>
  text.replace(/[\p{L}\p{M}]+/gu, (word) => {
    if (word.length < least) return word;
    const middle = Math.ceil(word.length / 2);
    const starts = [...word.matchAll(SYLLABLE)]
      .map(({ index }) =>
        /[bcdfgkptv][hlr]/i.test(word.slice(index - 1, index + 1)) ? index - 1 : index,
      )
      .filter((at) => Math.abs(at - middle) < 3);
    const [at = middle] = starts
      .reverse()
      .sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
    return `${word.slice(0, at)}\u00ad${word.slice(at)}`;
  });

/** Joins names into a list, with "and" before the last name. @param {string[]} names */
export function joinNames(names) {
  const list = new Intl.ListFormat(sentences.dates ?? language, { type: "conjunction" });
  const parts = list.formatToParts(names);
  const formatSeparator = (/** @type {string} */ between, /** @type {string} */ next) =>
    between.replace(/\S+(?= $)/, (word) => selectArticleForm(sentences.small, word, next));
  const rightToLeft = parts.some(({ value }) => isRightToLeft(value));
  return parts
    .map(({ type, value }, i) =>
      type === "literal"
        ? formatSeparator(value, parts[i + 1]?.value ?? "")
        : isolate(value, rightToLeft),
    )
    .join("");
}
