/**
 * Renders the sheet that is open. Sheets slide up over the panel, one at a time. This module also
 * handles signs: pictures that players and spectators send to the table, and that float over the panel for a
 * moment. Two notifications are sent in the same way. "camera" means that a player is checking
 * another player's camera during the preparation; "door" means that a visitor asks for a seat.
 */
import { NAMES, mood } from "../../art/moods.js";
import { getFamily } from "../core/family.js";
import { createLazyPart } from "../core/late.js";
import { html, nothing, render } from "../core/lit.js";
import { getSeatName } from "../core/moves.js";
import { getPanelDocument, getPanelWindow, onNextFrame } from "../core/page.js";
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
  if (sign === "door" && seat && ctrl.view) {
    const key = ctrl.view.you?.host ? "door.knocks" : "door.knocks.all";
    return ctrl.showNotice(t(key, { who: getSeatName(ctrl.view, seat) }), "now");
  }
  if (!NAMES.includes(sign) || !ctrl.view) return;
  const name = seat ? getSeatName(ctrl.view, seat) : t("sign.spectator");
  announceSign(`${name}: ${t(`sign.${sign}`)}`);
  const doc = getPanelDocument();
  const element = doc.createElement("div");
  element.className = "float";
  element.ariaHidden = "true";
  render(html`${mood(sign)}${seat ? renderPlayerName(name) : ""}`, element);
  doc.body.append(element);
  if (placeSign(element, seat)) setTimeout(() => element.remove(), SIGN_MS);
  else element.remove();
}

/** Time for which the same sign of the same sender isn't read out again. */
const SILENCE_MS = 10_000;
/** The announcements of the last ten seconds. @type {Set<string>} */
const announced = new Set();
/** The live region for signs. @type {HTMLElement | undefined} */
let signRegion;

/**
 * Announces a sign to screen readers, unless it was announced in the last ten seconds.
 * @param {string} announcement
 */
function announceSign(announcement) {
  if (announced.has(announcement)) return;
  announced.add(announcement);
  setTimeout(() => announced.delete(announcement), SILENCE_MS);
  const doc = getPanelDocument();
  const region = signRegion ?? doc.createElement("p");
  signRegion = region;
  region.className = "unseen";
  region.setAttribute("role", "status");
  doc.body.append(region);
  onNextFrame(() => {
    region.textContent = announcement;
  });
}

/** The elements that a sign must not cover. */
const TARGETS = "button, a[href], input, select, textarea, summary, label, .float";
/** The elements that a sign covers only if there is no other room. */
const WORDS = ".now, .clock";
/** Distance in pixels between two positions that are tried for a sign. */
const SIGN_STEP = 14;
/** Distance in pixels by which a sign rises. `float-up` in late.css has the same. */
const SIGN_RISE = 8;

/**
 * Moves a sign to the free place that is nearest to its sender. If there is no free place, tries
 * again with a small sign. If there is none for that either, the small sign may cover the sentence
 * at the top. Returns false if there is no room at all.
 * @param {HTMLElement} element
 * @param {string | null} seat
 */
function placeSign(element, seat) {
  const doc = getPanelDocument();
  const { innerWidth, innerHeight } = getPanelWindow();
  const sender = doc.querySelector(`[data-seat=${JSON.stringify(seat ?? "")}]`);
  const from = sender?.getBoundingClientRect() ?? new DOMRect(0, 0, innerWidth, innerHeight);
  for (const [size, avoided] of [
    ["", `${TARGETS}, ${WORDS}`],
    ["small", `${TARGETS}, ${WORDS}`],
    ["small", TARGETS],
  ]) {
    element.className = `float ${size}`;
    const obstacles = Array.from(doc.querySelectorAll(avoided ?? ""))
      .filter((target) => target !== element)
      .map((target) => target.getBoundingClientRect())
      .filter((box) => box.width && box.height);
    const place = findFreePlace(element.offsetWidth, element.offsetHeight, from, obstacles);
    if (!place) continue;
    element.style.translate = `${place.x}px ${place.y}px`;
    return true;
  }
  return false;
}

/**
 * @param {number} width
 * @param {number} height
 * @param {DOMRect} from
 * @param {DOMRect[]} obstacles
 */
function findFreePlace(width, height, from, obstacles) {
  const { innerWidth, innerHeight } = getPanelWindow();
  let best;
  let shortest = Infinity;
  for (let y = SIGN_RISE; y + height + SIGN_RISE <= innerHeight; y += SIGN_STEP)
    for (let x = 0; x + width <= innerWidth; x += SIGN_STEP) {
      const distance = Math.hypot(
        x + width / 2 - (from.x + from.width / 2),
        y + height / 2 - (from.y + from.height / 2),
      );
      if (distance >= shortest) continue;
      const covers = obstacles.some(
        (one) =>
          one.left < x + width &&
          one.right > x &&
          one.top < y + height + SIGN_RISE &&
          one.bottom > y - SIGN_RISE,
      );
      if (covers) continue;
      best = { x, y };
      shortest = distance;
    }
  return best;
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
