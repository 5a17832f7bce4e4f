/**
 * Renders the section of the lobby in which the host changes the order of the seats around the table:
 * by dragging names, with the keyboard, or with buttons.
 */
import { joinIsolated } from "../core/direction.js";
import { html, nothing, repeat } from "../core/lit.js";
import { getSeatName } from "../core/moves.js";
import { t } from "../core/text.js";
import { art, renderEmblem, renderPlayerName, renderToast } from "../shell/parts.js";
import { renderFold } from "../shell/lobby.js";
import { renderRing } from "../shell/ring.js";
import { startDrag, moveElement } from "./drag.js";
import { getView } from "./state.js";

/** @import { Controller } from "../core/controller.js" */

/**
 * Returns the order of the seats: the new order during a drag, otherwise the table's order.
 * @param {Controller} ctrl
 * @returns {string[]}
 */
const getOrder = (ctrl) => ctrl.draft?.order ?? getView(ctrl).seats.map((seat) => seat.seat);

/** @param {Controller} ctrl */
export function renderSeating(ctrl) {
  const view = getView(ctrl);
  if (view.seats.length < 2) return nothing;
  const names = getOrder(ctrl).map((seat) => getSeatName(view, seat));
  return renderFold(
    "seating",
    joinIsolated(names, " › "),
    html`<div class="seating">
      <p class="soft">${t(view.you?.host ? "seating.how" : "seating.what")}</p>${renderRing(ctrl)}
      ${view.you?.host ? renderSeatList(ctrl) : nothing}${renderToast(ctrl, "seating")}
    </div>`,
  );
}

/** @param {Controller} ctrl */
function renderSeatList(ctrl) {
  const order = getOrder(ctrl);
  const { seats } = getView(ctrl);
  return html`<ol class="order">
    ${repeat(
      order,
      (seat) => seat,
      (seat, at) => {
        const name = seats.find((player) => player.seat === seat)?.name ?? "";
        return html`<li data-at=${at} data-seat=${seat}>
          <button type="button" class="press round bare grip"
            aria-label=${t("seating.move", { name, place: at + 1 })}
            aria-keyshortcuts="ArrowUp ArrowDown"
            @pointerdown=${(/** @type {PointerEvent} */ event) => startSeatDrag(ctrl, event, at)}
            @keydown=${(/** @type {KeyboardEvent} */ event) => moveSeatByKey(ctrl, event, at)}>
            ${art("grip")}
          </button>
          <b class="soft">${at + 1}</b>
          ${renderEmblem(ctrl, seat)}<span class="grow clip">${renderPlayerName(name)}</span>
          ${renderMoveButton(ctrl, at, at - 1, t("seating.earlier", { name }), "up")}${renderMoveButton(
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
const renderMoveButton = (ctrl, from, to, label, icon) =>
  html`<button type="button" class="press round bare"
    ?disabled=${to < 0 || to >= getOrder(ctrl).length} aria-label=${label}
    @click=${() => sendOrder(ctrl, moveElement(getOrder(ctrl), from, to))}>
    ${art(icon)}
  </button>`;

/**
 * Sends a new order, and shows it at once, so that the next move starts from it.
 * @param {Controller} ctrl
 * @param {string[]} order
 */
async function sendOrder(ctrl, order) {
  const draft = { order };
  ctrl.set({ draft });
  await ctrl.send({ type: "seating", order }, "seating");
  if (ctrl.draft === draft) ctrl.set({ draft: null });
}

/**
 * Starts a drag. The list follows the pointer. When the pointer is released, the new order is sent.
 * @param {Controller} ctrl
 * @param {PointerEvent} event
 * @param {number} at
 */
function startSeatDrag(ctrl, event, at) {
  const doc = /** @type {HTMLElement} */ (event.currentTarget).ownerDocument;
  const sendDraggedOrder = () => {
    doc.removeEventListener("pointercancel", sendDraggedOrder);
    if (ctrl.draft?.order) sendOrder(ctrl, ctrl.draft.order);
  };
  doc.addEventListener("pointerup", sendDraggedOrder, { once: true });
  doc.addEventListener("pointercancel", sendDraggedOrder, { once: true });
  startDrag(event, ".order [data-at]", at, (from, to) =>
    ctrl.set({ draft: { order: moveElement(getOrder(ctrl), from, to) } }),
  );
}

/** @param {Controller} ctrl @param {KeyboardEvent} event @param {number} at */
function moveSeatByKey(ctrl, event, at) {
  const by = { ArrowUp: -1, ArrowDown: 1 }[event.key] ?? 0;
  const to = at + by;
  if (!by || to < 0 || to >= getOrder(ctrl).length) return;
  event.preventDefault();
  sendOrder(ctrl, moveElement(getOrder(ctrl), at, to));
}
