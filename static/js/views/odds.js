/** What a hand and the face-down cards of a grid may be, in per cent, for whoever wants to know. */
import { hue, title } from "../deck.js";
import { html, nothing } from "../lit.js";
import { percent, t } from "../text.js";
import { oddsOf } from "./grid.js";
import { badge } from "./parts.js";

/** @import { Controller } from "../controller.js" */
/** @import { Seat } from "../types.js" */

/** @param {Controller} ctrl @param {Seat} seat */
export function odds(ctrl, seat) {
  const known = oddsOf(ctrl, seat);
  if (!known) return nothing;
  const [down] = Object.values(known.cells);
  return html`<div class="odds">
    ${down ? html`<h4>${t("odds.cells")}</h4>${bars(down)}${known.placed ? html`<p class="soft">${t("odds.placed")}</p>` : nothing}` : nothing}
    ${seat.hand ? html`<h4>${t("odds.hand")}</h4>${bars(known.holds)}` : nothing}</div>`;
}

/** @param {Record<string, number>} chances */
const bars = (chances) => html`<ul class="bars">${Object.entries(chances)
  .filter(([, chance]) => chance > 0)
  .sort(([, one], [, other]) => other - one)
  .map(([card, chance]) => html`<li class=${hue(card)}>${badge(card)}<span class="grow clip">${title(card)}</span><b>${percent(chance)}</b>
    <i class="bar" .style=${`--share:${chance}`}></i></li>`)}</ul>`;
