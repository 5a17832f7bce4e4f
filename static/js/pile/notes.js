/** Notes for oneself alone: what lies at a place of the pile (ruling private-notes). */
import { deck, hue, title } from "../core/deck.js";
import { html, nothing } from "../core/lit.js";
import { t } from "../core/text.js";
import { badge } from "../shell/parts.js";
import { viewOf } from "./state.js";
import { place } from "./words.js";

/** @import { Controller } from "../core/controller.js" */

/** @param {Controller} ctrl */
export function notes(ctrl) {
  const view = viewOf(ctrl);
  const cards = view.pile?.cards ?? 0;
  const alive = view.seats.some((seat) => seat.seat === ctrl.me && seat.alive);
  if (!view.you || view.phase !== "play" || !alive || !cards) return nothing;
  const at = Math.min(ctrl.noting ?? 0, cards);
  const say = (/** @type {number} */ where, /** @type {string | null} */ card) => {
    ctrl.say({ type: "note", place: where, card }, "sheet");
    ctrl.set({ noting: null });
  };
  return html`<section class="noting"><h3>${t("notes")}</h3>
    ${view.you.notes.length ? html`<ul class="note-list">${view.you.notes.map((note) => html`<li class="row"><span class="grow">${place(note.place, cards)}: <b>${title(note.card)}</b></span><button type="button" class="press small" @click=${() => say(note.place, null)}>${t("notes.forget")}</button></li>`)}</ul>` : html`<p class="soft">${t("notes.none")}</p>`}
    <div class="row wrap" role="group" aria-label=${t("notes.place")}>${[1, 2, 3, cards].filter((one, i, all) => one <= cards && all.indexOf(one) === i).map((one) => html`<button type="button" class="press small ${one === at ? "main" : ""}" aria-pressed=${String(one === at)} @click=${() => ctrl.set({ noting: one })}>${place(one, cards)}</button>`)}</div>
    ${at ? html`<div class="row wrap">${deck().map(({ id }) => html`<button type="button" class="press small ${hue(id)}" data-note=${id} @click=${() => say(at, id)}>${badge(id)}${title(id)}</button>`)}</div>` : nothing}</section>`;
}
