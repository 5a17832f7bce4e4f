/** A table with one pile by keyboard: the digits are what can be tapped, in reading order. */

/** Presses that thing in reading order. @param {number} digit @param {Document} doc */
export function digit(digit, doc) {
  const shown = doc.querySelectorAll("[data-digit]:not(:disabled)");
  const button = /** @type {HTMLElement | undefined} */ (shown[digit - 1]);
  button?.click();
  return !!button;
}
