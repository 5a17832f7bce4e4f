/** The now-line: one sentence that says who does what now, and a hint of where to tap. */
import { call, canSpeak, speak } from "./call.js";
import { title } from "../core/deck.js";
import { family } from "../core/family.js";
import { late } from "../core/late.js";
import { html, nothing } from "../core/lit.js";
import { askedSeat, canSpeakFor, nameOf, isAskedToAgree, seatOf } from "../core/moves.js";
import { currentLanguage, hasWords, t } from "../core/text.js";
import {
  art,
  longClass,
  viewerFacts,
  playerName,
  roundButton,
  sentence,
  toast,
  seatName,
} from "./parts.js";
import { valueAt } from "../core/value.js";

/** @import { Controller } from "../core/controller.js" */

const menu = late(() => import("./menu.js"));
const agreement = late(() => import("./undo.js"), "plea");

/** @param {Controller} ctrl */
export function nowline(ctrl) {
  const now = ctrl.now;
  const given = facts(ctrl);
  return html`<section class="now mood-${now.mood}" aria-label=${t("now")} tabindex="-1">
    ${badge(ctrl)}
    <h1 class=${longClass(names(ctrl), 99, 26)}>${sentence(now.key, given)}</h1>
    ${now.hint && hasWords(now.hint) ? html`<p class="hint">${sentence(now.hint, given)}</p>` : nothing}
    ${ctrl.view?.asked && !isAskedToAgree(ctrl) ? agreement(ctrl, (part) => part.agreement(ctrl)) : nothing}
    ${ctrl.prefs.call === "ask" ? menu(ctrl, (part) => part.asking(ctrl)) : nothing}
    ${waitingNote(ctrl)}${family().aside(ctrl)}${voice(ctrl)}${stand(ctrl)}${toast(ctrl, "now")}
  </section>`;
}

/** The names in the sentence: long ones take smaller letters. @param {Controller} ctrl */
function names(ctrl) {
  const { key, who, by, target } = ctrl.now;
  const view = /** @type {import("../core/types.js").View} */ (ctrl.view);
  const said = { who, by, target };
  return t(key, {
    mine: viewerFacts(ctrl, said),
    ...Object.fromEntries(Object.entries(said).map(([fact, seat]) => [fact, nameOf(view, seat)])),
  }).length > 52
    ? nameOf(view, who) + nameOf(view, by) + nameOf(view, target)
    : "";
}

/** @param {Controller} ctrl */
export function facts(ctrl) {
  const now = ctrl.now;
  const view = /** @type {import("../core/types.js").View} */ (ctrl.view);
  return {
    mine: viewerFacts(ctrl, now),
    who: seatName(ctrl, now.who),
    by: seatName(ctrl, now.by),
    target: seatName(ctrl, now.target),
    card: now.card ? html`<b class="title">${title(now.card)}</b>` : "",
    count: view.window?.seconds ?? 0,
    ...family().facts(ctrl),
  };
}

/** Who the viewer is in this: out, watching, or speaking for somebody. @param {Controller} ctrl */
function badge(ctrl) {
  const view = /** @type {import("../core/types.js").View} */ (ctrl.view);
  const as = ctrl.as;
  if (!view.you) return html`<span class="badge">${t("badge.watching")}</span>`;
  if (as && as !== ctrl.me)
    return html`<span class="badge for">${sentence("badge.for", {
      who: playerName(nameOf(view, as)),
    })}</span>`;
  if (seatOf(view, ctrl.me)?.alive === false)
    return html`<span class="badge">${t("badge.out")}</span>`;
  return ctrl.now.mood === "you"
    ? html`<span class="badge you">${art("here")}${t("badge.you")}</span>`
    : nothing;
}

/**
 * The host reads out what the call sheet says; the others may hear where their card lies.
 * @param {Controller} ctrl
 */
function voice(ctrl) {
  const view = /** @type {import("../core/types.js").View} */ (ctrl.view);
  if (view.you?.host)
    return roundButton(
      "speak",
      t("sheet.call"),
      () => ctrl.set({ sheet: { kind: "call" } }),
      "bare voice",
    );
  if (!canSpeak() || view.turn?.step !== "act") return nothing;
  return roundButton(
    "speak",
    t("call.read"),
    () => speak(call(view), currentLanguage()),
    "bare voice",
  );
}

/** For how long nobody has answered, where the table wants to be told. @param {Controller} ctrl */
function waitingNote(ctrl) {
  const view = /** @type {import("../core/types.js").View} */ (ctrl.view);
  const seat = askedSeat(view);
  if (!ctrl.waited || !seat) return nothing;
  return html`<p class="waited">
    ${sentence(seat === ctrl.me ? "waited.me" : "waited", {
      who: playerName(nameOf(view, seat)),
      count: ctrl.waited,
    })}
  </p>`;
}

/** The host may speak for the seat that is asked; the more so while it is away. @param {Controller} ctrl */
function stand(ctrl) {
  const view = /** @type {import("../core/types.js").View} */ (ctrl.view);
  const seat = askedSeat(view);
  if (!seat || ctrl.as === seat || !view.you?.host || !canSpeakFor(view, seat)) return nothing;
  const away = valueAt(ctrl.presence.seats, seat) === "away";
  return html`<button type="button" class="press small stand ${away ? "away" : ""}" data-say="stand"
    @click=${() => ctrl.set({ picked: seat })}>
    <span>${sentence(away ? "act.away" : "act.for", { who: playerName(nameOf(view, seat)) })}</span>
  </button>`;
}
