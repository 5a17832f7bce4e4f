/**
 * Composes two sentences for draw grids: the now-line, which names the next action and who has to
 * do it, and the sentence that the host reads out on the call.
 */
import {
  composeIdleSentence,
  getMood,
  getSeatName,
  mustExplode,
  composeWindowSentence,
  findSeat,
  getViewerRole,
  composeWinnerSentence,
} from "../core/moves.js";
import { t } from "../core/text.js";
import { getOwnValue } from "../core/value.js";
import { STEPS_NEEDING_CARDS, hasDeviceDeck, isDeckMissing, isInstruction } from "./state.js";
import { describeCell } from "./words.js";

/** @import { Now } from "../core/types.js" */
/** @import { View } from "./types.js" */

/**
 * Returns the seat that has to act now, or null while a window is open.
 * @param {View} view
 * @returns {string | null}
 */
export function getSeatToAct(view) {
  if (view.roll_call) return view.roll_call.caller;
  if (!view.turn || view.window || view.winner) return null;
  if (view.turn.step === "tell") return view.turn.instructor;
  if (view.turn.step === "reveal") return view.played?.target ?? null;
  return view.turn.seat;
}

/**
 * @param {View} view
 * @param {string | null} as the seat that the panel acts for
 * @param {string | null} [aim] a card for which a target is being chosen
 * @returns {Now}
 */
export function composeNowSentence(view, as, aim = null) {
  if (view.winner) return composeWinnerSentence(view);
  if (view.window) return composeGridWindowSentence(view);
  if (view.roll_call) return composeRollCallSentence(view, as);
  if (!view.turn) return composeIdleSentence(view);
  if (aim)
    return { key: "now.aim", hint: "now.aim.hint", mood: "you", who: as, by: null, card: aim };
  return composeStepSentence(view, as);
}

/** Returns the sentence for an open window, of a card or an instruction. @returns {Now} */
function composeGridWindowSentence(/** @type {View} */ view) {
  const card = view.played?.card;
  if (!isInstruction(card)) return composeWindowSentence(view, { card, hint: "now.played.hint" });
  const now = composeWindowSentence(view, { hint: "now.told.hint" });
  const keys = { "now.played.target": "now.told", "now.nope.no": "now.nope.told" };
  return { ...now, key: getOwnValue(keys, now.key) ?? now.key };
}

/** @returns {Now} */
function composeRollCallSentence(/** @type {View} */ view, /** @type {string | null} */ as) {
  const who = getSeatToAct(view);
  const side = getViewerRole(view, who, as);
  return {
    key: `now.call.${side}`,
    hint: `now.call.${side}.hint`,
    mood: getMood(side),
    who,
    by: null,
  };
}

/**
 * Steps in which players with a device deck get a different hint, because the device does part of
 * the work.
 */
const BY_DEVICE = ["look", "kitten"];

/** @returns {Now} */
function composeStepSentence(/** @type {View} */ view, /** @type {string | null} */ as) {
  const turn = /** @type {import("./types.js").Turn} */ (view.turn);
  const actor = getSeatToAct(view);
  const role = getViewerRole(view, actor, as);
  const waits = role === "other" && turn.step === "tell" && turn.seat === view.you?.seat;
  const side = waits ? "turn" : role;
  const favor = turn.step === "reveal";
  const turnSeat = view.seats.find((seat) => seat.seat === turn.seat);
  const byDevice =
    side === "me" && turnSeat?.deck?.kind === "device" && BY_DEVICE.includes(turn.step);
  if (isDeckMissing(findSeat(view, actor)) && STEPS_NEEDING_CARDS.includes(turn.step))
    return {
      ...composeIdleSentence(view),
      key: side === "me" ? "now.lost.me" : "now.lost",
      who: actor,
    };
  const again = turn.again && turn.step === "tell" && side === "turn" ? ".again" : "";
  const key = `now.${turn.step}.${side}`;
  const canOnlyExplode = mustExplode(view, as);
  return {
    key: canOnlyExplode ? `${key}.out` : `${key}${again}`,
    hint: side === "other" || canOnlyExplode ? null : `${key}.hint${byDevice ? ".device" : ""}`,
    mood: turn.step === "kitten" ? "danger" : getMood(side),
    who: favor ? actor : turn.seat,
    by: favor ? turn.seat : turn.instructor,
  };
}

/** @param {View} view */
export function composeCallSentence(view) {
  if (view.roll_call) return t("call.roll", { who: getSeatName(view, getSeatToAct(view)) });
  const turn = view.turn;
  if (!turn) return "";
  const seat =
    turn.step === "reveal" ? findSeat(view, view.played?.target) : findSeat(view, turn.seat);
  const cell = turn.step === "reveal" ? view.played?.cell : turn.told;
  const place = seat && cell ? describeCell(seat.grid, cell) : "";
  const count = turn.owed ?? 1;
  const owes = turn.again ? ".again" : count > 1 ? ".owed" : "";
  // A card from a device deck is seen on every screen, so nobody has to hold it up.
  const byDevice = turn.step === "act" && hasDeviceDeck(seat) ? ".device" : "";
  const key = view.window
    ? "call.told"
    : `call.${turn.step}${turn.step === "tell" ? owes : byDevice}`;
  const by = getSeatName(view, turn.instructor);
  return t(key, { who: seat?.name, by, place, count: view.window?.seconds ?? count });
}
