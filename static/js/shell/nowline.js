/** Draws the now-line: one sentence that names the player to act and the action, and a hint where to tap. */
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
  const nowFacts = facts(ctrl);
  return html`<section class="now mood-${now.mood}" aria-label=${t("now")} tabindex="-1">
    ${badge(ctrl)}
    <h1 class=${longClass(names(ctrl), 99, 26)}>${sentence(now.key, nowFacts)}</h1>
    ${now.hint && hasWords(now.hint) ? html`<p class="hint">${sentence(now.hint, nowFacts)}</p>` : nothing}
    ${ctrl.view?.asked && !isAskedToAgree(ctrl) ? agreement(ctrl, (part) => part.agreement(ctrl)) : nothing}
    ${ctrl.prefs.call === "ask" ? menu(ctrl, (part) => part.asking(ctrl)) : nothing}
    ${waitingNote(ctrl)}${family().aside(ctrl)}${voice(ctrl)}${stand(ctrl)}${toast(ctrl, "now")}
  </section>`;
}

/** Returns the names in a long sentence: long names make its letters smaller. @param {Controller} ctrl */
function names(ctrl) {
  const { key, who, by, target } = ctrl.now;
  const view = /** @type {import("../core/types.js").View} */ (ctrl.view);
  const seats = { who, by, target };
  return t(key, {
    mine: viewerFacts(ctrl, seats),
    ...Object.fromEntries(Object.entries(seats).map(([fact, seat]) => [fact, nameOf(view, seat)])),
  }).length > 52
    ? nameOf(view, who) + nameOf(view, by) + nameOf(view, target)
    : "";
}

/** Returns the facts of the now-line's sentence. @param {Controller} ctrl */
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

/** Draws the viewer's role: out, watching, acting for somebody, or up. @param {Controller} ctrl */
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
 * Draws the speaker button: for the host it opens the call sheet; others can have the sentence of a
 * turn read aloud.
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

/** Draws how long the table has waited, if its options ask for reminders. @param {Controller} ctrl */
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

/**
 * Draws the host's button to act for the seat that has to act; it stands out if that player is away.
 * @param {Controller} ctrl
 */
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
