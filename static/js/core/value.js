/**
 * Returns an object's own property, without inherited properties such as `constructor`. Use it for
 * keys that come from outside the program, such as a card's id, a seat, or a word of a sentence.
 * Returns undefined if there is no such property, or no object.
 * @template T
 * @param {Record<string, T> | null | undefined} object
 * @param {string | null | undefined} key
 * @returns {T | undefined}
 */
export const getOwnValue = (object, key) =>
  object && key != null && Object.hasOwn(object, key) ? object[key] : undefined;
