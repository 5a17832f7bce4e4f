/**
 * Finds the entries of a log that were undone (ruling undo). An `undone` entry names the first
 * version that it undoes. It undoes that version and all entries up to itself. Entries that were
 * undone stay in the log. All functions also work on a part of a log.
 * @import { Entry } from "./types.js"
 */

/** Types of events that aren't moves of the game. An undo leaves them as they are. */
export const SIDE_EVENTS = [
  "note_made",
  "options_changed",
  "host_changed",
  "emblem_chosen",
  "seat_claimed",
  "seat_lent",
  "seat_returned",
  "deck_reported",
  "auto_pass_set",
  "back_asked",
  "back_agreed",
  "back_lapsed",
];

/** Types of events that can't be undone. */
const PERMANENT = ["undone", ...SIDE_EVENTS];

/**
 * Returns a function that returns true for the undone entries of this log.
 * @param {Entry[]} log
 * @returns {(entry: Entry) => boolean}
 */
export function createUndoneTest(log) {
  const undone = log.filter((entry) => entry.type === "undone");
  return ({ type, version }) =>
    !PERMANENT.includes(type) &&
    undone.some((undo) => undo.facts.version <= version && version < undo.version);
}

/**
 * Returns the entries that an undo from this version on would undo.
 * @param {Entry[]} log
 * @param {number} from
 */
export function findEntriesUndoneFrom(log, from) {
  const isUndone = createUndoneTest(log);
  return log.filter(
    (entry) => entry.version >= from && !PERMANENT.includes(entry.type) && !isUndone(entry),
  );
}

/**
 * Returns the newest entry that an undo would undo: neither already undone nor of a type that can't
 * be undone.
 * @param {Entry[]} log
 */
export function findNewestCommand(log) {
  const isUndone = createUndoneTest(log);
  return log.findLast((entry) => !PERMANENT.includes(entry.type) && !isUndone(entry));
}

/**
 * If the entry is an undo, returns the first of the entries that it has undone: the direct result
 * of a command, from which the other entries followed. Otherwise returns undefined.
 * @param {Entry[]} log
 * @param {Entry} undo
 */
export const findFirstUndone = (log, undo) =>
  undo.type === "undone" ? log.find((entry) => entry.version === undo.facts.version) : undefined;
