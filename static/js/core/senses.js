/**
 * What a change does on this device besides being drawn: what is heard and felt, what moves, that the
 * screen stays on, who is reminded. Fetched with the first change. How a thing moves, and that it
 * doesn't for those who want no motion, is for art.css to say.
 */
import { family } from "./family.js";
import { askedSeat, nameOf } from "./moves.js";
import { at } from "./page.js";
import { t } from "./text.js";
import { SIDE_EVENTS } from "./undone.js";

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
  const soundCues = news.flatMap((entry) => cue(entry.type, entry.facts) ?? []);
  const me = after.you?.seat;
  const mine =
    me &&
    askedSeat(after) === me &&
    (askedSeat(before) !== me || before.turn?.step !== after.turn?.step);
  return mine && !soundCues.includes("boom") ? [...soundCues, "turn"] : soundCues;
}

/** @param {string} type @param {Record<string, unknown>} facts @returns {Cue | undefined} */
const cue = (type, facts) =>
  type === "went_out" && facts.out === "kitten"
    ? "boom"
    : (family().eventSounds[type] ?? HEARD[type]);

/**
 * Sounds and vibration, for who wants them; whoever looks elsewhere is called to their turn unless
 * they want none.
 * @param {Controller} ctrl
 * @param {HTMLElement} root where the panel is, which may be a small window of its own
 * @param {View | null} before
 * @param {View} after
 */
export function playCues(ctrl, root, before, after) {
  const now = cues(before, after);
  const calls = root.ownerDocument.hidden && now.includes("turn");
  const wanted = (/** @type {"sound" | "buzz"} */ way) =>
    ctrl.prefs[way] ? now : calls && ctrl.prefs[way] !== false ? [TURN] : [];
  const heard = wanted("sound");
  // Off by default, so its module is fetched only when it is wanted.
  if (heard.length) import("./sound.js").then(({ play }) => heard.forEach(play));
  const felt = wanted("buzz")
    .map((one) => FELT[one])
    .findLast((pattern) => pattern);
  if (felt) navigator.vibrate?.(felt);
  if (calls) summon(ctrl, root);
}

/** @type {Cue} */
const TURN = "turn";

/**
 * It is the turn of somebody who looks elsewhere: the system says so where it may. Who was never
 * asked whether it may is asked once they look again, and not before.
 * @param {Controller} ctrl
 * @param {HTMLElement} root
 */
function summon(ctrl, root) {
  if (!("Notification" in globalThis)) return;
  if (Notification.permission === "default" && ctrl.prefs.call === undefined)
    ctrl.prefer("call", "ask");
  else if (Notification.permission === "granted" && ctrl.prefs.call === true) notify(ctrl, root);
}

/** A notification, until one looks again. @param {Controller} ctrl @param {HTMLElement} root */
async function notify({ table }, root) {
  const tag = `hiss-${table}`;
  const body = root.querySelector(".now h1")?.textContent?.replace(/\s+/g, " ").trim() ?? "";
  const how = { body, tag, icon: at("/static/icon-180.png"), data: location.pathname };
  // On phones only a service worker may; where there is none (no secure page) nobody was asked.
  const worker = await navigator.serviceWorker?.ready;
  await worker?.showNotification(t("title.you"), how);
  const closeNotifications = async () => {
    for (const one of (await worker?.getNotifications({ tag })) ?? []) one.close();
  };
  root.ownerDocument.addEventListener("visibilitychange", closeNotifications, { once: true });
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
export const movesBetween = (before, after) =>
  news(before, after).flatMap(
    ({ type, facts }) => (family().eventMoves[type] ?? MOVES[type])?.(facts) ?? [],
  );

/**
 * Moves what has changed, once the new view stands on the page.
 * @param {HTMLElement} root
 * @param {View | null} before
 * @param {View} after
 */
export function animateChanges(root, before, after) {
  const moved = movesBetween(before, after);
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
let cuesFor = false;

/** Keeps the screen on, where the device allows it (secure pages only). @param {boolean} on */
export function keepScreenOn(on) {
  if (on === cuesFor) return;
  cuesFor = on;
  // The lock is lost whenever the page is hidden.
  if (on) document.addEventListener("visibilitychange", hold);
  if (on) hold();
  else release();
}

async function hold() {
  if (!cuesFor || lock || document.hidden || !("wakeLock" in navigator)) return;
  try {
    lock = await navigator.wakeLock.request("screen");
    lock.addEventListener("release", () => {
      lock = null;
    });
    if (!cuesFor) release();
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
export function secondsWaited(view, now) {
  const every = view.options.remind_seconds;
  const since = view.log.findLast((entry) => !SIDE_EVENTS.includes(entry.type))?.at;
  if (!every || since === undefined || !askedSeat(view)) return 0;
  return Math.max(0, Math.floor((now - since) / 1000 / every) * every);
}

/** @param {Controller} ctrl @param {HTMLElement} region the live region */
export function remind(ctrl, region) {
  const view = /** @type {View} */ (ctrl.view);
  const count = secondsWaited(view, ctrl.clock.now());
  if (count === ctrl.waited) return;
  const first = !ctrl.waited && count;
  ctrl.set({ waited: count });
  if (first && ctrl.as === askedSeat(view)) nudge(ctrl, region);
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
