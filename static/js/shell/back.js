/**
 * The browser's Back puts a sheet away: while one is open, the tab's history has an entry of its own
 * for it.
 * @import { Controller } from "../core/controller.js"
 * @import { Sheet } from "../core/types.js"
 */

/** True unless the page is in a frame, where the history belongs to the page around it. */
const ownsHistory = globalThis.top === globalThis.window;

/** Sheets that Forward opens again. The others may no longer apply. */
const LASTING = ["help", "invite", "log", "menu"];

/** True while the current history entry is a sheet's. */
let isInSheetEntry = false;
/** True while that entry is being left; no other is added until then. */
let isLeaving = false;
/** @type {Sheet | null} */
let lastSheet = null;

/** Leaves the history entry of a sheet that has closed. */
function leaveEntry() {
  isInSheetEntry = false;
  isLeaving = true;
  history.back();
}

/**
 * Starts to follow the history. A page that begins in a sheet's entry, as after a reload, has no sheet
 * and leaves it.
 */
export function followHistory(/** @type {Controller} */ ctrl) {
  if (!ownsHistory) return;
  addEventListener("popstate", ({ state }) => handlePopState(ctrl, state));
  if (history.state?.sheet) leaveEntry();
}

/** Adds or leaves a history entry when a sheet has opened or closed. @param {Controller} ctrl */
export function updateHistory(ctrl) {
  if (!ownsHistory || isLeaving || !!ctrl.sheet === isInSheetEntry) return;
  if (!ctrl.sheet) return leaveEntry();
  isInSheetEntry = true;
  history.pushState({ ...history.state, sheet: true }, "");
}

/**
 * Handles a change to another history entry.
 * @param {Controller} ctrl
 * @param {{sheet?: boolean} | null} state
 */
function handlePopState(ctrl, state) {
  if (isLeaving) {
    isLeaving = false;
    updateHistory(ctrl);
  } else if (!state?.sheet) {
    isInSheetEntry = false;
    lastSheet = ctrl.sheet;
    if (ctrl.sheet) ctrl.closeSheet();
  } else if (lastSheet && LASTING.includes(lastSheet.kind) && !ctrl.sheet) {
    isInSheetEntry = true;
    ctrl.set({ sheet: lastSheet });
  } else leaveEntry();
}
