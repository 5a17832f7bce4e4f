/**
 * Counts characters as a person does (grapheme clusters), and limits names to their longest length. The
 * server's `characters.py` decides; browsers and server differ a little in what is one character.
 */

/** Most characters of a name, or of a card's own title. */
export const MAX_NAME_LENGTH = 24;
/** Most code points of the same text. */
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
 * Returns as many characters from the beginning as fit in a name; no character is cut apart.
 * @param {string} text
 * @param {number} [most]
 */
export function truncateName(text, most = MAX_NAME_LENGTH) {
  let fits = "";
  // A pasted text may be very long.
  for (const one of splitCharacters(text.slice(0, 1000)).slice(0, most)) {
    if ([...fits, ...one].length > MAX_CODE_POINTS) break;
    fits += one;
  }
  return fits;
}

/** Returns true if no more character fits. @param {string} text */
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
