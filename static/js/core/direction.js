/**
 * Text that runs from right to left. A Hebrew or Arabic name would reorder the sentence around it,
 * so it is put between two invisible isolating characters. Unlike markup, these characters also
 * work in titles and in copied text. The server's `sentences.py` does the same. The server refuses
 * names that contain these characters.
 */

const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Returns true if any of the text runs from right to left. @param {string} text */
export const isRightToLeft = (text) => RIGHT_TO_LEFT.test(text);

/**
 * Returns the text between isolating characters, if the text or the sentence around it runs from
 * right to left. Returns a value unchanged if it isn't a string, or already contains such
 * characters.
 * @template T
 * @param {T} word
 * @param {boolean} [rightToLeft] true if the text around it runs from right to left
 * @returns {T | string}
 */
export const isolate = (word, rightToLeft = false) =>
  typeof word === "string" &&
  word &&
  (rightToLeft || isRightToLeft(word)) &&
  !word.includes("\u2068")
    ? `\u2068${word}\u2069`
    : word;

/**
 * Joins names with a separator, and isolates the names if any of them runs from right to left.
 * @param {string[]} names
 * @param {string} between
 */
export const joinIsolated = (names, between) => {
  const rightToLeft = names.some(isRightToLeft);
  return names.map((name) => isolate(name, rightToLeft)).join(between);
};
