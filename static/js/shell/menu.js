/**
 * Draws the menu: the viewer's own settings and, for the host, the table's options. Also asks, after the
 * first turn that the viewer missed, if the browser may notify them of their turns (see core/senses.js).
 */
import { family } from "../core/family.js";
import { html, live, nothing } from "../core/lit.js";
import { canPop } from "./pip.js";
import { t } from "../core/text.js";
import { looks } from "./choice.js";
import { options } from "./options.js";
import { art, commandButton, confirmButton } from "./parts.js";
import { valueAt } from "../core/value.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { View } from "../core/types.js" */

/** @param {Controller} ctrl */
export function menu(ctrl) {
  const view = ctrl.view;
  return html`<div class="menu">
    ${looks(ctrl.prefs.theme, (key, value) => ctrl.prefer(key, value))}
    ${toggle(ctrl, "sound", sample)}${"vibrate" in navigator ? toggle(ctrl, "buzz") : nothing}${calling(ctrl)}
    ${toggle(ctrl, "veil")}
    ${
      view && view.phase !== "lobby" && view.phase !== "setup"
        ? html`<button type="button" class="press"
          @click=${() => ctrl.set({ sheet: { kind: "chain" } })}>
          ${t("sheet.chain")}
        </button>`
        : nothing
    }
    ${
      canPop() && ctrl.pop
        ? html`<button type="button" class="press" @click=${() => ctrl.pop?.()}>
          ${art("pop")}
          ${t("menu.pop")}
        </button>`
        : nothing
    }
    ${
      view?.you?.host && view.waiting?.length
        ? html`<button type="button" class="press" data-do="wait"
          @click=${() => ctrl.set({ sheet: { kind: "wait" } })}>
          ${t("wait.who")}
        </button>`
        : nothing
    }
    ${view ? family().menu?.(ctrl) : nothing}
    ${view?.you?.host ? html`${options(ctrl)}${hostly(ctrl, view)}` : nothing}
    ${
      view?.you && !view.you.host && valueAt(ctrl.presence.seats, view.host) !== "here"
        ? commandButton(ctrl, { type: "claim_host" }, t("host.claim"), { spot: "sheet" })
        : nothing
    }
    ${
      view?.you
        ? html`<button type="button" class="press"
          @click=${() => ctrl.set({ sheet: { kind: "seat", seat: view.you?.seat } })}>
          ${t("menu.seat")}
        </button>`
        : nothing
    }
  </div>`;
}

/**
 * Draws the host's button that goes back to the lobby, or ends the game.
 * @param {Controller} ctrl
 * @param {View} view
 */
function hostly(ctrl, view) {
  if (view.phase === "setup")
    return commandButton(ctrl, { type: "to_lobby" }, t("to-lobby"), { spot: "sheet" });
  if (view.phase !== "roll_call" && view.phase !== "play") return nothing;
  return confirmButton(
    ctrl,
    { type: "end_game" },
    { label: t("end"), ask: t("sure.end"), yes: t("sure.end.yes") },
  );
}

/**
 * Draws a switch for a setting.
 * @param {Controller} ctrl
 * @param {string} key
 * @param {() => void} [on] demonstrates the setting when it is switched on
 */
const toggle = (ctrl, key, on) => html`<label class="switch">
  <span>${t(`menu.${key}`)}</span>
  <input type="checkbox" role="switch" name=${key} .checked=${live(!!ctrl.prefs[key])}
    @change=${() => {
      ctrl.prefer(key, !ctrl.prefs[key]);
      if (ctrl.prefs[key]) on?.();
    }}>
</label>`;

/** Plays the sound of the viewer's turn, to test the volume and if this browser plays sounds at all. */
const sample = () => void import("../core/sound.js").then(({ play }) => play("turn"));

/**
 * Switches notifications on or off. To switch them on, the browser asks the viewer for permission.
 * @param {Controller} ctrl
 * @param {boolean} wanted
 */
async function call(ctrl, wanted) {
  const allowed = wanted && (await Notification.requestPermission()) === "granted";
  ctrl.prefer("call", allowed);
  if (wanted && !allowed) ctrl.showNotice(t("away.denied"), ctrl.sheet ? "sheet" : "now");
}

/** Draws the question about notifications, after the first missed turn. @param {Controller} ctrl */
export const asking = (ctrl) =>
  html`<div class="toast" role="status"><span>${t("away.ask")}</span>
    <div class="row">
      <button type="button" class="press main small" data-do="call" @click=${() => call(ctrl, true)}>
        ${t("away.yes")}
      </button>
      <button type="button" class="press plain small" data-do="call-not"
        @click=${() => call(ctrl, false)}>
        ${t("away.no")}
      </button>
    </div>
  </div>`;

/** Draws the switch for notifications, unless the browser lacks or denies them. @param {Controller} ctrl */
const calling = (ctrl) =>
  "Notification" in globalThis && Notification.permission !== "denied"
    ? html`<label class="switch">
      <span>${t("menu.call")}</span>
      <input type="checkbox" role="switch" name="call" .checked=${live(ctrl.prefs.call === true)}
        @change=${() => call(ctrl, ctrl.prefs.call !== true)}>
    </label>`
    : nothing;
