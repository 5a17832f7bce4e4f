/** The event: somebody is gone, and the chain closes up before everybody's eyes. */
import { boom as scene } from "../../art/scenes.js";
import { html } from "../core/lit.js";
import { neighbours } from "../core/moves.js";
import { t } from "../core/text.js";
import { me, say, who } from "./parts.js";
import { ring } from "./ring.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { View } from "../core/types.js" */

/**
 * A sentence about seats.
 * @param {Controller} ctrl
 * @param {string} key
 * @param {Record<string, string | undefined>} seats
 */
const said = (ctrl, key, seats) =>
  say(key, {
    mine: me(ctrl, seats),
    ...Object.fromEntries(Object.entries(seats).map(([fact, seat]) => [fact, who(ctrl, seat)])),
  });

/** @param {Controller} ctrl @param {{seat: string, out: string}} gone */
export function boom(ctrl, { seat, out }) {
  const view = /** @type {View} */ (ctrl.view);
  const pair = neighbours(view, seat);
  return html`<button type="button" class="boom" @click=${() => ctrl.set({ boom: null })}>
    ${out === "kitten" ? scene(t("boom")) : ""}
    <span class="boom-words">${said(ctrl, `boom.${out}`, { who: seat })}</span>
    ${!view.winner ? html`${ring(ctrl)}<span class="boom-next">${said(ctrl, "boom.next", pair)}</span>` : ""}
    <span class="soft">${t("boom.on")}</span></button>`;
}
