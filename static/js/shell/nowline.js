/**
 * Renders the now-line: a sentence that names the next action and who has to do it, and a hint that
 * says where to tap.
 */
import { getCallText, canSpeak, speakAloud } from "./call.js";
import { getCardTitle } from "../core/deck.js";
import { getFamily } from "../core/family.js";
import { createLazyPart } from "../core/late.js";
import { html, nothing } from "../core/lit.js";
import { getSeatToAct, canActFor, getSeatName, isAskedToAgree, findSeat } from "../core/moves.js";
import { getLanguage, hasSentence, t } from "../core/text.js";
import {
  art,
  getLongClass,
  getViewerFacts,
  renderPlayerName,
  renderRoundButton,
  renderSentence,
  renderToast,
  renderSeatName,
} from "./parts.js";
import { getOwnValue } from "../core/value.js";

/** @import { Controller } from "../core/controller.js" */

const menu = createLazyPart(() => import("./menu.js"));
const agreement = createLazyPart(() => import("./undo.js"), "plea");

/** @param {Controller} ctrl */
export function renderNowline(ctrl) {
  const now = ctrl.now;
  const nowFacts = getNowlineFacts(ctrl);
  return html`<section class="now mood-${now.mood}" aria-label=${t("now")} tabindex="-1">
    ${renderRoleBadge(ctrl)}
    <h1 class=${getLongClass(getLongNames(ctrl), 99, 26)}>${renderSentence(now.key, nowFacts)}</h1>
    ${
      now.hint && hasSentence(now.hint)
        ? html`<p class="hint">${renderSentence(now.hint, nowFacts)}</p>`
        : nothing
    }
    ${
      ctrl.view?.asked && !isAskedToAgree(ctrl)
        ? agreement(ctrl, (part) => part.renderUndoRequest(ctrl))
        : nothing
    }
    ${ctrl.prefs.call === "ask" ? menu(ctrl, (part) => part.renderNotificationQuestion(ctrl)) : nothing}
    ${renderWaitingNote(ctrl)}${getFamily().renderAside(ctrl)}
    ${renderSpeakerButton(ctrl)}${renderActForButton(ctrl)}${renderToast(ctrl, "now")}
  </section>`;
}

/**
 * Returns the names in the now-line's sentence, joined into one text, if the sentence is long.
 * Otherwise returns "". The caller uses smaller letters if one of the returned names is long.
 * @param {Controller} ctrl
 */
function getLongNames(ctrl) {
  const { key, who, by, target } = ctrl.now;
  const view = /** @type {import("../core/types.js").View} */ (ctrl.view);
  const seats = { who, by, target };
  return t(key, {
    mine: getViewerFacts(ctrl, seats),
    ...Object.fromEntries(
      Object.entries(seats).map(([fact, seat]) => [fact, getSeatName(view, seat)]),
    ),
  }).length > 52
    ? getSeatName(view, who) + getSeatName(view, by) + getSeatName(view, target)
    : "";
}

/**
 * Returns the values for the placeholders of the now-line's sentence.
 * @param {Controller} ctrl
 */
export function getNowlineFacts(ctrl) {
  const now = ctrl.now;
  const view = /** @type {import("../core/types.js").View} */ (ctrl.view);
  return {
    mine: getViewerFacts(ctrl, now),
    who: renderSeatName(ctrl, now.who),
    by: renderSeatName(ctrl, now.by),
    target: renderSeatName(ctrl, now.target),
    card: now.card ? html`<b class="title">${getCardTitle(now.card)}</b>` : "",
    count: view.window?.seconds ?? 0,
    ...getFamily().getSentenceFacts(ctrl),
  };
}

/**
 * Renders a badge with the viewer's role: watching, out of the game, acting for another player,
 * having to act, or being able to Nope.
 * @param {Controller} ctrl
 */
function renderRoleBadge(ctrl) {
  const view = /** @type {import("../core/types.js").View} */ (ctrl.view);
  const as = ctrl.as;
  if (!view.you) return html`<span class="badge">${t("badge.watching")}</span>`;
  if (as && as !== ctrl.me)
    return html`<span class="badge for">${renderSentence("badge.for", {
      who: renderPlayerName(getSeatName(view, as)),
    })}</span>`;
  if (findSeat(view, ctrl.me)?.alive === false)
    return html`<span class="badge">${t("badge.out")}</span>`;
  if (ctrl.now.mood !== "you") return nothing;
  const key = view.window ? (view.played?.counts ? "badge.nope" : "badge.yup") : "badge.you";
  return html`<span class="badge you">${art("here")}${t(key)}</span>`;
}

/**
 * Renders the speaker button. For the host, it opens the sheet with the text for the call. For
 * other viewers, it reads the sentence about the turn aloud.
 * @param {Controller} ctrl
 */
function renderSpeakerButton(ctrl) {
  const view = /** @type {import("../core/types.js").View} */ (ctrl.view);
  if (view.you?.host)
    return renderRoundButton(
      "speak",
      t("sheet.call"),
      () => ctrl.set({ sheet: { kind: "call" } }),
      "bare voice",
    );
  if (!canSpeak() || view.turn?.step !== "act") return nothing;
  return renderRoundButton(
    "speak",
    t("call.read"),
    () => speakAloud(getCallText(view), getLanguage()),
    "bare voice",
  );
}

/**
 * Renders a note that says how long the table has waited for a player, if the table's options ask
 * for reminders.
 * @param {Controller} ctrl
 */
function renderWaitingNote(ctrl) {
  const view = /** @type {import("../core/types.js").View} */ (ctrl.view);
  const seat = getSeatToAct(view);
  if (!ctrl.secondsWaited || !seat) return nothing;
  return html`<p class="waited">
    ${renderSentence(seat === ctrl.me ? "waited.me" : "waited", {
      who: renderPlayerName(getSeatName(view, seat)),
      count: ctrl.secondsWaited,
    })}
  </p>`;
}

/**
 * Renders the host's button to act for the player for whom the table waits. The button stands out
 * if that player is away.
 * @param {Controller} ctrl
 */
function renderActForButton(ctrl) {
  const view = /** @type {import("../core/types.js").View} */ (ctrl.view);
  const seat = getSeatToAct(view);
  if (!seat || ctrl.as === seat || !view.you?.host || !canActFor(view, seat)) return nothing;
  const away = getOwnValue(ctrl.presence.seats, seat) === "away";
  return html`<button type="button" class="press small stand ${away ? "away" : ""}" data-say="stand"
    @click=${() => ctrl.set({ pickedSeat: seat })}>
    <span>${renderSentence(away ? "act.away" : "act.for", {
      who: renderPlayerName(getSeatName(view, seat)),
    })}</span>
  </button>`;
}
