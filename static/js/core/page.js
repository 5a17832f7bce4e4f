/** The page's address on the server, and its theme (light or dark). */

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

/**
 * Applies a theme. For any value other than "light" and "dark", the theme follows the device's
 * setting.
 * @param {string | undefined} theme
 */
export function applyTheme(theme) {
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}
