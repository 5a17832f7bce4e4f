/**
 * The way of a practice game to its first turn, in which there is nothing to choose.
 * @import { Command } from "../core/types.js"
 * @import { View } from "./types.js"
 */
import { isReady } from "../core/moves.js";

/**
 * What comes next on the way to the first turn: a command, a deck that is to be dealt, or nothing but to wait.
 * @param {View} view @param {boolean} kept whether the viewer's device keeps a deck for this game
 * @returns {Command | "deal" | null}
 */
export function next(view, kept) {
  if (view.phase === "roll_call") return { type: "skip_roll_call" };
  if (view.phase !== "lobby" && view.phase !== "setup") return null;
  if (!kept) return "deal";
  if (view.phase === "lobby") return { type: "prepare" };
  if (!isReady(view)) return { type: "ready", ready: true };
  return view.seats.every((seat) => seat.ready) ? { type: "begin", first: "lot" } : null;
}
