/** A game in play on one screen: now-line, stage, dock, chain, the last thing that happened. */
import { family } from "../core/family.js";
import { late } from "../core/late.js";
import { html, nothing } from "../core/lit.js";
import { t } from "../core/text.js";
import { chain } from "./chain.js";
import { peek } from "./log.js";
import { nowline } from "./nowline.js";
import { top } from "./top.js";

/** @import { Controller } from "../core/controller.js" */

const callsheet = late(() => import("./callsheet.js"));
const lines = late(() => import("./lines.js"));
const ring = late(() => import("./ring.js"));

/** Where there is room beside the table. */
const wide = globalThis.matchMedia?.("(min-width: 900px)") ?? { matches: false };

/** @param {Controller} ctrl */
const beside = (ctrl) =>
  html`<aside class="beside" aria-label=${t("log")}>${ctrl.view?.you?.host ? callsheet(ctrl, (part) => part.callsheet(ctrl)) : nothing}${ring(ctrl, (part) => part.ring(ctrl))}<h2>${t("log")}</h2>${lines(ctrl, (part) => part.lines(ctrl))}</aside>`;

/** @param {Controller} ctrl */
export function play(ctrl) {
  const alone = ctrl.aim || ctrl.draft?.alone;
  const aiming = alone ? "aiming" : "";
  return html`<div class="play ${aiming} mood-${ctrl.now.mood}">
    ${top(ctrl)}
    <main class="middle">${nowline(ctrl)}${family().lesson?.(ctrl)}${family().stage(ctrl)}${family().dock(ctrl)}</main>
    ${alone ? nothing : chain(ctrl)}
    ${peek(ctrl)}
    ${wide.matches ? beside(ctrl) : nothing}
  </div>`;
}
