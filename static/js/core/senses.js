/**
 * What the panel lets one hear and feel when the view changes. `cues` is pure: which
 * moments there were between two views; `sense` plays them if the viewer wants it.
 * @import { Cue, View } from "./types.js"
 */
import { family } from "./family.js";
import { asked } from "./moves.js";

/** Event → what is heard of it in any game. @type {Record<string, Cue>} */
const HEARD = {
  card_played: "play",
  nope_played: "nope",
  kitten_shown: "kitten",
  kitten_defused: "phew",
  game_won: "win",
};

/** @type {Partial<Record<Cue, number[]>>} */
const FELT = {
  turn: [40, 60, 40],
  nope: [90],
  kitten: [60, 40, 60, 40, 60],
  boom: [400],
  win: [60, 60, 60, 60, 200],
};

/**
 * @param {View | null} before
 * @param {View} after
 * @returns {Cue[]} nothing for a first view: what was there already is no news
 */
export function cues(before, after) {
  if (!before || before.epoch !== after.epoch) return [];
  const news = after.log.filter((entry) => entry.version > before.version);
  const heard = news.flatMap((entry) => cue(entry.type, entry.facts) ?? []);
  const me = after.you?.seat;
  const mine =
    me && asked(after) === me && (asked(before) !== me || before.turn?.step !== after.turn?.step);
  return mine && !heard.includes("boom") ? [...heard, "turn"] : heard;
}

/** @param {string} type @param {Record<string, unknown>} facts @returns {Cue | undefined} */
const cue = (type, facts) =>
  type === "went_out" && facts.out === "kitten" ? "boom" : (family().heard[type] ?? HEARD[type]);

/** @param {View | null} before @param {View} after @param {{sound?: boolean, buzz?: boolean}} prefs */
export function sense(before, after, prefs) {
  const now = cues(before, after);
  // Off by default, so its module is fetched only when it is wanted.
  if (prefs.sound && now.length) import("./sound.js").then(({ play }) => now.forEach(play));
  const felt = now.map((one) => FELT[one]).findLast((pattern) => pattern);
  if (prefs.buzz && felt) navigator.vibrate?.(felt);
}
