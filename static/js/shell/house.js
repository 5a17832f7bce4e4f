/** Renders the table's house rules, with the host's button to change them. */
import { describeChanges } from "../core/house.js";
import { html, nothing } from "../core/lit.js";
import { joinNames, t } from "../core/text.js";
import { renderSentence } from "./parts.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { House } from "../core/house.js" */
/** @import { View } from "../core/types.js" */

/** Renders the house rules in one sentence, if there are any. @param {Controller} ctrl */
export function renderHouseRulesSentence(ctrl) {
  const house = ctrl.view?.house;
  return house
    ? html`<p class="soft house-said" data-house>${getHouseRulesSentence(ctrl, house)}</p>`
    : nothing;
}

/**
 * Returns the sentence that lists the house rules.
 * @param {Controller} ctrl
 * @param {House} house
 * @param {unknown} [name] the name of the rules, as text or template
 */
const getHouseRulesSentence = ({ variant }, house, name = html`<bdi>${house.name}</bdi>`) =>
  renderSentence(house.name ? "house.line.named" : "house.line", {
    changes: joinNames(describeChanges(house, variant)),
    name,
  });

/** Returns the sentence that lists the house rules, as plain text. @param {Controller} ctrl */
export const getHouseRulesText = (ctrl) =>
  ctrl.view?.house
    ? getHouseRulesSentence(ctrl, ctrl.view.house, ctrl.view.house.name).join("")
    : "";

/**
 * Returns true if the viewer may edit the house rules. Only the host may, before the game.
 * @param {View} view
 */
export const mayEditHouseRules = ({ phase, you }) =>
  !!you?.host && (phase === "lobby" || phase === "setup");

/**
 * Renders the house rules for the lobby and the preparation, with the host's button to change them.
 * @param {Controller} ctrl
 */
export function renderHouseRulesPanel(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const host = mayEditHouseRules(view);
  if (!view.house && !host) return nothing;
  return html`<div class="panel row" role="group" data-house aria-label=${t("sheet.house")}>
    <p class="grow house-said">${view.house ? getHouseRulesSentence(ctrl, view.house) : t("house.none")}</p>
    ${
      host
        ? html`<button type="button" class="press small" data-do="house"
          @click=${() => ctrl.set({ sheet: { kind: "house" } })}>
          ${t("house.change")}
        </button>`
        : nothing
    }
  </div>`;
}
