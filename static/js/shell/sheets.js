/**
 * Renders the sheet that is open. Sheets slide up over the panel, one at a time. This module also
 * handles signs: pictures that spectators send to the table, and that float over the panel for a
 * moment. Two notifications are sent in the same way. "camera" means that a player is checking
 * another player's camera during the preparation; "door" means that a visitor asks for a seat.
 */
import { NAMES, mood } from "../../art/moods.js";
import { getFamily } from "../core/family.js";
import { createLazyPart } from "../core/late.js";
import { html, nothing, render } from "../core/lit.js";
import { getSeatName } from "../core/moves.js";
import { joinNames, t } from "../core/text.js";
import { renderAheadSheet } from "./ahead.js";
import { renderLog } from "./lines.js";
import { art, renderPlayerName, renderRoundButton, renderToast } from "./parts.js";

/** @import { Controller } from "../core/controller.js" */

const house = createLazyPart(() => import("./house-form.js"), "house", "house");
const host = createLazyPart(() => import("./host.js"));
const invite = createLazyPart(() => import("./invite.js"));
const menu = createLazyPart(() => import("./menu.js"), "choice");
const ring = createLazyPart(() => import("./ring.js"));
const door = createLazyPart(() => import("./door.js"));
const undo = createLazyPart(() => import("./undo.js"));

/**
 * The functions that render sheets, by kind, for the sheets that all games share. `Family.sheets`
 * has the others.
 * @type {Record<string, (ctrl: Controller) => unknown>}
 */
const KINDS = {
  ahead: renderAheadSheet,
  invite: (ctrl) => invite(ctrl, (part) => part.renderInvitation(ctrl, true)),
  house: (ctrl) => house(ctrl, (part) => part.renderHouseForm(ctrl)),
  log: renderLog,
  others: (ctrl) => host(ctrl, (part) => part.renderSpeakForOthersSheet(ctrl)),
  call: (ctrl) => host(ctrl, (part) => part.renderCallSheet(ctrl)),
  chain: (ctrl) => ring(ctrl, (part) => part.renderRing(ctrl)),
  menu: (ctrl) => menu(ctrl, (part) => part.renderMenu(ctrl)),
  wait: (ctrl) => door(ctrl, (part) => part.renderNextGameSheet(ctrl)),
  signs: renderSignsSheet,
  undo: (ctrl) => undo(ctrl, (part) => part.renderUndoSheet(ctrl)),
};

/** Renders the open sheet. @param {Controller} ctrl */
export function renderSheet(ctrl) {
  const open = ctrl.sheet;
  const body = open && (getFamily().sheets[open.kind] ?? KINDS[open.kind]);
  if (!body) return nothing;
  const close = () => ctrl.closeSheet();
  return html`<div class="shade"
    @click=${(/** @type {Event} */ event) => event.target === event.currentTarget && close()}>
    <section class="sheet sheet-${open.kind}" role="dialog" aria-modal="true"
      aria-label=${t(`sheet.${open.kind}`)} tabindex="-1">
      <header class="sheet-head">
        <h2>${t(`sheet.${open.kind}`)}</h2>
        ${renderRoundButton("close", t("close"), close)}
      </header>
      ${renderToast(ctrl, "sheet")}${renderCameraNotice(ctrl)}
      <div class="sheet-body" tabindex="0">${body(ctrl)}</div>
    </section>
  </div>`;
}

/** Time for which a sign floats over the panel. */
const SIGN_MS = 2000;

/** Number of signs shown so far. It determines the position of the next sign. */
let signCount = 0;

/** @param {Controller} ctrl */
function renderSignsSheet(ctrl) {
  return html`<div class="signs">
    ${NAMES.map(
      (name) =>
        html`<button type="button" class="press" data-sign=${name} aria-label=${t(`sign.${name}`)}
          title=${t(`sign.${name}`)} @click=${() => sendSign(ctrl, name)}>
          ${mood(name)}
        </button>`,
    )}
  </div>`;
}

/** @param {Controller} ctrl @param {string} name */
function sendSign(ctrl, name) {
  ctrl.finishSheet();
  ctrl.wire?.sendSign(name);
}

/**
 * Shows a sign that has arrived from the server.
 * @param {Controller} ctrl
 * @param {{seat: string | null, sign: string}} sign
 */
export function showSign(ctrl, { seat, sign }) {
  if (sign === "camera" && seat) return addCameraChecker(ctrl, seat);
  if (sign === "door" && seat && ctrl.view)
    return ctrl.showNotice(t("door.knocks", { who: getSeatName(ctrl.view, seat) }), "now");
  if (!NAMES.includes(sign) || !ctrl.view) return;
  const element = document.createElement("div");
  element.className = `float float-${signCount++ % 5}`;
  element.ariaHidden = "true";
  render(html`${mood(sign)}${seat ? renderPlayerName(getSeatName(ctrl.view, seat)) : ""}`, element);
  document.body.append(element);
  setTimeout(() => element.remove(), SIGN_MS);
}

/** Interval at which the "camera" sign is repeated while a check lasts. */
const CAMERA_SIGN_MS = 5000;
/** Time after the last "camera" sign when the check is considered over. */
const CAMERA_CHECK_MS = 8000;

/**
 * Timer that sends the viewer's next "camera" sign.
 * @type {ReturnType<typeof setTimeout> | undefined}
 */
let signTimer;
/**
 * The timers that end the other players' checks of this viewer's camera, by seat.
 * @type {Map<string, ReturnType<typeof setTimeout>>}
 */
const checkTimers = new Map();

/**
 * Notifies a player that this viewer is checking their camera. Repeats the notification while the
 * sheet is open.
 * @param {Controller} ctrl
 * @param {string} seat
 */
export function sendCameraSigns(ctrl, seat) {
  clearTimeout(signTimer);
  const { sheet, view } = ctrl;
  if (view?.phase !== "setup" || sheet?.kind !== "camera" || sheet.seat !== seat) return;
  if (view.you) ctrl.wire?.sendSign("camera", seat);
  signTimer = setTimeout(() => sendCameraSigns(ctrl, seat), CAMERA_SIGN_MS);
}

/**
 * Records that a player is checking this viewer's camera. The record expires unless the sign is
 * repeated.
 * @param {Controller} ctrl
 * @param {string} seat
 */
export function addCameraChecker(ctrl, seat) {
  clearTimeout(checkTimers.get(seat));
  const getOtherCheckers = () => ctrl.cameraCheckers.filter((looker) => looker !== seat);
  checkTimers.set(
    seat,
    setTimeout(() => ctrl.set({ cameraCheckers: getOtherCheckers() }), CAMERA_CHECK_MS),
  );
  if (!ctrl.cameraCheckers.includes(seat))
    ctrl.set({ cameraCheckers: [...ctrl.cameraCheckers, seat] });
}

/** Renders the names of the players who are checking this viewer's camera. @param {Controller} ctrl */
export function renderCameraNotice({ view, cameraCheckers: lookers }) {
  if (view?.phase !== "setup" || !lookers.length) return nothing;
  const names = joinNames(lookers.map((seat) => getSeatName(view, seat)));
  return html`<p class="looked-at" role="status">
    ${art("camera")}<span>${t("camera.looked", { names, count: lookers.length })}</span>
  </p>`;
}
