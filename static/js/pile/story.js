/** What only these games' stories show: a combo. */
import { hue } from "../core/deck.js";
import { svg } from "../core/lit.js";

/** @import { Moment } from "../core/story.js" */

/** A moment's sign, if the shell has none. @param {Moment} one */
export const sign = (one) =>
  one.kind === "combo"
    ? svg`<g class="sign-combo ${one.lost ? "lost" : ""}"><rect class="sign-play ${hue(one.card)}" x="-6" y="-5" width="7" height="10" rx="1.600" transform="rotate(-12)"></rect><rect class="sign-play ${hue(one.card)}" x="-1" y="-5" width="7" height="10" rx="1.600" transform="rotate(10)"></rect></g>${one.lost ? svg`<path class="sign-cross" d="M-5 5L5-5"></path>` : ""}`
    : undefined;
