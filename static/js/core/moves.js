/**
 * Queries on the commands that the server allows (`you.may`) and on a view's seats. Also has the
 * parts of the now-line (the sentence about the next action) that all families use. No rule of the
 * game is decided here.
 * @import { Command, Mood, Now, View } from "./types.js"
 */
import { getFamily } from "./family.js";

/**
 * Commands that react to a Nope window. Any player may send them, even if the game waits for
 * somebody else.
 */
const WINDOW_COMMANDS = ["nope", "pass", "hold", "release"];

/**
 * @template {View} V
 * @param {V} view
 * @param {string | null | undefined} seat
 * @returns {V["seats"][number] | undefined}
 */
export const findSeat = (view, seat) => view.seats.find((one) => one.seat === seat);

/** @param {View} view @param {string | null | undefined} seat */
export const getSeatName = (view, seat) => findSeat(view, seat)?.name ?? "";

/** The emblems that a seat can have, with their names on the wire. */
export const EMBLEMS = [
  "paw",
  "fish",
  "moon",
  "star",
  "heart",
  "bell",
  "bolt",
  "leaf",
  "drop",
  "cloud",
  "cat",
  "tomcat",
];

/**
 * Returns the index of a seat's emblem. In a view without emblems, which an earlier version stored
 * on this device, the index follows from the seat's number.
 * @param {View} view
 * @param {string | null | undefined} seat
 */
export function getEmblemIndex(view, seat) {
  const index = EMBLEMS.indexOf(findSeat(view, seat)?.emblem ?? "");
  return index < 0 ? (Number(/\d+/.exec(seat ?? "")?.[0] ?? 1) - 1) % EMBLEMS.length : index;
}

/** Returns true if the viewer has laid out their cards. @param {View} view */
export const isViewerReady = (view) => !!findSeat(view, view.you?.seat)?.ready;

/**
 * Returns the living seats before (`by`) and after (`who`) a seat that has gone out, in the order of
 * play. These two seats are neighbours now (ruling chain-closes-up).
 * @param {View} view
 * @param {string} outSeat
 */
export function findNeighbours(view, outSeat) {
  const index = view.seats.findIndex((seat) => seat.seat === outSeat);
  const others = [...view.seats.slice(index + 1), ...view.seats.slice(0, index)];
  const living = others.filter((seat) => seat.alive);
  if (view.direction === "counterclockwise") living.reverse();
  return { by: living.at(-1)?.seat, who: living[0]?.seat };
}

/** Returns the seat that has to act now, or null while a window is open. @param {View} view */
export const getSeatToAct = (view) => getFamily().getSeatToAct(view);

/**
 * Returns the seat that has to act now if this panel can act for it, else null. A panel can act for
 * the viewer's own seat; the host's panel also for seats without a panel, and for the seat that the
 * host picked.
 * @param {View} view
 * @param {string | null} picked
 */
export function getActingSeat(view, picked) {
  const seat = getSeatToAct(view);
  if (!seat || !view.you || !canActFor(view, seat)) return null;
  if (seat === view.you.seat || seat === picked || !findSeat(view, seat)?.panel) return seat;
  return null;
}

/**
 * Returns true if the viewer may send a command for this seat. Commands that react to a Nope window
 * don't count.
 * @param {View} view
 * @param {string} seat
 */
export const canActFor = (view, seat) =>
  !!view.you?.may.some((command) => command.as === seat && !WINDOW_COMMANDS.includes(command.type));

/**
 * Returns the commands that are allowed for a seat now: those of the given type, or all of them.
 * @param {View} view
 * @param {string | null} as
 * @param {string} [type]
 * @returns {Command[]}
 */
export const findAllowedCommands = (view, as, type) =>
  (view.you?.may ?? []).filter((command) => command.as === as && (!type || command.type === type));

/**
 * Returns true if the seat has to explode because it may not play a Defuse.
 * @param {View} view
 * @param {string | null} as
 */
export const mustExplode = (view, as) =>
  findAllowedCommands(view, as, "explode").length > 0 &&
  !findAllowedCommands(view, as, "defuse").length;

/** Returns the cards that can be played now, without duplicates, in the order of `you.may`. */
export function getPlayableCards(/** @type {View} */ view, /** @type {string | null} */ as) {
  return [...new Set(findAllowedCommands(view, as, "play").map((command) => command.card))];
}

/**
 * Returns a string that identifies a command while it is pending. It consists of the command's
 * type, its seat, and the fields that distinguish it from similar commands. A command that changes
 * options is identified by those options.
 * @param {Command} command
 */
export const getCommandTag = (command) =>
  command.type === "options"
    ? Object.keys(command).join(" ")
    : ["type", "as", "card", "target", "seat", "outcome", ...getFamily().commandKeys]
        .map((key) => command[key])
        .filter((value) => value !== undefined)
        .join(" ");

/** Returns the sentence that names the winner. @param {View} view @returns {Now} */
export const composeWinnerSentence = (view) => ({
  ...composeIdleSentence(view),
  key: "now.won",
  mood: "joy",
  who: view.winner,
});

/**
 * Returns the sentence that is shown if no player has to act. It depends only on the phase.
 * @param {View} view
 * @returns {Now}
 */
export const composeIdleSentence = (view) => ({
  key: `now.${view.phase}`,
  hint: null,
  mood: "wait",
  who: null,
  by: null,
});

/**
 * Returns the sentence for an open Nope window. It is about the played card, or about the last Nope
 * on it.
 * @param {View} view
 * @param {{card?: string, hint?: string | null}} play the card, and the key of a hint for one with
 *   a target
 * @returns {Now}
 */
export function composeWindowSentence(view, { card, hint = null }) {
  const played = view.played;
  const noper = played?.nopes.at(-1) ?? null;
  const me = view.you?.seat;
  const by = played?.by ?? null;
  const key = noper
    ? `now.nope.${played?.counts ? "yup" : "no"}`
    : `now.played${played?.target ? ".target" : ""}`;
  const canPass =
    !!me && !!view.you?.may.some((command) => command.type === "pass" && command.as === me);
  return {
    key,
    hint: played?.target && !noper ? hint : null,
    mood: canPass ? "you" : "wait",
    who: noper ?? by,
    by,
    card,
    target: played?.target,
  };
}

/**
 * Returns the viewer's role in a sentence: "me" if the viewer has to act, "for" if another player
 * has to act and the viewer can act for that player, else "other".
 * @param {View} view
 * @param {string | null} actor the seat that has to act
 * @param {string | null} as the seat that this panel can act for
 * @returns {"me" | "for" | "other"}
 */
export const getViewerRole = (view, actor, as) =>
  actor === view.you?.seat ? "me" : as && as === actor ? "for" : "other";

/** @param {string} side @returns {Mood} */
export const getMood = (side) => (side === "me" ? "you" : side === "for" ? "for" : "wait");

/** Id of the request for an undo that the viewer has declined. */
let declined = 0;

/**
 * Hides a request for an undo on this device. The server isn't notified.
 * @param {number} request its id
 */
export const declineUndo = (request) => {
  declined = request;
};

/**
 * Returns true if the viewer may agree to the request for an undo and hasn't declined it.
 * @param {{view: View | null}} panel
 */
export const isAskedToAgree = ({ view }) => !!view?.you?.agree && declined !== view.you.agree;
