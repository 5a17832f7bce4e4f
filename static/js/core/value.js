/**
 * Returns an object's own property for a key from outside the program: a card's id, a seat, a word
 * of a sentence. Ignores inherited properties such as `constructor`. Returns undefined if there is
 * none, or no object.
 * @template T
 * @param {Record<string, T> | null | undefined} object
 * @param {string | null | undefined} key
 * @returns {T | undefined}
 */
export const getOwnValue = (object, key) =>
  object && key != null && Object.hasOwn(object, key) ? object[key] : undefined;
