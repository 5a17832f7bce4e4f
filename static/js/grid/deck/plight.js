/** Notice for the host that the game waits for a device deck which is missing or away. */
import { html, nothing } from "../../core/lit.js";
import { playerName, sentence } from "../../shell/parts.js";
import { isMissing, waitsForDeck } from "../state.js";

/** @import { Controller } from "../../core/controller.js" */

/** @param {Controller} ctrl */
export function plight(ctrl) {
  const seat = waitsForDeck(ctrl);
  if (!seat) return nothing;
  const who = playerName(seat.name);
  return html`<p class="hint plight">${sentence(
    isMissing(seat) ? "plight.missing" : "plight.away",
    { who },
  )}</p>
    <button type="button" class="press small" data-do="plight"
      @click=${() => ctrl.set({ sheet: { kind: "seat", seat: seat.seat } })}>
      <span>${sentence("plight.seat", { who })}</span>
    </button>`;
}
