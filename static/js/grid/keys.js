/** The draw grid by keyboard: the digits are the cells of the shown grid in reading order. */

/** Taps that cell of the shown grid in reading order. @param {number} digit @param {Document} doc */
export function digit(digit, doc) {
  const at = digit - 1;
  const focused = doc.activeElement?.closest(".targets .grid");
  const grid = focused ?? doc.querySelector(".stage .grid.large");
  if (grid) {
    const cell = /** @type {HTMLElement | undefined} */ (grid.querySelectorAll(".cell")[at]);
    cell?.click();
    return !!cell;
  }
  return choose(doc.querySelectorAll(".targets .grid")[at]);
}

/** Among several targets the first digit picks whose grid the next one taps. @param {Element | undefined} grid */
function choose(grid) {
  const whole = /** @type {HTMLElement | null | undefined} */ (grid?.closest("button"));
  whole?.click();
  const cell = /** @type {HTMLElement | null | undefined} */ (grid?.querySelector(".cell.able"));
  cell?.focus();
  return !!(whole ?? cell);
}
