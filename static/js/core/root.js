/** Where the panel lies on its server: a proxy may serve it under a path of its own. */
const here = new URL(import.meta.url).pathname;
const root = here.slice(0, here.lastIndexOf("/static/"));

/** An address of this server's. @param {string} path from its root on */
export const at = (path) => `${root}${path}`;
