/** Before being ready: whether one's cards lie on the table or are kept by this device (ruling own-deck). */
import { prepStep } from "../../../art/preparation.js";
import { html, nothing } from "../../core/lit.js";
import { t } from "../../core/text.js";
import { art } from "../../shell/parts.js";
import { keeps } from "../own.js";
import { sizes, isKept, ownSeat } from "../state.js";

/** @import { Controller } from "../../core/controller.js" */
/** @import { View } from "../types.js" */

/** @param {Controller} ctrl */
export function choice(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const seat = ownSeat(ctrl, view);
  if (!seat || !view.you) return nothing;
  if (ctrl.kept?.lost) return lost(ctrl, seat.ready);
  if (seat.ready) return nothing;
  const kept = isKept(seat);
  return html`<section class="panel deck-choice" aria-label=${t("deck.ask")}><h2>${t("deck.ask")}</h2>
    <div class="row">${way(ctrl, "table", !kept)}${way(ctrl, "device", kept)}</div>
    <p class="soft">${t(kept ? "deck.device.what" : "deck.table.what")}</p></section>`;
}

/** @param {Controller} ctrl @param {"table" | "device"} kind @param {boolean} chosen */
const way = (ctrl, kind, chosen) =>
  html`<button type="button" class="press" data-deck=${kind} aria-pressed=${String(chosen)}
    @click=${() => chosen || choose(ctrl, kind)}>
    ${chosen ? art("check") : nothing}
    ${t(`deck.${kind}`)}
  </button>`;

/** @param {Controller} ctrl @param {"table" | "device"} kind */
const choose = (ctrl, kind) => keeps().then((keeper) => keeper.choose(ctrl, kind));

/**
 * The seat has a deck that this device doesn't: it is dealt anew, or stays where it is.
 * @param {Controller} ctrl
 * @param {boolean} ready
 */
const lost = (ctrl, ready) =>
  html`<section class="panel deck-choice"><p role="status">${t("deck.lost.setup")}</p>
    <button type="button" class="press" data-deck="anew" @click=${async () => {
      if (ready) await ctrl.say({ type: "ready", ready: false });
      await choose(ctrl, "device");
    }}>${t("deck.anew")}</button></section>`;

const STEPS = {
  take: ["take"],
  aside: ["aside"],
  away: ["shuffle", "away"],
  hand: ["hand"],
  grid: ["mix", "grid"],
};

/** What the device does as soon as the game begins, step by step as the sheet says. */
export const steps = () =>
  Object.entries(STEPS).map(
    ([step, pictures]) => html`<li>
      <h2>${t(`deck.step.${step}`, sizes())}</h2>
      ${pictures.map((name) => html`<span class="prep" aria-hidden="true">${prepStep(name, sizes())}</span>`)}
    </li>`,
  );
