/**
 * Keeps a page's copy of the viewer's preferences current. Another window of this browser may change
 * them, and the browser may show a page again as it was before they changed (the back/forward
 * cache). Not part of a page's first load.
 */
import { readPreferences } from "./memory.js";

/** @import { Controller } from "./controller.js" */

/** @typedef {Record<string, any>} Preferences */

/**
 * The preferences that a page doesn't adopt from another: its choice of a game, and the state of its
 * practice table.
 */
const OWN = ["game", "practice"];

/**
 * Passes the stored preferences to a function now, and each time another window may have changed
 * them.
 * @param {() => Preferences} getOwn returns the page's copy
 * @param {(stored: Preferences) => void} adopt
 */
export function watchPreferences(getOwn, adopt) {
  const readAgain = () => {
    const own = Object.entries(getOwn()).filter(([key]) => OWN.includes(key));
    adopt({ ...readPreferences(), ...Object.fromEntries(own) });
  };
  addEventListener("storage", ({ key }) => {
    if (key === "hiss.prefs" || key === null) readAgain(); // null: everything was deleted
  });
  addEventListener("pageshow", readAgain);
  document.addEventListener("visibilitychange", () => document.hidden || readAgain());
  readAgain();
}

/** Lets a table's panel or a replay adopt the stored preferences. @param {Controller} ctrl */
export const followPreferences = (ctrl) =>
  watchPreferences(
    () => ctrl.prefs,
    (stored) => {
      const { call, language, lessons } = ctrl.prefs;
      const prefs = /** @type {Preferences} */ ({ lens: {}, ...stored });
      // Lessons that were started at another table don't end those at this one.
      if (lessons?.table === ctrl.table && (prefs.lessons?.table ?? ctrl.table) !== ctrl.table)
        prefs.lessons = lessons;
      // This page's question about notifications stays until one of the windows has the answer.
      if (call === "ask") prefs.call ??= call;
      ctrl.set({ prefs });
      if (prefs.language !== language) ctrl.onPreferenceChange?.("language");
    },
  );
