/**
 * Reorders a row of elements by dragging: the dragged element moves to the position under the
 * pointer.
 */

/**
 * Starts a drag after the pointer was pressed on an element.
 * @param {PointerEvent} event
 * @param {string} among selector of the elements in the row; `data-at` holds their positions
 * @param {number} at position of the element that is dragged
 * @param {(from: number, to: number) => void} move called when the position under the pointer changes
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
 * Returns the row with one element moved to another position.
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
