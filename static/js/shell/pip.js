/** Shows the panel in a small window that stays on top of the call (Document Picture-in-Picture). */
import { html, render } from "../core/lit.js";
import { t } from "../core/text.js";
import { art } from "./parts.js";

/**
 * The browser's interface for windows that stay on top (Document Picture-in-Picture).
 * @typedef {{requestWindow: (options: {width: number, height: number}) =>
 *   Promise<globalThis.Window>}} Pips
 */

const WIDTH = 340;
const HEIGHT = 620;

const getPipApi = () =>
  /** @type {{documentPictureInPicture?: Pips}} */ (/** @type {unknown} */ (globalThis))
    .documentPictureInPicture;

/** Returns true if the browser supports windows that stay on top. */
export const canPopOut = () => !!getPipApi();

/**
 * Moves the panel into a small window. Moves it back when that window is closed.
 * @param {HTMLElement[]} parts the elements to move, in order
 * @param {(doc: Document) => void} moved called after each move with the panel's new document
 */
export async function popOutPanel(parts, moved) {
  const small = await getPipApi()?.requestWindow({ width: WIDTH, height: HEIGHT });
  if (!small) return;
  copyPageStyle(small.document);
  small.document.body.append(...parts);
  const note = createPoppedOutNotice(small);
  document.body.prepend(note);
  moved(small.document);
  small.addEventListener("pagehide", () => {
    note.replaceWith(...parts);
    moved(document);
  });
}

/**
 * Creates the notice that fills the tab while the panel is in the small window, with a button that
 * moves the panel back.
 * @param {globalThis.Window} small
 */
function createPoppedOutNotice(small) {
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

/** Copies this page's styles and settings to the small window. @param {Document} doc */
function copyPageStyle(doc) {
  const page = document.documentElement;
  doc.title = document.title;
  doc.documentElement.lang = page.lang;
  doc.documentElement.translate = page.translate;
  Object.assign(doc.documentElement.dataset, page.dataset);
  doc.body.className = document.body.className;
  for (const sheet of document.querySelectorAll('link[rel="stylesheet"]'))
    doc.head.append(sheet.cloneNode());
}
