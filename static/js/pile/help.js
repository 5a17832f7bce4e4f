/** How to play with one pile, in pictures, before every card and every ruling. */
import { HOWTO, howTo } from "../../art/pile/howto.js";
import { html } from "../core/lit.js";
import { t } from "../core/text.js";
import { help as sheet } from "../shell/help.js";

/** @import { Controller } from "../core/controller.js" */

/** @param {Controller} ctrl */
export const help = (ctrl) =>
  sheet(
    ctrl,
    HOWTO.map((step) => html`<li>${howTo(step)}<span>${t(`help.how.${step}`)}</span></li>`),
  );
