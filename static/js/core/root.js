/** Where the panel lies on its server: a proxy may serve it under a path of its own. */
const here = new URL(import.meta.url).pathname;
const root = here.slice(0, here.lastIndexOf("/static/"));

/** An address of this server's. @param {string} path from its root on */
export const at = (path) => `${root}${path}`;

/** A part of an address as text; null: it is none. @param {string} part */
export function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
