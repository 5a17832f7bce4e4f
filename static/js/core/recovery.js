/**
 * Handles parts of a page that couldn't be loaded: the network failed, or the server was upgraded
 * and no longer has the files of pages that were opened before.
 */
import { getPanelDocument } from "./page.js";
import { t } from "./text.js";

/** @import { PageWithParts } from "./types.js" */

/** Finds the address of a page's script. The name of a bundled script contains a hash. */
const SCRIPT = /<script type="module" src="([^"]+)"/;

/**
 * Tells the viewer that a part of the page couldn't be loaded, and reloads the page if that can help.
 * Does nothing on the start page, where a reload would lose what the viewer has typed.
 * @param {PageWithParts} ctrl
 */
export function handleMissingPart(ctrl) {
  if (!ctrl.showNotice) return;
  // A sheet that isn't drawn, or is empty, would only make the page inert.
  if (ctrl.sheet && !getPanelDocument().querySelector(".sheet-body > *")) ctrl.closeSheet?.();
  ctrl.showNotice(t("error.offline"), "now");
  return reloadOnce();
}

/**
 * Reloads the page if the server was upgraded. Does so at most once for each page and build, so that
 * a file which is missing for good doesn't make the page reload for ever.
 */
export async function reloadOnce() {
  const mark = `hiss.reload ${location.pathname} ${import.meta.url}`;
  try {
    if (sessionStorage[mark]) return;
    if (!(await isServerUpgraded())) return;
    sessionStorage[mark] = "done";
    location.reload();
  } catch {
    // There is no connection, or the browser doesn't let the page store anything.
  }
}

/** Returns true if the server's page now has another script than this page. */
async function isServerUpgraded() {
  const own = document.querySelector("script[type=module]")?.getAttribute("src");
  const answer = await fetch(location.pathname + location.search, { cache: "no-cache" });
  const current = SCRIPT.exec(await answer.text())?.[1];
  return answer.ok && !!current && current !== own;
}
