/** The page's address on the server, its theme (light or dark), and the window that shows it. */

const here = new URL(import.meta.url).pathname;
const root = here.slice(0, here.lastIndexOf("/static/"));

/**
 * Returns a path with the prefix under which this server is published.
 * @param {string} path from the server's root
 */
export const resolvePath = (path) => `${root}${path}`;

/** True if the page's address works only on this machine. */
export const isLocalAddress = /^(localhost|.+\.localhost|127\.[\d.]+|\[::1\])$/.test(
  globalThis.location?.hostname ?? "",
);

/** Returns the name in the page's address (`?name=`), or an empty text if there is none. */
export const readNameFromLink = () =>
  (new URLSearchParams(globalThis.location?.search ?? "").get("name") ?? "").trim();

/** Decodes a part of a URL. Returns null if it isn't validly encoded. @param {string} part */
export function decodeUrlPart(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

/** @type {globalThis.Window} */
let panelWindow = globalThis.window ?? globalThis;

/** Returns the window that shows the panel: the tab's, or a small window on top of the call. */
export const getPanelWindow = () => panelWindow;

/** Returns the document of {@link getPanelWindow}. */
export const getPanelDocument = () => panelWindow.document;

/** @param {globalThis.Window} win */
export function setPanelWindow(win) {
  panelWindow = win;
}

/** Returns the tab's document, and that of the small window if it shows the panel. */
export const listDocuments = () => [...new Set([document, panelWindow.document])];

/** Returns true if the panel's window is at least this wide. @param {number} em */
export const isWindowWide = (em) =>
  panelWindow.matchMedia?.(`(min-width: ${em}em)`).matches ?? false;

/** The longest time that {@link onNextFrame} waits for a frame. A hidden window has no frames. */
const FRAME_MS = 100;

/** Calls a function before the panel's window is painted next. @param {() => unknown} action */
export function onNextFrame(action) {
  let isDue = true;
  const run = () => {
    if (isDue) action();
    isDue = false;
  };
  panelWindow.requestAnimationFrame(run);
  setTimeout(run, FRAME_MS);
}

/**
 * Applies a theme. For any value other than "light" and "dark", the theme follows the device's
 * setting.
 * @param {string | undefined} theme
 */
export function applyTheme(theme) {
  for (const { documentElement } of listDocuments())
    if (theme === "light" || theme === "dark") documentElement.dataset.theme = theme;
    else delete documentElement.dataset.theme;
}
