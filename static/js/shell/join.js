/** A seat for whoever has none. */
import { html, nothing } from "../core/lit.js";
import { t } from "../core/text.js";
import { toast } from "./parts.js";

/** @import { Controller } from "../core/controller.js" */

/** @param {Controller} ctrl @param {(name: string) => void} join @param {string} [label] what it gives, if not a seat at once */
export function joinForm(ctrl, join, label = t("join")) {
  return html`<form class="panel join" @submit=${(/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    join(String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("name") ?? ""));
  }}>
    <label class="field"><span>${t("name")}</span><input name="name" required maxlength="24" autocomplete="nickname" .defaultValue=${ctrl.prefs.name ?? ""}></label>
    <button class="press main wide">${label}</button>${toast(ctrl, "join") ?? nothing}
  </form>`;
}
