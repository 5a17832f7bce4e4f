/** What a hand and the face-down cards of a grid may be, in per cent, for whoever wants to know. */
import { LEVELS, danger } from "../../art/marks.js";
import { hue, title } from "../core/deck.js";
import { html, nothing } from "../core/lit.js";
import { percent, t } from "../core/text.js";
import { oddsOf } from "./grid.js";
import { badge } from "../shell/parts.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Seat } from "./types.js" */

/** @param {Controller} ctrl @param {Seat} seat */
export function odds(ctrl, seat) {
  const known = oddsOf(ctrl, seat);
  if (!known) return nothing;
  const [down] = Object.values(known.cells);
  return html`<div class="odds">
    ${down ? html`<h4>${t("odds.legend")}</h4>${legend()}<h4>${t("odds.cells")}</h4>${bars(down)}${known.placed ? html`<p class="soft">${t("odds.placed")}</p>` : nothing}` : nothing}
    ${seat.hand ? html`<h4>${t("odds.hand")}</h4>${bars(known.holds)}` : nothing}</div>`;
}

/** What the marks on cards look like, from which chance to which. */
function legend() {
  const steps = [0, ...LEVELS.slice(0, -1).map(([below]) => below), 1];
  return html`<ul class="row wrap dangers">${steps.map((from, at) => {
    const to = steps[at + 1];
    const words =
      to === undefined ? percent(1) : to === 1 ? `≥ ${percent(from)}` : `< ${percent(to)}`;
    return html`<li class="row">${danger(from)}${words}</li>`;
  })}</ul>`;
}

/** @param {Record<string, number>} chances */
const bars = (chances) =>
  html`<ul class="bars">${Object.entries(chances)
    .filter(([, chance]) => chance > 0)
    .sort(([, one], [, other]) => other - one)
    .map(
      ([
        card,
        chance,
      ]) => html`<li class=${hue(card)}>${badge(card)}<span class="grow clip">${title(card)}</span><b>${percent(chance)}</b>
    <i class="bar" .style=${`--share:${chance}`}></i></li>`,
    )}</ul>`;
