/**
 * The order of seats round the table, which the host changes before play: by dragging names, with the
 * keyboard or with buttons.
 */
import { joinIsolated } from "../core/direction.js";
import { html, nothing, repeat } from "../core/lit.js";
import { nameOf } from "../core/moves.js";
import { t } from "../core/text.js";
import { art, emblem, playerName, toast } from "../shell/parts.js";
import { fold } from "../shell/lobby.js";
import { ring } from "../shell/ring.js";
import { drag, reorder } from "./drag.js";
import { viewOf } from "./state.js";

/** @import { Controller } from "../core/controller.js" */

/**
 * Returns the order during a drag, else the table's.
 * @param {Controller} ctrl
 * @returns {string[]}
 */
const orderOf = (ctrl) => ctrl.draft?.order ?? viewOf(ctrl).seats.map((seat) => seat.seat);

/** @param {Controller} ctrl */
export function seating(ctrl) {
  const view = viewOf(ctrl);
  if (view.seats.length < 2) return nothing;
  const names = orderOf(ctrl).map((seat) => nameOf(view, seat));
  return fold(
    "seating",
    joinIsolated(names, " › "),
    html`<div class="seating">
      <p class="soft">${t(view.you?.host ? "seating.how" : "seating.what")}</p>${ring(ctrl)}
      ${view.you?.host ? list(ctrl) : nothing}${toast(ctrl, "seating")}
    </div>`,
  );
}

/** @param {Controller} ctrl */
function list(ctrl) {
  const order = orderOf(ctrl);
  const { seats } = viewOf(ctrl);
  return html`<ol class="order">
    ${repeat(
      order,
      (seat) => seat,
      (seat, at) => {
        const name = seats.find((one) => one.seat === seat)?.name ?? "";
        return html`<li data-at=${at} data-seat=${seat}>
          <button type="button" class="press round bare grip"
            aria-label=${t("seating.move", { name, place: at + 1 })}
            aria-keyshortcuts="ArrowUp ArrowDown"
            @pointerdown=${(/** @type {PointerEvent} */ event) => grab(ctrl, event, at)}
            @keydown=${(/** @type {KeyboardEvent} */ event) => moveByKey(ctrl, event, at)}>
            ${art("grip")}
          </button>
          <b class="soft">${at + 1}</b>
          ${emblem(ctrl, seat)}<span class="grow clip">${playerName(name)}</span>
          ${step(ctrl, at, at - 1, t("seating.earlier", { name }), "up")}${step(
            ctrl,
            at,
            at + 1,
            t("seating.later", { name }),
            "down",
          )}
        </li>`;
      },
    )}
  </ol>`;
}

/**
 * @param {Controller} ctrl
 * @param {number} from
 * @param {number} to
 * @param {string} label
 * @param {string} icon
 */
const step = (ctrl, from, to, label, icon) =>
  html`<button type="button" class="press round bare"
    ?disabled=${to < 0 || to >= orderOf(ctrl).length} aria-label=${label}
    @click=${() => say(ctrl, reorder(orderOf(ctrl), from, to))}>
    ${art(icon)}
  </button>`;

/** @param {Controller} ctrl @param {string[]} order */
const say = (ctrl, order) =>
  ctrl.send({ type: "seating", order }, "seating").then(() => ctrl.set({ draft: null }));

/**
 * Starts a drag; the list follows the pointer, and the new order is sent when it is released.
 * @param {Controller} ctrl
 * @param {PointerEvent} event
 * @param {number} at
 */
function grab(ctrl, event, at) {
  const doc = /** @type {HTMLElement} */ (event.currentTarget).ownerDocument;
  const let_go = () => {
    doc.removeEventListener("pointercancel", let_go);
    if (ctrl.draft?.order) say(ctrl, ctrl.draft.order);
  };
  doc.addEventListener("pointerup", let_go, { once: true });
  doc.addEventListener("pointercancel", let_go, { once: true });
  drag(event, ".order [data-at]", at, (from, to) =>
    ctrl.set({ draft: { order: reorder(orderOf(ctrl), from, to) } }),
  );
}

/** @param {Controller} ctrl @param {KeyboardEvent} event @param {number} at */
function moveByKey(ctrl, event, at) {
  const by = { ArrowUp: -1, ArrowDown: 1 }[event.key] ?? 0;
  const to = at + by;
  if (!by || to < 0 || to >= orderOf(ctrl).length) return;
  event.preventDefault();
  say(ctrl, reorder(orderOf(ctrl), at, to));
}
