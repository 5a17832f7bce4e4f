/** The panel in a small window that stays on top of the call (Document Picture-in-Picture). */
import { html, render } from "../core/lit.js";
import { t } from "../core/text.js";
import { art } from "./parts.js";

/**
 * @typedef {{requestWindow: (options: {width: number, height: number}) =>
 *   Promise<globalThis.Window>}} Pips
 */

const WIDTH = 340;
const HEIGHT = 620;

const pips = () =>
  /** @type {{documentPictureInPicture?: Pips}} */ (/** @type {unknown} */ (globalThis))
    .documentPictureInPicture;

export const canPop = () => !!pips();

/**
 * Moves the panel into a window on top and back again when that is closed.
 * @param {HTMLElement[]} parts what moves, in order
 * @param {(doc: Document) => void} moved told each time which document the panel is in
 */
export async function popOut(parts, moved) {
  const small = await pips()?.requestWindow({ width: WIDTH, height: HEIGHT });
  if (!small) return;
  dress(small.document);
  small.document.body.append(...parts);
  const note = showPoppedNote(small);
  document.body.prepend(note);
  moved(small.document);
  small.addEventListener("pagehide", () => {
    note.replaceWith(...parts);
    moved(document);
  });
}

/** What the tab says meanwhile, and a way back. @param {globalThis.Window} small */
function showPoppedNote(small) {
  const note = document.createElement("div");
  render(
    html`<main class="page notice" data-popped>
      ${art("mark")}
      <h1>${t("popped")}</h1>
      <button type="button" class="press main" @click=${() => small.close()}>
        ${t("popped.back")}
      </button>
    </main>`,
    note,
  );
  return note;
}

/** The small window looks like this page. @param {Document} doc */
function dress(doc) {
  const page = document.documentElement;
  doc.title = document.title;
  doc.documentElement.lang = page.lang;
  doc.documentElement.translate = page.translate;
  Object.assign(doc.documentElement.dataset, page.dataset);
  doc.body.className = document.body.className;
  for (const sheet of document.querySelectorAll('link[rel="stylesheet"]'))
    doc.head.append(sheet.cloneNode());
}
