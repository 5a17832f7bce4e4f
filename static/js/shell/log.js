/** What happened: the last thing at a glance, the rest a tap away. */
import { family } from "../core/family.js";
import { html, nothing } from "../core/lit.js";
import { seatOf } from "../core/moves.js";
import { t } from "../core/text.js";
import { lost, takenBack } from "../core/undone.js";
import { happened } from "../core/wording.js";
import { art, badge, emblem } from "./parts.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Entry, View } from "../core/types.js" */

const QUIET = ["passed", "turn_began", "step_began", "window_opened", "ready_said"];

/** The newest line that says more than the now-line. @param {View} view @returns {Entry | undefined} */
export const newest = (view) =>
  view.log.findLast(
    ({ type, text }) => !QUIET.includes(type) && !family().quiet.includes(type) && text,
  );

/** @param {Controller} ctrl */
export function peek(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const last = newest(view);
  return html`<button type="button" class="peek" data-version=${last?.version ?? 0} @click=${() => ctrl.set({ sheet: { kind: "log" } })}>
    <span class="clip grow"><bdi>${last ? happened(last, view, ctrl.variant) : t("log.empty")}</bdi></span>${missed(ctrl)}<span class="soft">${t("log.more")}</span></button>`;
}

/** How much happened since the viewer looked away. @param {Controller} ctrl */
function missed(ctrl) {
  const count = (ctrl.view?.log ?? []).filter((entry) => ctrl.isNew(entry) && entry.text).length;
  return count ? html`<b class="missed">${t("log.missed", { count })}</b>` : nothing;
}

/** @param {Controller} ctrl */
export function lines(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const shown = view.log.filter((entry) => entry.text).toReversed();
  const gone = takenBack(view.log);
  return html`<ol class="log" reversed>${shown.map((entry) => html`<li class="log-${entry.type} ${ctrl.isNew(entry) ? "fresh" : ""}">${whose(ctrl, entry)}${sign(entry)}${gone(entry) ? struck(ctrl, entry) : line(ctrl, entry)}</li>`)}
    ${shown.length ? nothing : html`<li class="soft">${t("log.empty")}</li>`}</ol>`;
}

/** Whose word it was. @param {Controller} ctrl @param {Entry} entry */
const whose = (ctrl, { seat }) =>
  html`<span class="sign">${seat && ctrl.view && seatOf(ctrl.view, seat) ? emblem(ctrl, seat) : nothing}</span>`;

/** A line that stands; an undo's says what it took back. @param {Controller} ctrl @param {Entry} entry */
function line(ctrl, entry) {
  const view = /** @type {View} */ (ctrl.view);
  const what = lost(view.log, entry);
  return html`<bdi>${happened(entry, view, ctrl.variant)}${what ? html` ${struck(ctrl, what)}` : nothing}</bdi>`;
}

/** A line that was taken back: struck through, and said so to whom can't see it. @param {Controller} ctrl @param {Entry} entry */
const struck = (ctrl, entry) =>
  html`<del><span class="unseen">${t("log.undone")} </span><bdi>${happened(entry, /** @type {View} */ (ctrl.view), ctrl.variant)}</bdi></del>`;

/** @type {Record<string, string>} */
const SIGNS = {
  nope_played: "nope",
  kitten_shown: "kitten",
  kitten_defused: "defuse",
  went_out: "boom",
  undone: "undo",
  game_won: "crown",
};

/** @param {Entry} entry */
function sign(entry) {
  const card = entry.facts?.card;
  const own = family().signs[entry.type] ?? SIGNS[entry.type];
  return html`<span class="sign">${own ? art(own) : typeof card === "string" ? badge(card) : entry.seat ? nothing : "·"}</span>`;
}
