/** What the host would take back, before it is taken back (ruling undo). */
import { html } from "../lit.js";
import { t } from "../text.js";
import { happened } from "../wording.js";
import { press } from "./parts.js";

/** @import { Controller } from "../controller.js" */
/** @import { Entry, View } from "../types.js" */

/** The log without what was taken back already. @param {Entry[]} log */
export function standing(log) {
  /** @type {Entry[]} */
  let kept = [];
  for (const entry of log) {
    if (entry.type === "undone") kept = kept.filter((one) => one.version < entry.facts.version);
    else kept.push(entry);
  }
  return kept;
}

/** @param {Controller} ctrl */
export function undo(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const from = view.you?.undo;
  if (!from) return html`<p>${t("undo.nothing")}</p>`;
  const lost = standing(view.log).filter((entry) => entry.version >= from && entry.text);
  return html`<p>${t("undo.what")}</p><ol class="log lost">${lost.map((entry) => html`<li><bdi>${happened(entry, view, ctrl.variant)}</bdi></li>`)}</ol>
    ${press(ctrl, { type: "undo", version: view.version }, t("undo.do"), { kind: "danger wide", spot: "sheet", last: true })}`;
}
