/** Loads parts of the panel on demand, so that the first load stays small. */
import { pause } from "./http.js";
import { nothing } from "./lit.js";
import { listDocuments, resolvePath } from "./page.js";
import { addSentences } from "./text.js";

/** @import { PageWithParts } from "./types.js" */

/** Pause before a part that couldn't be loaded is requested again. */
const RETRY_MS = 1000;

/**
 * The style sheets that all parts loaded on demand share, in the order in which they are applied.
 */
const SHEETS = ["pages", "sheets", "late"];

/** The promises of all parts that were requested so far. @type {Promise<unknown>[]} */
const requested = [];

/**
 * The promise of the style sheets and sentences that all parts loaded on demand share. It is null
 * before they are requested and after a failure.
 * @type {Promise<unknown> | null}
 */
let shared = null;

/** Waits until all requested parts have loaded. Tests call it before they take screenshots. */
export async function waitUntilLoaded() {
  for (let count = -1; count < requested.length; ) {
    count = requested.length;
    await Promise.all(requested);
  }
}

/**
 * Returns a function that draws with a module which is loaded at the first call; until then it draws
 * nothing. If loading fails twice, the page says so, and the next call tries again.
 *
 *     const help = createLazyPart(() => import("./help.js"));
 *     help(ctrl, (part) => part.help(ctrl))
 * @template M
 * @param {() => Promise<M>} load
 * @param {string} [sheets] names of additional style sheets, separated by spaces
 * @param {string} [words] folder of additional sentences
 * @returns {(ctrl: PageWithParts, use: (module: M) => unknown) => unknown}
 */
export function createLazyPart(load, sheets = "", words) {
  /** @type {M | null} */
  let module = null;
  let isRequested = false;
  const loadAll = () =>
    Promise.all([
      load(),
      loadSharedFiles(),
      ...sheets.split(" ").filter(Boolean).map(loadStyleSheet),
      words && addSentences(words),
    ]);
  return (ctrl, use) => {
    if (module) return use(module);
    if (!isRequested) {
      isRequested = true;
      const loading = loadAll()
        .catch(() => pause(RETRY_MS).then(loadAll))
        .then(([loaded]) => {
          module = loaded;
          ctrl.draw();
        });
      requested.push(loading);
      loading.catch(() => {
        loadRecovery().then(
          (recovery) => recovery.handleMissingPart(ctrl),
          () => ctrl.sheet && ctrl.closeSheet?.(),
        );
        // Later, so that the drawing of the notice doesn't request the part again.
        setTimeout(() => {
          isRequested = false;
        });
      });
    }
    return nothing;
  };
}

/**
 * Loads the module that handles parts which couldn't be loaded. A page loads it soon after its first
 * load, since later it could be missing, too.
 */
export const loadRecovery = () => import("./recovery.js");

/**
 * Loads the style sheets and sentences that all parts share. After a failure the next call tries
 * again.
 * @param {Promise<unknown>} [pageLoad] a load of the page that includes them, used in place of a new one
 */
export function loadSharedFiles(pageLoad) {
  shared ??= pageLoad ?? Promise.all([...SHEETS.map(loadStyleSheet), addSentences("late")]);
  shared.catch(() => {
    shared = null;
  });
  return shared;
}

/** The promises of all requested style sheets, by name. @type {Map<string, Promise<unknown>>} */
const styleSheets = new Map();

/** Loads a style sheet, unless it was requested before. @param {string} name */
export function loadStyleSheet(name) {
  const loading = styleSheets.get(name) ?? addStyleSheet(name);
  styleSheets.set(name, loading);
  return loading;
}

/**
 * Adds a style sheet to the page. If it can't be loaded, rejects, and the next call tries again.
 * @param {string} name
 */
const addStyleSheet = async (name) => {
  const links = listDocuments().map((doc) => {
    const link = doc.createElement("link");
    link.rel = "stylesheet";
    link.href = resolvePath(`/static/css/${name}.css`);
    return { link, added: addLink(doc, link) };
  });
  const events = await Promise.all(links.map(({ added }) => added));
  if (events.every(({ type }) => type === "load")) return;
  for (const { link } of links) link.remove();
  styleSheets.delete(name);
  throw new Error(name);
};

/**
 * Adds a style sheet's link to a document. Resolves with the link's event once the sheet has loaded
 * or failed to load.
 * @param {Document} doc
 * @param {HTMLLinkElement} link
 * @returns {Promise<Event>}
 */
export const addLink = (doc, link) =>
  new Promise((resolve) => {
    link.onload = link.onerror = /** @type {(event: any) => void} */ (resolve);
    doc.head.append(link);
  });
