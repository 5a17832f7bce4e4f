/** The page: where it lies on its server, and the viewer's choice of light or dark. */

const here = new URL(import.meta.url).pathname;
const root = here.slice(0, here.lastIndexOf("/static/"));

/** An address of this server's. @param {string} path from its root on */
export const at = (path) => `${root}${path}`;

/** A part of an address as text; null: it is none. @param {string} part */
export function decodePart(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

/** @param {string | undefined} theme */
export function applyTheme(theme) {
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}
