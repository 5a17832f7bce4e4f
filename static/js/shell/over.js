/** Draws the page of a finished game: the winner, the story, and the way to the next game. */
import { win } from "../../art/scenes.js";
import { family } from "../core/family.js";
import { lastGame } from "../core/story.js";
import { html } from "../core/lit.js";
import { nameOf, isAskedToAgree } from "../core/moves.js";
import { at } from "../core/page.js";
import { t } from "../core/text.js";
import { latecomerNote } from "./dock.js";
import { evening } from "./evening.js";
import { lines } from "./lines.js";
import { viewerFacts, playerName, commandButton, sentence, toast, topStrip } from "./parts.js";
import { story } from "./story.js";
import { plea } from "./undo.js";
import { waiters } from "./door.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { View } from "../core/types.js" */

/** @param {Controller} ctrl */
export function over(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  return html`${topStrip(ctrl)}<main class="page over" ?inert=${ctrl.remembers}>
    <section class="winner">
      ${win()}
      <h1>
        ${sentence("now.won", {
          who: playerName(nameOf(view, view.winner)),
          mine: viewerFacts(ctrl, { who: view.winner }),
        })}
      </h1>
    </section>
    <div class="panel">
      ${story(ctrl)}${toast(ctrl, "story")}<a class="press wide" data-do="replay"
        href=${at(`/t/${ctrl.table}/replay/${view.game}`)}>
        ${t("story.replay")}
      </a>
    </div>
    ${evening(ctrl)}
    ${family().verdicts?.(ctrl)}
    <details class="panel">
      <summary>${t("log")}</summary>
      ${lines(ctrl, ctrl.story ? lastGame(ctrl.story) : undefined)}
    </details>
    ${waiters(ctrl)}
    ${toast(ctrl, "now")}
    <div class="foot">${family().lesson?.(ctrl)}${onward(ctrl, view)}</div>
  </main>`;
}

/**
 * Draws the way to the next game: the host begins it, and every other player goes there with a button.
 * @param {Controller} ctrl
 * @param {View} view
 */
function onward(ctrl, view) {
  if (isAskedToAgree(ctrl)) return plea(ctrl);
  if (ctrl.next)
    return html`<button type="button" class="press main wide" data-do="go-on"
      @click=${() => ctrl.goOn?.()}>
      ${t("rematch.go")}
    </button>`;
  if (view.you?.host)
    return commandButton(ctrl, { type: "rematch" }, t("rematch"), { kind: "main wide" });
  return view.you
    ? html`<p class="quiet">${t("rematch.wait", { name: nameOf(view, view.host) })}</p>`
    : html`<div class="row">${latecomerNote(ctrl)}</div>`;
}
