/**
 * Which sentence somebody needs who plays for the first time: at each kind of moment in which something is theirs to
 * tap, what it is. Pure, of the view and of what the panel shows; it must not know what is allowed.
 * @import { Command } from "../../core/types.js"
 * @import { View } from "../types.js"
 */
import { may, playable, seatOf } from "../../core/moves.js";
import { newestWord } from "../../core/undone.js";
import { asked } from "../now.js";
import { valueAt } from "../../core/value.js";

/** What of the panel's own state matters: the deck on this device, whether its hand is to be seen, a card being aimed. @typedef {{kept?: any, bare?: boolean, aim?: string | null}} Shown */
/** A moment, and its lessons: the first that is new is given. @typedef {{key: string, lessons: string[]}} Moment */
/** What has been given on this device, and what is being said. @typedef {{seen: string[], now: {key: string, lesson: string} | null}} Course */

/** Step → what is taught to whoever is asked in it. @type {Record<string, (view: View, me: string, shown: Shown) => string[]>} */
const STEPS = {
  tell: () => ["tell"],
  act: (view, me, { kept, bare }) =>
    kept && !bare ? ["draw", "uncover"] : playable(view, me).length ? ["draw", "play"] : ["draw"],
  look: () => ["look"],
  shuffle: (_view, _me, { kept }) => (kept ? [] : ["shuffle"]),
  reveal: (_view, _me, { kept }) => (kept ? [] : ["reveal"]),
  report: (_view, _me, { kept }) => (kept ? [] : ["report"]),
  kitten: (view, me, { kept }) =>
    may(view, me, "defuse").length ? [kept ? "defuse" : "defuse.table"] : ["kitten"],
};

/** @param {View} view @param {Shown} shown @returns {Moment} */
export function moment(view, shown) {
  const { turn, window } = view;
  const lessons = taught(view, shown);
  return { key: [view.game, turn?.number, turn?.step, window?.id, shown.aim].join(), lessons };
}

/** @param {View} view @param {Shown} shown @returns {string[]} */
function taught(view, shown) {
  const me = view.you?.seat;
  if (!me) return [];
  if (view.phase === "over") return view.you?.host ? ["over"] : [];
  if (view.phase !== "play" || view.roll_call) return [];
  if (seatOf(view, me)?.alive === false) return ["out"];
  if (view.window) return open(view, me);
  if (shown.kept?.hides) return ["hide"];
  if (shown.aim) return ["aim"];
  if (asked(view) === me) return valueAt(STEPS, view.turn?.step)?.(view, me, shown) ?? [];
  const stirred = newestWord(view.log)?.type === "grid_shuffled";
  return stirred && view.turn?.seat === me && view.turn.step === "tell" ? ["shuffled"] : [];
}

/** While the clock runs. @param {View} view @param {string} me */
function open(view, me) {
  const said = may(view, me).map((/** @type {Command} */ { type }) => type);
  if (!said.includes("pass")) return [];
  if (view.played?.target === me && view.played.counts) return ["asked"];
  return [said.includes("nope") ? "nope" : "pass"];
}

/** What is said now: what was being said in this moment, else the first that is new. @param {Course} course @param {Moment} moment @returns {Course} */
export function given({ seen, now }, { key, lessons }) {
  if (now && now.key === key && lessons.includes(now.lesson)) return { seen, now };
  const lesson = lessons.find((one) => !seen.includes(one));
  return lesson ? { seen: [...seen, lesson], now: { key, lesson } } : { seen, now: null };
}
