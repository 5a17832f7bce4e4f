/**
 * What the host says to the call in a turn at a table with one pile.
 * @import { View } from "./types.js"
 */
import { title } from "../core/deck.js";
import { nameOf } from "../core/moves.js";
import { t } from "../core/text.js";
import { lookAlters } from "./state.js";

/** @param {View} view */
export function call(view) {
  const { turn, played } = view;
  if (!turn) return "";
  const step = turn.step === "look" && lookAlters(view) ? "alter" : turn.step;
  const owes = step === "act" && turn.owed > 1 ? ".owed" : "";
  return t(`call.${step}${owes}`, {
    who: nameOf(view, turn.seat),
    target: nameOf(view, played?.target),
    card: played?.name ? title(played.name) : "",
    count: turn.owed,
  });
}
