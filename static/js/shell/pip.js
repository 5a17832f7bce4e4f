/**
 * Opens windows for use beside a call. Where the browser can, the panel moves into a small window
 * that stays on top of the call (Document Picture-in-Picture). In other browsers, a pop-up window
 * opens the same table; it then has the player's seat, because a seat's newest connection counts.
 * Another pop-up window shows the table to everybody, on a shared screen.
 */
import { html, render } from "../core/lit.js";
import { addLink } from "../core/late.js";
import { findLinkToFollow, isStorageTemporary, openPage } from "../core/memory.js";
import { getPanelWindow, resolvePath } from "../core/page.js";
import { describeScreenWindow } from "../core/screen.js";
import { unlockSoundsIn } from "../core/senses.js";
import { t } from "../core/text.js";
import { art } from "./parts.js";

/** @import { Controller } from "../core/controller.js" */

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

/** The size of the small window that doesn't stay on top. */
const SMALL = { width: 400, height: 700 };
/** The size of the window for a shared screen. */
const LARGE = { width: 1280, height: 720 };
/** The first part of the small window's name, before the table's code. */
const NAME_PREFIX = "hiss-panel-";
/**
 * The smallest width and height of a touch screen that is large enough to be shared, such as a
 * tablet's.
 */
const TABLET_PX = 700;
/** Interval at which the panel checks whether the small window was closed. */
const CHECK_MS = 400;

/**
 * Returns true if the panel can move into a window that stays on top. From that window it can't move
 * into another one.
 */
export const canPopOut = () => !!getPipApi() && getPanelWindow() === window;

/**
 * Moves the panel into a small window. Moves it back when that window is closed. A scene that lies
 * over the panel moves with it.
 * @param {HTMLElement[]} parts the elements to move, in order
 * @param {(win: globalThis.Window) => void} moved called after each move with the panel's new window
 */
export async function popOutPanel(parts, moved) {
  const small = await getPipApi()?.requestWindow({ width: WIDTH, height: HEIGHT });
  if (!small) return;
  await copyPageStyle(small.document);
  if (small.closed) return;
  void copyPageStyle(small.document); // More style sheets may have been added in the meantime.
  const listParts = (/** @type {Document} */ { body }) => [
    ...parts,
    ...body.querySelectorAll(":scope > .scene"),
  ];
  small.document.body.append(...listParts(document));
  const note = createPoppedOutNotice(small);
  document.body.prepend(note);
  moved(small);
  unlockSoundsIn(small);
  small.document.addEventListener("click", (event) => openLinkInTab(event, small));
  small.addEventListener("pagehide", () => {
    note.replaceWith(...listParts(small.document));
    moved(window);
  });
}

/**
 * Opens a link of the small window in the tab, and closes the small window. The browser would only
 * close the window, because a window on top of others can't open another page.
 * @param {MouseEvent} event
 * @param {globalThis.Window} small
 */
function openLinkInTab(event, small) {
  const link = findLinkToFollow(event);
  if (!link) return;
  event.preventDefault();
  small.close();
  openPage(link.href);
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

/**
 * Copies this page's settings to the small window, and the style sheets that it lacks. Resolves once
 * these have loaded.
 * @param {Document} doc
 */
async function copyPageStyle(doc) {
  const page = document.documentElement;
  doc.title = document.title;
  doc.documentElement.lang = page.lang;
  doc.documentElement.translate = page.translate;
  Object.assign(doc.documentElement.dataset, page.dataset);
  doc.body.className = document.body.className;
  const copied = listStyleLinks(doc).map(({ href }) => href);
  const missing = listStyleLinks(document).filter(({ href }) => !copied.includes(href));
  await Promise.all(
    missing.map((link) => addLink(doc, /** @type {HTMLLinkElement} */ (link.cloneNode()))),
  );
}

/** @param {Document} doc @returns {HTMLLinkElement[]} */
const listStyleLinks = (doc) =>
  [...doc.querySelectorAll('link[rel="stylesheet"]')].map(
    (link) => /** @type {HTMLLinkElement} */ (link),
  );

/** Returns true if the viewer has a mouse or a touchpad, as on a computer. */
const hasPointer = () => matchMedia("(pointer: fine)").matches;

/**
 * Returns true if the browser has no windows that stay on top, and a pop-up window can be used
 * instead. That isn't possible on a phone, in a frame (the new window may lack the frame's storage,
 * and thus the seat), or in the small window itself.
 */
export const canOpenSmallWindow = () =>
  !getPipApi() &&
  hasPointer() &&
  globalThis.top === globalThis.window &&
  !isStorageTemporary &&
  !window.name.startsWith(NAME_PREFIX);

/**
 * Returns true if this page isn't in a frame, and this device's screen is large enough to be
 * shared.
 */
export const canShareScreen = () =>
  globalThis.top === globalThis.window &&
  (hasPointer() || Math.min(screen.width, screen.height) >= TABLET_PX);

/**
 * Opens this table in a small window. When the viewer closes that window, the panel goes on here.
 * @param {Controller} ctrl
 */
export function openSmallWindow(ctrl) {
  if (ctrl.popup && !ctrl.popup.closed) return showWindow(ctrl, ctrl.popup);
  const popup = openWindow(ctrl, `${NAME_PREFIX}${ctrl.table}`, SMALL);
  if (!popup) return;
  // If the window was open before this page was reloaded, load its page again: that page must have
  // the seat.
  load(popup, resolvePath(`/t/${ctrl.table}`));
  ctrl.popup = popup;
  const timer = setInterval(() => {
    if (!popup.closed) return;
    clearInterval(timer);
    ctrl.popup = null;
    if (ctrl.connection === "superseded") ctrl.wire?.reconnect();
  }, CHECK_MS);
  showWindow(ctrl, popup);
}

/** Opens the page that shows this table on a shared screen. @param {Controller} ctrl */
export function openScreenWindow(ctrl) {
  const { address, name } = describeScreenWindow(ctrl.table);
  const opened = openWindow(ctrl, name, LARGE);
  if (!opened) return;
  if (!isShowing(opened, address)) load(opened, address);
  showWindow(ctrl, opened);
}

/**
 * Opens an empty window, or returns the window of this name if it is open. If the browser blocks
 * it, shows a message and returns null.
 * @param {Controller} ctrl
 * @param {string} name
 * @param {{width: number, height: number}} size
 */
function openWindow(ctrl, name, { width, height }) {
  const features = {
    width: Math.min(width, screen.availWidth),
    height: Math.min(height, screen.availHeight),
    left: Math.max(0, screen.availWidth - width),
  };
  const list = Object.entries(features).map(([key, value]) => `${key}=${value}`);
  const opened = window.open("", name, ["popup", ...list].join());
  if (opened && !opened.closed) return opened;
  ctrl.showNotice(t("menu.blocked"), ctrl.sheet ? "sheet" : "now");
  return null;
}

/** @param {globalThis.Window} other @param {string} path */
function load({ location: other }, path) {
  other.href = new URL(path, location.href).href;
}

/** Brings a window to the front. @param {Controller} ctrl @param {globalThis.Window} other */
function showWindow(ctrl, other) {
  ctrl.closeSheet();
  other.focus();
}

/**
 * Returns true if a window shows the page at this path.
 * @param {globalThis.Window} other
 * @param {string} path
 */
function isShowing(other, path) {
  try {
    return other.location.pathname === path;
  } catch {
    return false; // The viewer has opened another website in that window.
  }
}
