/**
 * All words of the panel, in the viewer's language. Nothing else in the panel holds a
 * sentence. Plural and ordinal forms are chosen by Intl, never by comparing with one.
 * @import { Facts } from "./types.js"
 */

import { isolate, isRightToLeft } from "./direction.js";
import { at } from "./page.js";
import { valueAt } from "./value.js";

/** The words that came with the page, by their folder. @type {Record<string, any>} */
const given = JSON.parse(globalThis.document?.getElementById("words")?.textContent ?? "{}");
/** @type {Record<string, any>} */
let words = Object.assign({}, ...Object.values(given));
let language = words.lang ?? "en";
/** A title by what its card does, as the variant calls it. @type {(effect: string) => string} */
let titled = (effect) => effect;
/** How often words were asked for: only the last ones count. */
let asked = 0;
/**
 * The folders whose words came with later parts; in another language they come again.
 * @type {Set<string>}
 */
const parts = new Set();
let plurals = new Intl.PluralRules(language);
let ordinals = new Intl.PluralRules(language, { type: "ordinal" });

/**
 * Titles are the variant's to say: `{titles.defuse}` is the card that defuses.
 * @param {typeof titled} by
 */
export function setTitleLookup(by) {
  titled = by;
}

/**
 * Words of the panel for a card that house rules gave another title, with what stands there instead.
 * @type {() => Record<string, string> | undefined}
 */
let renamed = () => undefined;

/** Such words are the variant's to say. @param {typeof renamed} by */
export function setRenamedTitles(by) {
  renamed = by;
}

/** A sentence in which cards are called what they are called here. @param {string} sentence */
function inNewWords(sentence) {
  const instead = renamed();
  const old = Object.keys(instead ?? {}).sort((a, b) => b.length - a.length);
  if (!instead || !old.length) return sentence;
  const either = old.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|");
  const found = new RegExp(`(^|[^\\p{L}\\p{N}_])(${either})(?![\\p{L}\\p{N}_])`, "gu");
  return sentence.replace(found, (_, before, word) => before + instead[word]);
}

/**
 * Makes these words the panel's.
 * @param {string} code
 * @param {Record<string, any>} loaded
 */
export function useWords(code, loaded) {
  language = code;
  words = loaded;
  plurals = new Intl.PluralRules(code);
  ordinals = new Intl.PluralRules(code, { type: "ordinal" });
}

/**
 * @param {string | string[]} codes of languages, the dearest first; English, where there is none
 *   of them
 * @param {(string | undefined)[]} folders of later words; the last, a family's own, stand for the
 *   shared ones of the same key
 */
export async function loadWords(codes, ...folders) {
  const wanted = [codes].flat().join() || "en";
  const known = parts.size;
  const all = ["", ...[...parts, ...folders.filter(Boolean)].map((one) => `${one}/`)];
  const mine = ++asked;
  const found = await Promise.all(all.map((one) => fetchWords(one, wanted)));
  if (mine !== asked) return;
  if (parts.size > known) return loadWords(codes, ...folders);
  const chosen = found[0].lang;
  useWords(chosen, Object.assign({}, ...found));
  document.documentElement.lang = chosen;
}

/** Words that come with a later part; those that are there stand. @param {string} folder */
export async function addWords(folder) {
  parts.add(folder);
  words = { ...(await fetchWords(`${folder}/`, language)), ...words };
}

/**
 * The words in a folder, in the dearest of these languages that there is: those that came with the
 * page, else the server's.
 * @param {string} folder
 * @param {string} wanted
 */
async function fetchWords(folder, wanted) {
  const { lang, languages } = given[""] ?? {};
  const chosen = wanted.split(",").find((code) => Object.hasOwn(languages ?? {}, code)) ?? "en";
  if (chosen === lang && Object.hasOwn(given, folder)) return given[folder];
  return (await fetch(at(`/static/text/${folder}${wanted}.json`))).json();
}

/** The languages that there are, each by its own name. @returns {Record<string, string>} */
export const languages = () => words.languages ?? {};

/** The viewer's choice, then the languages of the browser. @returns {string[]} */
export function languagesWanted(
  /** @type {string | null} */ chosen,
  /** @type {readonly string[]} */ spoken,
) {
  const codes = spoken.map((tag) => tag.toLowerCase().split("-")[0] ?? "");
  return [...new Set([...(chosen ? [chosen] : []), ...codes])]
    .filter((code) => /^[a-z]{2,8}$/.test(code))
    .slice(0, 20);
}

export const currentLanguage = () => language;

/** A day as this language writes it. @param {number | undefined} at @param {"long" | "medium"} dateStyle */
export const formatDate = (at, dateStyle) =>
  new Intl.DateTimeFormat(words.dates ?? language, { dateStyle }).format(at);

/** @param {string} key */
export const hasWords = (key) => Object.hasOwn(words, key);

/**
 * The sentence for a key as a list of pieces; facts may be anything that a template takes.
 * @param {string} key
 * @param {Facts & {mine?: string[]}} [facts] `mine`: those that are the viewer
 * @returns {unknown[]}
 */
export const sentencePieces = (key, facts = {}) =>
  fill(inNewWords(form(key, facts)), words.small, facts, facts, facts.mine);

/**
 * Small word → its other form → the letters before which that one is said.
 * @typedef {Record<string, Record<string, string>>} Small
 */

/**
 * A sentence with its facts' words in their places, filled in as the server's `phrases` does:
 * `{who}` (isolated, where anything runs from right to left), `{a:who}` with a small word that suits
 * what follows, `{names:is|are}` by how many there are, `{who:You|*}` to the viewer or about somebody.
 * @param {string} sentence
 * @param {Small | undefined} small
 * @param {Facts} spoken
 * @param {Facts} [facts] what the words stand for, where it is something else
 * @param {string[]} [mine] the facts that are the viewer
 * @returns {unknown[]}
 */
export function fill(sentence, small, spoken, facts = spoken, mine = []) {
  const parts = sentence.split(/\{([\w.]+)(?::([^{}]+))?\}/);
  const back = isRightToLeft(sentence);
  const said = (/** @type {string} */ fact) =>
    isolate(
      fact.startsWith("titles.") ? titled(fact.slice(7)) : (valueAt(spoken, fact) ?? ""),
      back,
    );
  return parts.flatMap((part, i) => {
    if (i % 3 === 2) return [];
    if (i % 3 === 0) return [part];
    const after = parts[i + 1];
    if (!after) return [said(part)];
    if (!after.includes("|")) return before(small, part, said(after));
    const [one = "", other = ""] = after.split("|");
    const form = mine.includes(part) || number(valueAt(facts, part)) === 1 ? one : other;
    return form
      .split(/((?:\p{L}+ )?\*)/u)
      .flatMap((piece) =>
        piece.endsWith("*") ? before(small, piece.slice(0, -2), said(part)) : [piece],
      );
  });
}

/**
 * A fact's word after a small word, if there is one.
 * @param {Small | undefined} small
 * @param {string} word
 * @param {unknown} fact
 */
const before = (small, word, fact) =>
  word ? [`${suitSmallWord(small, word, beginning(fact))} `, fact] : [fact];

/**
 * The form of a small word before another; accents and capitals don't count.
 * @param {Small | undefined} small
 * @param {string} word
 * @param {string} following
 */
function suitSmallWord(small, word, following) {
  const first = following
    .replace(/^\u2068/, "")
    .normalize("NFKD")
    .slice(0, 1)
    .toLowerCase();
  const other = Object.entries(valueAt(small, word) ?? {}).find(
    ([, letters]) => first && letters.includes(first),
  );
  return other?.[0] ?? word;
}

/** What a fact begins with; a template, with its first value. @param {any} fact @returns {string} */
const beginning = (fact) => (fact?.values ? beginning(fact.values[0]) : String(fact ?? ""));

/** How many it is, or how many are in the list. @param {unknown} fact */
const number = (fact) => (Array.isArray(fact) ? fact.length : typeof fact === "number" ? fact : 0);

/**
 * The sentence for a key.
 * @param {string} key
 * @param {Facts} [facts]
 */
export const t = (key, facts = {}) => sentencePieces(key, facts).join("");

/** The same sentence with a capital at its beginning. @param {string} sentence */
export const capitalize = (sentence) =>
  sentence.slice(0, 1).toLocaleUpperCase(language) + sentence.slice(1);

/** @returns {string} */
function form(/** @type {string} */ key, /** @type {Facts} */ facts) {
  const found = valueAt(words, key);
  if (found === undefined) return key;
  if (typeof found === "string") return found;
  if ("n" in facts && found.ordinal) return found[ordinals.select(Number(facts.n))] ?? found.other;
  return found[plurals.select(Number(facts.count))] ?? found.other;
}

/**
 * A browser's own number format takes a phone a fifth of a second to set up.
 * @param {number} share from 0 to 1
 */
export const formatPercent = (share) => t("percent", { n: Math.round(100 * share) });

/** Names as they are said one after the other. @param {string[]} names */
export function joinNames(names) {
  const list = new Intl.ListFormat(words.dates ?? language, { type: "conjunction" });
  const parts = list.formatToParts(names);
  const withSmallWord = (/** @type {string} */ between, /** @type {string} */ next) =>
    between.replace(/\S+(?= $)/, (word) => suitSmallWord(words.small, word, next));
  const back = parts.some(({ value }) => isRightToLeft(value));
  return parts
    .map(({ type, value }, i) =>
      type === "literal" ? withSmallWord(value, parts[i + 1]?.value ?? "") : isolate(value, back),
    )
    .join("");
}
