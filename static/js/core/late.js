/** Loads parts of the panel on demand, so that the first load stays small. */
import { nothing } from "./lit.js";
import { listDocuments, resolvePath } from "./page.js";
import { addSentences } from "./text.js";

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
 * nothing.
 *
 *     const help = createLazyPart(() => import("./help.js"));
 *     help(ctrl, (part) => part.help(ctrl))
 * @template M
 * @param {() => Promise<M>} load
 * @param {string} [sheets] names of additional style sheets, separated by spaces
 * @param {string} [words] folder of additional sentences
 * @returns {(ctrl: {draw: () => void}, use: (module: M) => unknown) => unknown}
 */
export function createLazyPart(load, sheets = "", words) {
  /** @type {M | null} */
  let module = null;
  let isRequested = false;
  return (ctrl, use) => {
    if (module) return use(module);
    if (!isRequested) {
      isRequested = true;
      const loading = Promise.all([
        load(),
        loadSharedFiles(),
        ...sheets.split(" ").filter(Boolean).map(loadStyleSheet),
        words && addSentences(words),
      ]).then(([loaded]) => {
        module = loaded;
        ctrl.draw();
      });
      requested.push(loading);
      loading.catch(() => {
        isRequested = false;
      });
    }
    return nothing;
  };
}

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

/** @param {string} name */
const addStyleSheet = (name) =>
  Promise.all(
    listDocuments().map((doc) => {
      const link = doc.createElement("link");
      link.rel = "stylesheet";
      link.href = resolvePath(`/static/css/${name}.css`);
      return addLink(doc, link);
    }),
  );

/**
 * Adds a style sheet's link to a document. Resolves once the sheet has loaded or failed to load.
 * @param {Document} doc
 * @param {HTMLLinkElement} link
 */
export const addLink = (doc, link) =>
  new Promise((resolve) => {
    link.onload = link.onerror = resolve;
    doc.head.append(link);
  });
