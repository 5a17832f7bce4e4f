/**
 * The buttons with which a player chooses between real cards and a device deck before they are
 * ready (ruling own-deck), and the host's switch that proposes device decks to the whole table.
 */
import { html, nothing } from "../../core/lit.js";
import { joinNames, t } from "../../core/text.js";
import { art } from "../../shell/parts.js";
import { chooseDeck } from "../own.js";
import {
  findOwnSeat,
  hasDeviceDeck,
  isDeviceDeckProposed,
  listSeatsWithoutDeck,
  readDeckChoice,
} from "../state.js";

/** @import { Controller } from "../../core/controller.js" */
/** @import { View } from "../types.js" */

/** @param {Controller} ctrl */
export function renderDeckChoice(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const seat = findOwnSeat(ctrl, view);
  if (!seat || !view.you) return nothing;
  if (ctrl.deviceDeck?.lost) return renderLostDeck(ctrl, seat.ready);
  const nobody = !!view.options.device_decks;
  if (seat.ready)
    return nobody
      ? html`<section class="panel deck-choice">${renderMissing(view)}</section>`
      : nothing;
  const proposed = isDeviceDeckProposed(ctrl.table, view);
  const byDevice = hasDeviceDeck(seat) || readDeckChoice(ctrl.table) || proposed;
  return html`<section class="panel deck-choice">
    ${
      view.you.host && view.phase === "lobby"
        ? renderSwitch("cards", "deck.nobody", nobody, "nobody", () =>
            ctrl.send({ type: "options", device_decks: !nobody }),
          )
        : nothing
    }
    ${renderSwitch("phone", nobody ? "deck.keep" : "deck.ask", !!byDevice, "device", () =>
      chooseDeck(ctrl, byDevice ? "table" : "device").catch(() => null),
    )}
    ${nobody ? renderMissing(view) : nothing}
    ${
      byDevice
        ? html`<p class="soft">${nobody ? `${t("deck.proposed")} ` : ""}${t("deck.device.what")}</p>`
        : nothing
    }
  </section>`;
}

/**
 * @param {string} icon
 * @param {string} label the key of its sentence
 * @param {boolean} on
 * @param {string} name
 * @param {() => void} click
 */
const renderSwitch = (icon, label, on, name, click) =>
  html`<button type="button" role="switch" class="switch" data-deck=${name} aria-checked=${String(on)}
    @click=${click}>
    ${art(icon)}<b class="grow">${t(label)}</b><i class="knob" aria-hidden="true"></i>
  </button>`;

/**
 * Renders the names of the players whose cards are on no device, with the reason if they have no
 * panel.
 * @param {View} view
 */
function renderMissing(view) {
  const seats = listSeatsWithoutDeck(view);
  if (!seats) return nothing;
  const names = seats.map(({ name, panel }) => (panel ? name : `${name} (${t("seat.none")})`));
  return html`<p role="status" data-missing>${
    names.length ? t("deck.missing", { names: joinNames(names) }) : t("deck.all")
  }</p>`;
}

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
      await chooseDeck(ctrl, "device").catch(() => null);
    }}>${t("deck.anew")}</button></section>`;
