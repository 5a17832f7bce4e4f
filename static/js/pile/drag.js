/**
 * Reorders a row of things by dragging: the dragged thing moves to the place that it is over.
 */

/**
 * Starts a drag when a pointer goes down on a thing.
 * @param {PointerEvent} event
 * @param {string} among the places, as a selector within which `data-at` says which
 * @param {number} at where it lies
 * @param {(from: number, to: number) => void} move
 */
export function drag(event, among, at, move) {
  const doc = /** @type {HTMLElement} */ (event.currentTarget).ownerDocument;
  let from = at;
  let moved = false;
  const over = (/** @type {PointerEvent} */ { clientX, clientY }) => {
    const place = /** @type {HTMLElement | null | undefined} */ (
      doc.elementFromPoint(clientX, clientY)?.closest(among)
    );
    const to = Number(place?.dataset.at ?? from);
    if (to === from) return;
    move(from, to);
    [from, moved] = [to, true];
  };
  const up = () => {
    doc.removeEventListener("pointermove", over);
    doc.removeEventListener("pointerup", up);
    doc.removeEventListener("pointercancel", up);
    if (moved) swallow(doc);
  };
  doc.addEventListener("pointermove", over);
  doc.addEventListener("pointerup", up);
  doc.addEventListener("pointercancel", up);
}

/** Suppresses the click that follows a drag. @param {Document} doc */
function swallow(doc) {
  const once = (/** @type {Event} */ event) => event.stopPropagation();
  doc.addEventListener("click", once, { capture: true, once: true });
  setTimeout(() => doc.removeEventListener("click", once, { capture: true }));
}

/**
 * Returns the row with one element moved.
 * @template T
 * @param {T[]} row
 * @param {number} from
 * @param {number} to
 * @returns {T[]}
 */
export function reorder(row, from, to) {
  const rest = row.filter((_, at) => at !== from);
  rest.splice(to, 0, .../** @type {T[]} */ (row.slice(from, from + 1)));
  return rest;
}
