/** Signs of those who only watch: eight to choose from, and each floats over the panel for a moment. */
import { NAMES, mood } from "../../art/moods.js";
import { html, render } from "../core/lit.js";
import { nameOf } from "../core/moves.js";
import { t } from "../core/text.js";
import { named } from "./parts.js";

/** @import { Controller } from "../core/controller.js" */

const FLOATS_MS = 2000;

/** How many came so far: the next one floats elsewhere. */
let came = 0;

/** @param {Controller} ctrl */
export const signs = (ctrl) =>
  html`<div class="signs">${NAMES.map((name) => html`<button type="button" class="press" data-sign=${name} aria-label=${t(`sign.${name}`)} title=${t(`sign.${name}`)} @click=${() => send(ctrl, name)}>${mood(name)}</button>`)}</div>`;

/** @param {Controller} ctrl @param {string} name */
function send(ctrl, name) {
  ctrl.finish();
  ctrl.wire?.sign(name);
}

/** Somebody's sign comes. @param {Controller} ctrl @param {{seat: string | null, sign: string}} sign */
export function float(ctrl, { seat, sign }) {
  if (!NAMES.includes(sign) || !ctrl.view) return;
  const drawn = document.createElement("div");
  drawn.className = `float float-${came++ % 5}`;
  drawn.ariaHidden = "true";
  render(html`${mood(sign)}${seat ? named(nameOf(ctrl.view, seat)) : ""}`, drawn);
  document.body.append(drawn);
  setTimeout(() => drawn.remove(), FLOATS_MS);
}
