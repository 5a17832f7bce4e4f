/**
 * What slides up over the panel and is put away again: one sheet at a time. The signs of those who only watch
 * are one; each floats over the panel for a moment. Whoever's camera is checked is told by a sign, too.
 */
import { NAMES, mood } from "../../art/moods.js";
import { family } from "../core/family.js";
import { late } from "../core/late.js";
import { html, nothing, render } from "../core/lit.js";
import { nameOf } from "../core/moves.js";
import { joinNames, t } from "../core/text.js";
import { lines } from "./lines.js";
import { art, playerName, roundButton, toast } from "./parts.js";

/** @import { Controller } from "../core/controller.js" */

const house = late(() => import("./house-form.js"), "house", "house");
const host = late(() => import("./host.js"));
const invite = late(() => import("./invite.js"));
const menu = late(() => import("./menu.js"), "choice");
const ring = late(() => import("./ring.js"));
const door = late(() => import("./door.js"));
const undo = late(() => import("./undo.js"));

/** @type {Record<string, (ctrl: Controller) => unknown>} */
const KINDS = {
  invite: (ctrl) => invite(ctrl, (part) => part.invite(ctrl, true)),
  house: (ctrl) => house(ctrl, (part) => part.houseForm(ctrl)),
  log: lines,
  others: (ctrl) => host(ctrl, (part) => part.others(ctrl)),
  call: (ctrl) => host(ctrl, (part) => part.callsheet(ctrl)),
  chain: (ctrl) => ring(ctrl, (part) => part.ring(ctrl)),
  menu: (ctrl) => menu(ctrl, (part) => part.menu(ctrl)),
  wait: (ctrl) => door(ctrl, (part) => part.wait(ctrl)),
  signs: signsSheet,
  undo: (ctrl) => undo(ctrl, (part) => part.undo(ctrl)),
};

/** @param {Controller} ctrl */
export function sheet(ctrl) {
  const shown = ctrl.sheet;
  const view = shown && (family().sheets[shown.kind] ?? KINDS[shown.kind]);
  if (!view) return nothing;
  const close = () => ctrl.closeSheet();
  return html`<div class="shade"
    @click=${(/** @type {Event} */ event) => event.target === event.currentTarget && close()}>
    <section class="sheet sheet-${shown.kind}" role="dialog" aria-modal="true"
      aria-label=${t(`sheet.${shown.kind}`)} tabindex="-1">
      <header class="sheet-head">
        <h2>${t(`sheet.${shown.kind}`)}</h2>
        ${roundButton("close", t("close"), close)}
      </header>
      ${toast(ctrl, "sheet")}${cameraNotice(ctrl)}
      <div class="sheet-body" tabindex="0">${view(ctrl)}</div>
    </section>
  </div>`;
}

const FLOATS_MS = 2000;

/** How many came so far: the next one floats elsewhere. */
let came = 0;

/** @param {Controller} ctrl */
function signsSheet(ctrl) {
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

/** Somebody's sign comes. @param {Controller} ctrl @param {{seat: string | null, sign: string}} sign */
export function showSign(ctrl, { seat, sign }) {
  if (sign === "camera" && seat) return addCameraChecker(ctrl, seat);
  if (sign === "door" && seat && ctrl.view)
    return ctrl.showNotice(t("door.knocks", { who: nameOf(ctrl.view, seat) }), "now");
  if (!NAMES.includes(sign) || !ctrl.view) return;
  const drawn = document.createElement("div");
  drawn.className = `float float-${came++ % 5}`;
  drawn.ariaHidden = "true";
  render(html`${mood(sign)}${seat ? playerName(nameOf(ctrl.view, seat)) : ""}`, drawn);
  document.body.append(drawn);
  setTimeout(() => drawn.remove(), FLOATS_MS);
}

const TELLS_MS = 5000;
const STAYS_MS = 8000;

/** When it is told again. @type {ReturnType<typeof setTimeout> | undefined} */
let again;
/** When each of them will have stopped. @type {Map<string, ReturnType<typeof setTimeout>>} */
const stops = new Map();

/**
 * Whose camera this viewer checks is told, for as long as that goes on.
 * @param {Controller} ctrl
 * @param {string} seat
 */
export function sendCameraSigns(ctrl, seat) {
  clearTimeout(again);
  const { sheet, view } = ctrl;
  if (view?.phase !== "setup" || sheet?.kind !== "camera" || sheet.seat !== seat) return;
  if (view.you) ctrl.wire?.sendSign("camera", seat);
  again = setTimeout(() => sendCameraSigns(ctrl, seat), TELLS_MS);
}

/** Somebody looks, or still does. @param {Controller} ctrl @param {string} seat */
export function addCameraChecker(ctrl, seat) {
  clearTimeout(stops.get(seat));
  const others = () => ctrl.lookers.filter((one) => one !== seat);
  stops.set(
    seat,
    setTimeout(() => ctrl.set({ lookers: others() }), STAYS_MS),
  );
  if (!ctrl.lookers.includes(seat)) ctrl.set({ lookers: [...ctrl.lookers, seat] });
}

/** Who looks now. @param {Controller} ctrl */
export function cameraNotice({ view, lookers }) {
  if (view?.phase !== "setup" || !lookers.length) return nothing;
  const names = joinNames(lookers.map((seat) => nameOf(view, seat)));
  return html`<p class="looked-at" role="status">
    ${art("camera")}<span>${t("camera.looked", { names, count: lookers.length })}</span>
  </p>`;
}
