/** Feeds the live region: what happens, said once, for whoever does not look. */
import { t } from "./text.js";
import { newest } from "./views/log.js";
import { happened } from "./wording.js";
import { at } from "./root.js";

/** @import { Controller } from "./controller.js" */

export class Announcer {
  /** @param {HTMLElement} region @param {HTMLElement} root */
  constructor(region, root) {
    this.region = region;
    this.root = root;
    this.last = "";
  }

  /** The tab says whose move it is. @param {boolean} mine */
  #icon(mine) {
    const link = /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel=icon]"));
    const wanted = at(mine ? "/static/art/icon-turn.svg" : "/static/icon.svg");
    if (link && link.getAttribute("href") !== wanted) link.setAttribute("href", wanted);
  }

  /** @param {Controller} ctrl */
  hear(ctrl) {
    const view = ctrl.view;
    if (!view) return;
    const latest = newest(view);
    const line = this.root.querySelector(".now h1")?.textContent?.replace(/\s+/g, " ").trim() ?? "";
    const mine = view.phase === "play" && ctrl.now.mood === "you";
    this.#icon(mine);
    document.title = mine ? t("title.you") : t("title", { code: view.table });
    const said = `${latest ? happened(latest, view, ctrl.variant) : ""} ${line}`.trim();
    if (said === this.last) return;
    this.last = said;
    this.region.textContent = said;
  }
}
