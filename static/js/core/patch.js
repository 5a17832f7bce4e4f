/**
 * What changed, put into the view that it changes. It must not know what a view says.
 * @import { Patch, View } from "./types.js"
 */
const LINES = 50;

/**
 * The view which a patch leads to; null: it was made for another one.
 * @param {View} view
 * @param {Patch} patch
 * @returns {View | null}
 */
export function patched(view, patch) {
  if (view.epoch !== patch.epoch || view.version !== patch.from) return null;
  const { version, now, set, seats, log, you = view.you } = patch;
  const after = { ...view, ...set, version, now, you, log: [...view.log, ...log].slice(-LINES) };
  after.seats = after.seats.map((seat) => seats?.[seat.seat] ?? seat);
  return after;
}
