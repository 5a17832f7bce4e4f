/**
 * Characters as a person counts them, and how many of them a name has at most: as the server's
 * `characters.py`, which has the last word. Tables of what is one character differ a little.
 */

/** Characters of a name, or of a card's own title. */
export const LONGEST = 24;
/** Unicode's code points in the same text. */
const POINTS = 100;
/** @type {Intl.Segmenter | undefined} */
let segmenter;

/**
 * The text's characters; a browser without a segmenter knows letters with their marks.
 * @param {string} text
 */
export function characters(text) {
  if (!Intl.Segmenter) return text.match(/\P{M}[\p{M}\u200c\u200d]*|\p{M}+/gu) ?? [];
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/**
 * As many of the first characters as fit in a name, none of them torn.
 * @param {string} text
 * @param {number} [most]
 */
export function truncateName(text, most = LONGEST) {
  let fits = "";
  // What was pasted may be a book.
  for (const one of characters(text.slice(0, 1000)).slice(0, most)) {
    if ([...fits, ...one].length > POINTS) break;
    fits += one;
  }
  return fits;
}

/** No more fits. @param {string} text */
export const isFull = (text) => truncateName(`${text}x`) === text;

/**
 * Keeps a field's text within a name's length, and the cursor where it is. A word that is being
 * composed is left alone until it is done.
 * @param {Event} event
 * @returns {HTMLInputElement} the field
 */
export function keepShort(event) {
  const input = /** @type {HTMLInputElement} */ (event.currentTarget);
  const fits = truncateName(input.value);
  if (fits !== input.value && !(/** @type {InputEvent} */ (event).isComposing)) {
    const at = input.selectionStart ?? fits.length;
    input.value = fits;
    input.setSelectionRange(at, at);
  }
  return input;
}
