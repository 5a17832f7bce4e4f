/**
 * "Pass for me": a player's choice to pass automatically in every Nope window until their next turn.
 * The sheet with the choice says that the others can see it. A bar on the page ends it with one tap.
 */
import { html, nothing } from "../core/lit.js";
import { findSeat } from "../core/moves.js";
import { t } from "../core/text.js";
import { art } from "./parts.js";
import { canPassAhead } from "./windowed.js";

/** @import { Controller } from "../core/controller.js" */

/** Renders the sheet, which explains the choice. @param {Controller} ctrl */
export const renderAheadSheet = (ctrl) =>
  html`<div class="menu">
    <p>${t("ahead.what")}</p>
    <button type="button" class="press main" data-say="auto_pass" ?disabled=${!canPassAhead(ctrl)}
      @click=${() => ctrl.sendFromSheet({ type: "auto_pass", on: true })}>
      ${art("check")}${t("ahead.yes")}
    </button>
  </div>`;

/**
 * Renders the bar of a player who passes automatically, with the button that stops this.
 * @param {Controller} ctrl
 */
export const renderAheadBar = (ctrl) =>
  ctrl.view && findSeat(ctrl.view, ctrl.me)?.auto_pass
    ? html`<div class="ahead">
      <span>${t("ahead.on")}</span>
      <button type="button" class="press small" data-do="ahead-stop"
        @click=${() => ctrl.send({ type: "auto_pass", on: false })}>${t("ahead.stop")}</button>
    </div>`
    : nothing;
