/**
 * Robots at the table, where the server has some: the host gives one a seat, and whoever must go
 * lets one play on for them with the deck that this device keeps.
 * @import { Controller } from "../core/controller.js"
 * @import { View } from "./types.js"
 */
import { Refusal, ask } from "../core/http.js";
import { html, nothing } from "../core/lit.js";
import { seatAt } from "../core/memory.js";
import { seatOf } from "../core/moves.js";
import { has, t } from "../core/text.js";
import { nameField } from "../shell/join.js";
import { art, toast } from "../shell/parts.js";
import { keeps } from "./own.js";

/** What the server says of its robots. @typedef {{most: number, free: number, tempers: string[]}} Robots */

/** Not known yet, or not to be had. @type {Robots | null} */
let known = null;
/** For which version of which table that was asked. */
let asked = "";

/** How many robots are free changes with who sits where. @param {Controller} ctrl */
function learn(ctrl) {
  const key = `${ctrl.table} ${ctrl.view?.seats.length}`;
  if (asked === key) return;
  asked = key;
  ask("/api/robots").then(
    (found) => {
      known = found;
      ctrl.draw();
    },
    () => null,
  );
}

/** A temper in plain words. @param {string} temper */
const words = (temper) => (has(`robots.temper.${temper}`) ? t(`robots.temper.${temper}`) : temper);

/** In the lobby, for the host: one tap is enough. @param {Controller} ctrl */
export function adder(ctrl) {
  learn(ctrl);
  if (!known?.most) return nothing;
  return html`<form class="robots"
    @submit=${(/** @type {SubmitEvent} */ event) => added(ctrl, event)}>
    <button class="press wide ${ctrl.pending.has("robot") ? "pending" : ""}" data-do="robot"
      ?disabled=${!known.free}>
      ${art("robot")}
      ${t("robots.add")}
    </button>
    ${known.free ? nothing : html`<p class="soft">${t("robots.none")}</p>`}
    ${toast(ctrl, "robots")}
    <details>
      <summary>${t("robots.which")}</summary>
      ${nameField(ctrl, { label: t("robots.name"), spot: "robot-name", optional: true })}
      <fieldset class="choice">
        <legend>${t("robots.temper")}</legend>
        ${["", ...known.tempers].map((temper) => way(temper))}
      </fieldset>
    </details>
  </form>`;
}

/** @param {string} temper none: by chance */
const way = (temper) =>
  html`<label>
    <input type="radio" name="temper" value=${temper} ?checked=${!temper}>
    <span>${temper ? words(temper) : t("robots.any")}</span>
  </label>`;

/** @param {Controller} ctrl @param {SubmitEvent} event */
async function added(ctrl, event) {
  event.preventDefault();
  if (ctrl.pending.has("robot")) return;
  const form = /** @type {HTMLFormElement} */ (event.target);
  const chosen = [...new FormData(form)].map(([key, value]) => [key, String(value).trim()]);
  const wanted = Object.fromEntries(chosen.filter(([, value]) => value));
  const seated = await tell(ctrl, `/api/tables/${ctrl.table}/robots`, wanted, "robots");
  if (seated) form.reset();
}

/** In the menu of a game in play, for a deck that this device keeps. @param {Controller} ctrl */
export function standIn(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  learn(ctrl);
  if (!known?.most || view.phase !== "play" || !ctrl.kept?.hand || !seatOf(view, ctrl.me)?.alive)
    return nothing;
  return html`<div class="stand-in">
    <button type="button" class="press wide ${ctrl.pending.has("robot") ? "pending" : ""}"
      data-do="stand-in" ?disabled=${!known.free} @click=${() => stood(ctrl)}>
      ${art("robot")}
      ${t("robots.stand-in")}
    </button>
    <p class="soft">${t(known.free ? "robots.stand-in.what" : "robots.none")}</p>
  </div>`;
}

/**
 * A robot has the deck from here on; this connection ends, and whoever opens the table again is
 * back.
 * @param {Controller} ctrl
 */
async function stood(ctrl) {
  const secret = (await keeps()).lent(ctrl);
  if (!secret || ctrl.pending.has("robot")) return;
  ctrl.stoodIn = true;
  const path = `/api/tables/${ctrl.table}/seats/${ctrl.me}/robot`;
  const done = await tell(ctrl, path, { secret }, "sheet");
  if (done) ctrl.close();
  else ctrl.stoodIn = false;
}

/**
 * Whether it was done; if not, why not is said where it was asked.
 * @param {Controller} ctrl
 * @param {string} path
 * @param {object} body
 * @param {string} spot
 */
async function tell(ctrl, path, body, spot) {
  ctrl.pending.add("robot");
  ctrl.set({ toast: null });
  try {
    await ask(path, body, seatAt(ctrl.table)?.token);
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    ctrl.complain(error.problem, spot);
    return false;
  } finally {
    ctrl.pending.delete("robot");
    ctrl.draw();
  }
}
