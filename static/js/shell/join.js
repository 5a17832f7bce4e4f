/** Renders the form in which a visitor enters a name to take a seat. */
import { truncateName, isNameFull, truncateField, MAX_NAME_LENGTH } from "../core/characters.js";
import { parseNamesFragment } from "../core/evening.js";
import { html, nothing } from "../core/lit.js";
import { readNameFromLink } from "../core/page.js";
import { t } from "../core/text.js";

/** @import { Controller } from "../core/controller.js" */

/**
 * Renders buttons for those names in the invitation link that have no seat yet.
 * @param {Controller} ctrl
 */
const renderExpectedNames = ({ view }) =>
  renderNameButtons(
    parseNamesFragment(location.hash).filter(
      (expected) => !view?.seats.some(({ name }) => name === expected),
    ),
  );

/** Renders the names as buttons. A tap on one fills in the form. @param {string[]} list */
export const renderNameButtons = (list) =>
  list.length
    ? html`<div class="row names">
      ${list.map(
        (name) =>
          html`<button type="button" class="press small" @click=${fillName}>${name}</button>`,
      )}
    </div>`
    : nothing;

/** @param {Event} event */
function fillName({ currentTarget }) {
  const chip = /** @type {HTMLButtonElement} */ (currentTarget);
  const input = chip.form?.elements.namedItem("name");
  if (!(input instanceof HTMLInputElement)) return;
  input.value = chip.textContent?.trim() ?? "";
  input.focus();
}

/**
 * Renders a field for a name. If the server refuses the name, the field shows the reason and
 * suggests another name.
 * @param {Partial<Controller>} ctrl
 * @param {{label: string, spot: string, value?: string, complete?: "nickname" | "off", optional?:
 *   boolean}} field `spot`: where a message about the name is shown
 */
export function renderNameField(
  ctrl,
  { label, spot, value = "", complete = "off", optional = false },
) {
  const message = ctrl.toast?.spot === spot ? ctrl.toast : null;
  return html`<div class="field grow">
    <label><span>${label}</span>
      <input name="name" autocomplete=${complete} .defaultValue=${value}
        ?required=${!optional} aria-invalid=${message ? "true" : nothing}
        aria-describedby=${message ? `wrong-${spot}` : nothing}
        @input=${updateLengthNote} @compositionend=${updateLengthNote}></label>
    <p class="full soft" role="status" hidden>${t("name.full")}</p>
    ${message ? html`<p class="wrong" role="alert" id=${`wrong-${spot}`}>${message.text}</p>` : nothing}
    ${message?.ruling === "unique-names" && !message.away ? renderFreeNameButton(ctrl) : nothing}
  </div>`;
}

/** Shows a note if the name has reached the maximum length. @param {Event} event */
function updateLengthNote(event) {
  const input = truncateField(event);
  const hint = /** @type {HTMLElement} */ (input.closest(".field")?.querySelector(".full"));
  hint.hidden = !isNameFull(input.value);
}

/** The name that was entered last. */
let enteredName = "";

/**
 * Renders a button that suggests a free name, after the entered name was taken (ruling
 * unique-names).
 * @param {Partial<Controller>} ctrl
 */
function renderFreeNameButton({ view }) {
  const taken = [...(view?.seats ?? []), ...(view?.waiting ?? [])].map((player) => player.name);
  const freeName = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
    .map((number) => `${truncateName(enteredName, MAX_NAME_LENGTH - 3)} ${number}`)
    .find((name) => !taken.includes(name));
  return renderNameButtons(freeName ? [freeName] : []);
}

/**
 * Returns true if the name is empty. In that case, shows an error beside its field.
 * @param {Controller} ctrl
 * @param {string} name
 * @param {string} spot
 */
export function refuseEmptyName(ctrl, name, spot) {
  enteredName = name.trim();
  if (enteredName) return false;
  ctrl.set({ toast: { text: t("name.none"), ruling: null, spot } });
  return true;
}

/**
 * @param {Controller} ctrl
 * @param {(name: string) => void} join
 * @param {string} [label] the button's text, if the form doesn't give a seat at once
 */
export function renderJoinForm(ctrl, join, label = t("join")) {
  return html`<form class="panel join" novalidate
    @submit=${(/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      const form = /** @type {HTMLFormElement} */ (event.target);
      const name = String(new FormData(form).get("name") ?? "");
      if (!refuseEmptyName(ctrl, name, "join")) join(name);
    }}>
    ${renderExpectedNames(ctrl)}
    ${renderNameField(ctrl, {
      label: t("name"),
      spot: "join",
      value: readNameFromLink() || ctrl.prefs.name,
      complete: "nickname",
    })}
    <button class="press main wide">${label}</button>
    <p class="soft free">${t("invited.free")}</p>
  </form>`;
}
