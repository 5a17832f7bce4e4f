/**
 * A quiet reminder for whoever is waited for, after the time that the table chose. Fetched
 * only where a table chose one.
 * @import { Controller } from "./controller.js"
 * @import { View } from "./types.js"
 */
import { asked, nameOf } from "./moves.js";
import { t } from "./text.js";
import { BESIDE } from "./undone.js";

/** For how many seconds the same seat has been waited for, in whole times of the reminder; 0: no word yet. @param {View} view @param {number} now */
export function waited(view, now) {
  const every = view.options.remind_seconds;
  const since = view.log.findLast((entry) => !BESIDE.includes(entry.type))?.at;
  if (!every || since === undefined || !asked(view)) return 0;
  return Math.max(0, Math.floor((now - since) / 1000 / every) * every);
}

/** @param {Controller} ctrl @param {HTMLElement} region the live region */
export function remind(ctrl, region) {
  const view = /** @type {View} */ (ctrl.view);
  const count = waited(view, ctrl.clock.now());
  if (count === ctrl.waited) return;
  const first = !ctrl.waited && count;
  ctrl.set({ waited: count });
  if (first && ctrl.as === asked(view)) nudge(ctrl, region);
}

/** Once, for the panel that can answer. @param {Controller} ctrl @param {HTMLElement} region */
function nudge(ctrl, region) {
  const seat = ctrl.as;
  region.textContent = t(seat === ctrl.me ? "waited.me" : "waited", {
    who: nameOf(/** @type {View} */ (ctrl.view), seat),
    count: ctrl.waited,
  });
  if (ctrl.prefs.sound) import("./sound.js").then(({ play }) => play("turn"));
  if (ctrl.prefs.buzz) navigator.vibrate?.([40, 60, 40]);
}
