/**
 * Entry of a table's page: connects the stored seat, the connection (wire), the controller and the views.
 */
import { Announcer } from "./shell/aria.js";
import * as back from "./shell/back.js";
import { getCallText, speakAloud } from "./shell/call.js";
import { Clock } from "./core/clock.js";
import { Controller } from "./core/controller.js";
import * as deck from "./core/deck.js";
import { family, isLoaded, useFamily } from "./core/family.js";
import { Refusal, request, pause, omitCookies } from "./core/http.js";
import { render } from "./core/lit.js";
import { loadShared } from "./core/late.js";
import { applyTheme, at } from "./core/page.js";
import { keepFocus, handleKeyPress } from "./shell/keys.js";
import * as memory from "./core/memory.js";
import { isReady } from "./core/moves.js";
import { hasLostEvents } from "./core/patch.js";
import * as text from "./core/text.js";
import { renderPanel } from "./shell/table.js";
import { familyOf } from "./families.js";
import { Wire } from "./core/wire.js";

/** Interval at which an open window's countdown is drawn. */
const TICK_MS = 200;
/** Longest time that the first drawing waits for the variant. */
const LEARN_MS = 2500;
/** Pause before asking again if the seat's other device has the deck now. */
const AGAIN_MS = 1000;
const MAX_TRIES = 30;

const code = memory.codeIn(location.pathname.split("/").at(-1) ?? "");
const root = /** @type {HTMLElement} */ (document.getElementById("app"));
const clock = new Clock();
const says = /** @type {HTMLElement} */ (document.getElementById("says"));
const announcer = new Announcer(says, root);

/** The cookie's seat that the viewer has confirmed, also if nothing can be stored. @type {string | null} */
let confirmedSeat = null;
/** True while a drawing is scheduled. */
let due = false;
/** True once the server's views are shown. */
let live = false;
/** True once the sentences are loaded; nothing is drawn before. */
let hasSentences = false;
/** The house rules, as JSON, for which the variant was requested last. */
let learnedHouse = "null";
const draw = () => {
  if (due || !hasSentences) return;
  due = true;
  queueMicrotask(() => {
    due = false;
    applyTheme(ctrl.prefs.theme);
    keepFocus(root, () => render(renderPanel(ctrl, join), root));
    back.updateHistory(ctrl);
    announcer.announceChanges(ctrl);
  });
};
const ctrl = new Controller(code, clock, draw);
addEventListener("resize", draw); // what a window shows depends on its width, too
const wire = new Wire(code, () => memory.storedSeat(code)?.token, clock, {
  view: async (view) => {
    await started;
    if (isLoaded()) receiveView(view);
    else loadFamily(view.family).then(() => receiveView(view));
  },
  presence: (presence) => ctrl.setPresence(presence),
  sign: (sign) =>
    Promise.all([import("./shell/sheets.js"), loadShared()]).then(([{ showSign: float }]) =>
      float(ctrl, sign),
    ),
  line: (line, problem) => {
    if (problem?.code === "unauthenticated" && memory.storedSeat(code)) return forget(problem);
    if (line === "superseded") checkSeatMoved();
    else if (ctrl.line === "superseded") ctrl.stoodIn = false;
    if (line === "closed" && !isLoaded()) loadFamily().then(draw);
    ctrl.setConnection(line, problem);
  },
});
ctrl.wire = wire;
back.followHistory(ctrl);
if (memory.cookieAnswer(code) === false) withoutCookie();
ctrl.isMine = (yes) => {
  confirmedSeat = ctrl.found?.you?.seat ?? null;
  memory.answerCookie(code, yes && confirmedSeat);
  ctrl.set({ found: null });
  if (yes) return wire.showAgain();
  withoutCookie();
  wire.reconnect();
};
ctrl.join = join;
ctrl.goOn = () => {
  const next = ctrl.next;
  ctrl.next = null;
  if (next) showView(family().viewForDevice?.(ctrl, next) ?? next);
};
ctrl.preferred = (key) => {
  if (key === "language") Promise.all([loadSentences(), learnVariant()]).then(draw);
};
ctrl.pop = () => {
  ctrl.closeSheet();
  import("./shell/pip.js").then(({ popOutPanel: popOut }) =>
    popOut([root, says], (doc) => {
      if (doc !== document)
        doc.addEventListener("keydown", (event) => handleKeyPress(event, ctrl, doc));
      draw();
    }),
  );
};

/**
 * Handles a view of the server: asks whose seat it is, holds it back, or shows it.
 * @param {import("./core/types.js").View} view
 */
function receiveView(view) {
  const seat = view.you?.seat;
  if (
    seat &&
    !memory.storedSeat(code) &&
    ![confirmedSeat, memory.cookieAnswer(code)].includes(seat)
  )
    ctrl.set({ found: view });
  else if (live && ctrl.holdNextGame(view)) family().settleNextGame?.(ctrl, view);
  else showView(family().viewForDevice?.(ctrl, view) ?? view);
}

/**
 * Shows a view of the server, with everything that follows from a change.
 * @param {import("./core/types.js").View} view
 */
function showView(view) {
  const before = live ? ctrl.view : null;
  if (!live) dropStoredView();
  live = true;
  ctrl.remembers = false;
  learnForHouse(view);
  ctrl.next = null;
  ctrl.show(view);
  if (before && hasLostEvents(before, view))
    ctrl.showProblem({ code: "lost", text: text.t("lost") }, "now");
  if (before && before.version !== view.version) playEffects(before, view);
  if (before?.phase !== view.phase) ctrl.leaf = 0;
  if (before && (before.phase !== view.phase || (isReady(view) && !isReady(before))))
    scrollTo(0, 0);
  if (ctrl.prefs.aloud && view.you?.host && before) readAloud(before, view);
  if (view.phase === "over" && before?.phase !== "over") loadStory();
  if (view.phase !== "over" && ctrl.story) ctrl.set({ story: null });
}

/**
 * Reads what the host has to announce aloud, when that changes.
 * @param {import("./core/types.js").View} before
 * @param {import("./core/types.js").View} view
 */
function readAloud(before, view) {
  const veiled = ctrl.prefs.veil;
  const words = getCallText(view, veiled);
  if (words !== getCallText(before, veiled)) speakAloud(words, text.currentLanguage());
}

/** Stops using the seat of this browser's cookie, which isn't the viewer's. They watch, and may join. */
function withoutCookie() {
  wire.cookie = false;
  omitCookies();
}

/** Loads the whole log, for the story at the end of a game. */
function loadStory() {
  request(`/api/tables/${code}/log`, undefined, memory.storedSeat(code)?.token).then(
    (story) => ctrl.set({ story }),
    () => null,
  );
}

/**
 * Shows the view that this device stored at its last visit, until the server answers. It can't be
 * tapped.
 */
async function showStoredView() {
  const last = memory.recall(`last.${code}`, (view) => !!view?.epoch && Array.isArray(view.seats));
  if (!last) return;
  try {
    if (!isLoaded()) await loadFamily(last.family);
    const left = last.window && clock.now() + last.window.left_ms;
    ctrl.remembers = true;
    ctrl.show({ ...last, window: last.window && { ...last.window, closes_at: left } });
    renderPanel(ctrl, join);
  } catch {
    ctrl.remembers = false;
    ctrl.view = null; // stored by another version of this page, or edited
  }
}

/** Ends the display of the stored view. What happened since the last visit is marked as new. */
function dropStoredView() {
  if (ctrl.view) {
    ctrl.setAway(true);
    ctrl.setAway(false);
  }
  ctrl.view = null;
}

/**
 * Plays animations and sounds, and keeps the screen on during a game. Their module is loaded with the
 * first change.
 * @param {import("./core/types.js").View} before
 * @param {import("./core/types.js").View} view
 */
async function playEffects(before, view) {
  const {
    keepScreenOn: awake,
    animateChanges: move,
    playCues: sense,
  } = await import("./core/senses.js");
  awake(view.phase === "play");
  sense(ctrl, root, before, view);
  move(root, before, view);
}

const language = () => text.languagesWanted(ctrl.prefs.language ?? null, navigator.languages);

/** Loads the panel's sentences, and those of the family once it is known. @param {string} [folder] */
async function loadSentences(folder = isLoaded() ? family().texts : undefined) {
  await text.loadWords(language(), folder);
  hasSentences = true;
}

/** Loads a family of games and makes it the panel's. @param {string} [name] */
async function loadFamily(name) {
  const loaded = await familyOf(name);
  if (isLoaded() && family() === loaded) return;
  if (loaded.texts) await loadSentences(loaded.texts);
  useFamily(loaded);
}

/** Loads the variant again when the house rules change: a device deals its deck by it. */
function learnForHouse(/** @type {import("./core/types.js").View} */ { house = null }) {
  const wanted = JSON.stringify(house);
  if (wanted === learnedHouse) return;
  learnedHouse = wanted;
  ctrl.variant = null;
  learnVariant();
}

/** Loads the table's variant, without the texts that only help needs. */
async function learnVariant() {
  const path = `/api/tables/${code}/variant?language=${language()}&brief`;
  const wanted = learnedHouse;
  const variant = await request(path).catch(() => null);
  if (wanted !== learnedHouse) return;
  if (!variant) learnedHouse = "";
  if (!variant) return;
  await loadFamily(variant.family);
  await family()
    .loadArt?.(variant)
    .catch(() => null);
  if (wanted !== learnedHouse) return;
  deck.useVariant(variant);
  ctrl.set({ variant });
  if (live) wire.showAgain();
}

/**
 * Forgets the seat, which is on another device now, or gone. The viewer watches, and may join again.
 * @param {import("./core/types.js").Problem} problem
 */
function forget(problem) {
  const seat = memory.storedSeat(code)?.seat;
  const { moving } = ctrl;
  memory.forgetSeat(code);
  // A link asked for confirmation because this device had a seat. Now it has none to lose.
  if (moving) {
    ctrl.set({ moving: null });
    return moving();
  }
  ctrl.showProblem(problem, "now");
  wire.reconnect();
  if (seat) warnOfDeck(seat);
}

/** Warns the viewer if this device still has the deck of a seat that is gone. @param {string} seat */
async function warnOfDeck(seat) {
  if ((await forgetDeck(seat)) === "here")
    Promise.all([import("./shell/door.js"), loadShared()]).then(([door]) =>
      door.warnOfDeckLeftHere(ctrl),
    );
}

/**
 * Deletes what this device stored for a seat that it no longer has, once it is known that it isn't
 * needed here.
 * @param {string} seat
 */
async function forgetDeck(seat) {
  await started;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const need = isLoaded() ? await family().forgetSeat?.(code, seat) : "unknown";
    if (need !== "unknown") return need;
    await pause(AGAIN_MS);
  }
  return "unknown";
}

/**
 * Finds out where the seat is open now: in another tab, or on another device, which has a token of its
 * own. In that case this device deletes what it stored for the seat.
 */
async function checkSeatMoved() {
  const { seat, token } = memory.storedSeat(code) ?? {};
  ctrl.closeSheet(); // a sheet would cover the notice
  ctrl.set({ elsewhere: null });
  const gone = await request(`/api/tables/${code}`, undefined, token).then(
    () => false,
    (error) => error instanceof Refusal && error.problem.code === "unauthenticated",
  );
  ctrl.set({ elsewhere: gone ? "device" : "tab" });
  if (gone && seat && (await forgetDeck(seat)) === "here") ctrl.set({ elsewhere: "deck" });
}

/** Takes a seat, or during a game a place in the next one. @param {string} name */
async function join(name) {
  const door =
    ctrl.line === "closed"
      ? ctrl.closed?.facts?.door
      : ["lobby", "setup"].includes(String(ctrl.view?.phase))
        ? "open"
        : "next";
  try {
    memory.storeSeat(
      await request(`/api/tables/${code}/${door === "next" ? "waiting" : "seats"}`, { name }),
    );
    ctrl.prefer("name", name);
    if (ctrl.sheet) ctrl.finishSheet();
    wire.reconnect();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    ctrl.showProblem(error.problem, "join");
  }
}

/**
 * Handles a link that moves a seat to this device. It works once, and what it carries must not stay in
 * the address. Asks for confirmation if this device already has a seat at the table.
 */
async function claim() {
  const [, token, carried] = /^#claim=([^.]+)(?:\.(.+))?$/.exec(location.hash) ?? [];
  if (!token) return;
  history.replaceState(history.state, "", location.pathname);
  const take = () => takeClaimedSeat(token, carried);
  if (memory.storedSeat(code)) ctrl.set({ moving: () => take().then(() => wire.reconnect()) });
  else await take();
}

/** @param {string} token the claim @param {string} [carried] what the link carries for the family */
async function takeClaimedSeat(token, carried) {
  try {
    memory.storeSeat(await request(`/api/claims/${encodeURIComponent(token)}`, {}));
    // Not awaited: a part that is loaded on demand may import this module, which isn't finished yet.
    if (carried)
      family()
        .receiveDeck?.(code, token, carried)
        .then(() => wire.showAgain(), showStorageError);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    ctrl.showProblem(error.problem, "now");
  }
}

/** @param {Error} error */
const showStorageError = ({ message }) =>
  ctrl.showProblem({ code: "unkept", text: message }, "now");

/** Shows that the family's part couldn't be loaded; only a reload of the page helps. */
const showOffline = () =>
  ctrl.setConnection("closed", { code: "offline", text: text.t("error.offline") });

async function start() {
  applyTheme(ctrl.prefs.theme);
  const learning = Promise.race([
    learnVariant(),
    new Promise((late) => setTimeout(late, LEARN_MS)),
  ]);
  const claims = location.hash.startsWith("#claim=");
  if (!claims) wire.open(); // connects while the rest loads
  await Promise.all([learning.catch(showOffline), loadSentences()]);
  draw();
  await showStoredView();
  if (claims) await claim().then(() => wire.open());
  navigator.serviceWorker?.register(at("/sw.js")).catch(() => null);
}

setInterval(() => {
  if (ctrl.view?.window && !ctrl.view.window.held_by) draw();
  if (live && ctrl.view?.options.remind_seconds)
    import("./core/senses.js").then(({ remind }) => remind(ctrl, says));
}, TICK_MS);
document.addEventListener("visibilitychange", () => {
  ctrl.setAway(document.hidden);
  if (document.hidden && live && ctrl.view) memory.keep(`last.${code}`, ctrl.view);
  if (!document.hidden) wire.sync();
});
addEventListener("hashchange", () => location.hash.startsWith("#claim=") && location.reload());
document.addEventListener("keydown", (event) => handleKeyPress(event, ctrl, document));
// Not awaited here: in the bundle, a family's part waits for this module to finish.
const started = start();
