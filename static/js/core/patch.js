/**
 * What changed, put into the view that it changes. It must not know what a view says.
 * @import { Patch, View } from "./types.js"
 */
import { valueAt } from "./value.js";

const LINES = 50;

/**
 * The view which a patch leads to; null: it was made for another one.
 * @param {View} view
 * @param {Patch} patch
 * @returns {View | null}
 */
export function applyPatch(view, patch) {
  if (view.epoch !== patch.epoch || view.version !== patch.from) return null;
  const { version, now, set, seats, log, you = view.you, keys } = patch;
  const { seats: inside, ...parts } = keys ?? {};
  const after = { ...view, ...set, version, now, you, log: [...view.log, ...log].slice(-LINES) };
  for (const [part, changed] of Object.entries(parts))
    Object.assign(after, { [part]: { .../** @type {any} */ (view)[part], ...changed } });
  after.seats = after.seats.map((seat) => {
    const changed = valueAt(inside, seat.seat);
    return valueAt(seats, seat.seat) ?? (changed ? { ...seat, ...changed } : seat);
  });
  return after;
}

/**
 * Whether the table's log has no more what was shown last: the server's database has lost it.
 * @param {View} before
 * @param {View} view
 */
export function hasLostEvents(before, view) {
  const last = before.log.at(-1);
  const stays = (/** @type {{version: number, at: number}} */ one) =>
    one.version === last?.version && one.at === last.at;
  return !!last && before.epoch !== view.epoch && !view.log.some(stays);
}
