/**
 * The browser's Back puts a sheet away: while one is open, the tab's history has an entry of its own
 * for it.
 * @import { Controller } from "../core/controller.js"
 * @import { Sheet } from "../core/types.js"
 */

/** In a frame the history is the page's around it, which may have gone on meanwhile. */
const own = globalThis.top === globalThis.window;

/** Sheets that Forward opens again: nothing that happens at the table makes them senseless. */
const LASTING = ["help", "invite", "log", "menu"];

/** Whether the entry that is shown is a sheet's. */
let entered = false;
/** Whether that entry is being left: until then no other one is made. */
let leaving = false;
/** @type {Sheet | null} */
let last = null;

/** The sheet is gone, and its entry is left. */
function leave() {
  entered = false;
  leaving = true;
  history.back();
}

/** A page that begins in a sheet's entry, as after a reload, has no sheet: it leaves the entry. */
export function begin(/** @type {Controller} */ ctrl) {
  if (!own) return;
  addEventListener("popstate", ({ state }) => arrive(ctrl, state));
  if (history.state?.sheet) leave();
}

/** What is drawn has a sheet or not: its history follows. @param {Controller} ctrl */
export function follow(ctrl) {
  if (!own || leaving || !!ctrl.sheet === entered) return;
  if (!ctrl.sheet) return leave();
  entered = true;
  history.pushState({ ...history.state, sheet: true }, "");
}

/** Another entry is shown. @param {Controller} ctrl @param {{sheet?: boolean} | null} state */
function arrive(ctrl, state) {
  if (leaving) {
    leaving = false;
    follow(ctrl);
  } else if (!state?.sheet) {
    entered = false;
    last = ctrl.sheet;
    if (ctrl.sheet) ctrl.closeSheet();
  } else if (last && LASTING.includes(last.kind) && !ctrl.sheet) {
    entered = true;
    ctrl.set({ sheet: last });
  } else leave();
}
