/**
 * Robots at the table, if the server offers any. The host can give a robot a seat. A player who has
 * to leave can lend their device deck to a robot, which plays in their place. A practice game
 * against robots starts automatically: the panel chooses the device deck, sets the viewer ready,
 * draws lots for the first turn and skips the roll call. If the server refuses one of these
 * commands, the lobby appears with the reason.
 * @import { Controller } from "../core/controller.js"
 * @import { Command } from "../core/types.js"
 * @import { View } from "./types.js"
 */
import { Refusal, request } from "../core/http.js";
import { html, nothing } from "../core/lit.js";
import { readStoredSeat } from "../core/memory.js";
import { isViewerReady, findSeat } from "../core/moves.js";
import { requestServerInfo } from "../core/server.js";
import { hasSentence, t } from "../core/text.js";
import { renderNameField } from "../shell/join.js";
import { art, renderToast, renderTopStrip } from "../shell/parts.js";
import { loadKeeper } from "./own.js";
import { hasDeviceDeck, findOwnSeat } from "./state.js";

/**
 * The robots that the server offers, or null before the server has answered.
 * @type {import("../core/server.js").Robots | null}
 */
let robotSupply = null;
/**
 * The table's code and its number of seats, at the last request for the number of free robots.
 */
let requestedFor = "";

/**
 * Requests the number of free robots again when the number of seats has changed.
 * @param {Controller} ctrl
 */
function loadRobots(ctrl) {
  const key = `${ctrl.table} ${ctrl.view?.seats.length}`;
  if (requestedFor === key) return;
  requestedFor = key;
  requestServerInfo().then(
    ({ robots }) => {
      robotSupply = robots;
      ctrl.draw();
    },
    () => null,
  );
}

/** Returns the name of a robot's personality in the viewer's language. @param {string} temper */
const getTemperName = (temper) =>
  hasSentence(`robots.temper.${temper}`) ? t(`robots.temper.${temper}`) : temper;

/**
 * Renders the button with which the host adds a robot in the lobby, with collapsible details.
 * @param {Controller} ctrl
 */
export function renderRobotAdder(ctrl) {
  loadRobots(ctrl);
  if (!robotSupply?.most) return nothing;
  return html`<form class="robots"
    @submit=${(/** @type {SubmitEvent} */ event) => addRobot(ctrl, event)}>
    <button class="press wide ${ctrl.pending.has("robot") ? "pending" : ""}" data-do="robot"
      ?disabled=${!robotSupply.free}>
      ${art("robot")}
      ${t("robots.add")}
    </button>
    ${robotSupply.free ? nothing : html`<p class="soft">${t("robots.none")}</p>`}
    ${renderToast(ctrl, "robots")}
    <details>
      <summary>${t("robots.which")}</summary>
      ${renderNameField(ctrl, { label: t("robots.name"), spot: "robot-name", optional: true })}
      <fieldset class="choice">
        <legend>${t("robots.temper")}</legend>
        ${["", ...robotSupply.tempers].map((temper) => renderTemperOption(temper))}
      </fieldset>
    </details>
  </form>`;
}

/** @param {string} temper a personality; empty for a random one */
const renderTemperOption = (temper) =>
  html`<label>
    <input type="radio" name="temper" value=${temper} ?checked=${!temper}>
    <span>${temper ? getTemperName(temper) : t("robots.any")}</span>
  </label>`;

/** @param {Controller} ctrl @param {SubmitEvent} event */
async function addRobot(ctrl, event) {
  event.preventDefault();
  if (ctrl.pending.has("robot")) return;
  const form = /** @type {HTMLFormElement} */ (event.target);
  const fields = readFields(form);
  const seated = await postRobot(ctrl, `/api/tables/${ctrl.table}/robots`, fields, "robots");
  // A fast host may have filled in the fields for the next robot by now.
  if (seated && JSON.stringify(readFields(form)) === JSON.stringify(fields)) form.reset();
}

/**
 * Returns the values of a form's fields, without the empty ones.
 * @param {HTMLFormElement} form
 * @returns {Record<string, string>}
 */
function readFields(form) {
  const entries = [...new FormData(form)].map(([key, value]) => [key, String(value).trim()]);
  return Object.fromEntries(entries.filter(([, value]) => value));
}

/** Renders the menu entry that lends a device deck to a robot. @param {Controller} ctrl */
export function renderStandIn(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  loadRobots(ctrl);
  if (
    !robotSupply?.most ||
    view.phase !== "play" ||
    !ctrl.deviceDeck?.hand ||
    !findSeat(view, ctrl.me)?.alive
  )
    return nothing;
  return html`<div class="stand-in">
    <button type="button" class="press wide ${ctrl.pending.has("robot") ? "pending" : ""}"
      data-do="stand-in" ?disabled=${!robotSupply.free} @click=${() => lendDeck(ctrl)}>
      ${art("robot")}
      ${t("robots.stand-in")}
    </button>
    <p class="soft">${t(robotSupply.free ? "robots.stand-in.what" : "robots.none")}</p>
  </div>`;
}

/**
 * Lends the deck to a robot, which closes this connection. The viewer takes the seat back by
 * opening the table again.
 * @param {Controller} ctrl
 */
async function lendDeck(ctrl) {
  const secret = (await loadKeeper()).getSecretToLend(ctrl);
  if (!secret || ctrl.pending.has("robot")) return;
  ctrl.lentToRobot = true;
  const path = `/api/tables/${ctrl.table}/seats/${ctrl.me}/robot`;
  const done = await postRobot(ctrl, path, { secret }, "sheet");
  if (done) ctrl.closeSheet();
  else ctrl.lentToRobot = false;
}

/**
 * Sends a request about a robot. Returns true if it succeeded. If not, shows the reason at `spot`,
 * a place on the page.
 * @param {Controller} ctrl
 * @param {string} path
 * @param {object} body
 * @param {string} spot
 */
async function postRobot(ctrl, path, body, spot) {
  ctrl.pending.add("robot");
  ctrl.set({ toast: null });
  try {
    await request(path, body, readStoredSeat(ctrl.table)?.token);
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

/** True until the server has answered the practice game's last command. */
let awaitingAnswer = false;
/**
 * Epoch and version of the table after the last accepted command. The next command is sent only
 * once a view with that version has arrived.
 */
let lastAccepted = { epoch: "", version: 0 };

/**
 * Renders the page that replaces lobby and preparation while a practice game starts automatically.
 * @param {Controller} ctrl
 */
export function renderPractice(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const begins = !!ctrl.prefs.practice.begins;
  const startsNow = view.phase === "over" || (begins && view.phase !== "play");
  if (startsNow !== begins) queueMicrotask(() => setAutoStart(ctrl, startsNow));
  if (!startsNow || view.phase === "over" || !view.you?.host) return null;
  queueMicrotask(() => sendNextCommand(ctrl, view));
  return html`${renderTopStrip(ctrl)}<main class="page notice" aria-busy="true">
    ${art("mark")}
    <h1>${t("practice")}</h1>
    <p>${t("practice.what")}</p>
    <button type="button" class="press" data-do="by-hand" @click=${() => setAutoStart(ctrl, false)}>
      ${t("practice.not")}
    </button>
  </main>`;
}

/**
 * Stores whether the next game starts automatically.
 * @param {Controller} ctrl
 * @param {boolean} begins
 */
const setAutoStart = (ctrl, begins) => ctrl.prefer("practice", { ...ctrl.prefs.practice, begins });

/**
 * Sends the next command of the automatic start. If it is refused, ends the automatic start, so
 * that the lobby shows the reason.
 * @param {Controller} ctrl
 * @param {View} view
 */
async function sendNextCommand(ctrl, view) {
  const mustWait =
    awaitingAnswer || !ctrl.wire || ctrl.connection !== "open" || !ctrl.prefs.practice.begins;
  const isOutdated = view.epoch === lastAccepted.epoch && view.version < lastAccepted.version;
  if (mustWait || isOutdated || ctrl.view !== view) return;
  const step = findNextStep(view, hasDeviceDeck(findOwnSeat(ctrl, view)) && !ctrl.deviceDeck?.lost);
  if (!step) return;
  awaitingAnswer = true;
  const dealNewDeck = () => loadKeeper().then((keeper) => keeper.chooseDeck(ctrl, "device"));
  const answer = await (step === "deal" ? dealNewDeck().catch(() => null) : ctrl.send(step));
  awaitingAnswer = false;
  if (!answer?.ok) return setAutoStart(ctrl, false);
  lastAccepted = { epoch: view.epoch, version: answer.version ?? 0 };
  ctrl.draw();
}

/**
 * Returns the next action towards the first turn: a command, "deal" for a new device deck, or null
 * to wait.
 * @param {View} view
 * @param {boolean} kept true if the viewer's device has a deck for this game
 * @returns {Command | "deal" | null}
 */
export function findNextStep(view, kept) {
  if (view.phase === "roll_call") return { type: "skip_roll_call" };
  if (view.phase !== "lobby" && view.phase !== "setup") return null;
  if (!kept) return "deal";
  if (view.phase === "lobby") return { type: "prepare" };
  if (!isViewerReady(view)) return { type: "ready", ready: true };
  return view.seats.every((seat) => seat.ready) ? { type: "begin", first: "lot" } : null;
}
