/**
 * What the host says to the call in a turn of the draw grid, and in its roll call.
 * @import { View } from "./types.js"
 */
import { nameOf, seatOf } from "../core/moves.js";
import { t } from "../core/text.js";
import { asked } from "./now.js";
import { spoken } from "./place.js";

/** @param {View} view */
export function call(view) {
  if (view.roll_call) return t("call.roll", { who: nameOf(view, asked(view)) });
  const turn = view.turn;
  if (!turn) return "";
  const seat = turn.step === "reveal" ? seatOf(view, view.played?.target) : seatOf(view, turn.seat);
  const cell = turn.step === "reveal" ? view.played?.cell : turn.told;
  const place = seat && cell ? spoken(seat.grid, cell) : "";
  return t(`call.${turn.step}`, { who: seat?.name, by: nameOf(view, turn.instructor), place });
}
