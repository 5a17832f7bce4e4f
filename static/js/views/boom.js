/** The event: somebody is gone, and the chain closes up before everybody's eyes. */
import { boom as scene } from "../../art/scenes.js";
import { html } from "../lit.js";
import { nameOf } from "../moves.js";
import { t } from "../text.js";
import { named, say } from "./parts.js";
import { ring } from "./ring.js";

/** @import { Controller } from "../controller.js" */
/** @import { View } from "../types.js" */

/** @param {Controller} ctrl @param {{seat: string, out: string}} gone */
export function boom(ctrl, { seat, out }) {
  const view = /** @type {View} */ (ctrl.view);
  const turn = view.turn;
  const who = named(nameOf(view, seat));
  const pair = turn && { by: named(nameOf(view, turn.instructor)), who: named(nameOf(view, turn.seat)) };
  return html`<button type="button" class="boom" @click=${() => ctrl.set({ boom: null })}>
    ${out === "kitten" ? scene(t("boom")) : ""}
    <span class="boom-words">${say(`boom.${out}`, { who })}</span>
    ${pair && !view.winner ? html`${ring(ctrl)}<span class="boom-next">${say("boom.next", pair)}</span>` : ""}
    <span class="soft">${t("boom.on")}</span></button>`;
}
