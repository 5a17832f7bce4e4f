/** Parts of the panel that are fetched when they are first needed, so that the first load stays small. */
import { nothing } from "./lit.js";
import { at } from "./page.js";
import { addWords } from "./text.js";

/** The style sheets of all later parts, in the order in which they stand. */
const SHEETS = ["pages", "sheets", "late"];

/** @type {Promise<unknown>[]} */
const coming = [];

/** What all later parts wear and say. @type {Promise<unknown> | null} */
let common = null;

/** All that was asked for is there; for whoever looks at pictures of the panel. */
export async function allLoaded() {
  for (let known = -1; known < coming.length; ) {
    known = coming.length;
    await Promise.all(coming);
  }
}

/**
 * A part that comes later: until it is there nothing is drawn in its place.
 * @template M
 * @param {() => Promise<M>} load
 * @param {string} [sheets] the names of style sheets that only some parts wear
 * @param {string} [words] the folder of the words that it alone says
 * @returns {(ctrl: {draw: () => void}, use: (module: M) => unknown) => unknown}
 */
export function late(load, sheets = "", words) {
  /** @type {M | null} */
  let module = null;
  let asked = false;
  return (ctrl, use) => {
    if (module) return use(module);
    if (!asked) {
      asked = true;
      const there = Promise.all([
        load(),
        loadShared(),
        ...sheets.split(" ").filter(Boolean).map(loadStyles),
        words && addWords(words),
      ]).then(([found]) => {
        module = found;
        ctrl.draw();
      });
      coming.push(there);
      there.catch(() => {
        asked = false;
      });
    }
    return nothing;
  };
}

/**
 * What every later part needs; asked for once, and again where it didn't come.
 * @param {Promise<unknown>} [own] that it comes with the page's own
 */
export function loadShared(own) {
  common ??= own ?? Promise.all([...SHEETS.map(loadStyles), addWords("late")]);
  common.catch(() => {
    common = null;
  });
  return common;
}

/** The style sheets that are there, or on their way. @type {Map<string, Promise<unknown>>} */
const worn = new Map();

/** A style sheet comes with the first part that needs it. @param {string} name */
export function loadStyles(name) {
  const there = worn.get(name) ?? linkStyles(name);
  worn.set(name, there);
  return there;
}

/** @param {string} name */
const linkStyles = (name) =>
  new Promise((resolve) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = at(`/static/css/${name}.css`);
    link.onload = link.onerror = resolve;
    document.head.append(link);
  });
