/**
 * House rules as the form edits them (ruling house-rules): a map from fields' keys to changed
 * values. This module checks the sums (constraints such as the number of cards), corrects fields so
 * that the sums are met, describes changes in words, and converts the changed values to an overlay,
 * the form in which house rules are sent, stored and shared. The variant lists the fields and sums.
 * Only the server decides which house rules are valid.
 */
import { getCardTitle } from "./deck.js";
import { isListOf, isRecord, isText, storeValue, readValue } from "./memory.js";
import { decodeUrlPart } from "./page.js";
import { hasSentence, joinNames, t } from "./text.js";
import { getOwnValue } from "./value.js";

/** @typedef {{key: string, from: any, to: any}} Change */
/** @typedef {{name: string | null, changes: Change[]}} House the host's changes to the variant */
/** @typedef {number | boolean | string | string[]} Value */
/** @typedef {Record<string, Value>} Changed changed values by field key */
/**
 * @typedef {{key: string, kind: "count" | "bool" | "choice" | "many" | "text", is: Value, least?:
 *   number, most?: number, of?: string[], box?: number}} Field
 */
/** @typedef {(string | number)[]} Term the factors of a product: keys of fields, or numbers */
/**
 * @typedef {{id: string, is: Term[], should: Term[], evens: string[], at_most?: boolean, when?:
 *   Record<string, Value>}} Sum
 */
/** @typedef {{fields: Field[], sums: Sum[], presets: Record<string, object>}} Form from the variant */
/** @typedef {{like: string, rules: Record<string, any>}} SavedRules a variant's id, and the overlay on it */
/** @typedef {{key: string, code: string, [fact: string]: unknown}} Fault an error in a field */
/** @typedef {{changed: Changed, name: string, faults?: Fault[], note?: string}} Draft */

/** @param {Value | undefined} one @param {Value | undefined} other */
const isSameValue = (one, other) => String(one) === String(other);

/**
 * Splits a field's key at the first dot into a group and a name. If there is no dot, the name is
 * empty.
 * @param {string} key
 */
export const splitKey = (key) => {
  const [group = "", ...name] = key.split(".");
  return { group, name: name.join(".") };
};

/**
 * Returns a field's changed value, or the variant's value if the field is unchanged.
 * @param {Form} form
 * @param {Changed} changed
 * @param {string} key
 */
export const getFieldValue = (form, changed, key) =>
  getOwnValue(changed, key) ?? form.fields.find((one) => one.key === key)?.is;

/**
 * Returns the changed values with one field set. If the value equals the variant's, the field is
 * removed.
 * @param {Form} form
 * @param {Changed} changed
 * @param {string} key
 * @param {Value} value
 * @returns {Changed}
 */
export function setFieldValue(form, changed, key, value) {
  const { [key]: _, ...rest } = changed;
  return isSameValue(value, getFieldValue(form, {}, key)) ? rest : { ...rest, [key]: value };
}

/**
 * Adds up the terms of a sum. Each term is a list of numbers and of keys of fields. A key stands
 * for the field's value. All values in a term are multiplied.
 * @param {Form} form @param {Changed} changed @param {Term[]} terms
 */
const sumTerms = (form, changed, terms) =>
  terms
    .map((term) =>
      term.map((one) => Number(typeof one === "number" ? one : getFieldValue(form, changed, one))),
    )
    .reduce((sum, term) => sum + term.reduce((all, one) => all * one, 1), 0);

/**
 * Returns each sum that applies to the changed rules, with the total that it has (`is`) and the
 * total that it should have (`should`). `even` is true if the sum is correct.
 * @param {Form} form
 * @param {Changed} changed
 */
export const checkSums = (form, changed) =>
  form.sums
    .filter(({ when = {} }) =>
      Object.entries(when).every(([key, value]) =>
        isSameValue(getFieldValue(form, changed, key), value),
      ),
    )
    .map((sum) => {
      const [is, should] = [sumTerms(form, changed, sum.is), sumTerms(form, changed, sum.should)];
      return { sum, is, should, even: sum.at_most ? is <= should : is === should };
    });

/**
 * Returns true if this sum determines the value of a field, because it can only be corrected by
 * changing that field. The form doesn't offer such fields.
 * @param {Sum} sum
 */
export const isDependent = ({ evens, at_most }) => !at_most && evens.length === 1;

/** Returns the fields that the host can change. @param {Form} form */
export function findChoosableFields(form) {
  const follow = form.sums.filter(isDependent).flatMap(({ evens }) => evens);
  return form.fields.filter(
    ({ key, least, most }) => (least === undefined || least !== most) && !follow.includes(key),
  );
}

/**
 * Maximum number of passes in `balanceSums`. Several are needed because sums share fields, so
 * correcting one sum can break another.
 */
const MOVES = 4;

/**
 * Changes fields until all sums are correct. Returns the changed values, or null if that fails.
 * @param {Form} form
 * @param {Changed} changed
 * @returns {Changed | null}
 */
export function balanceSums(form, changed) {
  for (let move = 0; move < MOVES; move++) {
    const uneven = checkSums(form, changed).filter(({ even }) => !even);
    if (!uneven.length) return changed;
    for (const { sum } of uneven) changed = adjustToSum(form, changed, sum);
  }
  return null;
}

/**
 * Returns the changed values, with a value for each field that is determined by a sum.
 * @param {Form} form
 * @param {Changed} changed
 */
export const applyDependents = (form, changed) =>
  form.sums.filter(isDependent).reduce((all, sum) => adjustToSum(form, all, sum), changed);

/**
 * Corrects a sum, as far as possible, by changing the fields that it lists in `evens`, within the
 * limits of each field. Returns the changed values.
 * @param {Form} form
 * @param {Changed} changed
 * @param {Sum} sum
 */
function adjustToSum(form, changed, sum) {
  const computeDifference = () =>
    sumTerms(form, changed, sum.should) - sumTerms(form, changed, sum.is);
  for (const key of sum.evens) {
    const { least = 0, most = 0 } = form.fields.find((one) => one.key === key) ?? {};
    const [is, off] = [Number(getFieldValue(form, changed, key)), computeDifference()];
    const before = changed;
    changed = setFieldValue(form, changed, key, is + 1);
    const each = off - computeDifference();
    const by = each > 0 ? Math.floor(off / each) : Math.ceil(off / each);
    const to = Math.min(most, Math.max(least, is + (each ? by : 0)));
    changed = setFieldValue(form, before, key, to);
  }
  return changed;
}

/**
 * Converts changed values to the overlay that the server accepts. Returns null if nothing is
 * changed.
 * @param {Changed} changed
 * @param {string} [name]
 */
export function convertToOverlay(changed, name) {
  /** @type {Record<string, any>} */
  const rules = name ? { name } : {};
  for (const [key, value] of Object.entries(changed)) {
    const { group, name: own } = splitKey(key);
    rules[group] = own ? { ...rules[group], [own]: value } : value;
  }
  return Object.keys(changed).length ? rules : null;
}

/**
 * Converts an overlay (house rules as they are sent, stored and shared) to changed values. Leaves
 * out values that belong to no field, or are invalid for their field. Returns the other values as
 * `changed`. In the result, `whole` is true if no value was left out.
 */
export function convertFromOverlay(/** @type {Form} */ form, /** @type {object} */ rules) {
  const { name: _, ...groups } = /** @type {Record<string, any>} */ (rules);
  const entries = Object.entries(groups).flatMap(([group, inside]) =>
    isRecord(inside)
      ? Object.entries(inside).map(([name, value]) => [`${group}.${name}`, value])
      : [[group, inside]],
  );
  const fitting = entries.filter(([key, value]) =>
    form.fields.some((field) => field.key === key && isValidValue(field, value)),
  );
  const changed = fitting.reduce(
    (found, [key, value]) => setFieldValue(form, found, key, value),
    {},
  );
  return { changed, whole: fitting.length === entries.length };
}

/** Returns true if a value is valid for a field. @param {Field} field @param {any} value */
function isValidValue({ kind, least = 0, most = 0, of = [] }, value) {
  if (kind === "count") return Number.isInteger(value) && least <= value && value <= most;
  if (kind === "bool") return typeof value === "boolean";
  if (kind === "choice") return of.includes(value);
  if (kind === "many") return Array.isArray(value) && value.every((one) => of.includes(one));
  return isText(value) && !!value.trim() && [...value].length <= most;
}

/**
 * Returns the new value of each field that these house rules change.
 * @param {House | null | undefined} house @returns {Changed}
 */
export const getChangedValues = (house) =>
  Object.fromEntries((house?.changes ?? []).map(({ key, to }) => [key, to]));

/**
 * Returns the largest number of copies of a card in any of the variant's boxes, or undefined if
 * the variant lists no boxes.
 * @param {any} variant
 * @param {Field} field
 */
export function findMostInBoxes(variant, { key, box }) {
  const { group, name } = splitKey(key);
  const editions = variant?.editions ?? [];
  if (box !== undefined || group !== "cards" || !editions.length) return box;
  return Math.max(...editions.map((/** @type {any} */ one) => getOwnValue(one.titles, name) ?? 0));
}

// Descriptions

/**
 * Describes each change in a few words. Leaves out a change that follows from another one: more
 * places for cards, for example, imply that more cards are dealt.
 * @param {House} house
 * @param {any} variant the table's variant
 * @returns {string[]}
 */
export const describeChanges = ({ changes }, variant) => [
  ...new Set(changes.map((change) => describeChange(change, variant)).filter(Boolean)),
];

/**
 * Describes a change in words. Returns an empty string if the change follows from another one.
 * @param {Change} change
 * @param {any} variant
 */
function describeChange({ key, from, to }, variant) {
  const { group, name } = splitKey(key);
  const groupKey = `house.said.${group}`;
  const facts = {
    from,
    to: Array.isArray(to) ? joinNames(to.map((option) => getOptionLabel(key, option))) : to,
  };
  if (group === "cards") return t(groupKey, { count: to, card: getCardTitle(name) });
  if (group === "titles") return t(groupKey, facts);
  if (hasSentence(groupKey) && name) return t(groupKey, variant?.[group]);
  const fieldKey = `house.said.${key}`;
  const sentenceKey = [`${fieldKey}.${String(to) || "none"}`, fieldKey].find(hasSentence);
  return sentenceKey ? t(sentenceKey, facts) : `${describeField(key)}: ${facts.to}`;
}

/** Returns a field's label. @param {string} key */
export const describeField = (key) =>
  hasSentence(`house.field.${key}`) ? t(`house.field.${key}`) : key;

/** Returns an option's label. @param {string} key @param {string} one */
export const getOptionLabel = (key, one) =>
  hasSentence(`house.${key}.${one}`) ? t(`house.${key}.${one}`) : one;

// Storing and sharing

const [REMEMBERED, LONGEST, VERSION] = [12, 4000, 1];

/** @type {(value: any) => boolean} */
const isStoredRules = (value) => isRecord(value) && isText(value.like) && isRecord(value.rules);

/** Returns the house rules stored on this device, the newest first. @returns {SavedRules[]} */
export const readSavedRules = () => readValue("rules", isListOf(isStoredRules)) ?? [];

/**
 * Returns the stored house rules, without those that have this name and variant.
 * @param {SavedRules} kept
 */
const findOtherRules = ({ like, rules }) =>
  readSavedRules().filter((one) => one.rules.name !== rules.name || one.like !== like);

/** Stores house rules on this device, replacing those with the same name. @param {SavedRules} kept */
export const saveRules = (kept) =>
  storeValue("rules", [kept, ...findOtherRules(kept)].slice(0, REMEMBERED));

/** @param {SavedRules} kept */
export const deleteSavedRules = (kept) => storeValue("rules", findOtherRules(kept));

/** Returns the text of a house-rules file. @param {SavedRules} kept */
export const formatRulesFile = ({ like, rules }) =>
  JSON.stringify({ format: "hiss-rules", version: VERSION, like, rules });

/**
 * Parses a house-rules file. Returns null if the text isn't one.
 * @param {string} text
 * @returns {SavedRules | null}
 */
export function parseRulesFile(text) {
  try {
    const { format, version, like, rules } = text.length > LONGEST ? {} : JSON.parse(text);
    const rulesFile = { like, rules };
    return format === "hiss-rules" && version === VERSION && isStoredRules(rulesFile)
      ? rulesFile
      : null;
  } catch {
    return null;
  }
}

/** Returns a URL fragment that contains house rules. @param {SavedRules} kept */
export const formatRulesFragment = (kept) => `#rules=${encodeURIComponent(formatRulesFile(kept))}`;

/**
 * Parses the house rules in a URL fragment. Returns undefined if it contains none, null if they are
 * invalid.
 * @param {string} hash
 */
export function parseRulesFragment(hash) {
  const [, text] = /^#rules=(.*)$/.exec(hash) ?? [];
  return text === undefined ? undefined : parseRulesFile(decodeUrlPart(text) ?? "");
}
