/**
 * Where whoever makes house rules may start from, and what becomes of theirs: remembered on the device
 * under a name, saved as a file, opened from one, handed on as a link.
 */
import { truncateName, keepShort } from "../core/characters.js";
import * as rules from "../core/house.js";
import { html, nothing } from "../core/lit.js";
import { at } from "../core/page.js";
import { save } from "../core/picture.js";
import { hasWords, t } from "../core/text.js";
import { unreadable } from "../core/upload.js";
import { address, shareButton } from "./invite.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Draft, Form, Kept } from "../core/house.js" */
/** @import { View } from "../core/types.js" */

/** What every part of the form needs. @typedef {{ctrl: Controller, form: Form, draft: Draft}} Desk */

/**
 * What is made from here on; what was said of it before is void.
 * @param {Desk} desk
 * @param {Partial<Draft>} change
 */
export const updateDraft = ({ ctrl, draft }, change) =>
  ctrl.set({ sheet: { kind: "house", rules: { ...draft, faults: [], note: "", ...change } } });

/** @param {Event} event */
export const target = (event) => /** @type {HTMLInputElement} */ (event.target);

/**
 * What was typed, and no spaces around it. Its field isn't bound `live`: whatever is drawn while
 * somebody types would take it away.
 * @param {Event} event
 * @param {string} [otherwise] where nothing is left
 */
export function trimmedInput(event, otherwise = "") {
  const input = target(event);
  input.value = input.value.trim() || otherwise;
  return input.value;
}

/** @param {Desk} desk @param {View} view */
export function starts(desk, view) {
  const changesOf = (/** @type {object} */ found) => rules.fromOverlay(desk.form, found).changed;
  const own = rules.savedRules().filter(({ like }) => like === view.variant);
  return html`<div class="row wrap" role="group" aria-label=${t("house.starts")}>
    ${start(desk, t("house.as-written"), {})}
    ${Object.entries(desk.form.presets).map(([id, found]) =>
      start(desk, t(`house.preset.${id}`), changesOf(found)),
    )}
    ${own.map(({ rules: { name, ...found } }) => start(desk, name, changesOf(found), name))}
  </div>`;
}

/**
 * @param {Desk} desk
 * @param {string} label
 * @param {rules.Changed} changed
 * @param {string} [name] that they have
 */
function start(desk, label, changed, name = "") {
  const [its, now] = [changed, desk.draft.changed].map((one) => JSON.stringify(rules.overlay(one)));
  return html`<button type="button" class="press small" data-start=${label}
    aria-pressed=${String(its === now)} @click=${() => updateDraft(desk, { name, changed })}>
    <bdi>${label}</bdi>
  </button>`;
}

/** What is made, to be kept. @param {Desk} desk @param {View} view @returns {Kept} */
export const rulesToSave = ({ draft }, { variant }) => ({
  like: variant,
  rules: rules.overlay(draft.changed, draft.name) ?? {},
});

/** @param {Desk} desk @param {View} view */
export function shelf(desk, view) {
  const kept = rulesToSave(desk, view);
  const { name, changed, note } = desk.draft;
  return html`<details class="house-shelf">
    <summary>${t("house.share")}</summary>
    <label class="field">
      <span>${t("house.name")}</span>
      <input name="rules" autocomplete="off" .value=${name}
        @input=${keepShort} @compositionend=${keepShort}
        @change=${(/** @type {Event} */ event) => updateDraft(desk, { name: trimmedInput(event) })}>
    </label>
    <div class="row wrap">
      ${Object.keys(changed).length ? outward(desk, kept) : nothing}
      <label class="press small">
        ${t("house.open")}
        <input type="file" class="unseen" accept=".json,application/json"
          @change=${(/** @type {Event} */ event) => open(desk, view, target(event))}>
      </label>
      ${isSaved(kept) ? forget(desk, kept) : nothing}
    </div>
    ${note ? html`<p class="short" role="alert">${note}</p>` : nothing}
  </details>`;
}

/** @param {Desk} desk @param {Kept} kept */
const outward = ({ ctrl }, kept) => html`<button type="button" class="press small" data-do="save"
  @click=${() => write(kept)}>
  ${t("house.save")}
</button>${shareButton(ctrl, link(ctrl, kept), rules.rulesFragment(kept))}`;

/** @param {Controller} ctrl @param {Kept} kept */
const link = (ctrl, kept) => new URL(at("/"), address(ctrl)).href + rules.rulesFragment(kept);

/** @param {Kept} kept */
const write = (kept) =>
  save(
    Promise.resolve(new Blob([rules.toFile(kept)], { type: "application/json" })),
    `hiss-rules${kept.rules.name ? `-${kept.rules.name}` : ""}.json`,
  );

/** @param {Kept} kept */
const isSaved = ({ like, rules: { name } }) =>
  rules.savedRules().some((one) => one.like === like && one.rules.name === name);

/** @param {Desk} desk @param {Kept} kept */
const forget = (desk, kept) => html`<button type="button" class="press small" data-do="forget"
  @click=${() => {
    rules.deleteSavedRules(kept);
    updateDraft(desk, {});
  }}>
  ${t("house.forget")}
</button>`;

/** Larger is no file of house rules. */
const LARGEST = 20_000;

/** @param {Desk} desk @param {View} view @param {HTMLInputElement} input */
async function open(desk, view, input) {
  const [file] = input.files ?? [];
  const small = file && file.size < LARGEST;
  const key = small ? await unreadable(file) : null;
  const kept = small && !key ? rules.fromFile(await file.text()) : null;
  input.value = "";
  if (key && hasWords(key)) return updateDraft(desk, { note: t(key) });
  if (!kept) return updateDraft(desk, { note: t("house.bad-file") });
  if (kept.like !== view.variant) return updateDraft(desk, { note: t("house.other-game") });
  const { changed, whole } = rules.fromOverlay(desk.form, kept.rules);
  const name = truncateName(String(kept.rules.name ?? ""));
  updateDraft(desk, { changed, name, note: whole ? "" : t("house.partly") });
}
