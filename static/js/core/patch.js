/**
 * Applies patches: the changes that the server sends in place of a whole view. This module knows
 * nothing of the game.
 *
 * A patch names the version that it starts `from`, and replaces only what differs:
 *
 *     set    {phase: "over"}             top-level fields, whole
 *     seats  {ana: {seat: "ana", …}}     seats, whole
 *     keys   {options: {signs: false},   single keys of a top-level field,
 *             seats: {ben: {hand: 3}}}   or of a seat
 *     log    [entry]                     new entries; the oldest of the view are dropped
 *
 * Everything else keeps the objects of the old view, so what hasn't changed needn't be
 * drawn again.
 * @import { Patch, View } from "./types.js"
 */
import { getOwnValue } from "./value.js";

/** Number of log entries in a view. */
const LOG_ENTRIES = 50;

/**
 * Returns the view that results from a patch, or null if the patch starts from another version.
 * @param {View} view
 * @param {Patch} patch
 * @returns {View | null}
 */
export function applyPatch(view, patch) {
  if (view.epoch !== patch.epoch || view.version !== patch.from) return null;
  const { version, now, set, seats, log, you = view.you, keys } = patch;
  const { seats: seatKeys, ...fieldKeys } = keys ?? {};
  const after = {
    ...view,
    ...set,
    version,
    now,
    you,
    log: [...view.log, ...log].slice(-LOG_ENTRIES),
  };
  for (const [field, changes] of Object.entries(fieldKeys))
    Object.assign(after, { [field]: { .../** @type {any} */ (view)[field], ...changes } });
  after.seats = after.seats.map((seat) => {
    const changes = getOwnValue(seatKeys, seat.seat);
    return getOwnValue(seats, seat.seat) ?? (changes ? { ...seat, ...changes } : seat);
  });
  return after;
}

/**
 * Returns true if the newest entry that was shown isn't in the log any more, because the server's
 * database has lost it.
 * @param {View} before
 * @param {View} view
 */
export function hasLostEvents(before, view) {
  const last = before.log.at(-1);
  const isLast = (/** @type {{version: number, at: number}} */ entry) =>
    entry.version === last?.version && entry.at === last.at;
  return !!last && before.epoch !== view.epoch && !view.log.some(isLast);
}
