/**
 * The page of a replay. It fetches the game once and then computes every moment itself. This module
 * creates the `Player` (replay/reel.js) and connects it to the page, the keyboard, the address and
 * the other viewers.
 */
import { Controller } from "./core/controller.js";
import * as deck from "./core/deck.js";
import { getFamily, setFamily } from "./core/family.js";
import { sendWithToken } from "./core/former.js";
import { Refusal, request, omitCookies } from "./core/http.js";
import { loadRecovery, loadSharedFiles } from "./core/late.js";
import { html, render } from "./core/lit.js";
import { applyTheme, resolvePath, decodeUrlPart } from "./core/page.js";
import * as memory from "./core/memory.js";
import { copyText } from "./core/picture.js";
import * as text from "./core/text.js";
import { loadCardRevealer, canRevealCards, fetchFamily } from "./families.js";
import { art } from "./shell/parts.js";
import { keepFocus } from "./shell/keys.js";
import { getSliderMarks, handleKeyPress } from "./replay/bar.js";
import { getEntrySentence, renderPage } from "./replay/page.js";
import { Player, Reel, uploadGameFile, loadGame, describeProblem } from "./replay/reel.js";

/** @import { View } from "./core/types.js" */
/** @import { ReplayState } from "./replay/page.js" */

/** Replaces the table's code in the address if a game file was opened on the start page. */
const FILE_CODE = "file";
const ADDRESS_MS = 400;

const [, typedCode = "", game = ""] =
  /\/t\/([^/]+)\/replay\/([^/]+)\/?$/.exec(location.pathname) ?? [];
const isFromFile = typedCode === FILE_CODE;
/** True for the built-in example turn, which has no other viewers, no remarks and no file. */
const isExample = game === "example";
/** @type {string | undefined} */
const file = isFromFile ? history.state?.file : undefined;
const code = isFromFile ? FILE_CODE : memory.parseCode(typedCode);
const path = `/api/tables/${code}`;
if (!isFromFile && memory.readCookieAnswer(code) === false) omitCookies();
/** The token of this device's seat. Undefined if the device has no seat, or has lost it. */
let token = isFromFile ? undefined : memory.readStoredSeat(code)?.token;
/** The viewer's own seat at the table, or null. */
let ownSeat = isFromFile || isExample ? null : memory.readStoredSeat(code)?.seat;
/**
 * True if all other viewers go to this page's moment as soon as it is connected: the page was opened
 * with a link to a moment, or the viewer moved before `Together` was loaded. After a reload it is
 * false, and this page follows the others.
 */
let leadsOthers = false;
const root = /** @type {HTMLElement} */ (document.getElementById("app"));
const liveRegion = /** @type {HTMLElement} */ (document.getElementById("says"));

/**
 * A clock that always shows the time of the current moment, so that an open window shows the time
 * that was left then.
 */
const clock = { now: () => ctrl.view?.now ?? 0 };
const ctrl = new Controller(code, /** @type {any} */ (clock), () => scheduleDraw());

ctrl.showVersion = (version) => {
  ctrl.closeSheet();
  player.seek(player.reel.findNearest(version));
};

/** @type {Player} */
let player;
/** @type {ReplayState} */
const pageState = {
  bare: null,
  lay: null,
  together: isFromFile || isExample ? null : true,
  here: 0,
  steered: null,
  note: null,
  remarks: [],
  writing: null,
  links: {
    table: isFromFile ? null : resolvePath(`/t/${code}`),
    file: isExample || file !== undefined ? null : resolvePath(`${path}/games/${game}`),
  },
  press: {
    bare: () => toggleHiddenCards(),
    together: () => setTogether(!pageState.together),
    link: () => copyMomentLink(),
    hush: () => updateState({ note: null }),
    write: () => toggleRemarkForm(!pageState.writing),
    leave: (words) => sendRemark(words),
  },
};
/** @type {import("./replay/together.js").Together | null} */
let sharedReplay = null;
/**
 * Reveals the hidden cards at a moment. It is loaded when the viewer first asks for hidden cards.
 * @type {((view: any, upTo: number) => {view: View, hands: Record<string, string[]>, mark: (root:
 *   HTMLElement) => void}) | null}
 */
let computeHiddenCards = null;
/** @type {((root: HTMLElement) => void) | null} */
let markHiddenCards = null;

let isDrawScheduled = false;
/**
 * The sheet that was open when the page was last drawn. The focus only has to be moved when a sheet
 * is open or has just been closed.
 */
let lastSheet = ctrl.sheet;
/** Renders the page once after the current task, even if it is called several times. */
function scheduleDraw() {
  if (isDrawScheduled || !player) return;
  isDrawScheduled = true;
  queueMicrotask(() => {
    isDrawScheduled = false;
    applyTheme(ctrl.prefs.theme);
    const renderNow = () => render(renderPage(ctrl, player, pageState), root);
    if (ctrl.sheet || lastSheet) keepFocus(root, renderNow);
    else renderNow();
    lastSheet = ctrl.sheet;
    markHiddenCards?.(root);
  });
}

/** Changes part of the page's state and redraws the page. @param {Partial<ReplayState>} what */
function updateState(what) {
  Object.assign(pageState, what);
  scheduleDraw();
}

/**
 * Returns the version of this viewer's moment and, unless the replay is paused, its speed.
 * @returns {import("./replay/together.js").Step}
 */
const getPosition = () => ({
  at: player.reel.getVersion(player.at),
  ...(player.play === null ? {} : { play: player.play }),
});

/**
 * Shows the player's current moment.
 * @param {boolean} isOwnStep true if this viewer steered, so the others follow
 * @param {boolean} [isAutomatic] true if the replay moved on by itself after this viewer had started it
 */
function showMoment(isOwnStep, isAutomatic = false) {
  const view = player.reel.getView(player.at);
  const hidden = pageState.bare && computeHiddenCards ? computeHiddenCards(view, player.at) : null;
  ctrl.view = hidden?.view ?? view;
  pageState.lay = hidden;
  markHiddenCards =
    hidden?.mark ??
    (computeHiddenCards ? (drawn) => computeHiddenCards?.(view, -1).mark(drawn) : null);
  if (isOwnStep) {
    pageState.note = null;
    if (!sharedReplay && pageState.together) leadsOthers = true;
    sharedReplay?.sendStep(isAutomatic ? { ...getPosition(), on: true } : getPosition());
    if (!isAutomatic && sharedReplay) Object.assign(pageState, { steered: "you" });
  }
  if (!player.isPlaying) liveRegion.textContent = getEntrySentence(ctrl, player);
  updateAddress();
  scheduleDraw();
}

let isAddressUpdateScheduled = false;
/**
 * Writes the moment into the address. This is rate-limited, because browsers refuse frequent
 * changes.
 */
function updateAddress() {
  if (isAddressUpdateScheduled) return;
  isAddressUpdateScheduled = true;
  setTimeout(() => {
    isAddressUpdateScheduled = false;
    history.replaceState(history.state, "", `#${player.reel.getVersion(player.at)}`);
  }, ADDRESS_MS);
}

/**
 * Goes to the moment in the address's fragment. If there is no such moment, goes to the nearest one
 * and shows a note. Does nothing if the fragment is empty or can't be decoded. Uses the event's
 * `newURL`, because `updateAddress()` may have changed the location since the event.
 * @param {{newURL?: string}} [event]
 */
function seekToAddress({ newURL = location.href } = {}) {
  const fragment = decodeUrlPart(new URL(newURL).hash.slice(1));
  if (!fragment) return;
  const version = /^\d{1,9}$/.test(fragment) ? Number(fragment) : Number.NaN;
  const moment = player.reel.findNearest(Number.isNaN(version) ? 0 : version);
  const nearestVersion = player.reel.getVersion(moment);
  player.seek(moment);
  updateState({
    note:
      nearestVersion === version
        ? null
        : text.t("replay.nearest", { moment: fragment, nearest: nearestVersion }),
  });
}

/** Shows the hidden cards, or hides them again. */
async function toggleHiddenCards() {
  computeHiddenCards ??= (await loadCardRevealer(getFamily().name))(ctrl.variant, player.reel);
  updateState({ bare: !pageState.bare });
  showMoment(false);
}

/** Starts or stops watching together with the other viewers. @param {boolean} on */
async function setTogether(on) {
  updateState({ together: on, here: 0, steered: null });
  sharedReplay?.close();
  sharedReplay = null;
  player.stopFollowing();
  if (!on) {
    leadsOthers = false;
    return;
  }
  const { Together } = await import("./replay/together.js");
  if (!pageState.together || sharedReplay) return;
  sharedReplay = new Together(
    { table: code, game: Number(game), token },
    {
      goTo: (version, play) => player.follow(player.reel.findNearest(version), play),
      showCount: (here) => updateState({ here }),
      stopFollowing: () => player.stopFollowing(),
      noteRemarks: (count) => count > pageState.remarks.length && reloadRemarks(),
      noteSteering: (by, you) =>
        updateState({
          steered: you || (by && by === ownSeat) ? "you" : by === undefined ? null : { by },
        }),
      getPosition,
    },
  );
  if (leadsOthers) sharedReplay.sendStep(getPosition());
  leadsOthers = false;
}

/** Copies a link to this moment. */
async function copyMomentLink() {
  const done = await copyText(
    `${location.href.split("#")[0]}#${player.reel.getVersion(player.at)}`,
  );
  updateState({ note: text.t(done === "copied" ? "replay.copied" : "replay.copy.failed") });
}

/**
 * Shows the remarks that players left at moments.
 * @param {import("./replay/reel.js").Remark[]} remarks
 */
function showRemarks(remarks) {
  player.reel.remarks = remarks;
  updateState({ remarks });
}

/** Fetches the remarks again. */
const reloadRemarks = () =>
  request(`${path}/games/${game}/remarks`, undefined, token).then(showRemarks, () => null);

/**
 * Opens or closes the form for a remark, and moves the focus to its input or back to its button.
 * @param {boolean} writing
 */
async function toggleRemarkForm(writing) {
  updateState({ writing, note: null });
  await null;
  /** @type {HTMLElement | null} */
  const element = root.querySelector(writing ? ".remark-form input" : "[data-reel=write]");
  element?.focus();
}

/** Sends this viewer's remark about the current moment. @param {string} words */
async function sendRemark(words) {
  const moment = player.reel.getVersion(player.at);
  try {
    showRemarks(await request(`${path}/games/${game}/remarks`, { moment, text: words }, token));
    toggleRemarkForm(false);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    updateState({ note: error.problem.text });
  }
}

/**
 * Returns true if the secret of any player's device deck has been published, so that hidden cards
 * can be shown.
 * @param {View} view
 */
const hasOpenedDeck = (view) =>
  canRevealCards(getFamily().name) &&
  view.seats.some((seat) => /** @type {any} */ (seat).deck?.secret);

const getLanguages = () =>
  text.listWantedLanguages(ctrl.prefs.language ?? null, navigator.languages);

/**
 * Loads all texts of a replay: those that every page uses, the replay's own, those that a table
 * loads on demand, and the family's.
 * @param {string} [familyTexts] name of the family's texts
 */
function loadTexts(familyTexts) {
  const loading = text.loadSentences(getLanguages(), "replay", "late", familyTexts);
  loadSharedFiles(loading);
  loading.then(loadRecovery).catch(() => null);
  return loading;
}

/**
 * Fetches the game. A viewer who has lost their seat sees it as a spectator.
 * @param {string} query
 */
function loadTableGame(query) {
  return sendWithToken(token, (usedToken) => {
    token = usedToken;
    if (!token) ownSeat = null;
    return loadGame({ path, game, query, token });
  });
}

/** Loads the game and its texts, and shows the moment that the address names. */
async function startReplay() {
  applyTheme(ctrl.prefs.theme);
  const query = `language=${getLanguages()}${isFromFile || isExample ? "" : `&game=${game}`}`;
  const [{ replay, variant, remarks }] = await Promise.all([
    file === undefined ? loadTableGame(query) : uploadGameFile(file),
    loadTexts(),
  ]);
  setFamily(await fetchFamily(variant.family));
  await getFamily()
    .loadArt?.(variant)
    .catch(() => null);
  deck.setVariant(variant);
  ctrl.variant = variant;
  if (getFamily().texts) await loadTexts(getFamily().texts);
  const title = isExample ? text.t("replay.example") : text.t("replay.title", { game });
  document.title = `${title} – Hiss`;
  player = new Player(new Reel(replay), showMoment);
  if (player.reel.getView(0).seats.some((seat) => seat.seat === ownSeat)) pageState.writing = false;
  showMoment(false);
  seekToAddress();
  leadsOthers = location.hash.length > 1 && getNavigationType() === "navigate";
  document.addEventListener("keydown", (event) =>
    handleKeyPress(event, ctrl, player, getMarkPositions()),
  );
  addEventListener("hashchange", seekToAddress);
  addEventListener("resize", scheduleDraw);
  // Draw the first moment before anything else is loaded.
  requestAnimationFrame(() => setTimeout(loadRemainingParts, 0, remarks));
  import("./core/follow.js").then(
    ({ followPreferences: follow }) => follow(ctrl),
    () => null,
  );
}

/**
 * Returns how the page was opened: `navigate`, `reload` or `back_forward`.
 * @returns {string | undefined}
 */
function getNavigationType() {
  const [how] = performance.getEntriesByType("navigation");
  return /** @type {PerformanceNavigationTiming | undefined} */ (how)?.type;
}

/** Returns the positions of the slider's marks. */
const getMarkPositions = () => getSliderMarks(player.reel).map(({ at }) => at);

/**
 * Loads everything else once the first moment is drawn: remarks, other viewers and opened decks.
 * @param {import("./replay/reel.js").Remark[] | null} remarks null: request them from the server
 */
function loadRemainingParts(remarks) {
  if (isExample) return;
  if (remarks) showRemarks(remarks);
  else reloadRemarks();
  if (!isFromFile) setTogether(true);
  if (hasOpenedDeck(player.reel.getView(player.reel.last))) updateState({ bare: false });
}

/** Shows an error page. @param {unknown} error */
async function showErrorPage(error) {
  await loadTexts();
  const reason =
    error instanceof Refusal ? describeProblem(error.problem, isFromFile) : text.t("replay.broken");
  render(
    html`<main class="page notice">
      ${art("mark")}
      <h1>${reason}</h1>
      <a class="press main" href=${resolvePath("/")}>${text.t("home")}</a>
    </main>`,
    root,
  );
  if (!(error instanceof Refusal)) throw error;
}

startReplay().catch(showErrorPage);
