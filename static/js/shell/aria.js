/** Feeds the live region: what happens, said once, for whoever does not look. */
import { family } from "../core/family.js";
import { t } from "../core/text.js";
import { shownCode } from "./parts.js";
import { newestEntry } from "./table.js";
import { describeEvent } from "../core/wording.js";
import { at } from "../core/page.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { View } from "../core/types.js" */

export class Announcer {
  /** @param {HTMLElement} region @param {HTMLElement} root */
  constructor(region, root) {
    this.region = region;
    this.root = root;
    this.last = "";
    /** The window that was said. @type {number | null} */
    this.window = null;
    /** The turn that was spoken of. */
    this.turn = 0;
    /** What the viewer was arranging. @type {any} */
    this.draft = null;
  }

  /** The tab says whose move it is. @param {boolean} mine */
  #icon(mine) {
    const link = /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel=icon]"));
    const wanted = at(mine ? "/static/art/icon-turn.svg" : "/static/icon.svg");
    if (link && new URL(link.href).pathname !== wanted) link.href = wanted;
  }

  /** @param {Controller} ctrl */
  hear(ctrl) {
    const view = ctrl.view;
    if (!view) return;
    const mine = view.phase === "play" && ctrl.now.mood === "you";
    this.#icon(mine);
    document.title = mine ? t("title.you") : t("title", { code: shownCode(ctrl) });
    const said = this.#moved(ctrl, view) || this.#news(ctrl, view);
    if (!said || said === this.last) return;
    this.last = said;
    this.region.textContent = said;
  }

  /**
   * What happened and what is to do; of a window that is open once, with what one may do about it.
   * @param {Controller} ctrl
   * @param {View} view
   */
  #news(ctrl, view) {
    const latest = newestEntry(view);
    const known = this.window;
    this.window = view.window?.id ?? null;
    if (view.window && known !== view.window.id)
      return [this.#text(".now h1"), this.#text(".now .hint"), what(view)]
        .filter(Boolean)
        .join(" ");
    const happens =
      latest && !(view.window ? PLAYED : SHOWN).includes(latest.type)
        ? describeEvent(latest, view, ctrl.variant)
        : "";
    if (view.window) return happens;
    return [happens, this.#owed(view), this.#text(".now .saw"), this.#text(".now h1")]
      .filter(Boolean)
      .join(" ");
  }

  /** How many turns are owed, as the now-line has it: once a turn. @param {View} view */
  #owed({ turn }) {
    const known = this.turn;
    this.turn = turn?.number ?? 0;
    const owed = known === this.turn ? "" : this.#text(".now [data-owed]");
    return owed && `${owed}.`;
  }

  /**
   * What the viewer has just moved, while they arrange something.
   * @param {Controller} ctrl
   * @param {View} view
   */
  #moved({ draft }, view) {
    const before = this.draft;
    this.draft = draft;
    return before && draft && before !== draft ? family().describeMove(before, draft, view) : "";
  }

  /** @param {string} part */
  #text(part) {
    return this.root.querySelector(part)?.textContent?.replace(/\s+/g, " ").trim() ?? "";
  }
}

/** What a window's own sentence says already. */
const PLAYED = ["card_played", "nope_played"];

/** What the now-line says already, as long as it is the newest. */
const SHOWN = ["kitten_shown"];

/** What this viewer may do about the card that was played. @param {View} view */
const what = (view) =>
  view.you?.may.some((one) => one.type === "nope" && one.as === view.you?.seat)
    ? t("aria.may", { count: view.window?.seconds })
    : "";
