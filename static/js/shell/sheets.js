/** What slides up over the panel and is put away again: one sheet at a time. */
import { family } from "../core/family.js";
import { late } from "../core/late.js";
import { html, nothing } from "../core/lit.js";
import { t } from "../core/text.js";
import { lines } from "./lines.js";
import { round, toast } from "./parts.js";

/** @import { Controller } from "../core/controller.js" */

const callsheet = late(() => import("./callsheet.js"));
const invite = late(() => import("./invite.js"));
const menu = late(() => import("./menu.js"), "choice");
const others = late(() => import("./others.js"));
const ring = late(() => import("./ring.js"));
const wait = late(() => import("./wait.js"));
const signs = late(() => import("./signs.js"));
const undo = late(() => import("./undo.js"));

/** @type {Record<string, (ctrl: Controller) => unknown>} */
const KINDS = {
  invite: (ctrl) => invite(ctrl, (part) => part.invite(ctrl)),
  log: lines,
  others: (ctrl) => others(ctrl, (part) => part.others(ctrl)),
  call: (ctrl) => callsheet(ctrl, (part) => part.callsheet(ctrl)),
  chain: (ctrl) => ring(ctrl, (part) => part.ring(ctrl)),
  menu: (ctrl) => menu(ctrl, (part) => part.menu(ctrl)),
  wait: (ctrl) => wait(ctrl, (part) => part.wait(ctrl)),
  signs: (ctrl) => signs(ctrl, (part) => part.signs(ctrl)),
  undo: (ctrl) => undo(ctrl, (part) => part.undo(ctrl)),
};

/** @param {Controller} ctrl */
export function sheet(ctrl) {
  const shown = ctrl.sheet;
  const view = shown && (family().sheets[shown.kind] ?? KINDS[shown.kind]);
  if (!view) return nothing;
  const close = () => ctrl.close();
  return html`<div class="shade" @click=${(/** @type {Event} */ event) => event.target === event.currentTarget && close()}>
    <section class="sheet sheet-${shown.kind}" role="dialog" aria-modal="true" aria-label=${t(`sheet.${shown.kind}`)} tabindex="-1">
      <header class="sheet-head"><h2>${t(`sheet.${shown.kind}`)}</h2>${round("close", t("close"), close)}</header>
      ${toast(ctrl, "sheet")}<div class="sheet-body" tabindex="0">${view(ctrl)}</div>
    </section></div>`;
}
