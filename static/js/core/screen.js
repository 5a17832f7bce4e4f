/**
 * The page for a shared screen. It shows a table as spectators see it, in large letters, and has no
 * controls. Everybody on the call can see the page's address, so it doesn't contain the table's
 * code. The code is in the window's name instead. If the page was opened with a link that contained
 * the code, the code is in the tab's history.
 */
import { normalizeCode, parseCode } from "./memory.js";
import { resolvePath } from "./page.js";

/** The path of the page. No table can have this code, because it is too long. */
const PATH = "/t/shared-screen";
/** The first part of the window's name, before the table's code. */
const NAME_PREFIX = "hiss-screen-";
/** The fragment of a link that opens a table's page for a shared screen on any device. */
const FRAGMENT = "#screen";

/** Returns the address and the name of the window for a shared screen. @param {string} table */
export const describeScreenWindow = (table) => ({
  address: resolvePath(PATH),
  name: `${NAME_PREFIX}${table}`,
});

/**
 * Returns the code of the table that this page shows on a shared screen, or null if this is a
 * table's ordinary page. Returns "" if the page has lost the code. Removes the code from the
 * address.
 * @returns {string | null}
 */
export function readSharedTable() {
  const isLink = location.hash === FRAGMENT;
  if (!isLink && location.pathname !== resolvePath(PATH)) return null;
  const named = window.name.startsWith(NAME_PREFIX) ? window.name.slice(NAME_PREFIX.length) : "";
  const code = isLink
    ? parseCode(location.pathname.split("/").at(-1) ?? "")
    : normalizeCode(named || String(history.state?.screen ?? ""));
  history.replaceState({ ...history.state, screen: code }, "", resolvePath(PATH));
  return code;
}

/** Returns true if the address has become a link to a shared screen. */
export const isScreenLink = () => location.hash === FRAGMENT;
