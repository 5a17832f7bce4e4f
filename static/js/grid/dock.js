/**
 * The dock of a draw grid, with the buttons for the current step. Also renders what a draw grid
 * adds to the now-line, the sentence about the next action.
 */
import { findCardWithEffect, getHueClass } from "../core/deck.js";
import { html, nothing } from "../core/lit.js";
import { getSeatToAct, findAllowedCommands, findSeat, getCommandTag } from "../core/moves.js";
import { t } from "../core/text.js";
import { getOwnValue } from "../core/value.js";
import {
  renderCardCaption,
  renderHandDock,
  renderExplodeButton,
  renderOutcomesDock,
  renderWaitingDock,
  renderSpectatorDock,
} from "../shell/dock.js";
import {
  renderCardBadge,
  getLongClass,
  renderPlayerName,
  renderCommandButton,
} from "../shell/parts.js";
import { renderWindowDock } from "../shell/windowed.js";
import { getOccupiedCells, getView } from "./state.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { View } from "./types.js" */

/** @param {Controller} ctrl */
export function renderDock(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  if (view.window) return renderWindowDock(ctrl);
  if (!ctrl.me) return renderSpectatorDock(ctrl);
  if (view.roll_call) return renderRollCall(ctrl);
  const step = view.turn?.step;
  if (!ctrl.as) return renderWaitingDock(ctrl);
  if (step === "act") return renderHandDock(ctrl);
  if (step === "shuffle") return renderDoneButtons(ctrl, "shuffled", "dock.shuffled");
  if (step === "reveal") return renderTitles(ctrl);
  if (step === "report") return renderOutcomesDock(ctrl);
  if (step === "kitten") return renderKittenChoice(ctrl);
  return html`<div class="dock"><p class="quiet">${t("dock.tap")}</p></div>`;
}

/**
 * Renders the button "done". If the grid has an empty cell, also renders a button with which a
 * player can enter that the cards were put into other cells.
 * @param {Controller} ctrl
 * @param {string} type
 * @param {string} label
 * @param {string} [kind]
 */
function renderDoneButtons(ctrl, type, label, kind = "main") {
  const view = /** @type {View} */ (ctrl.view);
  const [command] = findAllowedCommands(view, ctrl.as, type);
  if (!command) return renderWaitingDock(ctrl);
  const chosenCells = ctrl.draft;
  const seat = findSeat(view, String(command.as));
  const count = getOccupiedCells(seat).length;
  const ready = !chosenCells || chosenCells.length === count;
  const room = seat?.grid.flat().includes(null);
  return html`<div class="dock two ${room ? "" : "alone"}">
    ${
      ready
        ? renderCommandButton(
            ctrl,
            chosenCells ? { ...command, cells: chosenCells } : command,
            t(label),
            {
              kind,
            },
          )
        : html`<p class="quiet">${t("dock.lay", { count: count - chosenCells.length })}</p>`
    }
    ${
      room
        ? html`<button type="button" class="press small" data-say="elsewhere"
          aria-pressed=${String(!!chosenCells)}
          @click=${() => ctrl.set({ draft: chosenCells ? null : getOccupiedCells(seat) })}>
          ${t(chosenCells ? "dock.same-cells" : "dock.elsewhere")}
        </button>`
        : nothing
    }
  </div>`;
}

/**
 * Renders the titles from which a player selects the card that a Favor has revealed.
 * @param {Controller} ctrl
 */
function renderTitles(ctrl) {
  const reveals = findAllowedCommands(/** @type {View} */ (ctrl.view), ctrl.as, "reveal");
  return html`<div class="dock hand" role="group" aria-label=${t("dock.reveal")}
    data-count=${reveals.length}>
    ${reveals.map(
      (one) => html`<button type="button"
        class="press play ${getHueClass(one.card)} ${ctrl.pending.has(getCommandTag(one)) ? "pending" : ""}"
        data-reveal=${one.card} @click=${() => ctrl.send(one)}>
        <span class="face">${renderCardBadge(one.card)}</span>
        ${renderCardCaption(one.card)}
      </button>`,
    )}
  </div>`;
}

/** Renders the buttons Defuse and Explode. @param {Controller} ctrl */
function renderKittenChoice(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const [defuse] = findAllowedCommands(view, ctrl.as, "defuse");
  const [explode] = findAllowedCommands(view, ctrl.as, "explode");
  const chance =
    getOwnValue(findSeat(view, explode?.as)?.odds?.holds, findCardWithEffect("defuse")) ?? 0;
  return html`<div class="fate">
    ${defuse ? renderDoneButtons(ctrl, "defuse", "dock.defuse", "good") : nothing}
    ${explode ? html`<div class="dock">${renderExplodeButton(ctrl, explode, chance)}</div>` : nothing}
  </div>`;
}

/**
 * Renders the roll call, in which players name the next player. Every other player's name is a
 * button, so that the buttons don't give the answer away.
 * @param {Controller} ctrl
 */
function renderRollCall(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const caller = getSeatToAct(view);
  const [command] = findAllowedCommands(view, ctrl.as, "call_next");
  const skip = view.you?.host
    ? renderCommandButton(ctrl, { type: "skip_roll_call" }, t("roll.skip"), {
        kind: "plain small skip",
      })
    : nothing;
  if (!command) return html`<div class="dock"><p class="quiet">${t("roll.wait")}</p>${skip}</div>`;
  const others = view.seats.filter((seat) => seat.alive && seat.seat !== caller);
  return html`<div class="dock names">${others.map((seat) =>
    renderCommandButton(
      ctrl,
      { type: "call_next", as: command.as, next: seat.seat },
      renderPlayerName(seat.name),
      {
        kind: getLongClass(seat.name, 9),
        id: `call-${seat.seat}`,
      },
    ),
  )}${skip}</div>`;
}

/**
 * Renders a badge in the now-line, with the number of turns that the turn player owes after this one.
 * On the last of several owed turns, the badge says that this turn was owed.
 * @param {Controller} ctrl
 */
export function renderOwedBadge(ctrl) {
  const turn = getView(ctrl)?.turn;
  const count = (turn?.owed ?? 1) - 1;
  if (!turn || ctrl.aimedCard || !(count || turn.again)) return nothing;
  return html`<span class="badge owes" data-owed=${count}>
    ${renderCardBadge(findCardWithEffect("attack"))}${count ? t("now.more", { count }) : t("now.again")}
  </span>`;
}

/**
 * Renders a hint and a button in the now-line after the viewer has looked at one of their real
 * cards. The hint says where to put the card. With the button, the viewer can note the card.
 * @param {Controller} ctrl
 */
export function renderNoteButton(ctrl) {
  const view = getView(ctrl);
  const last = view?.log.at(-1);
  if (last?.type !== "looked" || last.seat !== ctrl.me || ctrl.aimedCard) return nothing;
  if (view?.you?.notes.some((note) => String(note.cell) === String(last.facts.cell)))
    return nothing;
  return html`<p class="hint put-back">${t("notes.back")}</p>
    <button type="button" class="press small" data-do="note"
    @click=${() =>
      ctrl.set({ sheet: { kind: "seat", seat: String(ctrl.me) }, noteSpot: last.facts.cell })}>
    ${t("notes.do")}
  </button>`;
}
