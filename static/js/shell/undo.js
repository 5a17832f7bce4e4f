/** What the host would take back, before it is taken back (ruling undo). */
import { html } from "../core/lit.js";
import { t } from "../core/text.js";
import { reached } from "../core/undone.js";
import { happened } from "../core/wording.js";
import { press } from "./parts.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { View } from "../core/types.js" */

/** @param {Controller} ctrl */
export function undo(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const from = view.you?.undo;
  if (!from) return html`<p>${t("undo.nothing")}</p>`;
  const lost = reached(view.log, from).filter((entry) => entry.text);
  return html`<p>${t("undo.what")}</p><ol class="log lost">${lost.map((entry) => html`<li><bdi>${happened(entry, view, ctrl.variant)}</bdi></li>`)}</ol>
    ${press(ctrl, { type: "undo", version: view.version }, t("undo.do"), { kind: "danger wide", spot: "sheet", last: true })}`;
}
