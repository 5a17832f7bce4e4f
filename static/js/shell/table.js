/**
 * Renders the whole panel: the page that fits the state of the game, and the open sheet on top of
 * it.
 */
import { getFamily, isFamilyLoaded } from "../core/family.js";
import { createLazyPart } from "../core/late.js";
import { html, nothing } from "../core/lit.js";
import { openPage } from "../core/memory.js";
import { findSeat, isAskedToAgree } from "../core/moves.js";
import { isWindowWide, resolvePath } from "../core/page.js";
import { t } from "../core/text.js";
import { describeEvent, findNewestEntry } from "../core/wording.js";
import { renderChain } from "./chain.js";
import { renderNowline } from "./nowline.js";
import { art, renderTopStrip } from "./parts.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { View } from "../core/types.js" */

const ahead = createLazyPart(() => import("./ahead.js"));
const boom = createLazyPart(() => import("./ring.js"), "boom");
const door = createLazyPart(() => import("./door.js"));
const host = createLazyPart(() => import("./host.js"));
const lines = createLazyPart(() => import("./lines.js"));
const lobby = createLazyPart(() => import("./lobby.js"), "lobby");
const over = createLazyPart(() => import("./over.js"), "story plea");
const ring = createLazyPart(() => import("./ring.js"));
const screen = createLazyPart(() => import("./screen.js"), "screen");
const sheets = createLazyPart(() => import("./sheets.js"));
const undo = createLazyPart(() => import("./undo.js"), "plea");

/** Returns true if the window has room for a column beside the table. */
const hasSideColumn = () => isWindowWide(56.25);

/** Renders the panel. @param {Controller} ctrl @param {(name: string) => void} join takes a seat */
export function renderPanel(ctrl, join) {
  if (ctrl.isSharedScreen)
    return html`${replaceMissingPage(
      ctrl,
      screen(ctrl, (part) => part.renderScreen(ctrl)),
    )}${renderBoom(ctrl)}`;
  return html`<div class="under ${ctrl.ignoresTaps ? "settling" : ""}"
    ?inert=${!!ctrl.sheet && isFamilyLoaded()}>
    ${ctrl.takeLinkedSeat ? door(ctrl, (part) => part.renderMoveQuestion(ctrl)) : nothing}
    ${replaceMissingPage(ctrl, renderPage(ctrl, join))}
  </div>${
    ctrl.sheet && isFamilyLoaded() ? sheets(ctrl, (part) => part.renderSheet(ctrl)) : nothing
  }${renderBoom(ctrl)}`;
}

/**
 * Returns a page. If it hasn't been loaded, returns the notice that it can't be loaded now.
 * @param {Controller} ctrl
 * @param {unknown} page
 */
const replaceMissingPage = (ctrl, page) =>
  page === nothing && ctrl.toast ? renderNotice(ctrl.toast.text) : page;

/** @param {Controller} ctrl @param {(name: string) => void} join */
function renderPage(ctrl, join) {
  if (ctrl.connection === "superseded") return renderSupersededNotice(ctrl);
  if (ctrl.connection === "closed" && ctrl.closeReason?.facts?.door)
    return door(ctrl, (part) => part.renderDoorPage(ctrl, join));
  if (ctrl.connection === "closed")
    return renderNotice(ctrl.closeReason?.text ?? "", t("home"), () => openPage(resolvePath("/")));
  if (ctrl.unconfirmedView) return door(ctrl, (part) => part.renderSeatQuestion(ctrl));
  if (!ctrl.view)
    return html`${renderTopStrip(ctrl)}<main class="skeleton soon" aria-busy="true">
      <i></i>
      <i></i>
      <i></i>
    </main>`;
  const replacement = getFamily().renderReplacementPage?.(ctrl);
  if (replacement) return replacement;
  if (ctrl.view.phase === "lobby") return lobby(ctrl, (part) => part.renderLobby(ctrl, join));
  if (ctrl.view.phase === "setup") return getFamily().renderSetup(ctrl);
  return ctrl.view.phase === "over"
    ? over(ctrl, (part) => part.renderOverPage(ctrl))
    : renderGame(ctrl);
}

/**
 * Renders the page that replaces the panel if the seat is open elsewhere, or lent to a robot. It
 * has a button to take the seat back.
 * @param {Controller} ctrl
 */
function renderSupersededNotice(ctrl) {
  const takeSeatBack = () => ctrl.wire?.reconnect();
  if (ctrl.lentToRobot)
    return renderNotice(t("superseded.robot"), t("superseded.robot.here"), takeSeatBack);
  if (ctrl.popup && !ctrl.popup.closed)
    return door(ctrl, (part) => part.renderSmallWindowNotice(ctrl));
  if (ctrl.supersededBy === "tab")
    return renderNotice(t("superseded"), t("superseded.here"), takeSeatBack);
  return ctrl.supersededBy
    ? door(ctrl, (part) => part.renderSeatMovedPage(ctrl))
    : renderNotice(t("superseded"));
}

/** Renders the scene that covers the page when a player has just gone out. @param {Controller} ctrl */
const renderBoom = (ctrl) =>
  ctrl.explosion &&
  !ctrl.scene?.covers &&
  (ctrl.view?.phase === "play" || ctrl.view?.phase === "over")
    ? boom(ctrl, (part) => ctrl.explosion && part.renderBoomScene(ctrl, ctrl.explosion))
    : nothing;

/** @param {string} words @param {string} [label] @param {() => void} [click] */
const renderNotice = (
  words,
  label,
  click,
) => html`<main class="page notice">${art("mark")}<h1>${words}</h1>
  ${
    click
      ? html`<button type="button" class="press main" @click=${click}>${label}</button>`
      : nothing
  }</main>`;

/**
 * Renders the column beside the table: the host's text for the call, the ring of players, and the
 * log.
 * @param {Controller} ctrl
 */
const renderSideColumn = (ctrl) =>
  html`<aside class="beside" aria-label=${t("log")} tabindex="0">
    ${ctrl.view?.you?.host ? host(ctrl, (part) => part.renderCallSheet(ctrl)) : nothing}${ring(
      ctrl,
      (part) => part.renderRing(ctrl),
    )}
    <h2>${t("log")}</h2>
    ${lines(ctrl, (part) => part.renderLog(ctrl))}
  </aside>`;

/** Renders a running game. @param {Controller} ctrl */
function renderGame(ctrl) {
  const aiming = ctrl.aimedCard || ctrl.draft?.alone ? "aiming" : "";
  return html`<div class="play ${aiming} mood-${ctrl.now.mood}">
    ${renderTopStrip(ctrl)}
    <main class="middle" ?inert=${ctrl.showsStoredView}>
      ${renderNowline(ctrl)}${getFamily().renderLesson?.(ctrl)}
      ${getFamily().renderStage(ctrl)}${renderDock(ctrl)}
    </main>
    ${renderChain(ctrl)}
    ${renderNewestLineButton(ctrl)}
    ${hasSideColumn() ? renderSideColumn(ctrl) : nothing}
  </div>`;
}

/**
 * Renders the dock. A request for an undo that the viewer can answer takes the dock's place, except
 * while a Nope window is open, because the Nope button must stay.
 * @param {Controller} ctrl
 */
function renderDock(ctrl) {
  const plea = isAskedToAgree(ctrl) ? undo(ctrl, (part) => part.renderUndoAnswer(ctrl)) : null;
  if (plea && !ctrl.view?.window) return plea;
  return html`${plea}${getFamily().renderDock(ctrl)}${
    ctrl.view && findSeat(ctrl.view, ctrl.me)?.auto_pass
      ? ahead(ctrl, (part) => part.renderAheadBar(ctrl))
      : nothing
  }`;
}

/** Renders the newest line of the log, as a button that opens the log. @param {Controller} ctrl */
function renderNewestLineButton(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const last = findNewestEntry(view);
  const text = last ? describeEvent(last, view, ctrl.variant) : t("log.empty");
  return html`<button type="button" class="peek" data-version=${last?.version ?? 0}
    @click=${() => ctrl.set({ sheet: { kind: "log" } })}>
    <span class="clip grow"><span class="said">${text}</span></span>
    ${renderMissedCount(ctrl)}
    <span class="soft">${t("log.more")}</span>
  </button>`;
}

/**
 * Renders the number of events that happened while the viewer looked away.
 * @param {Controller} ctrl
 */
function renderMissedCount(ctrl) {
  const eventCount = (ctrl.view?.log ?? []).filter(
    (entry) => ctrl.isNew(entry) && entry.text,
  ).length;
  return eventCount
    ? html`<b class="missed">${t("log.missed", { count: eventCount })}</b>`
    : nothing;
}
