/**
 * Which way text runs. A name from right to left would turn round the sentence that it stands in, so
 * it is isolated there, by characters that nobody sees: they work in titles and copied text, too. As
 * the server's `wording.py` does; names can't hold these characters themselves.
 */

const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Whether some of it runs from right to left. @param {string} text */
export const isRightToLeft = (text) => RIGHT_TO_LEFT.test(text);

/**
 * A word so that neither it nor the text around it is turned round by the other; what is no text, or
 * holds what is isolated already, stays as it is.
 * @template T
 * @param {T} word
 * @param {boolean} [back] what it stands in runs from right to left
 * @returns {T | string}
 */
export const isolate = (word, back = false) =>
  typeof word === "string" && word && (back || isRightToLeft(word)) && !word.includes("\u2068")
    ? `\u2068${word}\u2069`
    : word;

/** Names with a sign between them. @param {string[]} names @param {string} between */
export const joinIsolated = (names, between) => {
  const back = names.some(isRightToLeft);
  return names.map((name) => isolate(name, back)).join(between);
};
