/**
 * What an object has under a key that somebody else chose: a card's id, a seat, a word. Whatever
 * every object has by itself (`constructor`) isn't there. Null and undefined have nothing.
 * @template T
 * @param {Record<string, T> | null | undefined} object
 * @param {string | null | undefined} key
 * @returns {T | undefined}
 */
export const valueAt = (object, key) =>
  object && key != null && Object.hasOwn(object, key) ? object[key] : undefined;
