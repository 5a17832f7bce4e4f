/** The host's call sheet: what to say to the call now, to read aloud or to have read. */
import { call } from "./call.js";
import { html, nothing } from "../core/lit.js";
import { asked, canSpeakFor, nameOf } from "../core/moves.js";
import { current, t } from "../core/text.js";
import { canSpeak, speak } from "../core/voice.js";
import { art, named, say } from "./parts.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { View } from "../core/types.js" */

/** @param {Controller} ctrl */
export function callsheet(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const words = call(view);
  const seat = asked(view);
  return html`<div class="callsheet"><blockquote>${words}</blockquote>
    <div class="row wrap">${
      canSpeak()
        ? html`<button type="button" class="press small" @click=${() => speak(words, current())}>${art("speak")}${t("call.read")}</button>
      <label class="switch grow"><span>${t("call.always")}</span><input type="checkbox" role="switch" .checked=${!!ctrl.prefs.aloud} @change=${() => ctrl.prefer("aloud", !ctrl.prefs.aloud)}></label>`
        : nothing
    }
    ${seat && ctrl.as !== seat && canSpeakFor(view, seat) ? html`<button type="button" class="press small" @click=${() => ctrl.set({ picked: seat, sheet: null })}><span>${say("act.for", { who: named(nameOf(view, seat)) })}</span></button>` : nothing}</div></div>`;
}
