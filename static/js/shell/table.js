/** The table's panel as a whole: which page is shown, and the sheet over it. */
import { family, known } from "../core/family.js";
import { late } from "../core/late.js";
import { html, nothing } from "../core/lit.js";
import { t } from "../core/text.js";
import { art } from "./parts.js";
import { play } from "./play.js";
import { top } from "./top.js";
import { at } from "../core/root.js";

/** @import { Controller } from "../core/controller.js" */

const boom = late(() => import("./boom.js"), "boom");
const door = late(() => import("./door.js"));
const lobby = late(() => import("./lobby.js"));
const moving = late(() => import("./moving.js"));
const over = late(() => import("./over.js"), "story");
const sheets = late(() => import("./sheets.js"));

/** @param {Controller} ctrl @param {(name: string) => void} join */
export function table(ctrl, join) {
  return html`<div class="under ${ctrl.settling ? "settling" : ""}" ?inert=${!!ctrl.sheet && known()}>${ctrl.moving ? moving(ctrl, (part) => part.moving(ctrl)) : nothing}${page(ctrl, join)}</div>${ctrl.sheet && known() ? sheets(ctrl, (part) => part.sheet(ctrl)) : nothing}${gone(ctrl)}`;
}

/** @param {Controller} ctrl @param {(name: string) => void} join */
function page(ctrl, join) {
  if (ctrl.line === "superseded") return superseded(ctrl);
  if (ctrl.line === "closed" && ctrl.closed?.facts?.door)
    return door(ctrl, (part) => part.door(ctrl, join));
  if (ctrl.line === "closed")
    return notice(ctrl.closed?.text ?? "", t("home"), () => location.assign(at("/")));
  if (!ctrl.view)
    return html`${top(ctrl)}<main class="page notice" aria-busy="true">${art("mark")}</main>`;
  const own = family().instead?.(ctrl);
  if (own) return own;
  if (ctrl.view.phase === "lobby") return lobby(ctrl, (part) => part.lobby(ctrl, join));
  if (ctrl.view.phase === "setup") return family().setup(ctrl);
  return ctrl.view.phase === "over" ? over(ctrl, (part) => part.over(ctrl)) : play(ctrl);
}

/** The seat is open in another tab, or a robot's for now; here it is taken back. @param {Controller} ctrl */
function superseded(ctrl) {
  const back = () => ctrl.wire?.reopen();
  return ctrl.stoodIn
    ? notice(t("superseded.robot"), t("superseded.robot.here"), back)
    : notice(t("superseded"), t("superseded.here"), back);
}

/** Who has just gone out. @param {Controller} ctrl */
const gone = (ctrl) =>
  ctrl.boom && ctrl.view?.phase === "play"
    ? boom(ctrl, (part) => ctrl.boom && part.boom(ctrl, ctrl.boom))
    : nothing;

/** @param {string} words @param {string} label @param {() => void} click */
const notice = (
  words,
  label,
  click,
) => html`<main class="page notice">${art("mark")}<h1>${words}</h1>
  <button type="button" class="press main" @click=${click}>${label}</button>${nothing}</main>`;
