/**
 * Renders the stage of a draw grid: the grid of the current turn, the targets of a Favor, or the open
 * window.
 */
import { html, nothing } from "../core/lit.js";
import { findAllowedCommands, findSeat } from "../core/moves.js";
import { t } from "../core/text.js";
import { renderGrid, getLens } from "./grid.js";
import { isInstruction } from "./state.js";
import {
  art,
  renderEmblem,
  renderPlayerName,
  renderRoundButton,
  renderSentence,
} from "../shell/parts.js";
import { renderWindow } from "../shell/windowed.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Seat, View } from "./types.js" */

/** @param {Controller} ctrl */
export function renderStage(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  if (view.window) return renderWindow(ctrl, renderToldGrid(ctrl, view));
  if (ctrl.aimedCard) return renderTargets(ctrl);
  if (view.roll_call) return html`<div class="stage roll" aria-hidden="true">${art("mark")}</div>`;
  if (view.turn?.step === "kitten") return renderKittenStage(ctrl);
  const seat = findSeat(view, getFocusedSeat(view));
  return seat
    ? html`<div class="stage">${renderFrame(ctrl, seat)}</div>`
    : html`<div class="stage"></div>`;
}

/**
 * Renders the grid with the card that its player was told to draw, while this instruction can be
 * Noped. Returns undefined if a card was played instead.
 * @param {Controller} ctrl
 * @param {View} view
 */
function renderToldGrid(ctrl, view) {
  const seat = isInstruction(view.played?.card) && findSeat(view, view.turn?.seat);
  return seat ? renderGrid(ctrl, seat, { size: "middle", idle: true }) : undefined;
}

/** Returns the seat whose grid is shown large. @param {View} view */
const getFocusedSeat = (view) =>
  view.turn?.step === "reveal" ? view.played?.target : view.turn?.seat;

/**
 * Renders a large grid with its owner's name, and its lens (how the viewer sees it on camera).
 * @param {Controller} ctrl
 * @param {Seat} seat
 * @param {boolean} [back] true to add a button that leads back to the choice of grids
 */
function renderFrame(ctrl, seat, back = false) {
  const lens = getLens(ctrl, seat.seat);
  const mine = seat.seat === ctrl.me;
  const lensText = t(mine && lens === "own" ? "lens.own.mine" : `lens.${lens}`);
  const ownerText = mine
    ? t("grid.yours")
    : renderSentence("grid.theirs", { name: renderPlayerName(seat.name) });
  return html`<div class="frame">
    <div class="frame-head">
      ${
        back
          ? renderRoundButton("undo", t("aim.back"), () => ctrl.set({ chosenTarget: null }), "bare")
          : nothing
      }
      ${renderEmblem(ctrl, seat.seat)}
      <span class="lines">${ownerText}</span><span class="soft clip">${lensText}</span>
      ${renderRoundButton("turn", t("lens.turn"), () => switchLens(ctrl, seat.seat, lens), "bare")}
    </div>
    <div class="felt lens-${lens}">${renderGrid(ctrl, seat, { size: "large" })}</div>
  </div>`;
}

const LENSES = ["own", "across", "mirror", "flipped"];

/** Switches a grid to the next lens. @param {Controller} ctrl @param {string} seat @param {string} lens */
function switchLens(ctrl, seat, lens) {
  const next = LENSES[(LENSES.indexOf(lens) + 1) % LENSES.length];
  ctrl.prefer("lens", { ...ctrl.prefs.lens, [`${ctrl.table}.${seat}`]: next });
}

/**
 * Number of letters of a name that fit above each grid on the narrowest screen, by the number of
 * grids side by side.
 */
const LETTERS = { one: 20, some: 12, many: 6 };

/**
 * Renders all grids that the selected card can target. One tap selects a cell; if there are many
 * grids, it takes two taps.
 * @param {Controller} ctrl
 */
function renderTargets(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const targetSeats = new Set(findAllowedCommands(view, ctrl.as, "play").map((one) => one.target));
  const seats = view.seats.filter((seat) => targetSeats.has(seat.seat));
  const chosenSeat = seats.find((seat) => seat.seat === ctrl.chosenTarget);
  if (chosenSeat) return html`<div class="stage">${renderFrame(ctrl, chosenSeat, true)}</div>`;
  const amount = seats.length > 4 ? "many" : seats.length > 1 ? "some" : "one";
  const long = seats.some(({ name }) => name.length > LETTERS[amount]) ? "long" : "";
  return html`<div class="stage"><div class="targets ${amount} ${long}" data-count=${seats.length}>
    ${seats.map((seat) => (amount === "many" ? renderTargetButton : renderTarget)(ctrl, seat))}
  </div></div>`;
}

/** @param {Controller} ctrl @param {Seat} seat */
const renderTarget = (ctrl, seat) =>
  html`<div class="target">
    ${renderTargetHeading(ctrl, seat)}${renderGrid(ctrl, seat, { size: "middle" })}
  </div>`;

/**
 * Renders a grid as one button, used where cells would be too small for a thumb.
 * @param {Controller} ctrl
 * @param {Seat} seat
 */
const renderTargetButton = (
  ctrl,
  seat,
) => html`<button type="button" class="target" data-whom=${seat.seat} aria-label=${seat.name}
  @click=${() => ctrl.set({ chosenTarget: seat.seat })}>
  ${renderTargetHeading(ctrl, seat)}${renderGrid(ctrl, seat, { size: "middle", idle: true })}
</button>`;

/** @param {Controller} ctrl @param {Seat} seat */
const renderTargetHeading = (ctrl, seat) =>
  html`<span class="target-name">
    ${renderEmblem(ctrl, seat.seat)}
    <span class="lines">${renderPlayerName(seat.name)}${renderLensNote(ctrl, seat)}</span>
  </span>`;

/**
 * Renders the name of a grid's lens, unless the viewer sees the grid in the same way as its owner.
 * @param {Controller} ctrl
 * @param {Seat} seat
 */
function renderLensNote(ctrl, seat) {
  const lens = getLens(ctrl, seat.seat);
  return lens === "own" ? nothing : html` <span class="soft">${t(`lens.${lens}`)}</span>`;
}

/** Renders the stage while a drawn Kitten has to be defused. @param {Controller} ctrl */
function renderKittenStage(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const seat = findSeat(view, view.turn?.seat);
  if (ctrl.draft && seat) return html`<div class="stage">${renderFrame(ctrl, seat)}</div>`;
  return html`<div class="stage kitten-stage" aria-hidden="true">
    <span class="blast">${art("kitten")}</span>
    ${nothing}
  </div>`;
}
