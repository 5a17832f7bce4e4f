/** A name, and a seat for whoever has none. */
import { truncateName, isFull, keepShort, LONGEST } from "../core/characters.js";
import { namesInFragment } from "../core/evening.js";
import { html, nothing } from "../core/lit.js";
import { t } from "../core/text.js";

/** @import { Controller } from "../core/controller.js" */

/** Who the link was made for and has no seat yet. @param {Controller} ctrl */
const expectedNames = ({ view }) =>
  names(
    namesInFragment(location.hash).filter((one) => !view?.seats.some(({ name }) => name === one)),
  );

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
  if (!(input instanceof HTMLInputElement)) return;
  input.value = chip.textContent?.trim() ?? "";
  input.focus();
}

/**
 * A field for a name; what is wrong with one stands beside it, with what would do.
 * @param {Partial<Controller>} ctrl
 * @param {{label: string, spot: string, value?: string, complete?: "nickname" | "off", optional?:
 *   boolean}} field `spot`: where what is wrong with it is said
 */
export function nameField(ctrl, { label, spot, value = "", complete = "off", optional = false }) {
  const said = ctrl.toast?.spot === spot ? ctrl.toast : null;
  return html`<div class="field grow">
    <label><span>${label}</span>
      <input name="name" autocomplete=${complete} .defaultValue=${value}
        ?required=${!optional} aria-invalid=${said ? "true" : nothing}
        aria-describedby=${said ? `wrong-${spot}` : nothing}
        @input=${full} @compositionend=${full}></label>
    <p class="full soft" role="status" hidden>${t("name.full")}</p>
    ${said ? html`<p class="wrong" role="alert" id=${`wrong-${spot}`}>${said.text}</p>` : nothing}
    ${said?.ruling === "unique-names" && !said.away ? free(ctrl) : nothing}
  </div>`;
}

/** The field says when no more fits. @param {Event} event */
function full(event) {
  const input = keepShort(event);
  const hint = /** @type {HTMLElement} */ (input.closest(".field")?.querySelector(".full"));
  hint.hidden = !isFull(input.value);
}

/** The name that was given last. */
let given = "";

/**
 * In the place of a name that is taken (ruling unique-names), one that isn't.
 * @param {Partial<Controller>} ctrl
 */
function free({ view }) {
  const taken = [...(view?.seats ?? []), ...(view?.waiting ?? [])].map((one) => one.name);
  const one = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
    .map((number) => `${truncateName(given, LONGEST - 3)} ${number}`)
    .find((one) => !taken.includes(one));
  return names(one ? [one] : []);
}

/**
 * Whether a name is none at all, which is said beside its field.
 * @param {Controller} ctrl
 * @param {string} name
 * @param {string} spot
 */
export function wrong(ctrl, name, spot) {
  given = name.trim();
  if (given) return false;
  ctrl.set({ toast: { text: t("name.none"), ruling: null, spot } });
  return true;
}

/**
 * @param {Controller} ctrl
 * @param {(name: string) => void} join
 * @param {string} [label] what it gives, if not a seat at once
 */
export function joinForm(ctrl, join, label = t("join")) {
  return html`<form class="panel join" novalidate
    @submit=${(/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      const form = /** @type {HTMLFormElement} */ (event.target);
      const name = String(new FormData(form).get("name") ?? "");
      if (!wrong(ctrl, name, "join")) join(name);
    }}>
    ${expectedNames(ctrl)}
    ${nameField(ctrl, { label: t("name"), spot: "join", value: ctrl.prefs.name, complete: "nickname" })}
    <button class="press main wide">${label}</button>
  </form>`;
}
