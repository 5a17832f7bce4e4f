/** A seat for whoever has none. */
import { brought } from "../core/evening.js";
import { html, nothing } from "../core/lit.js";
import { t } from "../core/text.js";
import { toast } from "./parts.js";

/** @import { Controller } from "../core/controller.js" */

/** Who the link was made for and has no seat yet: a tap says that one is that. @param {Controller} ctrl */
const known = ({ view }) =>
  names(brought(location.hash).filter((one) => !view?.seats.some(({ name }) => name === one)));

/** Names that fill in the form's. @param {string[]} list */
export const names = (list) =>
  list.length
    ? html`<div class="row names">
      ${list.map((name) => html`<button type="button" class="press small" @click=${fill}>${name}</button>`)}
    </div>`
    : nothing;

/** @param {Event} event */
function fill({ currentTarget }) {
  const chip = /** @type {HTMLButtonElement} */ (currentTarget);
  const input = chip.form?.elements.namedItem("name");
  if (input instanceof HTMLInputElement) input.value = chip.textContent ?? "";
}

/**
 * @param {Controller} ctrl
 * @param {(name: string) => void} join
 * @param {string} [label] what it gives, if not a seat at once
 */
export function joinForm(ctrl, join, label = t("join")) {
  return html`<form class="panel join"
    @submit=${(/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      join(String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("name") ?? ""));
    }}>
    ${known(ctrl)}
    <label class="field">
      <span>${t("name")}</span>
      <input name="name" required maxlength="24" autocomplete="nickname"
        .defaultValue=${ctrl.prefs.name ?? ""}>
    </label>
    <button class="press main wide">${label}</button>
    ${toast(ctrl, "join") ?? nothing}
  </form>`;
}
