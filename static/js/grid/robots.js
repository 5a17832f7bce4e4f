/**
 * Robots at the table, if the server has any. The host can give a robot a seat; a player who has to
 * leave can lend the device deck to a robot, which plays on. A practice game against robots starts
 * automatically: device deck, ready, lots for the first turn, no roll call. If one of these steps is
 * refused, the lobby appears with the reason.
 * @import { Controller } from "../core/controller.js"
 * @import { Command } from "../core/types.js"
 * @import { View } from "./types.js"
 */
import { Refusal, request } from "../core/http.js";
import { html, nothing } from "../core/lit.js";
import { storedSeat } from "../core/memory.js";
import { isReady, seatOf } from "../core/moves.js";
import { hasWords, t } from "../core/text.js";
import { renderNameField } from "../shell/join.js";
import { art, renderToast, renderTopStrip } from "../shell/parts.js";
import { loadKeeper } from "./own.js";
import { isKept, ownSeat } from "./state.js";

/** The robots that the server offers. @typedef {{most: number, free: number, tempers: string[]}} Robots */

/** Null until the server has answered. @type {Robots | null} */
let known = null;
/** Table and number of seats of the last request. */
let asked = "";

/** Requests the number of free robots again whenever the number of seats changes. @param {Controller} ctrl */
function loadRobots(ctrl) {
  const key = `${ctrl.table} ${ctrl.view?.seats.length}`;
  if (asked === key) return;
  asked = key;
  request("/api/robots").then(
    (found) => {
      known = found;
      ctrl.draw();
    },
    () => null,
  );
}

/** Returns the name of a temper in the viewer's language. @param {string} temper */
const words = (temper) =>
  hasWords(`robots.temper.${temper}`) ? t(`robots.temper.${temper}`) : temper;

/**
 * Draws the host's button in the lobby that adds a robot, with details to unfold.
 * @param {Controller} ctrl
 */
export function adder(ctrl) {
  loadRobots(ctrl);
  if (!known?.most) return nothing;
  return html`<form class="robots"
    @submit=${(/** @type {SubmitEvent} */ event) => addRobot(ctrl, event)}>
    <button class="press wide ${ctrl.pending.has("robot") ? "pending" : ""}" data-do="robot"
      ?disabled=${!known.free}>
      ${art("robot")}
      ${t("robots.add")}
    </button>
    ${known.free ? nothing : html`<p class="soft">${t("robots.none")}</p>`}
    ${renderToast(ctrl, "robots")}
    <details>
      <summary>${t("robots.which")}</summary>
      ${renderNameField(ctrl, { label: t("robots.name"), spot: "robot-name", optional: true })}
      <fieldset class="choice">
        <legend>${t("robots.temper")}</legend>
        ${["", ...known.tempers].map((temper) => way(temper))}
      </fieldset>
    </details>
  </form>`;
}

/** @param {string} temper empty for a random one */
const way = (temper) =>
  html`<label>
    <input type="radio" name="temper" value=${temper} ?checked=${!temper}>
    <span>${temper ? words(temper) : t("robots.any")}</span>
  </label>`;

/** @param {Controller} ctrl @param {SubmitEvent} event */
async function addRobot(ctrl, event) {
  event.preventDefault();
  if (ctrl.pending.has("robot")) return;
  const form = /** @type {HTMLFormElement} */ (event.target);
  const chosen = [...new FormData(form)].map(([key, value]) => [key, String(value).trim()]);
  const wanted = Object.fromEntries(chosen.filter(([, value]) => value));
  const seated = await postRobot(ctrl, `/api/tables/${ctrl.table}/robots`, wanted, "robots");
  if (seated) form.reset();
}

/** Draws the menu entry that lends a device deck to a robot. @param {Controller} ctrl */
export function standIn(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  loadRobots(ctrl);
  if (!known?.most || view.phase !== "play" || !ctrl.kept?.hand || !seatOf(view, ctrl.me)?.alive)
    return nothing;
  return html`<div class="stand-in">
    <button type="button" class="press wide ${ctrl.pending.has("robot") ? "pending" : ""}"
      data-do="stand-in" ?disabled=${!known.free} @click=${() => lendDeck(ctrl)}>
      ${art("robot")}
      ${t("robots.stand-in")}
    </button>
    <p class="soft">${t(known.free ? "robots.stand-in.what" : "robots.none")}</p>
  </div>`;
}

/**
 * Lends the deck to a robot and closes this connection. Opening the table again takes the seat back.
 * @param {Controller} ctrl
 */
async function lendDeck(ctrl) {
  const secret = (await loadKeeper()).secretToLend(ctrl);
  if (!secret || ctrl.pending.has("robot")) return;
  ctrl.stoodIn = true;
  const path = `/api/tables/${ctrl.table}/seats/${ctrl.me}/robot`;
  const done = await postRobot(ctrl, path, { secret }, "sheet");
  if (done) ctrl.closeSheet();
  else ctrl.stoodIn = false;
}

/**
 * Sends a request about a robot. Returns true if it succeeded; else shows the reason at `spot`.
 * @param {Controller} ctrl
 * @param {string} path
 * @param {object} body
 * @param {string} spot
 */
async function postRobot(ctrl, path, body, spot) {
  ctrl.pending.add("robot");
  ctrl.set({ toast: null });
  try {
    await request(path, body, storedSeat(ctrl.table)?.token);
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    ctrl.showProblem(error.problem, spot);
    return false;
  } finally {
    ctrl.pending.delete("robot");
    ctrl.draw();
  }
}

/** True while a command of the practice game waits for its answer. */
let busy = false;
/** Version of the last accepted command: the next one waits for a view of that version. */
let said = { epoch: "", version: 0 };

/**
 * Draws the page shown in place of lobby and preparation while a practice game starts automatically.
 * @param {Controller} ctrl
 */
export function practice(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const begins = !!ctrl.prefs.practice.begins;
  const wanted = view.phase === "over" || (begins && view.phase !== "play");
  if (wanted !== begins) queueMicrotask(() => setAutoStart(ctrl, wanted));
  if (!wanted || view.phase === "over" || !view.you?.host) return null;
  queueMicrotask(() => sendNext(ctrl, view));
  return html`${renderTopStrip(ctrl)}<main class="page notice" aria-busy="true">
    ${art("mark")}
    <h1>${t("practice")}</h1>
    <p>${t("practice.what")}</p>
    <button type="button" class="press" data-do="by-hand" @click=${() => setAutoStart(ctrl, false)}>
      ${t("practice.not")}
    </button>
  </main>`;
}

/** Remembers if the next game starts automatically. @param {Controller} ctrl @param {boolean} begins */
const setAutoStart = (ctrl, begins) => ctrl.prefer("practice", { ...ctrl.prefs.practice, begins });

/**
 * Sends the next command of the automatic start. A refusal ends it, so the lobby shows the reason.
 * @param {Controller} ctrl
 * @param {View} view
 */
async function sendNext(ctrl, view) {
  const waits = busy || !ctrl.wire || ctrl.line !== "open" || !ctrl.prefs.practice.begins;
  const old = view.epoch === said.epoch && view.version < said.version;
  if (waits || old || ctrl.view !== view) return;
  const what = nextStep(view, isKept(ownSeat(ctrl, view)) && !ctrl.kept?.lost);
  if (!what) return;
  busy = true;
  const deal = () => loadKeeper().then((keeper) => keeper.choose(ctrl, "device"));
  const answer = await (what === "deal" ? deal().catch(() => null) : ctrl.send(what));
  busy = false;
  if (!answer?.ok) return setAutoStart(ctrl, false);
  said = { epoch: view.epoch, version: answer.version ?? 0 };
  ctrl.draw();
}

/**
 * Returns the next step on the way to the first turn: a command, "deal" for a new device deck, or
 * null to wait.
 * @param {View} view @param {boolean} kept true if the viewer's device has a deck for this game
 * @returns {Command | "deal" | null}
 */
export function nextStep(view, kept) {
  if (view.phase === "roll_call") return { type: "skip_roll_call" };
  if (view.phase !== "lobby" && view.phase !== "setup") return null;
  if (!kept) return "deal";
  if (view.phase === "lobby") return { type: "prepare" };
  if (!isReady(view)) return { type: "ready", ready: true };
  return view.seats.every((seat) => seat.ready) ? { type: "begin", first: "lot" } : null;
}
