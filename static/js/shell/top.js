/** The strip on top: where one is, whether the line holds, and the way to the host's things. */
import { html, nothing } from "../core/lit.js";
import { t } from "../core/text.js";
import { art, round } from "./parts.js";
import { at } from "../core/root.js";

/** @import { Controller } from "../core/controller.js" */

/** @param {Controller} ctrl */
export function top(ctrl) {
  const view = ctrl.view;
  const watching = ctrl.presence.spectators;
  return html`<header class="top">
    <a class="brand" href=${at("/")} aria-label=${t("home")}>${art("mark")}<b>Hiss</b></a>
    <button type="button" class="table-code" aria-label=${t("top.invite", { code: ctrl.table })} @click=${() => ctrl.set({ sheet: { kind: "invite" } })}>${ctrl.table}</button>
    ${watching ? html`<span class="soft watching" title=${t("top.watching", { count: watching })}>${art("watch")}${watching}</span>` : nothing}
    <span class="grow"></span>
    ${view?.you?.undo || view?.you?.ask_back ? round("undo", t("undo"), () => ctrl.set({ sheet: { kind: "undo" } })) : nothing}
    ${round("help", t("help"), () => ctrl.openHelp())}
    ${round("more", t("menu"), () => ctrl.set({ sheet: { kind: "menu" } }))}
  </header>${ctrl.line === "lost" || ctrl.line === "connecting" ? html`<div class="line-lost" role="status">${t(view ? "line.lost" : "line.connecting")}</div>` : nothing}
  ${view?.you?.log_room === undefined ? nothing : html`<div class="line-lost" role="status" data-log-room>${t("log.room")}</div>`}`;
}
