/**
 * The effects of a change besides drawing: sounds, vibration, animations, notifications, reminders,
 * and keeping the screen on. The module isn't part of the page's first load; table.js loads it a
 * second after the first view from the server. art.css defines the animations, and disables them
 * for viewers who prefer reduced motion.
 */
import { getFamily } from "./family.js";
import { followPreferences } from "./follow.js";
import { getSeatToAct, getSeatName } from "./moves.js";
import { onNextFrame, resolvePath } from "./page.js";
import { t } from "./text.js";
import { SIDE_EVENTS } from "./undone.js";

/** @import { Controller } from "./controller.js" */
/** @import { Cue, Move, View } from "./types.js" */

/** The sounds of events that all games share, by event type. @type {Record<string, Cue>} */
const SOUNDS = {
  card_played: "play",
  nope_played: "nope",
  kitten_shown: "kitten",
  kitten_defused: "phew",
  game_won: "win",
};

/**
 * The kinds of events in which browsers let a page begin to play sounds. Not every browser does so in
 * each of them.
 */
const GESTURES = ["pointerdown", "pointerup", "click", "keydown"];

/**
 * The vibration for each cue (the name of a sound): ms on and ms off, in turn.
 * @type {Partial<Record<Cue, number[]>>}
 */
const VIBRATIONS = {
  turn: [40, 60, 40],
  nope: [90],
  kitten: [60, 40, 60, 40, 60],
  boom: [400],
  win: [60, 60, 60, 60, 200],
};

/**
 * @param {View | null} before
 * @param {View} after
 * @returns {Cue[]} the cues for the events between the two views; empty for a first view
 */
export function findCues(before, after) {
  if (!before || before.epoch !== after.epoch) return [];
  const newEntries = after.log.filter((entry) => entry.version > before.version);
  const soundCues = newEntries.flatMap((entry) => getCue(entry.type, entry.facts) ?? []);
  const me = after.you?.seat;
  const mine =
    me &&
    getSeatToAct(after) === me &&
    (getSeatToAct(before) !== me || before.turn?.step !== after.turn?.step);
  return mine && !soundCues.includes("boom") ? [...soundCues, "turn"] : soundCues;
}

/** @param {string} type @param {Record<string, unknown>} facts @returns {Cue | undefined} */
const getCue = (type, facts) =>
  type === "went_out" && facts.out === "kitten"
    ? "boom"
    : (getFamily().eventSounds[type] ?? SOUNDS[type] ?? (opensWindow(facts) ? "play" : undefined));

/** Returns true if the event opened a window. @param {Record<string, unknown>} facts */
const opensWindow = ({ seconds, closes_at: closesAt }) => !!seconds && !!closesAt;

/**
 * Starts what doesn't wait for a change of the table: keeping the screen on, following the
 * preferences that another window changes, and listening for the tap that lets sounds begin.
 * @param {Controller} ctrl
 */
export function startSenses(ctrl) {
  isStarted = true;
  keepScreenOn(ctrl.view?.phase === "play");
  followPreferences(ctrl);
  isSoundOn = () => !!ctrl.prefs.sound;
  if (isSoundOn()) callWithSounds(() => null); // A tap has to find the module loaded.
  unlockSoundsIn(window);
}

/** True after {@link startSenses} was called. */
let isStarted = false;

/** Returns true if the viewer has switched sound on. Set by {@link startSenses}. */
let isSoundOn = () => false;

/**
 * Lets sounds be played from the next tap or key press in a window, if the viewer has switched sound
 * on. Goes on listening, because the browser may silence the page again.
 * @param {globalThis.Window} win
 */
export function unlockSoundsIn(win) {
  const unlock = () => isSoundOn() && callWithSounds(({ unlockSounds }) => unlockSounds());
  for (const gesture of GESTURES) win.addEventListener(gesture, unlock);
}

/** The module of the sounds, or null before it is loaded. @type {typeof import("./sound.js") | null} */
let soundModule = null;

/**
 * Calls a function with the module of the sounds: at once if it is loaded, otherwise when it is.
 * Sound is off by default, so the module is loaded only when needed.
 * @param {(sounds: typeof import("./sound.js")) => unknown} use
 */
function callWithSounds(use) {
  if (soundModule) return use(soundModule);
  import("./sound.js").then(
    (module) => {
      soundModule = module;
      use(module);
    },
    () => null,
  );
}

/** Plays the sounds of these cues one after the other. @param {Cue[]} cues */
function playSounds(cues) {
  if (!cues.length) return;
  const since = Date.now();
  callWithSounds(({ playSound }) => {
    for (const [nth, cue] of cues.entries()) playSound(cue, nth, since);
  });
}

/**
 * Plays animations and sounds, and keeps the screen on during a game.
 * @param {Controller} ctrl
 * @param {HTMLElement} root
 * @param {View} before
 * @param {View} after
 */
export function playEffects(ctrl, root, before, after) {
  // The module may have been loaded only now, because it couldn't be loaded at first.
  if (!isStarted) startSenses(ctrl);
  keepScreenOn(after.phase === "play");
  playCues(ctrl, root, before, after);
  animateChanges(root, before, after);
}

/**
 * Plays the sounds and vibrations that the viewer has switched on. If the page is hidden when the
 * viewer's turn begins, alerts the viewer, unless they have switched alerts off.
 * @param {Controller} ctrl
 * @param {HTMLElement} root the panel's element, which may be in a small window
 * @param {View | null} before
 * @param {View} after
 */
export function playCues(ctrl, root, before, after) {
  const sceneCues = ctrl.scene?.cues.map(([, cue]) => cue) ?? [];
  const newCues = findCues(before, after).filter((cue) => !sceneCues.includes(cue));
  const alertsViewer = root.ownerDocument.hidden && newCues.includes("turn");
  const selectCues = (/** @type {"sound" | "buzz"} */ way) =>
    ctrl.prefs[way] ? newCues : alertsViewer && ctrl.prefs[way] !== false ? [TURN] : [];
  playSounds(selectCues("sound"));
  const vibration = selectCues("buzz")
    .map((cue) => VIBRATIONS[cue])
    .findLast((pattern) => pattern);
  if (vibration) navigator.vibrate?.(vibration);
  if (alertsViewer) callToTurn(ctrl, root);
}

/**
 * Plays the sound and the vibration of one cue, if the viewer has switched them on.
 * @param {Controller} ctrl
 * @param {Cue} cue
 */
export function playCue({ prefs }, cue) {
  if (prefs.sound) playSounds([cue]);
  if (prefs.buzz && VIBRATIONS[cue]) navigator.vibrate?.(VIBRATIONS[cue]);
}

/** @type {Cue} */
const TURN = "turn";

/**
 * Notifies a viewer whose page is hidden that their turn begins, if they have allowed
 * notifications. If the viewer was never asked, the panel asks for permission when they return.
 * @param {Controller} ctrl
 * @param {HTMLElement} root
 */
function callToTurn(ctrl, root) {
  if (!("Notification" in globalThis)) return;
  if (Notification.permission === "default" && ctrl.prefs.call === undefined)
    ctrl.prefer("call", "ask");
  else if (Notification.permission === "granted" && ctrl.prefs.call === true)
    lastNotification = lastNotification.then(() => showNotification(ctrl, root)).catch(() => null);
}

/**
 * Resolves when the newest notification has been shown or skipped, or has failed. Each notification
 * waits for the one before it, because a browser can finish two at once in either order, and the
 * newest must be the one that stays.
 * @type {Promise<unknown>}
 */
let lastNotification = Promise.resolve();

/**
 * Shows a notification until the viewer looks at the panel again.
 * @param {Controller} ctrl
 * @param {HTMLElement} root
 */
async function showNotification({ table }, root) {
  // On phones only a service worker can show notifications. A page that isn't a secure context has
  // none, and never asks for permission.
  const worker = await navigator.serviceWorker?.ready;
  const page = root.ownerDocument;
  if (!page.hidden) return;
  const tag = `hiss-${table}`;
  const body = root.querySelector(".now h1")?.textContent?.replace(/\s+/g, " ").trim() ?? "";
  const how = { body, tag, icon: resolvePath("/static/icon-180.png"), data: location.pathname };
  await worker?.showNotification(t("title.you"), how);
  const closeNotifications = async () => {
    for (const one of (await worker?.getNotifications({ tag })) ?? []) one.close();
  };
  if (page.hidden) page.addEventListener("visibilitychange", closeNotifications, { once: true });
  else await closeNotifications();
}

const LASTS_MS = 1000;

/**
 * The animations of events that all games share, by event type.
 * @type {Record<string, (facts: Record<string, any>) => Move[]>}
 */
const MOVES = {
  kitten_shown: () => [{ of: ".kitten-stage", how: "shakes" }],
  went_out: ({ seat }) => [{ of: `[data-seat=${JSON.stringify(seat)}]`, how: "shakes" }],
};

/**
 * Returns the log entries between two views of the same game, or none if there was no view before.
 * @param {View | null} before
 * @param {View} after
 */
const findNewEntries = (before, after) =>
  before?.epoch === after.epoch && before.game === after.game
    ? after.log.filter((entry) => entry.version > before.version)
    : [];

/**
 * @param {View | null} before
 * @param {View} after
 * @returns {Move[]}
 */
export const findAnimations = (before, after) =>
  findNewEntries(before, after).flatMap(
    ({ type, facts }) => (getFamily().eventMoves[type] ?? MOVES[type])?.(facts) ?? [],
  );

/**
 * Animates the changes once the new view is drawn.
 * @param {HTMLElement} root
 * @param {View | null} before
 * @param {View} after
 */
function animateChanges(root, before, after) {
  const animations = findAnimations(before, after);
  onNextFrame(() => {
    for (const { of, how } of animations)
      for (const element of root.querySelectorAll(of)) addClassBriefly(element, how);
  });
}

/** @param {Element} element @param {string} how */
function addClassBriefly(element, how) {
  element.classList.add(how);
  setTimeout(() => element.classList.remove(how), LASTS_MS);
}

/** @type {WakeLockSentinel | null} */
let wakeLock = null;
let wantsScreenOn = false;

/** Keeps the screen on if the device allows it. Works only in secure pages. @param {boolean} on */
function keepScreenOn(on) {
  if (on === wantsScreenOn) return;
  wantsScreenOn = on;
  // The browser releases the lock whenever the page is hidden.
  if (on) document.addEventListener("visibilitychange", acquireWakeLock);
  if (on) acquireWakeLock();
  else releaseWakeLock();
}

async function acquireWakeLock() {
  if (!wantsScreenOn || wakeLock || document.hidden || !("wakeLock" in navigator)) return;
  try {
    wakeLock = await navigator.wakeLock.request("screen");
    wakeLock.addEventListener("release", () => {
      wakeLock = null;
    });
    if (!wantsScreenOn) releaseWakeLock();
  } catch {
    // The device refuses, for example if its battery is low, or in a frame without permission.
  }
}

function releaseWakeLock() {
  wakeLock?.release();
  wakeLock = null;
}

/**
 * Returns the number of seconds that the table has waited for the same seat, rounded down to a
 * multiple of the reminder's interval. Returns 0 if no reminder is due.
 * @param {View} view
 * @param {number} now
 */
export function computeSecondsWaited(view, now) {
  const interval = view.options.remind_seconds;
  const since = view.log.findLast((entry) => !SIDE_EVENTS.includes(entry.type))?.at;
  if (!interval || since === undefined || !getSeatToAct(view)) return 0;
  return Math.max(0, Math.floor((now - since) / 1000 / interval) * interval);
}

/** @param {Controller} ctrl @param {HTMLElement} region the live region */
export function updateReminder(ctrl, region) {
  const view = /** @type {View} */ (ctrl.view);
  const count = computeSecondsWaited(view, ctrl.clock.now());
  if (count === ctrl.secondsWaited) return;
  const first = !ctrl.secondsWaited && count;
  ctrl.set({ secondsWaited: count });
  if (first && ctrl.as === getSeatToAct(view)) remindPlayer(ctrl, region);
}

/**
 * Reminds the viewer once that the table waits, if this panel can act for the seat.
 * @param {Controller} ctrl
 * @param {HTMLElement} region
 */
function remindPlayer(ctrl, region) {
  const seat = ctrl.as;
  region.textContent = t(seat === ctrl.me ? "waited.me" : "waited", {
    who: getSeatName(/** @type {View} */ (ctrl.view), seat),
    count: ctrl.secondsWaited,
  });
  if (ctrl.prefs.sound) playSounds([TURN]);
  if (ctrl.prefs.buzz) navigator.vibrate?.([40, 60, 40]);
}
