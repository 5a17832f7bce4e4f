/**
 * The one sentence that says who does what now, for whoever looks at it: its key, its
 * facts and its mood. Pure: words and pictures are made of it elsewhere.
 * @import { View } from "./types.js"
 */
import { asked, seatOf } from "./moves.js";

/**
 * @typedef {"you" | "for" | "wait" | "danger" | "joy"} Mood
 * @typedef {{key: string, hint: string | null, mood: Mood, who: string | null, by: string | null,
 *   card?: string, owner?: string, target?: string | null, count?: number}} Now
 */

/**
 * @param {View} view
 * @param {string | null} as whom the panel speaks for
 * @param {string | null} [aim] the card that waits for its target
 * @returns {Now}
 */
export function now(view, as, aim = null) {
  if (view.winner) return won(view);
  if (view.window) return open(view);
  if (view.roll_call) return called(view, as);
  if (!view.turn)
    return { key: `now.${view.phase}`, hint: null, mood: "wait", who: null, by: null };
  if (aim)
    return { key: "now.aim", hint: "now.aim.hint", mood: "you", who: as, by: null, card: aim };
  return stepped(view, as);
}

/** @returns {Now} */
function won(/** @type {View} */ view) {
  return { key: "now.won", hint: null, mood: "joy", who: view.winner, by: null };
}

/** @returns {Now} */
function called(/** @type {View} */ view, /** @type {string | null} */ as) {
  const who = asked(view);
  const side = who === view.you?.seat ? "me" : as === who ? "for" : "other";
  return {
    key: `now.call.${side}`,
    hint: `now.call.${side}.hint`,
    mood: mood(side),
    who,
    by: null,
  };
}

/** @returns {Now} */
function open(/** @type {View} */ view) {
  const played = view.played;
  const last = played?.nopes.at(-1) ?? null;
  const me = view.you?.seat;
  const by = played?.by ?? null;
  const top = last ?? by;
  const key = last
    ? `now.nope.${played?.counts ? "yup" : "no"}`
    : `now.played${played?.target ? ".target" : ""}`;
  const could = !!me && !!view.you?.may.some((one) => one.type === "pass" && one.as === me);
  return {
    key,
    hint: played?.target && !last ? "now.played.hint" : null,
    mood: could ? "you" : "wait",
    who: last ?? by,
    by,
    card: played?.card,
    target: played?.target,
    owner: top ?? undefined,
  };
}

/** @returns {Now} */
function stepped(/** @type {View} */ view, /** @type {string | null} */ as) {
  const turn = /** @type {import("./types.js").Turn} */ (view.turn);
  const actor = asked(view);
  const me = view.you?.seat;
  const side =
    actor === me
      ? "me"
      : as && as === actor
        ? "for"
        : turn.step === "tell" && turn.seat === me
          ? "turn"
          : "other";
  const favor = turn.step === "reveal";
  return {
    key: `now.${turn.step}.${side}`,
    hint: side === "other" ? null : `now.${turn.step}.${side}.hint`,
    mood: turn.step === "kitten" ? "danger" : mood(side),
    who: favor ? actor : turn.seat,
    by: favor ? turn.seat : turn.instructor,
    count: seatOf(view, turn.seat)?.hand,
  };
}

/** @returns {Mood} */
const mood = (/** @type {string} */ side) =>
  side === "me" ? "you" : side === "for" ? "for" : "wait";
