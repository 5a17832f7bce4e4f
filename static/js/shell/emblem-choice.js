/**
 * Renders the twelve emblems to choose from. One tap chooses. The emblems of other players are
 * grey.
 */
import { emblem as drawEmblem } from "../../art/emblems.js";
import { html, nothing } from "../core/lit.js";
import { EMBLEMS, getCommandTag, getEmblemIndex } from "../core/moves.js";
import { t } from "../core/text.js";
import { renderToast } from "./parts.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { View } from "../core/types.js" */

/**
 * @param {Controller} ctrl
 * @param {string} seat the seat whose emblem is chosen
 */
export function renderEmblemChoice(ctrl, seat) {
  const label = t(seat === ctrl.me ? "emblem.mine" : "emblem.theirs");
  return html`<div class="emblem-choice">
    <p class="soft">${label}</p>
    <div class="emblems" role="group" aria-label=${label}>
      ${EMBLEMS.map((name, at) => renderEmblemButton(ctrl, seat, name, at))}
    </div>
    ${renderToast(ctrl, "emblem")}
  </div>`;
}

/** @param {Controller} ctrl @param {string} seat @param {string} name @param {number} at */
function renderEmblemButton(ctrl, seat, name, at) {
  const view = /** @type {View} */ (ctrl.view);
  const owner = view.seats.find((one) => getEmblemIndex(view, one.seat) === at);
  const isMine = owner?.seat === seat;
  const emblem = t(`emblem.${name}`);
  const label = owner && !isMine ? t("emblem.taken", { emblem, who: owner.name }) : emblem;
  const command = { type: "emblem", as: seat, emblem: name };
  return html`<button type="button" aria-label=${label} title=${label}
    class="emblem-button ${ctrl.pending.has(getCommandTag(command)) ? "pending" : ""}"
    data-choose=${name} aria-pressed=${isMine ? "true" : "false"}
    ?disabled=${!!owner && !isMine} @click=${() => isMine || ctrl.send(command, "emblem")}>
    ${drawEmblem(at)}${isMine ? html`<span class="emblem-tick" aria-hidden="true">✓</span>` : nothing}
  </button>`;
}
