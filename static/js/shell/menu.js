/**
 * Renders the menu: the viewer's own settings and, for the host, the table's options. Also renders
 * a question about notifications: after the first turn that the viewer missed, it asks whether the
 * browser may notify them of their turns (see core/senses.js).
 */
import { getFamily } from "../core/family.js";
import { html, live, nothing } from "../core/lit.js";
import { renderAheadButton } from "./windowed.js";
import { canOpenSmallWindow, canPopOut, canShareScreen } from "./pip.js";
import { openScreenWindow, openSmallWindow } from "./pip.js";
import { t } from "../core/text.js";
import { renderThemeAndLanguageChoices } from "./choice.js";
import { renderTableOptions } from "./options.js";
import { art, renderCommandButton, renderConfirmButton } from "./parts.js";
import { getOwnValue } from "../core/value.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { View } from "../core/types.js" */

/** @param {Controller} ctrl */
export function renderMenu(ctrl) {
  const view = ctrl.view;
  return html`<div class="menu">
    ${renderThemeAndLanguageChoices(ctrl.prefs.theme, (key, value) => ctrl.prefer(key, value))}
    ${renderSwitch(ctrl, "sound", playSampleSound)}
    ${"vibrate" in navigator ? renderSwitch(ctrl, "buzz") : nothing}
    ${renderNotificationSwitch(ctrl)}
    ${renderSwitch(ctrl, "veil")}
    ${
      view && view.phase !== "lobby" && view.phase !== "setup"
        ? html`<button type="button" class="press"
          @click=${() => ctrl.set({ sheet: { kind: "chain" } })}>
          ${t("sheet.chain")}
        </button>`
        : nothing
    }
    ${
      canPopOut() && ctrl.openSmallWindow
        ? html`<button type="button" class="press" @click=${() => ctrl.openSmallWindow?.()}>
          ${art("pop")}
          ${t("menu.pop")}
        </button>`
        : nothing
    }
    ${
      canOpenSmallWindow() && ctrl.openSmallWindow
        ? html`<button type="button" class="press" data-do="small-window"
          @click=${() => openSmallWindow(ctrl)}>
          ${art("pop")}
          ${t("menu.small")}
        </button>`
        : nothing
    }
    ${canShareScreen() && ctrl.openSmallWindow ? renderScreenButton(ctrl) : nothing}
    ${
      view?.you?.host && view.waiting?.length
        ? html`<button type="button" class="press" data-do="wait"
          @click=${() => ctrl.set({ sheet: { kind: "wait" } })}>
          ${t("wait.who")}
        </button>`
        : nothing
    }
    ${renderAheadButton(ctrl)}
    ${view ? getFamily().renderMenuChoices?.(ctrl) : nothing}
    ${view?.you?.host ? html`${renderTableOptions(ctrl)}${renderHostButton(ctrl, view)}` : nothing}
    ${
      view?.you && !view.you.host && getOwnValue(ctrl.presence.seats, view.host) !== "here"
        ? renderCommandButton(ctrl, { type: "claim_host" }, t("host.claim"), { spot: "sheet" })
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
 * Renders the button that opens the table's page for a shared screen. At a table without spectators,
 * renders the reason why there is no such page.
 * @param {Controller} ctrl
 */
const renderScreenButton = (ctrl) =>
  ctrl.view?.options.spectators === false
    ? html`<p class="soft" data-no-screen>${t("menu.screen.off")}</p>`
    : html`<button type="button" class="press" data-do="shared-screen"
      @click=${() => openScreenWindow(ctrl)}>
      ${art("watch")}
      ${t("menu.screen")}
    </button>`;

/**
 * Renders a button for the host. During the preparation it goes back to the lobby; during a game it
 * ends the game.
 * @param {Controller} ctrl
 * @param {View} view
 */
function renderHostButton(ctrl, view) {
  if (view.phase === "setup")
    return renderCommandButton(ctrl, { type: "to_lobby" }, t("to-lobby"), { spot: "sheet" });
  if (view.phase !== "roll_call" && view.phase !== "play") return nothing;
  return renderConfirmButton(
    ctrl,
    { type: "end_game" },
    { label: t("end"), ask: t("sure.end"), yes: t("sure.end.yes") },
  );
}

/**
 * Renders a switch for a setting.
 * @param {Controller} ctrl
 * @param {string} key
 * @param {() => void} [on] demonstrates the setting when it is switched on
 */
const renderSwitch = (ctrl, key, on) => html`<label class="switch">
  <span>${t(`menu.${key}`)}</span>
  <input type="checkbox" role="switch" name=${key} .checked=${live(!!ctrl.prefs[key])}
    @change=${() => {
      ctrl.prefer(key, !ctrl.prefs[key]);
      if (ctrl.prefs[key]) on?.();
    }}>
</label>`;

/** Plays the sound of the viewer's turn, so that the viewer can check the volume. */
const playSampleSound = () =>
  void import("../core/sound.js").then(({ playSound: play }) => play("turn"));

/**
 * Switches notifications on or off. To switch them on, asks the browser for the viewer's
 * permission.
 * @param {Controller} ctrl
 * @param {boolean} wanted
 */
async function setNotifications(ctrl, wanted) {
  const allowed = wanted && (await Notification.requestPermission()) === "granted";
  ctrl.prefer("call", allowed);
  if (wanted && !allowed) ctrl.showNotice(t("away.denied"), ctrl.sheet ? "sheet" : "now");
}

/**
 * Renders the question whether the browser may show notifications. It appears after the first
 * missed turn.
 * @param {Controller} ctrl
 */
export const renderNotificationQuestion = (ctrl) =>
  html`<div class="toast" role="status"><span>${t("away.ask")}</span>
    <div class="row">
      <button type="button" class="press main small" data-do="call" @click=${() =>
        setNotifications(ctrl, true)}>
        ${t("away.yes")}
      </button>
      <button type="button" class="press plain small" data-do="call-not"
        @click=${() => setNotifications(ctrl, false)}>
        ${t("away.no")}
      </button>
    </div>
  </div>`;

/**
 * Renders the switch for notifications. Renders nothing if the browser doesn't support them or has
 * denied permission.
 * @param {Controller} ctrl
 */
const renderNotificationSwitch = (ctrl) =>
  "Notification" in globalThis && Notification.permission !== "denied"
    ? html`<label class="switch">
      <span>${t("menu.call")}</span>
      <input type="checkbox" role="switch" name="call" .checked=${live(ctrl.prefs.call === true)}
        @change=${() => setNotifications(ctrl, ctrl.prefs.call !== true)}>
    </label>`
    : nothing;
