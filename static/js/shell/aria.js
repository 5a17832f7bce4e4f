/** Announces events to screen readers through the page's live region, each event once. */
import { getFamily } from "../core/family.js";
import { t } from "../core/text.js";
import { getShownCode } from "./parts.js";
import { describeEvent, findNewestEntry } from "../core/wording.js";
import { resolvePath } from "../core/page.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { View } from "../core/types.js" */

export class Announcer {
  /** @param {HTMLElement} region @param {HTMLElement} root */
  constructor(region, root) {
    this.region = region;
    this.root = root;
    this.last = "";
    /** Id of the Nope window that was announced last. @type {number | null} */
    this.window = null;
    /** Number of the turn in which it was last announced how many turns the player owes. */
    this.turn = 0;
    /**
     * The viewer's draft (an unfinished command) when the last announcement was made.
     * @type {any}
     */
    this.draft = null;
    /** The scene whose words were announced last. @type {Controller["scene"]} */
    this.scene = null;
  }

  /**
   * Sets the tab's icon. While it is the viewer's turn to act, the tab has a special icon.
   * @param {boolean} mine
   */
  #updateIcon(mine) {
    const link = /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel=icon]"));
    const wanted = resolvePath(mine ? "/static/art/icon-turn.svg" : "/static/icon.svg");
    if (link && new URL(link.href).pathname !== wanted) link.href = wanted;
  }

  /** Announces what has changed since the last call. @param {Controller} ctrl */
  announceChanges(ctrl) {
    const view = ctrl.view;
    if (!view) return;
    const isViewersTurn = view.phase === "play" && ctrl.now.mood === "you";
    this.#updateIcon(isViewersTurn);
    document.title = isViewersTurn
      ? t(view.window ? "title.nope" : "title.you")
      : t("title", { code: getShownCode(ctrl) });
    const words = this.#describeScene(ctrl);
    const news = this.#describeMove(ctrl, view) || this.#describeNews(ctrl, view);
    const isNew = news && news !== this.last;
    if (isNew) this.last = news;
    if (words || isNew) this.region.textContent = [words, isNew && news].filter(Boolean).join(" ");
  }

  /**
   * Describes the newest event and what to do next. An open Nope window is announced only once, with
   * the event that opened it; if the viewer can play a Nope, the announcement says so.
   * @param {Controller} ctrl
   * @param {View} view
   */
  #describeNews(ctrl, view) {
    const latest = findNewestEntry(view);
    const known = this.window;
    this.window = view.window?.id ?? null;
    if (view.window && known !== view.window.id)
      return [this.#getText(".now h1"), this.#getText(".now .hint"), getNopeHint(view)]
        .filter(Boolean)
        .join(" ");
    const happens =
      latest &&
      !(view.window ? latest.version === view.window.id : NAMED_BY_NOWLINE.includes(latest.type))
        ? describeEvent(latest, view, ctrl.variant)
        : "";
    if (view.window) return happens;
    return [
      happens,
      this.#describeOwedTurns(view),
      this.#getText(".now .saw"),
      this.#getText(".now h1"),
    ]
      .filter(Boolean)
      .join(" ");
  }

  /**
   * Returns the now-line's text about the turns that the player owes. Returns "" if it was already
   * announced in this turn.
   * @param {View} view
   */
  #describeOwedTurns({ turn }) {
    const known = this.turn;
    this.turn = turn?.number ?? 0;
    const owed = known === this.turn ? "" : this.#getText(".now [data-owed]");
    return owed && `${owed}.`;
  }

  /**
   * Describes the viewer's last move while they arrange cards. Returns "" if they haven't moved a
   * card.
   * @param {Controller} ctrl
   * @param {View} view
   */
  #describeMove({ draft }, view) {
    const before = this.draft;
    this.draft = draft;
    return before && draft && before !== draft
      ? getFamily().describeDraftChange(before, draft, view)
      : "";
  }

  /** Describes the scene that is shown, once. @param {Controller} ctrl */
  #describeScene({ scene }) {
    const words = scene && scene !== this.scene ? scene.words : "";
    if (scene) this.scene = scene;
    return words;
  }

  /** @param {string} part */
  #getText(part) {
    return this.root.querySelector(part)?.textContent?.replace(/\s+/g, " ").trim() ?? "";
  }
}

/**
 * Types of events that the now-line (the sentence about the next action) already mentions while
 * they are the newest event.
 */
const NAMED_BY_NOWLINE = ["kitten_shown"];

/** Returns the hint that the viewer can play a Nope, or "" if they can't. @param {View} view */
const getNopeHint = (view) =>
  view.you?.may.some((command) => command.type === "nope" && command.as === view.you?.seat)
    ? t("aria.may", { count: view.window?.seconds })
    : "";
