/**
 * Renders parts of the form for house rules. Some offer rules to start from; others keep rules
 * (under a name on this device, as a file, or as a link).
 */
import { truncateName, truncateField } from "../core/characters.js";
import * as rules from "../core/house.js";
import { html, nothing } from "../core/lit.js";
import { resolvePath } from "../core/page.js";
import { savePicture } from "../core/picture.js";
import { hasSentence, t } from "../core/text.js";
import { findFileProblem } from "../core/upload.js";
import { getTableLink, renderShareButton } from "./invite.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Draft, Form, SavedRules } from "../core/house.js" */
/** @import { View } from "../core/types.js" */

/**
 * The state that all parts of the house-rules form share.
 * @typedef {{ctrl: Controller, form: Form, draft: Draft}} Desk
 */

/**
 * Changes the draft, and clears the errors and the note about the previous draft. Does nothing if
 * the sheet is closed: removing a focused input fires its `change` event, and a file may have been
 * read only after the host left the sheet.
 * @param {Desk} desk
 * @param {Partial<Draft>} change
 */
export function updateDraft({ ctrl, draft }, change) {
  if (ctrl.sheet?.kind !== "house") return;
  ctrl.set({ sheet: { kind: "house", rules: { ...draft, faults: [], note: "", ...change } } });
}

/** Returns the input element of an event. @param {Event} event */
export const getInput = (event) => /** @type {HTMLInputElement} */ (event.target);

/**
 * Trims an input's text, writes the result into the input and returns it. The input isn't bound
 * with lit's `live` directive, because each redraw would then overwrite what the host is typing.
 * @param {Event} event
 * @param {string} [otherwise] the text if nothing is left
 */
export function trimInput(event, otherwise = "") {
  const input = getInput(event);
  input.value = input.value.trim() || otherwise;
  return input.value;
}

/**
 * Renders a button for each set of rules from which the host can start: the variant's own rules,
 * its presets, and the rules stored on this device.
 * @param {Desk} desk
 * @param {View} view
 */
export function renderStartingRules(desk, view) {
  const getChanges = (/** @type {object} */ found) =>
    rules.convertFromOverlay(desk.form, found).changed;
  const savedRules = rules.readSavedRules().filter(({ like }) => like === view.variant);
  return html`<div class="row wrap" role="group" aria-label=${t("house.starts")}>
    ${renderStartButton(desk, t("house.as-written"), {})}
    ${Object.entries(desk.form.presets).map(([id, found]) =>
      renderStartButton(desk, t(`house.preset.${id}`), getChanges(found)),
    )}
    ${savedRules.map(({ rules: { name, ...overlay } }) =>
      renderStartButton(desk, name, getChanges(overlay), name),
    )}
  </div>`;
}

/**
 * @param {Desk} desk
 * @param {string} label
 * @param {rules.Changed} changed
 * @param {string} [name] the rules' name, if they have one
 */
function renderStartButton(desk, label, changed, name = "") {
  const [its, now] = [changed, desk.draft.changed].map((changes) =>
    JSON.stringify(rules.convertToOverlay(changes)),
  );
  return html`<button type="button" class="press small" data-start=${label}
    aria-pressed=${String(its === now)} @click=${() => updateDraft(desk, { name, changed })}>
    <bdi>${label}</bdi>
  </button>`;
}

/**
 * Returns the draft in the form in which it is stored.
 * @param {Desk} desk
 * @param {View} view
 * @returns {SavedRules}
 */
export const getRulesToSave = ({ draft }, { variant }) => ({
  like: variant,
  rules: rules.convertToOverlay(draft.changed, draft.name) ?? {},
});

/**
 * Renders the section with the rules' name, and the buttons to save, share, open and delete rules.
 * @param {Desk} desk
 * @param {View} view
 */
export function renderStoreAndShareSection(desk, view) {
  const ruleFile = getRulesToSave(desk, view);
  const { name, changed, note } = desk.draft;
  return html`<details class="house-shelf">
    <summary>${t("house.share")}</summary>
    <label class="field">
      <span>${t("house.name")}</span>
      <input name="rules" autocomplete="off" .value=${name}
        @input=${truncateField} @compositionend=${truncateField}
        @change=${(/** @type {Event} */ event) => updateDraft(desk, { name: trimInput(event) })}>
    </label>
    <div class="row wrap">
      ${Object.keys(changed).length ? renderSaveAndShare(desk, ruleFile) : nothing}
      <label class="press small">
        ${t("house.open")}
        <input type="file" class="unseen" accept=".json,application/json"
          @change=${(/** @type {Event} */ event) => openRulesFile(desk, view, getInput(event))}>
      </label>
      ${isSaved(ruleFile) ? renderForgetButton(desk, ruleFile) : nothing}
    </div>
    ${note ? html`<p class="short" role="alert">${note}</p>` : nothing}
  </details>`;
}

/**
 * Renders the buttons that save the rules as a file and share a link to them.
 * @param {Desk} desk
 * @param {SavedRules} kept
 */
const renderSaveAndShare = (
  { ctrl },
  kept,
) => html`<button type="button" class="press small" data-do="save"
  @click=${() => saveRulesFile(kept)}>
  ${t("house.save")}
</button>${renderShareButton(ctrl, getRulesLink(ctrl, kept), rules.formatRulesFragment(kept))}`;

/** @param {Controller} ctrl @param {SavedRules} kept */
const getRulesLink = (ctrl, kept) =>
  new URL(resolvePath("/"), getTableLink(ctrl)).href + rules.formatRulesFragment(kept);

/** @param {SavedRules} kept */
const saveRulesFile = (kept) =>
  savePicture(
    Promise.resolve(new Blob([rules.formatRulesFile(kept)], { type: "application/json" })),
    `hiss-rules${kept.rules.name ? `-${kept.rules.name}` : ""}.json`,
  );

/** @param {SavedRules} kept */
const isSaved = ({ like, rules: { name } }) =>
  rules.readSavedRules().some((saved) => saved.like === like && saved.rules.name === name);

/** @param {Desk} desk @param {SavedRules} kept */
const renderForgetButton = (
  desk,
  kept,
) => html`<button type="button" class="press small" data-do="forget"
  @click=${() => {
    rules.deleteSavedRules(kept);
    updateDraft(desk, {});
  }}>
  ${t("house.forget")}
</button>`;

/** Size limit of a file of house rules, in bytes. */
const LARGEST_FILE = 20_000;

/**
 * Reads rules from a file into the draft. If that fails, shows the reason as a note.
 * @param {Desk} desk
 * @param {View} view
 * @param {HTMLInputElement} input
 */
async function openRulesFile(desk, view, input) {
  const [file] = input.files ?? [];
  const isSmallEnough = file && file.size < LARGEST_FILE;
  const key = isSmallEnough ? await findFileProblem(file) : null;
  const kept = isSmallEnough && !key ? rules.parseRulesFile(await file.text()) : null;
  input.value = "";
  if (key && hasSentence(key)) return updateDraft(desk, { note: t(key) });
  if (!kept) return updateDraft(desk, { note: t("house.bad-file") });
  if (kept.like !== view.variant) return updateDraft(desk, { note: t("house.other-game") });
  const { changed, whole } = rules.convertFromOverlay(desk.form, kept.rules);
  const name = truncateName(String(kept.rules.name ?? ""));
  updateDraft(desk, { changed, name, note: whole ? "" : t("house.partly") });
}
