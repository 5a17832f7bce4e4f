/**
 * The preparation: cards become a hand and a grid, step by step; and the camera check: how this viewer sees a
 * seat's grid in the call, found by one tap and kept on the device.
 */
import { prepStep } from "../../art/preparation.js";
import { deck, title } from "../core/deck.js";
import { late } from "../core/late.js";
import { html, nothing } from "../core/lit.js";
import { seatOf } from "../core/moves.js";
import { t } from "../core/text.js";
import { box } from "../shell/box.js";
import { art, badge, named, round, say } from "../shell/parts.js";
import { setup as page } from "../shell/setup.js";
import { lensOf } from "./grid.js";
import { isKept, ownSeat, sizes } from "./state.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Seat, View } from "./types.js" */

const choice = late(() => import("./deck/choice.js"), "deck");

/** @param {Controller} ctrl */
export function setup(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const kept = isKept(ownSeat(ctrl, view));
  const own = kept ? choice(ctrl, (part) => part.steps()) : steps(ctrl);
  return page(ctrl, own, {
    beside: (seat) => beside(ctrl, /** @type {Seat} */ (seat)),
    choice: view.you ? choice(ctrl, (part) => part.choice(ctrl)) : nothing,
    ready: t(kept ? "deck.ready" : "ready"),
  });
}

/**
 * Where a seat's cards are: of those on a table one can check how the camera shows them.
 * @param {Controller} ctrl
 * @param {Seat} seat
 */
function beside(ctrl, seat) {
  if (isKept(seat))
    return html`<span class="soft" role="img" aria-label=${t("deck.tag")} title=${t("deck.tag")}
      data-kept>${art("phone")}</span>`;
  if (seat.seat === ctrl.me) return nothing;
  const check = () => ctrl.set({ sheet: { kind: "camera", seat: seat.seat } });
  return round("camera", t("camera.of", { name: seat.name }), check, "bare");
}

/** @param {Controller} ctrl */
function steps(ctrl) {
  const chips = deck().map(
    ({ id, count }) => html`<span class="chip">${badge(id)}${count}× ${title(id)}</span>`,
  );
  const many = sizes();
  const picture = (/** @type {string} */ step) =>
    html`<span class="prep" aria-hidden="true">${prepStep(step, many)}</span>`;
  return html`<li>
    <h2>${t("setup.take", many)}</h2>
    ${picture("take")}${ctrl.prefs.box?.edition ? nothing : html`<span class="pile">${chips}</span>`}${box(
      ctrl,
    )}
  </li>
    <li><h2>${t("setup.aside", many)}</h2>${picture("aside")}</li>
    <li><h2>${t("setup.away", many)}</h2>${picture("shuffle")}${picture("away")}</li>
    <li><h2>${t("setup.hand", many)}</h2>${picture("hand")}</li>
    <li><h2>${t("setup.grid", many)}</h2>${picture("mix")}${picture("grid")}</li>`;
}

/** Where the owner's top-left card is seen → how their grid is seen. */
const CORNERS = /** @type {const} */ ({
  "top-left": "own",
  "top-right": "mirror",
  "bottom-left": "flipped",
  "bottom-right": "across",
});

/** The camera check: where the owner's top-left card is seen. @param {Controller} ctrl */
export function camera(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const seat = seatOf(view, ctrl.sheet?.seat);
  if (!seat) return nothing;
  const lens = lensOf(ctrl, seat.seat);
  return html`<div class="camera">
    <span class="prep" aria-hidden="true">${prepStep("camera", sizes())}</span>
    <p>${say("camera.ask", { who: named(seat.name) })}</p>
    <div class="corners">
      ${Object.entries(CORNERS).map(
        ([corner, way]) => html`<button type="button" class="press corner" data-corner=${corner}
          aria-pressed=${String(lens === way)} @click=${() => see(ctrl, seat.seat, way)}>
          ${lens === way ? art("check") : nothing}
          ${t(`camera.${corner}`)}
        </button>`,
      )}
    </div>
    <p class="soft">${t(`lens.${lens}`)}</p>
  </div>`;
}

/** @param {Controller} ctrl @param {string} seat @param {string} lens */
function see(ctrl, seat, lens) {
  ctrl.prefer("lens", { ...ctrl.prefs.lens, [`${ctrl.table}.${seat}`]: lens });
}
