/**
 * All words of the panel, in the viewer's language. Nothing else in the panel holds a
 * sentence. Plural and ordinal forms are chosen by Intl, never by comparing with one.
 * @import { Facts } from "./types.js"
 */

export const LANGUAGES = ["en", "it"];

/** @type {Record<string, any>} */
let words = {};
let language = "en";
let plurals = new Intl.PluralRules("en");
let ordinals = new Intl.PluralRules("en", { type: "ordinal" });

/**
 * Makes these words the panel's.
 * @param {string} code
 * @param {Record<string, any>} loaded
 */
export function use(code, loaded) {
  language = code;
  words = loaded;
  plurals = new Intl.PluralRules(code);
  ordinals = new Intl.PluralRules(code, { type: "ordinal" });
}

/** @param {string} code */
export async function load(code) {
  const chosen = LANGUAGES.includes(code) ? code : "en";
  const answer = await fetch(`/static/text/${chosen}.json`);
  use(chosen, await answer.json());
  document.documentElement.lang = chosen;
}

/** The viewer's choice, else the first language of the browser that we speak. */
export function preferred(/** @type {string | null} */ chosen, /** @type {readonly string[]} */ spoken) {
  if (chosen && LANGUAGES.includes(chosen)) return chosen;
  const codes = spoken.map((tag) => tag.slice(0, 2).toLowerCase());
  return codes.find((code) => LANGUAGES.includes(code)) ?? "en";
}

export const current = () => language;

/** @param {string} key */
export const has = (key) => key in words;

/**
 * The sentence for a key as a list of pieces; facts may be anything that a template takes.
 * @param {string} key
 * @param {Facts} [facts]
 * @returns {unknown[]}
 */
export function pieces(key, facts = {}) {
  return form(key, facts)
    .split(/(\{\w+\})/)
    .map((piece) => (/^\{\w+\}$/.test(piece) ? (facts[piece.slice(1, -1)] ?? "") : piece));
}

/**
 * The sentence for a key.
 * @param {string} key
 * @param {Facts} [facts]
 */
export const t = (key, facts = {}) => pieces(key, facts).join("");

/** @returns {string} */
function form(/** @type {string} */ key, /** @type {Facts} */ facts) {
  const found = words[key];
  if (found === undefined) return key;
  if (typeof found === "string") return found;
  if ("n" in facts && found.ordinal) return found[ordinals.select(Number(facts.n))] ?? found.other;
  return found[plurals.select(Number(facts.count))] ?? found.other;
}

/** @param {number} share from 0 to 1 */
export const percent = (share) => new Intl.NumberFormat(language, { style: "percent" }).format(share);

/** @param {string[]} names */
export const listed = (names) => new Intl.ListFormat(language, { type: "conjunction" }).format(names);

/** @type {Record<string, Record<string, {title: string}>>} */
let titles = {};

/** The variant's own titles, by language. @param {any} variant */
export function titlesOf(variant) {
  titles = Object.fromEntries(Object.entries(variant?.texts ?? {}).map(([code, texts]) => [code, /** @type {any} */ (texts).cards]));
}

/** @param {string} card */
export const title = (card) => titles[language]?.[card]?.title ?? (has(`card.${card}`) ? t(`card.${card}`) : card.replaceAll("_", " "));
