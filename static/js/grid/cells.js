/**
 * The cells of draw grids: which hold a card, and what a tap on one says. It only reads
 * `you.may`: no rule is decided here.
 * @import { Controller } from "../core/controller.js"
 * @import { Command } from "../core/types.js"
 * @import { Cell, Seat, View } from "./types.js"
 */
import { may, seatOf } from "../core/moves.js";

/** What the panel knows, as a table of draw grids has it. @param {Controller} ctrl */
export const viewOf = (ctrl) => /** @type {View | null} */ (ctrl.view);

/** @param {Cell | null | undefined} one @param {Cell | null | undefined} other */
export const same = (one, other) => !!one && !!other && one[0] === other[0] && one[1] === other[1];

/** All cells that hold a card. @param {Seat | undefined} seat @returns {Cell[]} */
export const filled = (seat) =>
  (seat?.grid ?? []).flatMap((row, r) =>
    row.flatMap((face, c) => (face === null ? [] : [/** @type {Cell} */ ([r, c])])),
  );

/**
 * What a tap on a cell of this grid says, if anything.
 * @param {View} view
 * @param {string | null} as
 * @param {string} owner
 * @param {Cell} cell
 * @returns {Command | undefined}
 */
export function onCell(view, as, owner, cell) {
  const turn = view.turn?.seat;
  return may(view, as).find((one) => {
    if (!same(one.cell, cell) || one.type === "note") return false;
    return one.type === "play" ? one.target === owner : owner === turn;
  });
}

/** What a tap on this cell would say. @param {Controller} ctrl @param {string} owner @param {Cell} cell */
export function at(ctrl, owner, cell) {
  const view = /** @type {View} */ (ctrl.view);
  if (ctrl.kept?.hides) return owner === ctrl.me ? may(view, ctrl.as, "defuse")[0] : undefined;
  const command = onCell(view, ctrl.as, owner, cell);
  if (command?.type !== "play") return command;
  return may(view, ctrl.as, "play").find(
    (one) => one.card === ctrl.aim && one.target === owner && one.cell?.join() === cell.join(),
  );
}

/** A cell of a grid was tapped. @param {Controller} ctrl @param {string} owner @param {Cell} cell */
export function tap(ctrl, owner, cell) {
  const command = at(ctrl, owner, cell);
  if (!command) return;
  if (ctrl.kept?.hides) return ctrl.kept.hides(cell);
  const view = /** @type {View} */ (ctrl.view);
  const up = seatOf(view, owner)?.grid[cell[0]]?.[cell[1]] !== "down";
  ctrl.aim = null;
  ctrl.follow = command.type === "draw" && up ? (next) => seen(ctrl, next) : null;
  ctrl.say(command).then((answer) => {
    if (!answer?.ok) ctrl.follow = null;
  });
}

/** Everybody sees what was drawn face up: it is reported without a question. @param {Controller} ctrl @param {import("../core/types.js").View} view */
function seen(ctrl, view) {
  if (view.turn?.step === "act") return undefined;
  const [report, other] = may(view, ctrl.as, "report");
  return report && !other ? report : null;
}
