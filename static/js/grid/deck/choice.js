/**
 * The buttons with which a player chooses between real cards and a device deck before they are
 * ready (ruling own-deck).
 */
import { html, nothing } from "../../core/lit.js";
import { t } from "../../core/text.js";
import { art } from "../../shell/parts.js";
import { loadKeeper } from "../own.js";
import { hasDeviceDeck, findOwnSeat, prefersDeviceDeck } from "../state.js";

/** @import { Controller } from "../../core/controller.js" */
/** @import { View } from "../types.js" */

/** @param {Controller} ctrl */
export function renderDeckChoice(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const seat = findOwnSeat(ctrl, view);
  if (!seat || !view.you) return nothing;
  if (ctrl.deviceDeck?.lost) return renderLostDeck(ctrl, seat.ready);
  if (seat.ready) return nothing;
  const byDevice = hasDeviceDeck(seat) || prefersDeviceDeck(ctrl.table);
  return html`<section class="panel deck-choice">
    <button type="button" role="switch" class="switch" data-deck="device" aria-checked=${String(byDevice)}
      @click=${() => chooseDeck(ctrl, byDevice ? "table" : "device")}>
      ${art("phone")}<b class="grow">${t("deck.ask")}</b><i class="knob" aria-hidden="true"></i>
    </button>
    ${byDevice ? html`<p class="soft">${t("deck.device.what")}</p>` : nothing}
  </section>`;
}

/** @param {Controller} ctrl @param {"table" | "device"} kind */
const chooseDeck = (ctrl, kind) => loadKeeper().then((keeper) => keeper.chooseDeck(ctrl, kind));

/**
 * Renders a notice that the seat's deck is on another device, with a button that deals a new deck
 * here.
 * @param {Controller} ctrl
 * @param {boolean} ready
 */
const renderLostDeck = (ctrl, ready) =>
  html`<section class="panel deck-choice"><p role="status">${t("deck.lost.setup")}</p>
    <button type="button" class="press" data-deck="anew" @click=${async () => {
      if (ready) await ctrl.send({ type: "ready", ready: false });
      await chooseDeck(ctrl, "device");
    }}>${t("deck.anew")}</button></section>`;
