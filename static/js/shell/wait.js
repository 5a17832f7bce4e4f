/** Who waits for the next game: asking for a place, giving it up, and for the host sending away. */
import { html, nothing } from "../core/lit.js";
import { standUp } from "../core/memory.js";
import { t } from "../core/text.js";
import { joinForm } from "./join.js";
import { named, press } from "./parts.js";

/** @import { Controller } from "../core/controller.js" */

/** @param {Controller} ctrl */
export function wait(ctrl) {
  if (ctrl.me) return waiters(ctrl) || html`<p>${t("wait.nobody")}</p>`;
  if (!ctrl.waits)
    return html`<p>${t("wait.what")}</p>${joinForm(ctrl, (name) => ctrl.join?.(name), t("wait.ask"))}`;
  return html`<p>${t("wait.have")}</p>${waiters(ctrl)}
    <button type="button" class="press" data-do="give-up" @click=${() => giveUp(ctrl)}>${t("wait.give-up")}</button>`;
}

/** The names, and for the host a way to say no. @param {Controller} ctrl */
export function waiters(ctrl) {
  const all = ctrl.view?.waiting ?? [];
  if (!all.length) return nothing;
  return html`<section class="panel" aria-label=${t("wait.who")}><h2>${t("wait.who")}</h2><ol class="seats">${all.map(
    (one) => html`<li data-seat=${one.seat}><span class="grow clip">${named(one.name)}</span>
    ${ctrl.view?.you?.host ? press(ctrl, { type: "remove_seat", seat: one.seat }, t("wait.away"), { kind: "small", id: "send-away" }) : nothing}</li>`,
  )}</ol></section>`;
}

/** @param {Controller} ctrl */
async function giveUp(ctrl) {
  const answer = await ctrl.say({ type: "leave" }, "sheet");
  if (!answer?.ok) return;
  standUp(ctrl.table);
  ctrl.finish();
}
