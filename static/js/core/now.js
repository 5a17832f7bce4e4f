/**
 * The pieces of the one sentence that says who does what now, which any game shares: a key,
 * its facts and its mood. Pure: words and pictures are made of it elsewhere.
 * @import { Mood, Now, View } from "./types.js"
 */

/** Somebody has won. @param {View} view @returns {Now} */
export const won = (view) => ({ ...idle(view), key: "now.won", mood: "joy", who: view.winner });

/** Nothing is asked of anybody. @param {View} view @returns {Now} */
export const idle = (view) => ({
  key: `now.${view.phase}`,
  hint: null,
  mood: "wait",
  who: null,
  by: null,
});

/**
 * Something was played, and may be Noped.
 * @param {View} view
 * @param {{card?: string, hint?: string | null}} about the title that was played, and what to add to it
 * @returns {Now}
 */
export function open(view, { card, hint = null }) {
  const played = view.played;
  const last = played?.nopes.at(-1) ?? null;
  const me = view.you?.seat;
  const by = played?.by ?? null;
  const key = last
    ? `now.nope.${played?.counts ? "yup" : "no"}`
    : `now.played${played?.target ? ".target" : ""}`;
  const could = !!me && !!view.you?.may.some((one) => one.type === "pass" && one.as === me);
  return {
    key,
    hint: played?.target && !last ? hint : null,
    mood: could ? "you" : "wait",
    who: last ?? by,
    by,
    card,
    target: played?.target,
  };
}

/**
 * Whom a sentence is said to: whoever is asked, whoever speaks for them, or everybody else.
 * @param {View} view
 * @param {string | null} actor who is asked
 * @param {string | null} as whom the panel speaks for
 * @returns {"me" | "for" | "other"}
 */
export const sideOf = (view, actor, as) =>
  actor === view.you?.seat ? "me" : as && as === actor ? "for" : "other";

/** @param {string} side @returns {Mood} */
export const mood = (side) => (side === "me" ? "you" : side === "for" ? "for" : "wait");
