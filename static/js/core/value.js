/**
 * Returns an object's own property, without inherited properties such as `constructor`. Use it for
 * keys that come from outside the program, such as a card's id, a seat's id, or the name of a
 * placeholder. Returns undefined if the object has no such property, or if `object` is null or
 * undefined.
 * @template T
 * @param {Record<string, T> | null | undefined} object
 * @param {string | null | undefined} key
 * @returns {T | undefined}
 */
export const getOwnValue = (object, key) =>
  object && key != null && Object.hasOwn(object, key) ? object[key] : undefined;
