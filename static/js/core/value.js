/**
 * Returns an object's own value under a key that comes from outside: a card's id, a seat, a word of a
 * sentence. Inherited properties (`constructor`) don't count. Returns undefined for null and undefined.
 * @template T
 * @param {Record<string, T> | null | undefined} object
 * @param {string | null | undefined} key
 * @returns {T | undefined}
 */
export const getOwnValue = (object, key) =>
  object && key != null && Object.hasOwn(object, key) ? object[key] : undefined;
