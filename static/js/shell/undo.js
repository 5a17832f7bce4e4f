/**
 * Renders the sheet that shows what would be undone (ruling undo). Also renders a player's request
 * to undo their last command, with the players who have yet to agree and the time left (ruling
 * by-agreement).
 */
import { guard, html, nothing } from "../core/lit.js";
import { declineUndo, getSeatName } from "../core/moves.js";
import { t } from "../core/text.js";
import { findEntriesUndoneFrom } from "../core/undone.js";
import { describeEvent } from "../core/wording.js";
import {
  renderPlayerName,
  renderCommandButton,
  renderSentence,
  joinAwaitedNames,
} from "./parts.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { UndoRequest, View } from "../core/types.js" */

/**
 * Renders the sheet with the log entries that would be undone and the button that undoes them.
 * @param {Controller} ctrl
 */
export function renderUndoSheet(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const host = view.you?.undo;
  const from = host ?? view.you?.ask_back;
  if (!from) return html`<p>${t("undo.nothing")}</p>`;
  const lost = findEntriesUndoneFrom(view.log, from).filter((entry) => entry.text);
  return html`<p>${t(host ? "undo.what" : "undo.ask.what")}</p><ol class="log lost">
    ${lost.map((entry) => html`<li class="said">${describeEvent(entry, view, ctrl.variant)}</li>`)}
  </ol>
    ${renderCommandButton(
      ctrl,
      { type: host ? "undo" : "ask_back", version: view.version },
      t(host ? "undo.do" : "undo.ask"),
      { kind: "danger wide", spot: "sheet", last: true },
    )}`;
}

/**
 * Renders a request for an undo below the sentence about the next action. It says who asks, what
 * would be undone, who has yet to agree, and how much time is left.
 * @param {Controller} ctrl
 */
export function renderUndoRequest(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const asked = /** @type {UndoRequest} */ (view.asked);
  return html`<div class="plea" role="status">
    <div class="grow">${renderUndoRequestText(ctrl, view, asked)}<p class="soft">${describeAwaitedPlayers(
      ctrl,
      view,
      asked,
    )}</p></div>
    ${renderTimeBar(ctrl, asked)}
  </div>`;
}

/**
 * Renders a request for an undo in the dock of a viewer who can agree to it, with the buttons yes
 * and no.
 * @param {Controller} ctrl
 */
export function renderUndoAnswer(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const asked = /** @type {UndoRequest} */ (view.asked);
  return html`<div class="plea dock" role="group" aria-label=${t("undo")}>
    ${renderUndoRequestText(ctrl, view, asked)}
    <div class="row">
      ${renderCommandButton(ctrl, { type: "agree", asked: asked.id }, t("asked.yes"), { kind: "main grow" })}
      <button type="button" class="press" data-do="decline"
        @click=${() => {
          declineUndo(asked.id);
          ctrl.draw();
        }}>
        ${t("asked.no")}
      </button>
    </div>
    ${renderTimeBar(ctrl, asked)}
  </div>`;
}

/** @param {Controller} ctrl @param {View} view @param {UndoRequest} asked */
function renderUndoRequestText(ctrl, view, { seat, version }) {
  const [firstUndoneEntry] = findEntriesUndoneFrom(view.log, version ?? Number.POSITIVE_INFINITY);
  const asks =
    seat === ctrl.me
      ? t("asked.me")
      : renderSentence("asked", { who: renderPlayerName(getSeatName(view, seat)) });
  return html`<p role=${view.you?.agree ? "alert" : nothing}>${asks}</p>
    ${
      firstUndoneEntry
        ? html`<p class="what said">${describeEvent(firstUndoneEntry, view, ctrl.variant)}</p>`
        : nothing
    }`;
}

/** @param {Controller} ctrl @param {UndoRequest} asked */
const renderTimeBar = (ctrl, { id, until }) =>
  guard(
    [id],
    () => html`<i class="fuse" .style=${`--left:${Math.max(0, until - ctrl.clock.now())}ms`}></i>`,
  );

/** @param {Controller} ctrl @param {View} view @param {UndoRequest} asked */
function describeAwaitedPlayers(ctrl, view, { waits_for }) {
  const host = /** @type {string} */ (view.host);
  // The host's agreement is enough. So, while it is missing, only the host is named.
  if (waits_for.includes(host))
    return t("asked.waits.host", { who: joinAwaitedNames(ctrl, view, [host]) });
  const count = waits_for.length;
  if (count > 2) return t("asked.waits.many", { count });
  return t("asked.waits", { names: joinAwaitedNames(ctrl, view, waits_for) });
}
