/** The page: its path on the server, and its theme (light or dark). */

const here = new URL(import.meta.url).pathname;
const root = here.slice(0, here.lastIndexOf("/static/"));

/**
 * Returns the path with the prefix under which this server is reachable.
 * @param {string} path from the server's root
 */
export const resolvePath = (path) => `${root}${path}`;

/** Decodes a part of a URL. Returns null if it isn't validly encoded. @param {string} part */
export function decodeUrlPart(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

/**
 * Applies the viewer's theme. Any value other than "light" and "dark" follows the device's setting.
 * @param {string | undefined} theme
 */
export function applyTheme(theme) {
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}
