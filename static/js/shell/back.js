/**
 * Makes the browser's Back button close the open sheet. For this, opening a sheet adds an entry to
 * the tab's history.
 * @import { Controller } from "../core/controller.js"
 * @import { Sheet } from "../core/types.js"
 */

/**
 * True if the panel may change the history. In a frame it may not, because the history belongs to
 * the page around it.
 */
const ownsHistory = globalThis.top === globalThis.window;

/**
 * Kinds of sheets that the Forward button opens again. The content of other sheets may be out of
 * date by then.
 */
const LASTING = ["help", "invite", "log", "menu"];

/** True while the current history entry is one that was added for a sheet. */
let isInSheetEntry = false;
/**
 * True between a call of `history.back()` and its `popstate` event. No entry is added during this
 * time.
 */
let isLeaving = false;
/**
 * The sheet that the Back button closed last. The Forward button may open it again.
 * @type {Sheet | null}
 */
let lastSheet = null;

/** Goes back from the history entry of a sheet that has closed. */
function leaveEntry() {
  isInSheetEntry = false;
  isLeaving = true;
  history.back();
}

/**
 * Starts to handle changes of the history. After a reload, the current history entry may have been
 * added for a sheet although no sheet is open. In that case, goes back from the entry.
 */
export function followHistory(/** @type {Controller} */ ctrl) {
  if (!ownsHistory) return;
  addEventListener("popstate", ({ state }) => handlePopState(ctrl, state));
  if (history.state?.sheet) leaveEntry();
}

/**
 * Adds a history entry if a sheet has opened, or goes back if the sheet has closed.
 * @param {Controller} ctrl
 */
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
