/**
 * The page of a replay. It fetches the game once and then computes every moment by itself; this module
 * creates the player and connects it to the page, the keyboard, the address and the other viewers.
 */
import { Controller } from "./core/controller.js";
import * as deck from "./core/deck.js";
import { family, useFamily } from "./core/family.js";
import { Refusal, request, omitCookies } from "./core/http.js";
import { loadShared } from "./core/late.js";
import { html, render } from "./core/lit.js";
import { applyTheme, at, decodePart } from "./core/page.js";
import * as memory from "./core/memory.js";
import { copyText } from "./core/picture.js";
import * as text from "./core/text.js";
import { bareOf, canBare, familyOf } from "./families.js";
import { art } from "./shell/parts.js";
import { keepFocus } from "./shell/keys.js";
import { sliderMarks, press } from "./replay/bar.js";
import { entrySentence, page } from "./replay/page.js";
import { Player, Reel, openFile, loadGame, describeProblem } from "./replay/reel.js";

/** @import { View } from "./core/types.js" */
/** @import { Beside } from "./replay/page.js" */

/** In place of a table's code: the game comes from a file that the start page has passed on. */
const ALONE = "file";
const ADDRESS_MS = 400;

const [, typed = "", game = ""] = /\/t\/([^/]+)\/replay\/([^/]+)\/?$/.exec(location.pathname) ?? [];
const alone = typed === ALONE;
/** True for the built-in example turn: it has no other viewers, no remarks and no file. */
const example = game === "example";
/** @type {string | undefined} */
const file = alone ? history.state?.file : undefined;
const code = alone ? ALONE : memory.codeIn(typed);
const path = `/api/tables/${code}`;
if (!alone && memory.cookieAnswer(code) === false) omitCookies();
const token = alone ? undefined : memory.storedSeat(code)?.token;
/** The viewer's own seat at the table, if any. */
const seat = alone || example ? null : memory.storedSeat(code)?.seat;
/** True if the page was opened by a link to a moment: then all viewers move there. A reload follows them. */
const lead = location.hash.length > 1 && navigationType() === "navigate";
const root = /** @type {HTMLElement} */ (document.getElementById("app"));
const says = /** @type {HTMLElement} */ (document.getElementById("says"));

/** A stopped clock: a window shows the time that was left at this moment. */
const clock = { now: () => ctrl.view?.now ?? 0 };
const ctrl = new Controller(code, /** @type {any} */ (clock), () => draw());

ctrl.seek = (version) => {
  ctrl.closeSheet();
  player.seek(player.reel.near(version));
};

/** @type {Player} */
let player;
/** @type {Beside} */
const beside = {
  bare: null,
  lay: null,
  together: alone || example ? null : true,
  here: 0,
  steered: null,
  note: null,
  remarks: [],
  writing: null,
  links: {
    table: alone ? null : at(`/t/${code}`),
    file: example || file !== undefined ? null : at(`${path}/games/${game}`),
  },
  press: {
    bare: () => bare(),
    together: () => watch(!beside.together),
    link: () => link(),
    hush: () => change({ note: null }),
    write: () => write(!beside.writing),
    leave: (words) => leave(words),
  },
};
/** @type {import("./replay/together.js").Together | null} */
let others = null;
/**
 * Computes where the hidden cards are at a moment; loaded when the viewer first asks for them.
 * @type {((view: any, upTo: number) => {view: View, hands: Record<string, string[]>, mark: (root:
 *   HTMLElement) => void}) | null}
 */
let laid = null;
/** @type {((root: HTMLElement) => void) | null} */
let markLaid = null;

let due = false;
/** The sheet that was open at the last drawing. Only with a sheet does drawing have to keep the focus. */
let sheet = ctrl.sheet;
/** Draws the page once after the current task, however often it is called. */
function draw() {
  if (due || !player) return;
  due = true;
  queueMicrotask(() => {
    due = false;
    const draw = () => render(page(ctrl, player, beside), root);
    if (ctrl.sheet || sheet) keepFocus(root, draw);
    else draw();
    sheet = ctrl.sheet;
    markLaid?.(root);
  });
}

/** Changes part of the page's state and draws it. @param {Partial<Beside>} what */
function change(what) {
  Object.assign(beside, what);
  draw();
}

/**
 * Returns this viewer's moment and, unless it is paused, the speed.
 * @returns {import("./replay/together.js").Step}
 */
const where = () => ({
  at: player.reel.version(player.at),
  ...(player.play === null ? {} : { play: player.play }),
});

/**
 * Shows the player's current moment.
 * @param {boolean} own true if this viewer steered, so the others follow
 * @param {boolean} [on] true if the replay moved on by itself after this viewer had started it
 */
function show(own, on = false) {
  const view = player.reel.view(player.at);
  const found = beside.bare && laid ? laid(view, player.at) : null;
  ctrl.view = found?.view ?? view;
  beside.lay = found;
  markLaid = found?.mark ?? (laid ? (drawn) => laid?.(view, -1).mark(drawn) : null);
  if (own) {
    beside.note = null;
    others?.say(on ? { ...where(), on: true } : where());
    if (!on && others) Object.assign(beside, { steered: "you" });
  }
  if (!player.playing) says.textContent = entrySentence(ctrl, player);
  address();
  draw();
}

let soon = false;
/** Writes the moment into the address, rate-limited because browsers refuse frequent changes. */
function address() {
  if (soon) return;
  soon = true;
  setTimeout(() => {
    soon = false;
    history.replaceState(history.state, "", `#${player.reel.version(player.at)}`);
  }, ADDRESS_MS);
}

/**
 * Moves to the moment in the address's fragment, or to the nearest one, with a note. Does nothing if
 * the fragment is empty or can't be decoded. It reads the event's `newURL`, because `address()` may
 * have changed the location since.
 * @param {{newURL?: string}} [event]
 */
function follow({ newURL = location.href } = {}) {
  const named = decodePart(new URL(newURL).hash.slice(1));
  if (!named) return;
  const version = /^\d{1,9}$/.test(named) ? Number(named) : Number.NaN;
  const there = player.reel.near(Number.isNaN(version) ? 0 : version);
  const found = player.reel.version(there);
  player.seek(there);
  change({
    note: found === version ? null : text.t("replay.nearest", { moment: named, nearest: found }),
  });
}

/** Shows the hidden cards, or hides them again. */
async function bare() {
  laid ??= (await bareOf(family().name))(ctrl.variant, player.reel);
  change({ bare: !beside.bare });
  show(false);
}

/** Starts or stops watching together with the other viewers. @param {boolean} on */
async function watch(on) {
  change({ together: on, here: 0, steered: null });
  others?.close();
  others = null;
  if (!on) return;
  const { Together } = await import("./replay/together.js");
  if (!beside.together || others) return;
  others = new Together(
    { table: code, game: Number(game), token },
    {
      heard: (version, play) => player.follow(player.reel.near(version), play),
      here: (here) => change({ here }),
      remarked: (count) => count > beside.remarks.length && reread(),
      steered: (by, you) =>
        change({ steered: you || (by && by === seat) ? "you" : by === undefined ? null : { by } }),
      where,
    },
  );
}

/** Copies a link to this moment. */
async function link() {
  const done = await copyText(`${location.href.split("#")[0]}#${player.reel.version(player.at)}`);
  change({ note: text.t(done === "copied" ? "replay.copied" : "replay.copy.failed") });
}

/**
 * Shows the remarks that players left at moments.
 * @param {import("./replay/reel.js").Remark[]} remarks
 */
function showRemarks(remarks) {
  player.reel.remarks = remarks;
  change({ remarks });
}

/** Fetches the remarks again. */
const reread = () =>
  request(`${path}/games/${game}/remarks`, undefined, token).then(showRemarks, () => null);

/**
 * Opens or closes the form for a remark, and moves the focus to its input or back to its button.
 * @param {boolean} writing
 */
async function write(writing) {
  change({ writing, note: null });
  await null;
  /** @type {HTMLElement | null} */
  const hand = root.querySelector(writing ? ".remark-form input" : "[data-reel=write]");
  hand?.focus();
}

/** Sends this viewer's remark about the current moment. @param {string} words */
async function leave(words) {
  const moment = player.reel.version(player.at);
  try {
    showRemarks(await request(`${path}/games/${game}/remarks`, { moment, text: words }, token));
    write(false);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    change({ note: error.problem.text });
  }
}

/** Returns true if a deck was opened, so that hidden cards can be shown. @param {View} view */
const isOpen = (view) =>
  canBare(family().name) && view.seats.some((seat) => /** @type {any} */ (seat).deck?.secret);

const language = () => text.languagesWanted(ctrl.prefs.language ?? null, navigator.languages);

/**
 * Loads the texts of a replay: the common ones, its own, a table's late ones and those of a family.
 * @param {string} [own] name of the family's texts
 */
function words(own) {
  const coming = text.loadWords(language(), "replay", "late", own);
  loadShared(coming);
  return coming;
}

/** Loads the game and its texts, and shows the moment in the address. */
async function start() {
  applyTheme(ctrl.prefs.theme);
  const query = `language=${language()}${alone || example ? "" : `&game=${game}`}`;
  const [{ told, variant, remarks }] = await Promise.all([
    file === undefined ? loadGame({ path, game, query, token }) : openFile(file),
    words(),
  ]);
  useFamily(await familyOf(variant.family));
  await family()
    .loadArt?.(variant)
    .catch(() => null);
  deck.useVariant(variant);
  ctrl.variant = variant;
  if (family().texts) await words(family().texts);
  const title = example ? text.t("replay.example") : text.t("replay.title", { game });
  document.title = `${title} – Hiss`;
  player = new Player(new Reel(told), show);
  if (player.reel.view(0).seats.some((one) => one.seat === seat)) beside.writing = false;
  show(false);
  follow();
  document.addEventListener("keydown", (event) => press(event, ctrl, player, marks()));
  addEventListener("hashchange", follow);
  addEventListener("resize", draw);
  // Draw the first moment before anything else is loaded.
  requestAnimationFrame(() => setTimeout(more, 0, remarks));
}

/** Returns the navigation type: `navigate`, `reload` or `back_forward`. @returns {string | undefined} */
function navigationType() {
  const [how] = performance.getEntriesByType("navigation");
  return /** @type {PerformanceNavigationTiming | undefined} */ (how)?.type;
}

/** Returns the positions of the slider's marks. */
const marks = () => sliderMarks(player.reel).map(({ at }) => at);

/**
 * Loads the rest once the first moment is drawn: remarks, other viewers and opened decks.
 * @param {import("./replay/reel.js").Remark[] | null} remarks null: request them from the server
 */
function more(remarks) {
  if (example) return;
  if (remarks) showRemarks(remarks);
  else reread();
  if (!alone) watch(true).then(() => lead && others?.say(where()));
  if (isOpen(player.reel.view(player.reel.last))) change({ bare: false });
}

/** Shows an error page. @param {unknown} error */
async function sorry(error) {
  await words();
  const why =
    error instanceof Refusal ? describeProblem(error.problem, alone) : text.t("replay.broken");
  render(
    html`<main class="page notice">
      ${art("mark")}
      <h1>${why}</h1>
      <a class="press main" href=${at("/")}>${text.t("home")}</a>
    </main>`,
    root,
  );
  if (!(error instanceof Refusal)) throw error;
}

start().catch(sorry);
