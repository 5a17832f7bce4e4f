/**
 * What a change does on this device besides being drawn: what is heard and felt, what moves, that the screen
 * stays on, who is reminded. Fetched with the first change. How a thing moves, and that it doesn't for those
 * who want no motion, is for art.css to say.
 */
import { family } from "./family.js";
import { asked, nameOf } from "./moves.js";
import { t } from "./text.js";
import { BESIDE } from "./undone.js";

/** @import { Controller } from "./controller.js" */
/** @import { Cue, Move, View } from "./types.js" */

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

const LASTS_MS = 1000;

/** Event → what moves in any game. @type {Record<string, (facts: Record<string, any>) => Move[]>} */
const MOVES = {
  kitten_shown: () => [{ of: ".kitten-stage", how: "shakes" }],
  went_out: ({ seat }) => [{ of: `[data-seat=${JSON.stringify(seat)}]`, how: "shakes" }],
};

/**
 * What is news between two views of one log; all at once would be none.
 * @param {View | null} before
 * @param {View} after
 */
const news = (before, after) =>
  before?.epoch === after.epoch && before.game === after.game
    ? after.log.filter((entry) => entry.version > before.version)
    : [];

/**
 * @param {View | null} before
 * @param {View} after
 * @returns {Move[]}
 */
export const moments = (before, after) =>
  news(before, after).flatMap(
    ({ type, facts }) => (family().moves[type] ?? MOVES[type])?.(facts) ?? [],
  );

/**
 * Moves what has changed, once the new view stands on the page.
 * @param {HTMLElement} root
 * @param {View | null} before
 * @param {View} after
 */
export function move(root, before, after) {
  const moved = moments(before, after);
  requestAnimationFrame(() => {
    for (const { of, how } of moved)
      for (const element of root.querySelectorAll(of)) once(element, how);
  });
}

/** @param {Element} element @param {string} how */
function once(element, how) {
  element.classList.add(how);
  setTimeout(() => element.classList.remove(how), LASTS_MS);
}

/** @type {WakeLockSentinel | null} */
let lock = null;
let wanted = false;

/** Keeps the screen on, where the device allows it (secure pages only). @param {boolean} on */
export function awake(on) {
  if (on === wanted) return;
  wanted = on;
  // The lock is lost whenever the page is hidden.
  if (on) document.addEventListener("visibilitychange", hold);
  if (on) hold();
  else release();
}

async function hold() {
  if (!wanted || lock || document.hidden || !("wakeLock" in navigator)) return;
  try {
    lock = await navigator.wakeLock.request("screen");
    lock.addEventListener("release", () => {
      lock = null;
    });
    if (!wanted) release();
  } catch {
    // A low battery or a frame without permission: the screen sleeps as it likes.
  }
}

function release() {
  lock?.release();
  lock = null;
}

/**
 * For how many seconds the same seat has been waited for, in whole times of the reminder; 0: no
 * word yet.
 * @param {View} view
 * @param {number} now
 */
export function waited(view, now) {
  const every = view.options.remind_seconds;
  const since = view.log.findLast((entry) => !BESIDE.includes(entry.type))?.at;
  if (!every || since === undefined || !asked(view)) return 0;
  return Math.max(0, Math.floor((now - since) / 1000 / every) * every);
}

/** @param {Controller} ctrl @param {HTMLElement} region the live region */
export function remind(ctrl, region) {
  const view = /** @type {View} */ (ctrl.view);
  const count = waited(view, ctrl.clock.now());
  if (count === ctrl.waited) return;
  const first = !ctrl.waited && count;
  ctrl.set({ waited: count });
  if (first && ctrl.as === asked(view)) nudge(ctrl, region);
}

/** Once, for the panel that can answer. @param {Controller} ctrl @param {HTMLElement} region */
function nudge(ctrl, region) {
  const seat = ctrl.as;
  region.textContent = t(seat === ctrl.me ? "waited.me" : "waited", {
    who: nameOf(/** @type {View} */ (ctrl.view), seat),
    count: ctrl.waited,
  });
  if (ctrl.prefs.sound) import("./sound.js").then(({ play }) => play("turn"));
  if (ctrl.prefs.buzz) navigator.vibrate?.([40, 60, 40]);
}
