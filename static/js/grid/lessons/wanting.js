/** Whether hints are wanted: at a table with people nobody gets any who didn't ask. */
import { html, nothing } from "../../core/lit.js";
import { t } from "../../core/text.js";
import { art } from "../../shell/parts.js";

/** @import { Controller } from "../../core/controller.js" */

/** In the menu: shown how at this table, on this device; from the first sentence on. @param {Controller} ctrl */
export function wanting(ctrl) {
  if (!ctrl.me) return nothing;
  const shown = ctrl.prefs.lessons?.table === ctrl.table;
  const start = () => ctrl.prefer("lessons", { off: false, seen: [], table: ctrl.table });
  return html`<button type="button" class="press" data-do=${shown ? "no-hints" : "show-me"} @click=${() => {
    shown ? stop(ctrl) : start();
    ctrl.finish();
  }}>${art("help")}${t(shown ? "lessons.stop" : "lessons.start")}</button>`;
}

/** No more of them, also in the next practice game. @param {Controller} ctrl */
export function stop(ctrl) {
  ctrl.prefer("lessons", { ...ctrl.prefs.lessons, off: true, table: null });
}
