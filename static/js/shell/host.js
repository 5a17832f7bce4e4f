/**
 * Renders two sheets for the host: the text to read out on the call, and the list of players for
 * whom the host can enter a Nope that they shouted on the call.
 */
import { html, nothing } from "../core/lit.js";
import { getSeatToAct, canActFor, findAllowedCommands, getSeatName } from "../core/moves.js";
import { getLanguage, t } from "../core/text.js";
import { getCallText, canSpeak, speakAloud } from "./call.js";
import {
  art,
  renderEmblem,
  renderPlayerName,
  renderCommandButton,
  renderSentence,
} from "./parts.js";
import { getNopeLabel, getSeatsToSpeakFor } from "./windowed.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { View } from "../core/types.js" */

/**
 * Renders the text to read out on the call. If the device has speech synthesis, adds buttons that
 * make it read the text aloud.
 * @param {Controller} ctrl
 */
export function renderCallSheet(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const words = getCallText(view, ctrl.prefs.veil);
  const seat = getSeatToAct(view);
  return html`<div class="callsheet">
    <blockquote>${words}</blockquote>
    <div class="row wrap">
      ${
        canSpeak()
          ? html`<button type="button" class="press small" @click=${() =>
              speakAloud(words, getLanguage())}>
            ${art("speak")}
            ${t("call.read")}
          </button>
            <label class="switch grow">
              <span>${t("call.always")}</span>
              <input type="checkbox" role="switch" .checked=${!!ctrl.prefs.aloud}
                @change=${() => ctrl.prefer("aloud", !ctrl.prefs.aloud)}>
            </label>`
          : nothing
      }
      ${
        seat && ctrl.as !== seat && canActFor(view, seat)
          ? html`<button type="button" class="press small"
            @click=${() => ctrl.set({ pickedSeat: seat, sheet: null })}>
            <span>${renderSentence("act.for", { who: renderPlayerName(getSeatName(view, seat)) })}</span>
          </button>`
          : nothing
      }
    </div>
  </div>`;
}

/** Renders the buttons to Nope or pass for other players. @param {Controller} ctrl */
export function renderSpeakForOthersSheet(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const seats = getSeatsToSpeakFor(ctrl);
  if (!seats.length) return html`<p class="quiet">${t("window.nobody")}</p>`;
  return html`<ul class="seats">
    ${seats.map(
      (seat) => html`<li data-seat=${seat}>
        ${renderEmblem(ctrl, seat)}<span class="grow clip">${renderPlayerName(getSeatName(view, seat))}</span>
        ${findAllowedCommands(view, seat, "nope").map((command) =>
          renderCommandButton(ctrl, command, getNopeLabel(view), {
            kind: "small danger",
            id: "nope-for",
            spot: "sheet",
            last: true,
          }),
        )}
        ${findAllowedCommands(view, seat, "pass").map((command) =>
          renderCommandButton(ctrl, command, t("pass"), {
            kind: "small",
            id: "pass-for",
            spot: "sheet",
          }),
        )}
      </li>`,
    )}
  </ul>`;
}
