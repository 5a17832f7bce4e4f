/** That a table plays by house rules: the list of them, and the host's way to change it. */
import { inWords } from "../core/house.js";
import { html, nothing } from "../core/lit.js";
import { joinNames, t } from "../core/text.js";
import { say } from "./parts.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { House } from "../core/house.js" */
/** @import { View } from "../core/types.js" */

/** In one sentence; nothing where there are none. @param {Controller} ctrl */
export function houseLine(ctrl) {
  const house = ctrl.view?.house;
  return house ? html`<p class="soft house-said" data-house>${sentence(ctrl, house)}</p>` : nothing;
}

/** @param {Controller} ctrl @param {House} house @param {unknown} [name] as it is shown */
const sentence = ({ variant }, house, name = html`<bdi>${house.name}</bdi>`) =>
  say(house.name ? "house.line.named" : "house.line", {
    changes: joinNames(inWords(house, variant)),
    name,
  });

/** The same as plain text. @param {Controller} ctrl */
export const housePlain = (ctrl) =>
  ctrl.view?.house ? sentence(ctrl, ctrl.view.house, ctrl.view.house.name).join("") : "";

/** Who may make them now. @param {View} view */
export const mayMake = ({ phase, you }) => !!you?.host && (phase === "lobby" || phase === "setup");

/** Before a game: what all have to know before they are ready. @param {Controller} ctrl */
export function houseRules(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const host = mayMake(view);
  if (!view.house && !host) return nothing;
  return html`<div class="panel row" role="group" data-house aria-label=${t("sheet.house")}>
    <p class="grow house-said">${view.house ? sentence(ctrl, view.house) : t("house.none")}</p>
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
