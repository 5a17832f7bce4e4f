/**
 * The automatic pass of a player who practises alone. If every other seat is a robot's and the
 * viewer's hand contains no Nope, the panel passes by itself in each window, after a pause in which
 * the played card can be read. The viewer can switch this off. If another person is at the table,
 * the panel never passes by itself, so that a pass reveals nothing about the hand.
 * @import { Controller } from "../../core/controller.js"
 * @import { OwnDeck } from "./fold.js"
 * @import { View } from "../types.js"
 */
import { findCardWithEffect } from "../../core/deck.js";
import { html, live, nothing } from "../../core/lit.js";
import { findAllowedCommands } from "../../core/moves.js";
import { t } from "../../core/text.js";

/** Time in ms in which the played card, or the newest Nope on it, is shown before the panel passes. */
const READ_MS = 1500;

/** The window, and the number of Nopes in it, for which a pass is scheduled. */
let scheduledFor = "";

/** Returns true if all other seats are robots'. @param {View} view */
const isAlone = (view) =>
  !!view.you &&
  view.seats.length > 1 &&
  view.seats.every((seat) => (seat.seat === view.you?.seat ? !seat.robot : !!seat.robot));

/** Returns true if the viewer has left the automatic pass on. @param {Controller} ctrl */
const isSwitchedOn = (ctrl) => ctrl.prefs.passAlone !== false;

/**
 * Returns the pass that the panel sends by itself in the open window, or null if the viewer decides.
 * @param {Controller} ctrl
 * @param {View} view
 * @param {OwnDeck | null} cards
 */
export function findAutomaticPass(ctrl, view, cards) {
  if (!view.window || view.asked || !isAlone(view) || !isSwitchedOn(ctrl)) return null;
  if (!cards?.hand || cards.hand.includes(findCardWithEffect("nope"))) return null;
  return findAllowedCommands(view, view.you?.seat ?? null, "pass")[0] ?? null;
}

/**
 * Schedules the automatic pass for the window in this view, unless it is scheduled already. After
 * the pause the panel checks all conditions again, and sends the pass only if they still hold.
 * @param {Controller} ctrl
 * @param {View} view
 * @param {OwnDeck | null} cards
 */
export function schedulePass(ctrl, view, cards) {
  const key = findAutomaticPass(ctrl, view, cards)
    ? [view.epoch, view.game, view.window?.id, view.played?.nopes.length].join()
    : "";
  if (key === scheduledFor) return;
  scheduledFor = key;
  if (!key) return;
  setTimeout(() => {
    if (scheduledFor !== key) return;
    scheduledFor = "";
    const now = /** @type {View} */ (ctrl.view);
    const pass = findAutomaticPass(ctrl, now, ctrl.deviceDeck);
    if (pass) ctrl.send(pass);
  }, READ_MS);
}

/**
 * Renders, in an open window, that the panel passes for the viewer, with a button that stops this.
 * @param {Controller} ctrl
 */
export const renderAutomaticPass = (ctrl) =>
  findAutomaticPass(ctrl, /** @type {View} */ (ctrl.view), ctrl.deviceDeck)
    ? html`<div class="dock alone-pass" role="status"><p class="quiet">${t("alone.passes")}</p>
      <button type="button" class="press plain small" data-do="pass-myself"
        @click=${() => setSwitch(ctrl, false)}>${t("alone.stop")}</button>
    </div>`
    : nothing;

/**
 * Renders the menu's switch for the automatic pass. Renders nothing if the viewer isn't alone with
 * robots, or has no device deck.
 * @param {Controller} ctrl
 */
export const renderPassSwitch = (ctrl) =>
  ctrl.deviceDeck && isAlone(/** @type {View} */ (ctrl.view))
    ? html`<label class="switch">
      <span>${t("menu.alone")}</span>
      <input type="checkbox" role="switch" name="passAlone" .checked=${live(isSwitchedOn(ctrl))}
        @change=${() => setSwitch(ctrl, !isSwitchedOn(ctrl))}>
    </label>`
    : nothing;

/** @param {Controller} ctrl @param {boolean} on */
function setSwitch(ctrl, on) {
  ctrl.prefer("passAlone", on);
  ctrl.wire?.showAgain();
}
