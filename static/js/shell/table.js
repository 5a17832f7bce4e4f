/** Draws the whole panel: chooses the page, draws a running game, and opens the sheet over it. */
import { family, isLoaded } from "../core/family.js";
import { late } from "../core/late.js";
import { html, nothing } from "../core/lit.js";
import { openPage } from "../core/memory.js";
import { isAskedToAgree } from "../core/moves.js";
import { at } from "../core/page.js";
import { t } from "../core/text.js";
import { describeEvent } from "../core/wording.js";
import { chain } from "./chain.js";
import { nowline } from "./nowline.js";
import { art, topStrip } from "./parts.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Entry, View } from "../core/types.js" */

const boom = late(() => import("./ring.js"), "boom");
const door = late(() => import("./door.js"));
const host = late(() => import("./host.js"));
const lines = late(() => import("./lines.js"));
const lobby = late(() => import("./lobby.js"), "lobby");
const over = late(() => import("./over.js"), "story plea");
const ring = late(() => import("./ring.js"));
const sheets = late(() => import("./sheets.js"));
const undo = late(() => import("./undo.js"), "plea");

/** Matches if the screen has room for a column beside the table. */
const wide = globalThis.matchMedia?.("(min-width: 900px)") ?? { matches: false };

/** Draws the panel. @param {Controller} ctrl @param {(name: string) => void} join takes a seat */
export function table(ctrl, join) {
  return html`<div class="under ${ctrl.settling ? "settling" : ""}"
    ?inert=${!!ctrl.sheet && isLoaded()}>
    ${ctrl.moving ? door(ctrl, (part) => part.moving(ctrl)) : nothing}${page(ctrl, join)}
  </div>${ctrl.sheet && isLoaded() ? sheets(ctrl, (part) => part.sheet(ctrl)) : nothing}${boomScene(ctrl)}`;
}

/** @param {Controller} ctrl @param {(name: string) => void} join */
function page(ctrl, join) {
  if (ctrl.line === "superseded") return supersededNotice(ctrl);
  if (ctrl.line === "closed" && ctrl.closed?.facts?.door)
    return door(ctrl, (part) => part.door(ctrl, join));
  if (ctrl.line === "closed")
    return notice(ctrl.closed?.text ?? "", t("home"), () => openPage(at("/")));
  if (ctrl.found) return door(ctrl, (part) => part.whose(ctrl));
  if (!ctrl.view)
    return html`${topStrip(ctrl)}<main class="skeleton soon" aria-busy="true">
      <i></i>
      <i></i>
      <i></i>
    </main>`;
  const replacement = family().replacementPage?.(ctrl);
  if (replacement) return replacement;
  if (ctrl.view.phase === "lobby") return lobby(ctrl, (part) => part.lobby(ctrl, join));
  if (ctrl.view.phase === "setup") return family().setup(ctrl);
  return ctrl.view.phase === "over" ? over(ctrl, (part) => part.over(ctrl)) : play(ctrl);
}

/**
 * Draws the notice that the seat is open elsewhere, or lent to a robot, with a button to take it back.
 * @param {Controller} ctrl
 */
function supersededNotice(ctrl) {
  const takeBack = () => ctrl.wire?.reconnect();
  if (ctrl.stoodIn) return notice(t("superseded.robot"), t("superseded.robot.here"), takeBack);
  if (ctrl.elsewhere === "tab") return notice(t("superseded"), t("superseded.here"), takeBack);
  return ctrl.elsewhere ? door(ctrl, (part) => part.elsewhere(ctrl)) : notice(t("superseded"));
}

/** Draws the seat that has just gone out, over the page. @param {Controller} ctrl */
const boomScene = (ctrl) =>
  ctrl.boom && (ctrl.view?.phase === "play" || ctrl.view?.phase === "over")
    ? boom(ctrl, (part) => ctrl.boom && part.boom(ctrl, ctrl.boom))
    : nothing;

/** @param {string} words @param {string} [label] @param {() => void} [click] */
const notice = (
  words,
  label,
  click,
) => html`<main class="page notice">${art("mark")}<h1>${words}</h1>
  ${
    click
      ? html`<button type="button" class="press main" @click=${click}>${label}</button>`
      : nothing
  }</main>`;

/** Draws the column beside the table: ring and log. @param {Controller} ctrl */
const sideColumn = (ctrl) =>
  html`<aside class="beside" aria-label=${t("log")}>
    ${ctrl.view?.you?.host ? host(ctrl, (part) => part.callsheet(ctrl)) : nothing}${ring(
      ctrl,
      (part) => part.ring(ctrl),
    )}
    <h2>${t("log")}</h2>
    ${lines(ctrl, (part) => part.lines(ctrl))}
  </aside>`;

/** Draws a running game. @param {Controller} ctrl */
function play(ctrl) {
  const aiming = ctrl.aim || ctrl.draft?.alone ? "aiming" : "";
  return html`<div class="play ${aiming} mood-${ctrl.now.mood}">
    ${topStrip(ctrl)}
    <main class="middle" ?inert=${ctrl.remembers}>
      ${nowline(ctrl)}${family().lesson?.(ctrl)}${family().stage(ctrl)}${dock(ctrl)}
    </main>
    ${chain(ctrl)}
    ${newestLineButton(ctrl)}
    ${wide.matches ? sideColumn(ctrl) : nothing}
  </div>`;
}

/**
 * Draws the buttons. An undo request that the viewer may answer replaces them, but never a window's
 * Nope button.
 * @param {Controller} ctrl
 */
function dock(ctrl) {
  const plea = isAskedToAgree(ctrl) ? undo(ctrl, (part) => part.plea(ctrl)) : null;
  return plea && !ctrl.view?.window ? plea : html`${plea}${family().dock(ctrl)}`;
}

/** Events that repeat what the now-line shows. */
const QUIET = ["passed", "turn_began", "step_began", "window_opened", "ready_said"];

/**
 * Returns the newest entry that doesn't repeat what the now-line shows.
 * @param {View} view
 * @returns {Entry | undefined}
 */
export const newestEntry = (view) =>
  view.log.findLast(
    ({ type, text }) => !QUIET.includes(type) && !family().quietEvents.includes(type) && text,
  );

/** Draws the newest line of the log, as a button that opens the log. @param {Controller} ctrl */
function newestLineButton(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const last = newestEntry(view);
  const text = last ? describeEvent(last, view, ctrl.variant) : t("log.empty");
  return html`<button type="button" class="peek" data-version=${last?.version ?? 0}
    @click=${() => ctrl.set({ sheet: { kind: "log" } })}>
    <span class="clip grow"><span class="said">${text}</span></span>
    ${missedCount(ctrl)}
    <span class="soft">${t("log.more")}</span>
  </button>`;
}

/** Draws the number of events that happened while the viewer looked away. @param {Controller} ctrl */
function missedCount(ctrl) {
  const count = (ctrl.view?.log ?? []).filter((entry) => ctrl.isNew(entry) && entry.text).length;
  return count ? html`<b class="missed">${t("log.missed", { count })}</b>` : nothing;
}
