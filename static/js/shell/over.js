/** Renders the page of a finished game: the winner, the story, and the button for the next game. */
import { win } from "../../art/scenes.js";
import { getFamily } from "../core/family.js";
import { getNewestGameLog } from "../core/story.js";
import { html } from "../core/lit.js";
import { getSeatName, isAskedToAgree } from "../core/moves.js";
import { resolvePath } from "../core/page.js";
import { t } from "../core/text.js";
import { renderLatecomerNote } from "./dock.js";
import { renderEvening } from "./evening.js";
import { renderLog } from "./lines.js";
import {
  getViewerFacts,
  renderPlayerName,
  renderCommandButton,
  renderSentence,
  renderToast,
  renderTopStrip,
} from "./parts.js";
import { renderStory } from "./story.js";
import { renderUndoAnswer } from "./undo.js";
import { renderNextGamePlayers } from "./door.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { View } from "../core/types.js" */

/** @param {Controller} ctrl */
export function renderOverPage(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  return html`${renderTopStrip(ctrl)}<main class="page over" ?inert=${ctrl.showsStoredView}>
    <section class="winner">
      ${win()}
      <h1>
        ${renderSentence("now.won", {
          who: renderPlayerName(getSeatName(view, view.winner)),
          mine: getViewerFacts(ctrl, { who: view.winner }),
        })}
      </h1>
    </section>
    <div class="panel">
      ${renderStory(ctrl)}${renderToast(ctrl, "story")}<a class="press wide" data-do="replay"
        href=${resolvePath(`/t/${ctrl.table}/replay/${view.game}`)}>
        ${t("story.replay")}
      </a>
    </div>
    ${renderEvening(ctrl)}
    ${getFamily().renderVerdicts?.(ctrl)}
    <details class="panel">
      <summary>${t("log")}</summary>
      ${renderLog(ctrl, ctrl.story ? getNewestGameLog(ctrl.story) : undefined)}
    </details>
    ${renderNextGamePlayers(ctrl)}
    ${renderToast(ctrl, "now")}
    <div class="foot">${getFamily().renderLesson?.(ctrl)}${renderNextGameButton(ctrl, view)}</div>
  </main>`;
}

/**
 * Renders the button for the next game, which the host starts and the others join. If the viewer is
 * asked to agree to an undo, renders that question instead.
 * @param {Controller} ctrl
 * @param {View} view
 */
function renderNextGameButton(ctrl, view) {
  if (isAskedToAgree(ctrl)) return renderUndoAnswer(ctrl);
  if (ctrl.nextGameView)
    return html`<button type="button" class="press main wide" data-do="go-on"
      @click=${() => ctrl.showNextGame?.()}>
      ${t("rematch.go")}
    </button>`;
  if (view.you?.host)
    return renderCommandButton(ctrl, { type: "rematch" }, t("rematch"), { kind: "main wide" });
  return view.you
    ? html`<p class="quiet">${t("rematch.wait", { name: getSeatName(view, view.host) })}</p>`
    : html`<div class="row">${renderLatecomerNote(ctrl)}</div>`;
}
