/**
 * Renders the offer to switch on sounds. The lobby shows it until the player has answered once on
 * this device; from then on, the menu has the switch.
 */
import { html } from "../core/lit.js";
import { t } from "../core/text.js";
import { art } from "./parts.js";

/** @import { Controller } from "../core/controller.js" */

/** @param {Controller} ctrl */
export const renderSoundOffer = (ctrl) =>
  html`<section class="panel sound-offer" aria-label=${t("menu.sound")}>
    <p>${t("sound.offer")}</p>
    <div class="row wrap">
      <button type="button" class="press small" data-do="hear-sound" @click=${playSamples}>
        ${art("speak")}${t("sound.hear")}
      </button>
      <button type="button" class="press small" data-do="sound-on"
        @click=${() => ctrl.prefer("sound", true)}>
        ${t("sound.on")}
      </button>
      <button type="button" class="press plain small" data-do="sound-off"
        @click=${() => ctrl.prefer("sound", false)}>
        ${t("sound.off")}
      </button>
    </div>
  </section>`;

/** Plays the sound of the player's turn, and then that of a Nope. */
function playSamples() {
  void import("../core/sound.js").then(({ playSound }) => {
    playSound("turn");
    playSound("nope", 4);
  });
}
