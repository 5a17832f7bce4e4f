/**
 * The notice that tells the host that the game waits for a device deck which is missing or not
 * connected.
 */
import { html, nothing } from "../../core/lit.js";
import { renderPlayerName, renderSentence } from "../../shell/parts.js";
import { isDeckMissing, findSeatOfAbsentDeck } from "../state.js";

/** @import { Controller } from "../../core/controller.js" */

/** @param {Controller} ctrl */
export function renderAbsentDeckNotice(ctrl) {
  const seat = findSeatOfAbsentDeck(ctrl);
  if (!seat) return nothing;
  const who = renderPlayerName(seat.name);
  return html`<p class="hint plight">${renderSentence(
    isDeckMissing(seat) ? "plight.missing" : "plight.away",
    { who },
  )}</p>
    <button type="button" class="press small" data-do="plight"
      @click=${() => ctrl.set({ sheet: { kind: "seat", seat: seat.seat } })}>
      <span>${renderSentence("plight.seat", { who })}</span>
    </button>`;
}
