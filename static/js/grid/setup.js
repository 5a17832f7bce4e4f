/** The preparation: fifteen cards become a hand and a grid, step by step. */
import { prepStep } from "../../art/preparation.js";
import { deck, title } from "../core/deck.js";
import { html, nothing } from "../core/lit.js";
import { t } from "../core/text.js";
import { box } from "../shell/box.js";
import { badge, round } from "../shell/parts.js";
import { setup as page } from "../shell/setup.js";
import { sizes } from "./sizes.js";

/** @import { Controller } from "../core/controller.js" */

/** @param {Controller} ctrl */
export const setup = (ctrl) =>
  page(ctrl, steps(ctrl), (seat) =>
    seat.seat === ctrl.me
      ? nothing
      : round(
          "camera",
          t("camera.of", { name: seat.name }),
          () => ctrl.set({ sheet: { kind: "camera", seat: seat.seat } }),
          "bare",
        ),
  );

/** @param {Controller} ctrl */
function steps(ctrl) {
  const chips = deck().map(
    ({ id, count }) => html`<span class="chip">${badge(id)}${count}× ${title(id)}</span>`,
  );
  const many = sizes();
  const picture = (/** @type {string} */ step) =>
    html`<span class="prep" aria-hidden="true">${prepStep(step, many)}</span>`;
  return html`<li><h2>${t("setup.take", many)}</h2>${picture("take")}${ctrl.prefs.box?.edition ? nothing : html`<span class="pile">${chips}</span>`}${box(ctrl)}</li>
    <li><h2>${t("setup.aside", many)}</h2>${picture("aside")}</li>
    <li><h2>${t("setup.away", many)}</h2>${picture("shuffle")}${picture("away")}</li>
    <li><h2>${t("setup.hand", many)}</h2>${picture("hand")}</li>
    <li><h2>${t("setup.grid", many)}</h2>${picture("mix")}${picture("grid")}</li>`;
}
