/** Loads parts of the panel on demand, so that the first load stays small. */
import { nothing } from "./lit.js";
import { resolvePath } from "./page.js";
import { addSentences } from "./text.js";

/** The style sheets that all of these parts share, in the order of the cascade. */
const SHEETS = ["pages", "sheets", "late"];

/** Every part that was requested so far. @type {Promise<unknown>[]} */
const requested = [];

/** The shared style sheets and sentences. @type {Promise<unknown> | null} */
let shared = null;

/** Waits until every part that was requested has loaded; for tests that take screenshots. */
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
 *     const help = late(() => import("./help.js"));
 *     help(ctrl, (part) => part.help(ctrl))
 * @template M
 * @param {() => Promise<M>} load
 * @param {string} [sheets] the names of further style sheets, separated by blanks
 * @param {string} [words] the folder of further sentences
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
 * Loads the style sheets and sentences that all parts share: once, and again if that failed.
 * @param {Promise<unknown>} [pageLoad] a page's own load, if it includes them
 */
export function loadSharedFiles(pageLoad) {
  shared ??= pageLoad ?? Promise.all([...SHEETS.map(loadStyleSheet), addSentences("late")]);
  shared.catch(() => {
    shared = null;
  });
  return shared;
}

/** The style sheets that were requested. @type {Map<string, Promise<unknown>>} */
const styleSheets = new Map();

/** Loads a style sheet, unless it was requested before. @param {string} name */
export function loadStyleSheet(name) {
  const loading = styleSheets.get(name) ?? addStyleSheet(name);
  styleSheets.set(name, loading);
  return loading;
}

/** @param {string} name */
const addStyleSheet = (name) =>
  new Promise((resolve) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = resolvePath(`/static/css/${name}.css`);
    link.onload = link.onerror = resolve;
    document.head.append(link);
  });
