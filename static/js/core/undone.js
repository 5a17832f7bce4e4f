/**
 * What was taken back (ruling undo). An `undone` entry says from which version on; it reaches
 * up to itself. Pure: nothing in the log changes, so that a log that comes in parts can be read.
 * @import { Entry } from "./types.js"
 */

/** What happens beside a game: nobody is answered by it. */
export const SIDE_EVENTS = [
  "note_made",
  "options_changed",
  "host_changed",
  "seat_claimed",
  "seat_lent",
  "seat_returned",
  "deck_reported",
  "back_asked",
  "back_agreed",
  "back_lapsed",
];

/** What an undo doesn't reach: that, and what was taken back before. */
const STANDS = ["undone", ...SIDE_EVENTS];

/** @param {Entry[]} log @returns {(entry: Entry) => boolean} whether an entry of this log was taken back */
export function undoneTest(log) {
  const undone = log.filter((entry) => entry.type === "undone");
  return ({ type, version }) =>
    !STANDS.includes(type) &&
    undone.some((undo) => undo.facts.version <= version && version < undo.version);
}

/** What an undo from this version on would take back. @param {Entry[]} log @param {number} from */
export function entriesUndoneFrom(log, from) {
  const gone = undoneTest(log);
  return log.filter(
    (entry) => entry.version >= from && !STANDS.includes(entry.type) && !gone(entry),
  );
}

/** The last thing said in the game that stands. @param {Entry[]} log */
export function newestCommand(log) {
  const gone = undoneTest(log);
  return log.findLast((entry) => !STANDS.includes(entry.type) && !gone(entry));
}

/** What an undo took back first: what somebody had said. @param {Entry[]} log @param {Entry} undo */
export const firstUndone = (log, undo) =>
  undo.type === "undone" ? log.find((entry) => entry.version === undo.facts.version) : undefined;
