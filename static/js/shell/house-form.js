/**
 * Renders the form in which the host edits the house rules: the variant's fields, the sums that
 * have to be right (such as the number of cards), and the button that applies the rules. The server
 * validates the rules.
 */
import { truncateField } from "../core/characters.js";
import { getCardTitle } from "../core/deck.js";
import { request } from "../core/http.js";
import * as rules from "../core/house.js";
import { html, live, nothing } from "../core/lit.js";
import { getLanguage, joinNames, t } from "../core/text.js";
import { mayEditHouseRules } from "./house.js";
import {
  updateDraft,
  getRulesToSave,
  renderStoreAndShareSection,
  renderStartingRules,
  getInput,
  trimInput,
} from "./house-shelf.js";
import { art, renderCardBadge } from "./parts.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Changed, Fault, Field, Form, Value } from "../core/house.js" */
/** @import { Desk } from "./house-shelf.js" */
/** @import { View } from "../core/types.js" */

/**
 * The fields that can be changed at this table, with their sums. null before they are loaded.
 * @type {Form | null}
 */
let form = null;
/**
 * The language, the number of seats and the house rules for which the form was requested last, as
 * JSON.
 */
let requestedFor = "";

/** Loads the form, unless it is up to date. @param {Controller} ctrl @param {View} view */
function loadForm(ctrl, { seats, house }) {
  const wanted = JSON.stringify([getLanguage(), seats.length, house]);
  if (requestedFor === wanted) return;
  requestedFor = wanted;
  request(`/api/tables/${ctrl.table}/variant?language=${getLanguage()}`).then(
    (found) => {
      const fields = (found.house?.fields ?? []).map((/** @type {Field} */ field) =>
        translateCardTitle(field, house),
      );
      form = { sums: [], ...found.house, fields, presets: found.presets ?? {} };
      ctrl.draw();
    },
    () => {
      requestedFor = "";
    },
  );
}

/**
 * Returns the field. If the field is a card's title that the house rules don't change, its value is
 * translated into the viewer's language.
 * @param {Field} field
 * @param {View["house"]} house
 * @returns {Field}
 */
function translateCardTitle(field, house) {
  const { group, name } = rules.splitKey(field.key);
  const isHostsValue =
    group !== "titles" || Object.hasOwn(rules.getChangedValues(house), field.key);
  return isHostsValue ? field : { ...field, is: getCardTitle(name) };
}

/** @param {Controller} ctrl */
export function renderHouseForm(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  if (!mayEditHouseRules(view)) return nothing;
  loadForm(ctrl, view);
  if (!form) return nothing;
  const currentRules = {
    changed: rules.getChangedValues(view.house),
    name: view.house?.name ?? "",
  };
  const desk = { ctrl, form, draft: ctrl.sheet?.rules ?? currentRules };
  const fields = rules.findChoosableFields(form);
  const groups = [...new Set(fields.map(getFieldGroup))];
  const getFieldsOf = (/** @type {string} */ group) =>
    fields.filter((field) => getFieldGroup(field) === group);
  return html`<div class="house">
    ${renderStartingRules(desk, view)}
    ${groups.map((group) => renderFieldGroup(desk, group, getFieldsOf(group)))}
    ${renderStoreAndShareSection(desk, view)}
    ${renderFormFooter(desk, view)}
  </div>`;
}

/**
 * Changes a field in the draft, and all fields that depend on it.
 * @param {Desk} desk
 * @param {string} key
 * @param {Value} value
 */
function changeField(desk, key, value) {
  const { form, draft } = desk;
  updateDraft(desk, {
    changed: rules.applyDependents(form, rules.setFieldValue(form, draft.changed, key, value)),
  });
}

// The fields

/** Returns a field's group, or "more" if the field has none. @param {Field} field */
const getFieldGroup = ({ key }) => (rules.splitKey(key).name ? rules.splitKey(key).group : "more");

/**
 * Renders a group of fields. The group is collapsed if it contains only text fields.
 * @param {Desk} desk
 * @param {string} group
 * @param {Field[]} fields
 */
function renderFieldGroup(desk, group, fields) {
  const rows = html`<ul>${fields.map((field) => renderField(desk, field))}</ul>`;
  const name = t(`house.group.${group}`);
  return fields.every(({ kind }) => kind === "text")
    ? html`<details><summary>${name}</summary>${rows}</details>`
    : html`<section aria-label=${name}><h3>${name}</h3>${rows}</section>`;
}

/**
 * Renders a field with its control, its hint and its errors.
 * @param {Desk} desk @param {Field} field
 */
function renderField(desk, field) {
  const { key, is } = field;
  const { changed, faults = [] } = desk.draft;
  const { group, name: id } = rules.splitKey(key);
  const name = getFieldLabel(desk, field);
  const differs = Object.hasOwn(changed, key);
  return html`<li class=${differs ? "changed" : ""} data-field=${key}>
    ${group === "cards" ? renderCardBadge(id) : nothing}
    <span class="grow">
      ${name}${
        differs && group !== "titles"
          ? html`<small>${t("house.was", { is: describeValue(key, is) })}</small>`
          : nothing
      }
    </span>
    ${differs ? renderRevertButton(desk, field, name) : nothing}
    ${renderFieldControl(desk, field, name)}${renderBoxHint(desk, field)}
    ${faults.filter((fault) => fault.key === key).map((fault) => renderFault(fault, field))}
  </li>`;
}

/**
 * Returns a field's label. For a field of a card, this is the card's title in the draft, which the
 * host may have changed.
 * @param {Desk} desk
 * @param {Field} field
 */
function getFieldLabel({ form, draft }, { key, is }) {
  const { group, name } = rules.splitKey(key);
  if (group === "titles") return String(is);
  const called = rules.getFieldValue(form, draft.changed, `titles.${name}`);
  return group === "cards" && called ? String(called) : rules.describeField(key);
}

/** @param {string} key @param {Value} value */
const describeValue = (key, value) =>
  typeof value === "boolean"
    ? t(value ? "house.on" : "house.off")
    : joinNames([value].flat().map((option) => rules.getOptionLabel(key, String(option)))) ||
      t("house.nothing");

/**
 * Renders the button that resets a field to the variant's value.
 * @param {Desk} desk
 * @param {Field} field
 * @param {string} name
 */
const renderRevertButton = (desk, { key, is }, name) =>
  html`<button type="button" class="press round" data-do="back" aria-label=${t("house.back", { name })}
    title=${t("house.back", { name })} @click=${() => changeField(desk, key, is)}>
    ${art("undo")}
  </button>`;

/**
 * Renders a hint if the host has chosen more copies of a card than any box contains. This isn't an
 * error, because many people own several boxes.
 * @param {Desk} desk
 * @param {Field} field
 */
function renderBoxHint({ ctrl, form, draft }, field) {
  const mostInBoxes = rules.findMostInBoxes(ctrl.variant, field);
  return mostInBoxes !== undefined &&
    Number(rules.getFieldValue(form, draft.changed, field.key)) > mostInBoxes
    ? html`<p class="soft" data-hint>${t("house.box", { count: mostInBoxes })}</p>`
    : nothing;
}

/** Renders the message about an error in a field. @param {Fault} fault @param {Field} field */
const renderFault = ({ code, ...facts }, { kind }) => {
  const fault = kind === "text" && code !== "same" ? kind : code;
  return html`<p class="short" role="alert">${t(`house.fault.${fault}`, facts)}</p>`;
};

/** @param {Desk} desk @param {Field} field @param {string} name */
function renderFieldControl(desk, field, name) {
  if (field.kind === "count") return renderStepper(desk, field, name);
  if (field.kind === "text") return renderTitleInput(desk, field, name);
  return field.kind === "bool"
    ? renderToggle(desk, field, name)
    : renderFieldOptions(desk, field, name);
}

/** @param {Desk} desk @param {Field} field @param {string} name */
function renderStepper(desk, { key, least = 0, most = 0 }, name) {
  const value = Number(rules.getFieldValue(desk.form, desk.draft.changed, key));
  const renderStepButton = (/** @type {string} */ way, /** @type {number} */ to) => {
    const out = to < least || to > most;
    return html`<button type="button" class="press" data-step=${way}
      aria-label=${t(`house.${way}`, { name })} aria-disabled=${out ? "true" : nothing}
      @click=${() => out || changeField(desk, key, to)}>
      ${way === "more" ? "+" : "−"}
    </button>`;
  };
  return html`<span class="stepper" role="group" aria-label=${name}>
    ${renderStepButton("fewer", value - 1)}<output>${value}</output>${renderStepButton("more", value + 1)}
  </span>`;
}

/** @param {Desk} desk @param {Field} field @param {string} name */
const renderTitleInput = (desk, { key, is }, name) =>
  html`<span class="field">
    <input aria-label=${name} autocomplete="off" placeholder=${is}
      @input=${truncateField} @compositionend=${truncateField}
      .value=${String(rules.getFieldValue(desk.form, desk.draft.changed, key))}
      @change=${(/** @type {Event} */ event) => changeField(desk, key, trimInput(event, String(is)))}>
  </span>`;

/** @param {Desk} desk @param {Field} field @param {string} name */
const renderToggle = (desk, { key }, name) =>
  html`<label class="switch">
    <input type="checkbox" role="switch" aria-label=${name}
      .checked=${live(!!rules.getFieldValue(desk.form, desk.draft.changed, key))}
      @change=${(/** @type {Event} */ event) => changeField(desk, key, getInput(event).checked)}>
  </label>`;

/**
 * Renders the options of a field: as radio buttons for a field of the kind `choice`, as checkboxes
 * for `many`.
 * @param {Desk} desk
 * @param {Field} field
 * @param {string} name
 */
function renderFieldOptions(desk, { key, kind, of = [] }, name) {
  const chosen = [rules.getFieldValue(desk.form, desk.draft.changed, key)].flat();
  const [type, toggled] =
    kind === "many"
      ? [
          "checkbox",
          (/** @type {string} */ option) =>
            of.filter((other) => chosen.includes(other) !== (other === option)),
        ]
      : ["radio", (/** @type {string} */ option) => option];
  return html`<fieldset class="choice" aria-label=${name}>
    ${of.map(
      (option) => html`<label>
        <input type=${type} name=${key} .checked=${live(chosen.includes(option))}
          @change=${() => changeField(desk, key, toggled(option))}>
        <span>${rules.getOptionLabel(key, option)}</span>
      </label>`,
    )}
  </fieldset>`;
}

// The sums, and the button that applies the rules

/**
 * Renders the sums (such as the number of cards, which must be right) and a button. Usually the
 * button applies the rules. If a sum is wrong and the form can correct it by changing other fields,
 * the button changes these fields instead.
 * @param {Desk} desk
 * @param {View} view
 */
function renderFormFooter(desk, view) {
  const { form, draft, ctrl } = desk;
  const sums = rules.checkSums(form, draft.changed);
  const balanced = sums.every(({ even }) => even) ? null : rules.balanceSums(form, draft.changed);
  const visibleSums = sums.filter(({ sum, even }) => !even || !rules.isDependent(sum));
  const pending = ctrl.pending.has("house_rules") ? "pending" : "";
  return html`<div class="house-foot">
    <div role="status">
      ${visibleSums.map(
        ({
          sum,
          is,
          should,
          even,
        }) => html`<p class="row ${even ? "" : "short"}" data-sum=${sum.id}>
          ${art(even ? "check" : "close")}<b>${t(`house.sum.${sum.id}`, { is, should })}</b>
        </p>`,
      )}
    </div>
    ${
      balanced
        ? html`<button type="button" class="press main wide" data-do="fit"
          @click=${() => updateDraft(desk, { changed: balanced })}>
          ${t("house.fit", { changes: describeBalance(desk, balanced) })}
        </button>`
        : html`<button type="button" class="press main wide ${pending}" data-say="house_rules"
          @click=${() => applyRules(desk, view)}>
          ${t(Object.keys(draft.changed).length ? "house.play" : "house.play.none")}
        </button>`
    }
  </div>`;
}

/** Describes the changes that would correct the sums. @param {Desk} desk @param {Changed} balanced */
function describeBalance({ form, draft, ctrl }, balanced) {
  const changes = form.fields.flatMap(({ key }) => {
    const [from, to] = [draft.changed, balanced].map((all) => rules.getFieldValue(form, all, key));
    return from === to ? [] : [{ key, from, to }];
  });
  return joinNames(rules.describeChanges({ name: null, changes }, ctrl.variant));
}

/**
 * Sends the rules to the server. If the server accepts them and they have a name, stores them on
 * this device.
 * @param {Desk} desk
 * @param {View} view
 */
async function applyRules(desk, view) {
  const { ctrl, draft } = desk;
  const overlay = rules.convertToOverlay(draft.changed, draft.name);
  const before = rules.convertToOverlay(rules.getChangedValues(view.house), view.house?.name ?? "");
  if (JSON.stringify(overlay) === JSON.stringify(before)) return ctrl.finishSheet();
  const answer = await ctrl.send({ type: "house_rules", rules: overlay }, "sheet");
  if (answer?.ok && overlay?.name) rules.saveRules(getRulesToSave(desk, view));
  // The viewer may have left the sheet in the meantime.
  if (!answer || ctrl.sheet?.kind !== "house") return;
  if (answer.ok) ctrl.finishSheet();
  else {
    // Assign directly, because `ctrl.set` with a sheet would clear the message about the refusal.
    ctrl.sheet = { kind: "house", rules: { ...draft, faults: answer.error?.facts?.faults } };
    ctrl.draw();
  }
}
