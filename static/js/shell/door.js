/**
 * Renders pages and sheets about taking a seat and moving it between devices: the page of a table
 * without spectators, the sheet of players for the next game, the question before a link moves a
 * seat to this device, and the page after a seat has moved to another device.
 */
import { html, nothing } from "../core/lit.js";
import { deleteStoredSeat } from "../core/memory.js";
import { getSeatName } from "../core/moves.js";
import { resolvePath } from "../core/page.js";
import { getSentencePieces, t } from "../core/text.js";
import { renderJoinForm } from "./join.js";
import { art, renderPlayerName, renderCommandButton, renderTopStrip } from "./parts.js";

/** @import { Controller } from "../core/controller.js" */

/**
 * Renders the page that visitors see at a table without spectators. It has a form to take a seat,
 * or gives the reason why they can't.
 * @param {Controller} ctrl
 * @param {(name: string) => void} join
 */
export function renderDoorPage(ctrl, join) {
  const state = ctrl.closeReason?.facts?.door;
  return html`${renderTopStrip(ctrl)}<main class="page door">
    ${art("mark")}
    <h1>${t(`door.${state}`)}</h1>
    ${state === "open" ? html`<p>${t("door.what")}</p>` : nothing}
    ${
      state === "open"
        ? renderJoinForm(ctrl, join)
        : state === "next"
          ? renderJoinForm(ctrl, join, t("wait.ask"))
          : html`<a class="press main" data-do="home" href=${resolvePath("/")}>${t("home")}</a>`
    }
  </main>`;
}

/**
 * Renders the sheet about the next game. Spectators can ask for a seat in it, or give up that seat.
 * The host can remove other players from it.
 * @param {Controller} ctrl
 */
export function renderNextGameSheet(ctrl) {
  if (ctrl.me)
    return ctrl.view?.waiting?.length
      ? renderNextGamePlayers(ctrl)
      : html`<p>${t("wait.nobody")}</p>`;
  if (!ctrl.waitingSeat)
    return html`<p>${t("wait.what")}</p>${renderJoinForm(ctrl, (name) => ctrl.join?.(name), t("wait.ask"))}`;
  return html`<p>${t("wait.have")}</p>${renderNextGamePlayers(ctrl)}
    <button type="button" class="press" data-do="give-up" @click=${() => leaveNextGame(ctrl)}>
      ${t("wait.give-up")}
    </button>`;
}

/**
 * Renders the list of players who wait for the next game. Beside each name, the host sees a button
 * that removes the player.
 * @param {Controller} ctrl
 */
export function renderNextGamePlayers(ctrl) {
  const waiting = ctrl.view?.waiting ?? [];
  if (!waiting.length) return nothing;
  return html`<section class="panel" aria-label=${t("wait.who")}>
    <h2>${t("wait.who")}</h2>
    <ol class="seats">
      ${waiting.map(
        (player) => html`<li data-seat=${player.seat}>
          <span class="grow clip">${renderPlayerName(player.name)}</span>
          ${
            ctrl.view?.you?.host
              ? renderCommandButton(
                  ctrl,
                  { type: "remove_seat", seat: player.seat },
                  t("wait.away"),
                  {
                    kind: "small",
                    id: "send-away",
                  },
                )
              : nothing
          }
        </li>`,
      )}
    </ol>
  </section>`;
}

/** Gives up the viewer's seat in the next game. @param {Controller} ctrl */
async function leaveNextGame(ctrl) {
  const answer = await ctrl.send({ type: "leave" }, "sheet");
  if (!answer?.ok) return;
  deleteStoredSeat(ctrl.table);
  ctrl.finishSheet();
}

/**
 * Renders the page that asks whether a seat is the viewer's. It is needed because only a cookie
 * names the seat, and somebody else may have set that cookie on this device.
 * @param {Controller} ctrl
 */
export function renderSeatQuestion(ctrl) {
  const { unconfirmedView: found } = ctrl;
  const name = found?.you ? getSeatName(found, found.you.seat) : "";
  return html`${renderTopStrip(ctrl)}<main class="page door">
    ${art("mark")}
    <h1>${getSentencePieces("whose", { name: renderPlayerName(name) })}</h1>
    <p>${t("whose.what")}</p>
    <button type="button" class="press main wide" data-do="mine" @click=${() => ctrl.confirmSeat?.(true)}>
      ${getSentencePieces("whose.mine", { name: renderPlayerName(name) })}
    </button>
    <button type="button" class="press wide" data-do="not-mine" @click=${() => ctrl.confirmSeat?.(false)}>
      ${t("whose.other")}
    </button>
  </main>`;
}

/**
 * Renders the page that is shown after the seat has moved to another device. It has a button to go
 * on as a spectator. If the link didn't move the seat's deck, the page says that the deck is
 * still on this device.
 * @param {Controller} ctrl
 */
export function renderSeatMovedPage(ctrl) {
  const watchAsSpectator = () => {
    deleteStoredSeat(ctrl.table);
    ctrl.wire?.reconnect();
  };
  return html`<main class="page notice" data-elsewhere=${ctrl.supersededBy}>
    ${art("mark")}
    <h1>${t("elsewhere")}</h1>
    ${ctrl.supersededBy === "deck" ? html`<p role="status">${t("elsewhere.deck")}</p>` : nothing}
    <button type="button" class="press main" data-do="watch" @click=${watchAsSpectator}>
      ${t("elsewhere.watch")}
    </button>
  </main>`;
}

/**
 * Renders the page that is shown while the viewer's small window has the seat, with a button that
 * closes that window.
 * @param {Controller} ctrl
 */
export const renderSmallWindowNotice = (ctrl) =>
  html`<main class="page notice" data-popped>
    ${art("mark")}
    <h1>${t("popped.window")}</h1>
    <button type="button" class="press main" @click=${() => {
      ctrl.popup?.close();
      ctrl.wire?.reconnect();
    }}>
      ${t("popped.back")}
    </button>
  </main>`;

/**
 * Warns a spectator that the deck of their former seat is still on this device.
 * @param {Controller} ctrl
 */
export const warnOfDeckLeftHere = (ctrl) =>
  ctrl.showProblem({ code: "deck", text: `${t("elsewhere")} ${t("elsewhere.deck")}` }, "now");

/**
 * Renders the question that is asked before a link moves a seat to this device, if this device
 * already has a seat at the table.
 * @param {Controller} ctrl
 */
export function renderMoveQuestion(ctrl) {
  const { takeLinkedSeat: take } = ctrl;
  const answerQuestion = (/** @type {(() => void) | null} */ next) => {
    ctrl.set({ takeLinkedSeat: null });
    next?.();
  };
  return html`<div class="sure asking" role="group" aria-label=${t("claim.ask")}>
    <p role="alert">${t("claim.ask")}</p>
    <button type="button" class="press danger" data-do="take" @click=${() => answerQuestion(take)}>
      ${t("claim.take")}
    </button>
    <button type="button" class="press small" data-back @click=${() => answerQuestion(null)}>
      ${t("claim.keep")}
    </button>
  </div>`;
}
