/** The table's panel: memory, wire, controller and views are put together here; nothing else. */
import { Announcer } from "./shell/aria.js";
import * as back from "./shell/back.js";
import { call, speak as read } from "./shell/call.js";
import { Clock } from "./core/clock.js";
import { Controller } from "./core/controller.js";
import * as deck from "./core/deck.js";
import { family, isLoaded, useFamily } from "./core/family.js";
import { Refusal, request, pause, omitCookies } from "./core/http.js";
import { render } from "./core/lit.js";
import { loadShared } from "./core/late.js";
import { applyTheme, at } from "./core/page.js";
import { keepFocus, press } from "./shell/keys.js";
import * as memory from "./core/memory.js";
import { isReady } from "./core/moves.js";
import { hasLostEvents } from "./core/patch.js";
import * as text from "./core/text.js";
import { table as panel } from "./shell/table.js";
import { familyOf } from "./families.js";
import { Wire } from "./core/wire.js";

const TICK_MS = 200;
const LEARN_MS = 2500;
/** Until the seat's other device has said whether it has the deck, this is asked again, */
const AGAIN_MS = 1000;
/** this many times. */
const TRIES = 30;

const code = memory.codeIn(location.pathname.split("/").at(-1) ?? "");
const root = /** @type {HTMLElement} */ (document.getElementById("app"));
const clock = new Clock();
const says = /** @type {HTMLElement} */ (document.getElementById("says"));
const announcer = new Announcer(says, root);

/** The cookie's seat that was answered for, also where nothing more can be stored. @type {string | null} */
let mine = null;
let due = false;
let live = false;
/** Whether the words are there in the viewer's language: nothing is drawn before. */
let worded = false;
/** The house rules with which the variant was asked for last. */
let learned = "null";
const draw = () => {
  if (due || !worded) return;
  due = true;
  queueMicrotask(() => {
    due = false;
    applyTheme(ctrl.prefs.theme);
    keepFocus(root, () => render(panel(ctrl, join), root));
    back.follow(ctrl);
    announcer.hear(ctrl);
  });
};
const ctrl = new Controller(code, clock, draw);
addEventListener("resize", draw); // what a window shows depends on its width, too
const wire = new Wire(code, () => memory.storedSeat(code)?.token, clock, {
  view: async (view) => {
    await started;
    if (isLoaded()) came(view);
    else meet(view.family).then(() => came(view));
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
    if (line === "closed" && !isLoaded()) meet().then(draw);
    ctrl.setConnection(line, problem);
  },
});
ctrl.wire = wire;
back.begin(ctrl);
if (memory.cookieAnswer(code) === false) withoutCookie();
ctrl.isMine = (yes) => {
  mine = ctrl.found?.you?.seat ?? null;
  memory.answerCookie(code, yes && mine);
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
  if (key === "language") Promise.all([speak(), learn()]).then(draw);
};
ctrl.pop = () => {
  ctrl.closeSheet();
  import("./shell/pip.js").then(({ popOut }) =>
    popOut([root, says], (doc) => {
      if (doc !== document) doc.addEventListener("keydown", (event) => press(event, ctrl, doc));
      draw();
    }),
  );
};

/** @param {import("./core/types.js").View} view */
function came(view) {
  const seat = view.you?.seat;
  if (seat && !memory.storedSeat(code) && ![mine, memory.cookieAnswer(code)].includes(seat))
    ctrl.set({ found: view });
  else if (live && ctrl.holdNextGame(view)) family().settleNextGame?.(ctrl, view);
  else showView(family().viewForDevice?.(ctrl, view) ?? view);
}

/** The panel shows a view of the server's. @param {import("./core/types.js").View} view */
function showView(view) {
  const before = live ? ctrl.view : null;
  if (!live) resume();
  live = true;
  ctrl.remembers = false;
  follow(view);
  ctrl.next = null;
  ctrl.show(view);
  if (before && hasLostEvents(before, view))
    ctrl.showProblem({ code: "lost", text: text.t("lost") }, "now");
  if (before && before.version !== view.version) enliven(before, view);
  if (before?.phase !== view.phase) ctrl.leaf = 0;
  if (before && (before.phase !== view.phase || (isReady(view) && !isReady(before))))
    scrollTo(0, 0);
  if (ctrl.prefs.aloud && view.you?.host && before) aloud(before, view);
  if (view.phase === "over" && before?.phase !== "over") tell();
  if (view.phase !== "over" && ctrl.story) ctrl.set({ story: null });
}

/**
 * The host's device reads every new call to the call.
 * @param {import("./core/types.js").View} before
 * @param {import("./core/types.js").View} view
 */
function aloud(before, view) {
  const veiled = ctrl.prefs.veil;
  const words = call(view, veiled);
  if (words !== call(before, veiled)) read(words, text.currentLanguage());
}

/** The seat of this browser's cookie isn't the viewer's: one watches, and may join. */
function withoutCookie() {
  wire.cookie = false;
  omitCookies();
}

/** The whole game, for its story at the end. */
function tell() {
  request(`/api/tables/${code}/log`, undefined, memory.storedSeat(code)?.token).then(
    (story) => ctrl.set({ story }),
    () => null,
  );
}

/** What this device saw last is shown until the server answers; nothing can be tapped in it. */
async function remember() {
  const last = memory.recall(`last.${code}`, (view) => !!view?.epoch && Array.isArray(view.seats));
  if (!last) return;
  try {
    if (!isLoaded()) await meet(last.family);
    const left = last.window && clock.now() + last.window.left_ms;
    ctrl.remembers = true;
    ctrl.show({ ...last, window: last.window && { ...last.window, closes_at: left } });
    panel(ctrl, join);
  } catch {
    ctrl.remembers = false;
    ctrl.view = null; // kept by another version of this page, or by nobody we know
  }
}

/** From here on the server's views count; what happened since the last visit is marked. */
function resume() {
  if (ctrl.view) {
    ctrl.setAway(true);
    ctrl.setAway(false);
  }
  ctrl.view = null;
}

/**
 * What moves, sounds and keeps the screen on: fetched with the first change.
 * @param {import("./core/types.js").View} before
 * @param {import("./core/types.js").View} view
 */
async function enliven(before, view) {
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

/** The panel's words, and those of the family once it is known. @param {string} [own] */
async function speak(own = isLoaded() ? family().texts : undefined) {
  await text.loadWords(language(), own);
  worded = true;
}

/** The panel becomes one for this family of games. @param {string} [name] */
async function meet(name) {
  const found = await familyOf(name);
  if (isLoaded() && family() === found) return;
  if (found.texts) await speak(found.texts);
  useFamily(found);
}

/** What was learned counts for its house rules alone: a device deals by it. */
function follow(/** @type {import("./core/types.js").View} */ { house = null }) {
  const wanted = JSON.stringify(house);
  if (wanted === learned) return;
  learned = wanted;
  ctrl.variant = null;
  learn();
}

/** What the table plays, without what only the help tells; the page waits for it, but not for ever. */
async function learn() {
  const path = `/api/tables/${code}/variant?language=${language()}&brief`;
  const wanted = learned;
  const variant = await request(path).catch(() => null);
  if (wanted !== learned) return;
  if (!variant) learned = "";
  if (!variant) return;
  await meet(variant.family);
  await family()
    .loadArt?.(variant)
    .catch(() => null);
  if (wanted !== learned) return;
  deck.useVariant(variant);
  ctrl.set({ variant });
  if (live) wire.showAgain();
}

/**
 * The seat is on another device now, or gone: one watches, and may join anew.
 * @param {import("./core/types.js").Problem} problem
 */
function forget(problem) {
  const seat = memory.storedSeat(code)?.seat;
  const { moving } = ctrl;
  memory.forgetSeat(code);
  // A link that asked first, because of the seat that was here: now there is none to lose.
  if (moving) {
    ctrl.set({ moving: null });
    return moving();
  }
  ctrl.showProblem(problem, "now");
  wire.reconnect();
  if (seat) leave(seat);
}

/** The seat is gone, and this device may still have its deck: then that is said. @param {string} seat */
async function leave(seat) {
  if ((await left(seat)) === "here")
    Promise.all([import("./shell/door.js"), loadShared()]).then(([door]) => door.stays(ctrl));
}

/**
 * What this device kept for a seat that it doesn't have any more is forgotten, once it is known that
 * nobody needs it here.
 * @param {string} seat
 */
async function left(seat) {
  await started;
  for (let tries = 0; tries < TRIES; tries++) {
    const found = isLoaded() ? await family().forgetSeat?.(code, seat) : "unknown";
    if (found !== "unknown") return found;
    await pause(AGAIN_MS);
  }
  return "unknown";
}

/**
 * The seat is shown elsewhere: if that is another device, with a token of its own, this one keeps
 * nothing for it.
 */
async function checkSeatMoved() {
  const { seat, token } = memory.storedSeat(code) ?? {};
  ctrl.closeSheet(); // a sheet would lie over what there is to read
  ctrl.set({ elsewhere: null });
  const gone = await request(`/api/tables/${code}`, undefined, token).then(
    () => false,
    (error) => error instanceof Refusal && error.problem.code === "unauthenticated",
  );
  ctrl.set({ elsewhere: gone ? "device" : "tab" });
  if (gone && seat && (await left(seat)) === "here") ctrl.set({ elsewhere: "deck" });
}

/** A seat, or while a game is on one in the next. @param {string} name */
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

/** A link that moves a seat to this device works once; what it carried must not stay in the address. */
async function claim() {
  const [, found, carried] = /^#claim=([^.]+)(?:\.(.+))?$/.exec(location.hash) ?? [];
  if (!found) return;
  history.replaceState(history.state, "", location.pathname);
  const take = () => takeClaimedSeat(found, carried);
  if (memory.storedSeat(code)) ctrl.set({ moving: () => take().then(() => wire.reconnect()) });
  else await take();
}

/** @param {string} found @param {string} [carried] what the link brought besides, for the family */
async function takeClaimedSeat(found, carried) {
  try {
    memory.storeSeat(await request(`/api/claims/${encodeURIComponent(found)}`, {}));
    // Not waited for: what comes late may rest on this very module, which isn't done before.
    if (carried)
      family()
        .receiveDeck?.(code, found, carried)
        .then(() => wire.showAgain(), unkept);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    ctrl.showProblem(error.problem, "now");
  }
}

/** @param {Error} error */
const unkept = ({ message }) => ctrl.showProblem({ code: "unkept", text: message }, "now");

/** The family's part didn't come: there is nothing to be shown until the page is asked for again. */
const missing = () =>
  ctrl.setConnection("closed", { code: "offline", text: text.t("error.offline") });

async function start() {
  applyTheme(ctrl.prefs.theme);
  const learning = Promise.race([learn(), new Promise((late) => setTimeout(late, LEARN_MS))]);
  const claims = location.hash.startsWith("#claim=");
  if (!claims) wire.open(); // it connects meanwhile
  await Promise.all([learning.catch(missing), speak()]);
  draw();
  await remember();
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
document.addEventListener("keydown", (event) => press(event, ctrl, document));
// Not awaited here: a family's part, joined, waits for this module to be through.
const started = start();
