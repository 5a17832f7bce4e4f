/** What happened: the last thing at a glance, the rest a tap away (lines.js). */
import { family } from "../core/family.js";
import { html, nothing } from "../core/lit.js";
import { t } from "../core/text.js";
import { happened } from "../core/wording.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Entry, View } from "../core/types.js" */

const QUIET = ["passed", "turn_began", "step_began", "window_opened", "ready_said"];

/** The newest line that says more than the now-line. @param {View} view @returns {Entry | undefined} */
export const newest = (view) =>
  view.log.findLast(
    ({ type, text }) => !QUIET.includes(type) && !family().quiet.includes(type) && text,
  );

/** @param {Controller} ctrl */
export function peek(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const last = newest(view);
  return html`<button type="button" class="peek" data-version=${last?.version ?? 0} @click=${() => ctrl.set({ sheet: { kind: "log" } })}>
    <span class="clip grow"><bdi>${last ? happened(last, view, ctrl.variant) : t("log.empty")}</bdi></span>${missed(ctrl)}<span class="soft">${t("log.more")}</span></button>`;
}

/** How much happened since the viewer looked away. @param {Controller} ctrl */
function missed(ctrl) {
  const count = (ctrl.view?.log ?? []).filter((entry) => ctrl.isNew(entry) && entry.text).length;
  return count ? html`<b class="missed">${t("log.missed", { count })}</b>` : nothing;
}
