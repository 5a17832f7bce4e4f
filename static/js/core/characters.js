/**
 * Counts characters as a person does (grapheme clusters), and shortens names to the allowed length.
 * The server's `characters.py` enforces the limit; browsers and server differ slightly in what they
 * consider one character.
 */

/** Maximum number of characters in a name, or in a card's title that the host has changed. */
export const MAX_NAME_LENGTH = 24;
/** Maximum number of code points in such a text. */
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
 * Returns the longest beginning of a text that fits in a name. It never ends in the middle of a
 * character.
 * @param {string} text
 * @param {number} [maxLength]
 */
export function truncateName(text, maxLength = MAX_NAME_LENGTH) {
  let fits = "";
  // A pasted text may be very long.
  for (const character of splitCharacters(text.slice(0, 1000)).slice(0, maxLength)) {
    if ([...fits, ...character].length > MAX_CODE_POINTS) break;
    fits += character;
  }
  return fits;
}

/** Returns true if a name has reached its maximum length. @param {string} text */
export const isNameFull = (text) => truncateName(`${text}x`) === text;

/**
 * Cuts a field's text to a name's length and keeps the cursor in place. A word that is still being
 * composed (IME) isn't cut.
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
