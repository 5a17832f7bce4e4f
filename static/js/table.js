/**
 * Entry point of a table's page. Connects the stored seat, the server connection (`Wire`), the
 * controller and the drawing code.
 */
import { Announcer } from "./shell/aria.js";
import * as back from "./shell/back.js";
import { getCallText, speakAloud } from "./shell/call.js";
import { Clock } from "./core/clock.js";
import { Controller } from "./core/controller.js";
import * as deck from "./core/deck.js";
import { getFamily, isFamilyLoaded, setFamily } from "./core/family.js";
import { Refusal, request, omitCookies } from "./core/http.js";
import { render } from "./core/lit.js";
import { createLazyPart, loadRecovery, loadSharedFiles } from "./core/late.js";
import {
  applyTheme,
  getPanelDocument,
  getPanelWindow,
  resolvePath,
  setPanelWindow,
} from "./core/page.js";
import { keepFocus, handleKeyPress } from "./shell/keys.js";
import * as memory from "./core/memory.js";
import { isScreenLink, readSharedTable } from "./core/screen.js";
import { isViewerReady } from "./core/moves.js";
import { hasLostEvents } from "./core/patch.js";
import * as text from "./core/text.js";
import { renderPanel } from "./shell/table.js";
import { fetchFamily } from "./families.js";
import { Wire } from "./core/wire.js";

/** Interval at which the countdown of an open window is drawn. */
const TICK_MS = 200;
/** The longest time that the first drawing waits for the variant. */
const LEARN_MS = 2500;
/** Pause between the first drawing and the loading of what the table's next change needs. */
const LOAD_AHEAD_MS = 1000;

/** The table that this page shows on a shared screen, or null if this is a player's panel. */
const sharedTable = readSharedTable();
const code = sharedTable ?? memory.parseCode(location.pathname.split("/").at(-1) ?? "");
const root = /** @type {HTMLElement} */ (document.getElementById("app"));
const clock = new Clock();
const liveRegion = /** @type {HTMLElement} */ (document.getElementById("says"));
const announcer = new Announcer(liveRegion, root);

/**
 * The seat that this browser's cookie names, once the viewer has confirmed that it is theirs; null
 * before. The answer is also stored on this device, but that isn't possible in every browser.
 * @type {string | null}
 */
let confirmedSeat = null;
/** True while a drawing is scheduled. */
let drawScheduled = false;
/** True once the panel shows a view from the server, and no longer a stored view. */
let showsServerViews = false;
/** True once the sentences are loaded. Nothing is drawn before. */
let hasSentences = false;
/** The house rules of the table when the variant was requested last, as JSON. */
let requestedHouse = "null";
const scheduleDraw = () => {
  if (drawScheduled || !hasSentences) return;
  drawScheduled = true;
  queueMicrotask(() => {
    drawScheduled = false;
    applyTheme(ctrl.prefs.theme);
    keepFocus(root, () => render(renderPanel(ctrl, joinTable), root));
    back.updateHistory(ctrl);
    announcer.announceChanges(ctrl);
  });
};
const ctrl = new Controller(code, clock, scheduleDraw);
addEventListener("resize", scheduleDraw); // The layout depends on the window's width, too.
const wire = new Wire(code, () => memory.readStoredSeat(code)?.token, clock, {
  view: async (view, live) => {
    await started;
    if (isFamilyLoaded()) receiveView(view, live);
    else loadFamily(view.family).then(() => receiveView(view), showOffline);
  },
  presence: (presence) => ctrl.setPresence(presence),
  sign: (sign) =>
    Promise.all([import("./shell/sheets.js"), loadSharedFiles()]).then(([{ showSign: float }]) =>
      float(ctrl, sign),
    ),
  connection: (state, problem) => {
    if (problem?.code === "unauthenticated" && memory.readStoredSeat(code))
      return forgetSeat(problem);
    if (state === "superseded") checkSeatMoved();
    else if (ctrl.connection === "superseded") ctrl.lentToRobot = false;
    if (state === "closed" && !isFamilyLoaded()) loadFamily().then(scheduleDraw);
    ctrl.setConnection(state, problem);
  },
});
ctrl.wire = wire;
back.followHistory(ctrl);
if (sharedTable !== null) becomeSharedScreen();
if (sharedTable !== null || memory.readCookieAnswer(code) === false) stopUsingCookie();
ctrl.confirmSeat = (yes) => {
  confirmedSeat = ctrl.unconfirmedView?.you?.seat ?? null;
  memory.storeCookieAnswer(code, yes && confirmedSeat);
  ctrl.set({ unconfirmedView: null });
  if (yes) return wire.showAgain();
  stopUsingCookie();
  wire.reconnect();
};
ctrl.join = joinTable;
ctrl.showNextGame = () => {
  const next = ctrl.nextGameView;
  ctrl.nextGameView = null;
  if (next) showView(getFamily().adaptViewToDevice?.(ctrl, next) ?? next);
};
ctrl.onPreferenceChange = (key) => {
  if (key === "language") Promise.all([loadSentences(), loadVariant()]).then(scheduleDraw);
};
ctrl.openSmallWindow = () => {
  ctrl.closeSheet();
  import("./shell/pip.js").then(({ popOutPanel: popOut }) =>
    popOut([root, liveRegion], (win) => {
      setPanelWindow(win);
      ctrl.setAway(win.document.hidden);
      if (win !== window) {
        win.addEventListener("keydown", (event) => handleKeyPress(event, ctrl, win.document));
        win.addEventListener("resize", scheduleDraw);
      }
      scheduleDraw();
    }),
  );
};

/**
 * Handles a view from the server. Shows it, holds it back, or asks the viewer whether the seat is
 * theirs.
 * @param {import("./core/types.js").View} view
 * @param {boolean} [live] true if the view follows from the one before it
 */
function receiveView(view, live) {
  const deckBefore = ctrl.deviceDeck;
  const seat = view.you?.seat;
  if (
    seat &&
    !memory.readStoredSeat(code) &&
    ![confirmedSeat, memory.readCookieAnswer(code)].includes(seat)
  )
    ctrl.set({ unconfirmedView: view });
  else if (showsServerViews && ctrl.holdNextGame(view)) getFamily().finishLastGame?.(ctrl, view);
  else showView(getFamily().adaptViewToDevice?.(ctrl, view) ?? view, live && { deckBefore });
}

/**
 * Shows a view from the server, and does everything else that follows from the change.
 * @param {import("./core/types.js").View} view
 * @param {{deckBefore: any} | false} [live] if the viewer has missed nothing before this view: the
 *   viewer's cards before the change
 */
function showView(view, live) {
  const before = showsServerViews ? ctrl.view : null;
  if (!showsServerViews) dropStoredView();
  showsServerViews = true;
  ctrl.showsStoredView = false;
  reloadVariantForHouse(view);
  ctrl.nextGameView = null;
  if (before && before.version !== view.version)
    scenes(ctrl, (play) => live && play(root, { before, view, ...live }));
  ctrl.show(view);
  if (!before) setTimeout(loadEffects, LOAD_AHEAD_MS);
  if (before && hasLostEvents(before, view))
    ctrl.showProblem({ code: "lost", text: text.t("lost") }, "now");
  if (before && before.version !== view.version)
    loadSenses().then((senses) => senses.playEffects(ctrl, root, before, view));
  if (before && (before.phase !== view.phase || (isViewerReady(view) && !isViewerReady(before))))
    getPanelWindow().scrollTo(0, 0);
  if (ctrl.prefs.aloud && view.you?.host && before) readAloud(before, view);
  const end = identifyEnd(view);
  if (end !== storyEnd) loadStory(end);
}

/**
 * Reads the host's text for the call aloud when it changes.
 * @param {import("./core/types.js").View} before
 * @param {import("./core/types.js").View} view
 */
function readAloud(before, view) {
  const veiled = ctrl.prefs.veil;
  const announcement = getCallText(view, veiled);
  if (announcement !== getCallText(before, veiled)) speakAloud(announcement, text.getLanguage());
}

/**
 * Makes this page a shared screen: a spectator's page without the settings of this device's player,
 * except for theme and language.
 */
function becomeSharedScreen() {
  memory.becomeOnlooker();
  ctrl.isSharedScreen = true;
  ctrl.prefs = { lens: {}, ...memory.readPreferences() };
}

/**
 * Stops using the seat that this browser's cookie names, because it isn't the viewer's. The viewer
 * becomes a spectator and may take another seat.
 */
function stopUsingCookie() {
  wire.cookie = false;
  omitCookies();
}

/** The end of the game whose story was requested last, or "". */
let storyEnd = "";

/**
 * Identifies the end of a game: another game has another end, and so has the same game if its end
 * was undone. Returns "" if the game isn't over.
 * @param {import("./core/types.js").View | null} view
 */
const identifyEnd = (view) =>
  view?.phase === "over"
    ? `${view.epoch} ${view.game} ${view.log.findLast(({ type }) => type === "game_won")?.version}`
    : "";

/**
 * Loads the whole log, for the story of this end of a game. If that fails, the next view tries
 * again.
 * @param {string} end
 */
async function loadStory(end) {
  storyEnd = end;
  ctrl.set({ story: null });
  if (!end) return;
  const story = await import("./core/former.js")
    .then((part) => part.requestFromTable(code, "log"))
    .catch(() => null);
  if (identifyEnd(ctrl.view) === end) ctrl.set({ story });
  if (!story && storyEnd === end) storyEnd = "";
}

/**
 * Shows the view that this device stored at its last visit, until the server answers. No command
 * can be sent before that.
 */
async function showStoredView() {
  if (sharedTable !== null) return; // The stored view may contain a player's secrets.
  const storedView = memory.readValue(
    `last.${code}`,
    (view) => !!view?.epoch && Array.isArray(view.seats) && Array.isArray(view.log),
  );
  if (!storedView) return;
  try {
    if (!isFamilyLoaded()) await loadFamily(storedView.family);
    const closesAt = storedView.window && clock.now() + storedView.window.left_ms;
    ctrl.showsStoredView = true;
    ctrl.show({
      ...storedView,
      window: storedView.window && { ...storedView.window, closes_at: closesAt },
    });
    renderPanel(ctrl, joinTable);
  } catch {
    ctrl.showsStoredView = false;
    // The stored view is from another version of this page, or was edited by hand.
    ctrl.view = null;
  }
}

/** Stops showing the stored view. Events that are newer than it are marked as new. */
function dropStoredView() {
  if (ctrl.view) {
    ctrl.setAway(true);
    ctrl.setAway(false);
  }
  ctrl.view = null;
}

/**
 * Loads the scenes, and the module that plays animations, sounds and alerts, so that they are ready
 * for the table's first change. They aren't part of the first load, because they would delay it. If
 * a game is being played, the screen stays on from then. Also loads what is needed if another part
 * can't be loaded later.
 */
function loadEffects() {
  scenes(ctrl, () => null);
  loadSenses().then(
    (senses) => senses.startSenses(ctrl),
    () => null,
  );
  loadRecovery().catch(() => null);
}

const loadSenses = () => import("./core/senses.js");

/** Calls a function with the player of scenes, if that has been loaded. */
const scenes = createLazyPart(
  () =>
    Promise.all([import("./shell/scenes.js"), getFamily().loadScenes()]).then(([module, family]) =>
      module.createScenePlayer(ctrl, family.findScene),
    ),
  "scenes",
);

const getWantedLanguages = () =>
  text.listWantedLanguages(ctrl.prefs.language ?? null, navigator.languages);

/**
 * Loads the panel's sentences, including those of the family if it is known.
 * @param {string} [folder]
 */
async function loadSentences(folder = isFamilyLoaded() ? getFamily().texts : undefined) {
  await text.loadSentences(getWantedLanguages(), folder);
  hasSentences = true;
}

/** Loads a family of games and makes it the panel's family. @param {string} [name] */
async function loadFamily(name) {
  const loaded = await fetchFamily(name);
  if (isFamilyLoaded() && getFamily() === loaded) return;
  if (loaded.texts) await loadSentences(loaded.texts);
  setFamily(loaded);
}

/**
 * Loads the variant again if the house rules have changed. This is necessary because a device deals
 * its deck by the house rules.
 */
function reloadVariantForHouse(/** @type {import("./core/types.js").View} */ { house = null }) {
  const newHouse = JSON.stringify(house);
  if (newHouse === requestedHouse) return;
  requestedHouse = newHouse;
  ctrl.variant = null;
  loadVariant();
}

/** Loads the table's variant, without the texts that only the help sheet uses. */
async function loadVariant() {
  const path = `/api/tables/${code}/variant?language=${getWantedLanguages()}&brief`;
  const house = requestedHouse;
  const variant = await request(path).catch(() => null);
  if (house !== requestedHouse) return;
  if (!variant) requestedHouse = "";
  if (!variant) return;
  await loadFamily(variant.family);
  await getFamily()
    .loadArt?.(variant)
    .catch(() => null);
  if (house !== requestedHouse) return;
  deck.setVariant(variant);
  ctrl.set({ variant });
  if (showsServerViews) wire.showAgain();
}

/**
 * Deletes the stored seat, because it has moved to another device or no longer exists. The viewer
 * becomes a spectator and may take a seat again.
 * @param {import("./core/types.js").Problem} problem
 */
function forgetSeat(problem) {
  const seat = memory.readStoredSeat(code)?.seat;
  const { takeLinkedSeat: moving } = ctrl;
  memory.deleteStoredSeat(code);
  // The link was waiting for confirmation because this device had a seat. Now there is no seat to
  // lose.
  if (moving) {
    ctrl.set({ takeLinkedSeat: null });
    return moving();
  }
  ctrl.showProblem(problem, "now");
  wire.reconnect();
  if (seat) warnOfDeck(seat);
}

/**
 * Warns the viewer if the deck of their former seat is still on this device.
 * @param {string} seat
 */
async function warnOfDeck(seat) {
  if ((await forgetDeck(seat)) === "here")
    Promise.all([import("./shell/door.js"), loadSharedFiles()]).then(([door]) =>
      door.warnOfDeckLeftHere(ctrl),
    );
}

/**
 * Deletes what this device stored for a former seat, unless it is still needed on this device.
 * @param {string} seat
 */
async function forgetDeck(seat) {
  await started;
  return import("./shell/claim.js").then(
    (claim) => claim.forgetDeck(code, seat),
    () => "unknown",
  );
}

/**
 * Finds out where the seat was opened. If this device's token is no longer valid, the seat was
 * moved to another device; then deletes what this device stored for the seat, unless the deck is
 * still needed here. Otherwise the seat was opened in another tab.
 */
async function checkSeatMoved() {
  const { seat, token } = memory.readStoredSeat(code) ?? {};
  ctrl.closeSheet(); // An open sheet would cover the notice.
  ctrl.set({ supersededBy: null });
  const isTokenRejected = await request(`/api/tables/${code}`, undefined, token).then(
    () => false,
    (error) => error instanceof Refusal && error.problem.code === "unauthenticated",
  );
  ctrl.set({ supersededBy: isTokenRejected ? "device" : "tab" });
  if (isTokenRejected && seat && (await forgetDeck(seat)) === "here")
    ctrl.set({ supersededBy: "deck" });
}

/** Takes a seat. During a game, takes a place in the next game. @param {string} name */
async function joinTable(name) {
  const door =
    ctrl.connection === "closed"
      ? ctrl.closeReason?.facts?.door
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

const getOfflineProblem = () => ({ code: "offline", text: text.t("error.offline") });

/** Shows that the family's module couldn't be loaded. Only a reload of the page can help. */
function showOffline() {
  ctrl.setConnection("closed", getOfflineProblem());
  loadRecovery().then(
    (recovery) => recovery.reloadOnce(),
    () => null,
  );
}

async function startPanel() {
  applyTheme(ctrl.prefs.theme);
  const learning =
    sharedTable === ""
      ? Promise.resolve()
      : Promise.race([loadVariant(), new Promise((late) => setTimeout(late, LEARN_MS))]);
  const claims = location.hash.startsWith("#claim=");
  if (sharedTable === "") ctrl.setConnection("closed");
  else if (!claims) wire.open(); // Connect while everything else loads.
  await Promise.all([learning.catch(showOffline), loadSentences()]);
  scheduleDraw();
  await showStoredView();
  if (claims)
    await import("./shell/claim.js")
      .then(
        (claim) => claim.followClaimLink(ctrl, loadFamily),
        () => ctrl.showProblem(getOfflineProblem(), "now"),
      )
      .finally(() => wire.open());
  navigator.serviceWorker?.register(resolvePath("/sw.js")).catch(() => null);
}

setInterval(() => {
  if (ctrl.view?.window && !ctrl.view.window.held_by) scheduleDraw();
  if (showsServerViews && ctrl.view?.options.remind_seconds)
    loadSenses().then(({ updateReminder: remind }) => remind(ctrl, liveRegion));
}, TICK_MS);
document.addEventListener("visibilitychange", () => {
  ctrl.setAway(getPanelDocument().hidden); // A small window is visible while the tab is hidden.
  if (document.hidden && showsServerViews && ctrl.view)
    memory.storeValue(`last.${code}`, ctrl.view);
  if (!document.hidden) wire.sync();
});
addEventListener(
  "hashchange",
  () => (location.hash.startsWith("#claim=") || isScreenLink()) && location.reload(),
);
document.addEventListener("keydown", (event) => {
  if (sharedTable === null) handleKeyPress(event, ctrl, document);
});
// Not awaited, because in the bundle a family's module waits for this module to finish.
const started = startPanel();
