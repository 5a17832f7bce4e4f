/**
 * Composes the text that the host reads out on the video call, in the situations that occur in all
 * games. Also reads the text aloud if the device has speech synthesis.
 */
import { getFamily } from "../core/family.js";
import { getSeatName } from "../core/moves.js";
import { joinNames, t } from "../core/text.js";

/** @import { View } from "../core/types.js" */

/**
 * Returns the text that the host reads out on the call.
 * @param {View} view
 * @param {boolean} [veiled] true if the viewer hides the table's code; the text then omits it
 * @returns {string}
 */
export function getCallText(view, veiled) {
  if (view.winner) return t("call.won", { who: getSeatName(view, view.winner) });
  if (view.phase === "lobby")
    return veiled ? t("call.lobby.veiled") : t("call.lobby", { code: [...view.table].join(" ") });
  if (view.phase === "setup") return getSetupText(view);
  return view.window ? getWindowText(view) : getFamily().composeCallSentence(view);
}

/** @param {View} view */
function getSetupText(view) {
  const waits = view.seats.filter((seat) => !seat.ready).map((seat) => seat.name);
  return waits.length ? t("call.setup", { names: joinNames(waits) }) : t("call.first");
}

/** @param {View} view */
function getWindowText(view) {
  const played = view.played;
  const last = played?.nopes.at(-1);
  if (!last && getFamily().isCardless(played?.card)) return getFamily().composeCallSentence(view);
  const facts = {
    who: getSeatName(view, last ?? played?.by),
    card: played ? getFamily().describePlayedCard(played).title : "",
    count: view.window?.seconds,
  };
  return t(last ? "call.nope" : "call.played", facts);
}

export const canSpeak = () => "speechSynthesis" in globalThis;

/** @param {string} words @param {string} language */
export function speakAloud(words, language) {
  if (!canSpeak() || !words) return;
  const utterance = new SpeechSynthesisUtterance(words);
  utterance.lang = language;
  speechSynthesis.cancel();
  speechSynthesis.speak(utterance);
}
