/** The sheet with everybody else who could Nope: for the host, when it was shouted on the call. */
import { doing, title } from "../core/deck.js";
import { html } from "../core/lit.js";
import { may, nameOf } from "../core/moves.js";
import { t } from "../core/text.js";
import { emblem, named, press } from "./parts.js";
import { speakable } from "./windowed.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { View } from "../core/types.js" */

/** @param {Controller} ctrl */
export function others(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const seats = speakable(ctrl);
  if (!seats.length) return html`<p class="quiet">${t("window.nobody")}</p>`;
  return html`<ul class="seats">${seats.map(
    (
      seat,
    ) => html`<li data-seat=${seat}>${emblem(ctrl, seat)}<span class="grow clip">${named(nameOf(view, seat))}</span>
    ${may(view, seat, "nope").map((one) => press(ctrl, one, title(doing("nope")), { kind: "small danger", id: "nope-for", spot: "sheet", last: true }))}
    ${may(view, seat, "pass").map((one) => press(ctrl, one, t("pass"), { kind: "small", id: "pass-for", spot: "sheet" }))}</li>`,
  )}</ul>`;
}
