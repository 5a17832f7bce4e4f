/**
 * Counts characters as a person does (grapheme clusters), and shortens names to the allowed length.
 * The server's `characters.py` enforces the limit. The browser and the server may disagree slightly
 * on what one character is.
 */

/** Maximum number of characters in a name, or in a card's title that the host has changed. */
export const MAX_NAME_LENGTH = 24;
/** Maximum number of code points in a name or in a changed title. */
const MAX_CODE_POINTS = 100;
/** @type {Intl.Segmenter | undefined} */
let segmenter;

/**
 * Splits a text into characters. Without `Intl.Segmenter`, a letter and its combining marks are one
 * character.
 * @param {string} text
 */
export function splitCharacters(text) {
  if (!Intl.Segmenter) return text.match(/\P{M}[\p{M}\u200c\u200d]*|\p{M}+/gu) ?? [];
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/**
 * Returns the longest beginning of a text that is allowed as a name. Never cuts a character in two.
 * @param {string} text
 * @param {number} [maxLength]
 */
export function truncateName(text, maxLength = MAX_NAME_LENGTH) {
  let fits = "";
  // Split only the beginning, because a pasted text may be very long.
  for (const character of splitCharacters(text.slice(0, 1000)).slice(0, maxLength)) {
    if ([...fits, ...character].length > MAX_CODE_POINTS) break;
    fits += character;
  }
  return fits;
}

/** Returns true if a name has reached its maximum length. @param {string} text */
export const isNameFull = (text) => truncateName(`${text}x`) === text;

/**
 * Shortens a field's text to the length of a name, and keeps the cursor in place. Doesn't shorten a
 * word that is still being composed with an input method (IME).
 * @param {Event} event
 * @returns {HTMLInputElement} the field
 */
export function truncateField(event) {
  const input = /** @type {HTMLInputElement} */ (event.currentTarget);
  const fits = truncateName(input.value);
  if (fits !== input.value && !(/** @type {InputEvent} */ (event).isComposing)) {
    const at = input.selectionStart ?? fits.length;
    input.value = fits;
    input.setSelectionRange(at, at);
  }
  return input;
}
