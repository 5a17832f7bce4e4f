/** Renders the table's options, which the host sets. */
import { getFamily } from "../core/family.js";
import { html, live, nothing } from "../core/lit.js";
import { t } from "../core/text.js";
import { renderToast } from "./parts.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { View } from "../core/types.js" */

/** @param {Controller} ctrl */
export function renderTableOptions(ctrl) {
  const { options: chosen, phase } = /** @type {View} */ (ctrl.view);
  const watching = chosen.spectators && ctrl.presence.spectators;
  const switches = [...getFamily().switches, "spectators", "signs", "locked"];
  return html`<section class="panel options" aria-label=${t("options")}>
    <label class="switch range">
      <span class="grow">${t("options.nope_seconds")}</span>
      <input type="range" name="nope_seconds" min="3" max="30"
        .value=${String(chosen.nope_seconds)}
        @change=${(/** @type {Event} */ event) => sendWindowLength(ctrl, getInput(event))}>
      <output>${t("seconds", { count: chosen.nope_seconds })}</output>
    </label>
    ${renderRadioButtons(ctrl, "remind_seconds", chosen.remind_seconds ?? null, REMINDERS)}
    ${renderRadioButtons(ctrl, "take_back", chosen.take_back, TAKE_BACK)}
    ${switches
      .filter(
        (key) =>
          chosen[key] !== undefined &&
          (phase === "lobby" || key === "spectators" || key === "signs"),
      )
      .map(
        (key) => html`<label class="switch">
          <span>${t(`options.${key}`, getFamily().getSwitchFacts?.(key))}${renderFamilyNote(key)}</span>
          <input type="checkbox" role="switch" name=${key} .checked=${live(!!chosen[key])}
            @change=${(/** @type {Event} */ event) =>
              ctrl.send({ type: "options", [key]: getInput(event).checked }, "options")}>
        </label>`,
      )}
    ${watching ? html`<p class="soft">${t("options.watching", { count: watching })}</p>` : nothing}
    ${renderToast(ctrl, "options")}
  </section>`;
}

/** Renders the family's note on an option, if it has one. @param {string} key */
function renderFamilyNote(key) {
  const note = getFamily().getSwitchNote?.(key);
  return note ? html` <small class="soft" data-remark>${note}</small>` : nothing;
}

/**
 * Sends the new length of the Nope window. The slider isn't bound with lit's `live` directive, so
 * that a redraw doesn't move it while it is dragged. If the server refuses the value, sets the
 * slider back.
 * @param {Controller} ctrl
 * @param {HTMLInputElement} input
 */
async function sendWindowLength(ctrl, input) {
  const { value } = input;
  const answer = await ctrl.send({ type: "options", nope_seconds: Number(value) }, "options");
  if (!answer?.ok && input.value === value) input.value = String(ctrl.view?.options.nope_seconds);
}

/**
 * The choices for reminders: number of seconds before a player is reminded that the table waits for
 * them. null means never.
 * @type {[number | null, () => string][]}
 */
const REMINDERS = [
  [null, () => t("options.remind.never")],
  [30, () => t("seconds.short", { count: 30 })],
  [60, () => t("seconds.short", { count: 60 })],
];

/**
 * The values of the option `take_back`, which determines who can undo a command (rulings undo,
 * by-agreement).
 * @type {[string, () => string][]}
 */
const TAKE_BACK = [
  ["host", () => t("options.back.host")],
  ["agreement", () => t("options.back.agreement")],
  ["nobody", () => t("options.back.nobody")],
];

/**
 * Renders radio buttons for an option, unless the table has no such option.
 * @template V
 * @param {Controller} ctrl
 * @param {string} key
 * @param {V | undefined} chosen
 * @param {[V, () => string][]} values each with a function that returns its label
 */
const renderRadioButtons = (ctrl, key, chosen, values) =>
  chosen === undefined
    ? nothing
    : html`<fieldset class="choice">
      <legend>${t(`options.${key}`)}</legend>
      ${values.map(
        ([value, label]) => html`<label>
          <input type="radio" name=${key} value=${String(value)} .checked=${live(value === chosen)}
            @change=${() => ctrl.send({ type: "options", [key]: value }, "options")}>
          <span>${label()}</span>
        </label>`,
      )}
    </fieldset>`;

/** @param {Event} event */
const getInput = (event) => /** @type {HTMLInputElement} */ (event.target);
