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
export function startDrag(event, among, at, move) {
  const doc = /** @type {HTMLElement} */ (event.currentTarget).ownerDocument;
  let from = at;
  let moved = false;
  const handlePointerMove = (/** @type {PointerEvent} */ { clientX, clientY }) => {
    const place = /** @type {HTMLElement | null | undefined} */ (
      doc.elementFromPoint(clientX, clientY)?.closest(among)
    );
    const to = Number(place?.dataset.at ?? from);
    if (to === from) return;
    move(from, to);
    [from, moved] = [to, true];
  };
  const endDrag = () => {
    doc.removeEventListener("pointermove", handlePointerMove);
    doc.removeEventListener("pointerup", endDrag);
    doc.removeEventListener("pointercancel", endDrag);
    if (moved) suppressNextClick(doc);
  };
  doc.addEventListener("pointermove", handlePointerMove);
  doc.addEventListener("pointerup", endDrag);
  doc.addEventListener("pointercancel", endDrag);
}

/** Suppresses the click that follows a drag. @param {Document} doc */
function suppressNextClick(doc) {
  const stopClick = (/** @type {Event} */ event) => event.stopPropagation();
  doc.addEventListener("click", stopClick, { capture: true, once: true });
  setTimeout(() => doc.removeEventListener("click", stopClick, { capture: true }));
}

/**
 * Returns the row with one element moved.
 * @template T
 * @param {T[]} row
 * @param {number} from
 * @param {number} to
 * @returns {T[]}
 */
export function moveElement(row, from, to) {
  const rest = row.filter((_, at) => at !== from);
  rest.splice(to, 0, .../** @type {T[]} */ (row.slice(from, from + 1)));
  return rest;
}
