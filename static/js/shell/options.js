/** What the host chooses for the table. */
import { family } from "../core/family.js";
import { html, nothing } from "../core/lit.js";
import { live } from "../core/lit-more.js";
import { t } from "../core/text.js";
import { toast } from "./parts.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { View } from "../core/types.js" */

/** @param {Controller} ctrl */
export function options(ctrl) {
  const { options: chosen, phase } = /** @type {View} */ (ctrl.view);
  const watching = chosen.spectators && ctrl.presence.spectators;
  const switches = [...family().switches, "spectators", "locked"];
  return html`<section class="panel options" aria-label=${t("options")}><h2>${t("options")}</h2>
    <label class="switch range"><span class="grow">${t("options.nope_seconds")}</span>
      <input type="range" name="nope_seconds" min="3" max="30" .value=${live(String(chosen.nope_seconds))}
        @change=${(/** @type {Event} */ event) => ctrl.say({ type: "options", nope_seconds: Number(value(event).value) }, "options")}>
      <output>${t("seconds", { count: chosen.nope_seconds })}</output></label>
    ${reminder(ctrl, chosen.remind_seconds ?? null)}
    ${switches
      .filter((key) => chosen[key] !== undefined && (phase === "lobby" || key === "spectators"))
      .map(
        (key) => html`<label class="switch"><span>${t(`options.${key}`)}</span>
      <input type="checkbox" role="switch" name=${key} .checked=${live(!!chosen[key])}
        @change=${(/** @type {Event} */ event) => ctrl.say({ type: "options", [key]: value(event).checked }, "options")}></label>`,
      )}
    ${watching ? html`<p class="soft">${t("options.watching", { count: watching })}</p>` : nothing}
    ${toast(ctrl, "options")}</section>`;
}

/** After how long whoever is waited for is reminded. @param {Controller} ctrl @param {number | null} chosen */
const reminder = (ctrl, chosen) =>
  html`<fieldset class="choice"><legend>${t("options.remind_seconds")}</legend>${[null, 30, 60].map(
    (
      value,
    ) => html`<label><input type="radio" name="remind_seconds" value=${String(value)} .checked=${live(value === chosen)}
    @change=${() => ctrl.say({ type: "options", remind_seconds: value }, "options")}><span>${value ? t("seconds.short", { count: value }) : t("options.remind.never")}</span></label>`,
  )}</fieldset>`;

/** @param {Event} event */
const value = (event) => /** @type {HTMLInputElement} */ (event.target);
