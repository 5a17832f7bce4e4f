/** At the now-line: the turns still owed, and whoever has just looked at a card may note it, for themselves alone. */
import { html, nothing } from "../core/lit.js";
import { t } from "../core/text.js";
import { viewOf } from "./cells.js";

/** @import { Controller } from "../core/controller.js" */

/** @param {Controller} ctrl */
export const aside = (ctrl) => html`${owed(ctrl)}${toNote(ctrl)}`;

/** After an Attack whoever is up takes another turn. @param {Controller} ctrl */
function owed(ctrl) {
  const count = (viewOf(ctrl)?.turn?.owed ?? 1) - 1;
  return count && !ctrl.aim
    ? html`<span class="badge" data-owed=${count}>${t("now.more", { count })}</span>`
    : nothing;
}

/** @param {Controller} ctrl */
function toNote(ctrl) {
  const view = viewOf(ctrl);
  const last = view?.log.at(-1);
  if (last?.type !== "looked" || last.seat !== ctrl.me || ctrl.aim) return nothing;
  if (view?.you?.notes.some((note) => String(note.cell) === String(last.facts.cell)))
    return nothing;
  return html`<button type="button" class="press small" data-do="note" @click=${() => ctrl.set({ sheet: { kind: "seat", seat: String(ctrl.me) }, noting: last.facts.cell })}>${t("notes.do")}</button>`;
}
