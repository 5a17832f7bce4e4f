/** A table that lets nobody watch, seen from outside: a seat, if one is free, or why there is none. */
import { html, nothing } from "../core/lit.js";
import { t } from "../core/text.js";
import { joinForm } from "./join.js";
import { art } from "./parts.js";
import { top } from "./top.js";

/** @import { Controller } from "../core/controller.js" */

/** @param {Controller} ctrl @param {(name: string) => void} join */
export function door(ctrl, join) {
  const state = ctrl.closed?.facts?.door;
  return html`${top(ctrl)}<main class="page door">${art("mark")}<h1>${t(`door.${state}`)}</h1>
    ${state === "open" ? joinForm(ctrl, join) : state === "next" ? joinForm(ctrl, join, t("wait.ask")) : nothing}</main>`;
}
