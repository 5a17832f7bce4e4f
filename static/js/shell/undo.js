/** What would be taken back, before it is (ruling undo), or before the others are asked (by-agreement). */
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
  const host = view.you?.undo;
  const from = host ?? view.you?.ask_back;
  if (!from) return html`<p>${t("undo.nothing")}</p>`;
  const lost = reached(view.log, from).filter((entry) => entry.text);
  return html`<p>${t(host ? "undo.what" : "undo.ask.what")}</p><ol class="log lost">${lost.map((entry) => html`<li><bdi>${happened(entry, view, ctrl.variant)}</bdi></li>`)}</ol>
    ${press(ctrl, { type: host ? "undo" : "ask_back", version: view.version }, t(host ? "undo.do" : "undo.ask"), { kind: "danger wide", spot: "sheet", last: true })}`;
}
