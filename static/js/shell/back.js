/**
 * The browser's Back puts a sheet away: while one is open, the tab's history has an entry of its own
 * for it.
 * @import { Controller } from "../core/controller.js"
 * @import { Sheet } from "../core/types.js"
 */

/** True unless the page is in a frame, where the history belongs to the page around it. */
const own = globalThis.top === globalThis.window;

/** Sheets that Forward opens again. The others may no longer apply. */
const LASTING = ["help", "invite", "log", "menu"];

/** True while the current history entry is a sheet's. */
let entered = false;
/** True while that entry is being left; no other is added until then. */
let leaving = false;
/** @type {Sheet | null} */
let last = null;

/** Leaves the history entry of a sheet that has closed. */
function leaveEntry() {
  entered = false;
  leaving = true;
  history.back();
}

/**
 * Starts to follow the history. A page that begins in a sheet's entry, as after a reload, has no sheet
 * and leaves it.
 */
export function followHistory(/** @type {Controller} */ ctrl) {
  if (!own) return;
  addEventListener("popstate", ({ state }) => handleEntry(ctrl, state));
  if (history.state?.sheet) leaveEntry();
}

/** Adds or leaves a history entry when a sheet has opened or closed. @param {Controller} ctrl */
export function updateHistory(ctrl) {
  if (!own || leaving || !!ctrl.sheet === entered) return;
  if (!ctrl.sheet) return leaveEntry();
  entered = true;
  history.pushState({ ...history.state, sheet: true }, "");
}

/**
 * Handles a change to another history entry.
 * @param {Controller} ctrl
 * @param {{sheet?: boolean} | null} state
 */
function handleEntry(ctrl, state) {
  if (leaving) {
    leaving = false;
    updateHistory(ctrl);
  } else if (!state?.sheet) {
    entered = false;
    last = ctrl.sheet;
    if (ctrl.sheet) ctrl.closeSheet();
  } else if (last && LASTING.includes(last.kind) && !ctrl.sheet) {
    entered = true;
    ctrl.set({ sheet: last });
  } else leaveEntry();
}
