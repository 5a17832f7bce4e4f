/** Sheets: what the pile holds and how likely the Kitten is at its ends, and how sure that is; the whole discard pile. */
import { danger } from "../../art/marks.js";
import { hue, title } from "../core/deck.js";
import { html, nothing } from "../core/lit.js";
import { t } from "../core/text.js";
import { badge } from "../shell/parts.js";
import { inWords } from "./middle.js";
import { counted, ends, viewOf } from "./state.js";
import { notes } from "./notes.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { End } from "./types.js" */

/** @param {Controller} ctrl */
export function odds(ctrl) {
  const view = viewOf(ctrl);
  const { cards = 0, kittens = 0, exact = true } = view.pile ?? {};
  const { top, bottom } = ends(view);
  return html`<div class="pile-sheet"><p class="row"><b>${t("pile.of", { count: cards, kittens })}</b></p>
    ${side("top", top)}${side("bottom", bottom)}
    ${why(top, bottom)}${exact ? nothing : html`<p class="soft">${t("pile.counts.what")}</p>`}${notes(ctrl)}</div>`;
}

/** One end, as a bar from its least to its most with the even guess in it. @param {string} which @param {End | undefined} odds */
function side(which, odds) {
  if (!odds) return nothing;
  return html`<div class="side"><span class="end-mark">${danger(odds.even)}</span><span class="grow"><b>${t(`pile.${which}`)}</b> <span>${inWords(odds)}</span>
    <span class="odds-reach" aria-hidden="true" .style=${`--least:${odds.least};--most:${odds.most};--even:${odds.even}`}><i></i><b></b></span></span></div>`;
}

/** Why there are two numbers instead of one. @param {...(End | undefined)} both */
function why(...both) {
  const states = [...new Set(both.map((one) => one?.state))];
  return states.map((state) => html`<p class="soft">${t(`odds.${state}.what`)}</p>`);
}

/** @param {Controller} ctrl */
export function discard(ctrl) {
  const { cards, unnoted } = viewOf(ctrl).discard ?? { cards: [], unnoted: 0 };
  if (!cards.length && !unnoted) return html`<p class="soft">${t("seat.no-discard")}</p>`;
  return html`<p class="soft">${t("discard.how")}</p>
    ${unnoted ? html`<p>${t("discard.unnoted.what", { count: unnoted })}</p>` : nothing}
    <h3>${t("discard.newest")}</h3><p class="pile">${cards.toReversed().map((card) => html`<span class="chip ${hue(card)}">${badge(card)}${title(card)}</span>`)}</p>
    <h3>${t("discard.titles")}</h3><p class="pile">${[...counted(cards)].map(([card, count]) => html`<span class="chip ${hue(card)}">${badge(card)}${count}× ${title(card)}</span>`)}</p>`;
}
