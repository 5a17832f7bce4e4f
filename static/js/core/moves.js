/**
 * What may be said from this panel, sorted by who says it, and the pieces of the one sentence that
 * says who does what now: a key, its facts and its mood. It only reads `you.may`: no rule is decided
 * here.
 * @import { Command, Mood, Now, View } from "./types.js"
 */
import { family } from "./family.js";

const ASIDE = ["nope", "pass", "hold", "release"];

/**
 * @template {View} V
 * @param {V} view
 * @param {string | null | undefined} seat
 * @returns {V["seats"][number] | undefined}
 */
export const seatOf = (view, seat) => view.seats.find((found) => found.seat === seat);

/** @param {View} view @param {string | null | undefined} seat */
export const nameOf = (view, seat) => seatOf(view, seat)?.name ?? "";

const EMBLEMS = 10;

/**
 * Which emblem a seat wears: its own number's, or the next that no lower number wears. So no two of
 * a table share one, and it stays for as long as the same people sit there.
 * @param {View} view
 * @param {string | null | undefined} seat
 */
export function emblemOf(view, seat) {
  const number = (/** @type {string} */ one) => Number(/\d+/.exec(one)?.[0] ?? 1);
  const seats = view.seats
    .map((one) => one.seat)
    .sort((one, other) => number(one) - number(other) || (one < other ? -1 : 1));
  /** @type {string[]} */
  const worn = [];
  for (const one of seats) {
    let at = (number(one) - 1) % EMBLEMS;
    while (worn[at] && seats.length <= EMBLEMS) at = (at + 1) % EMBLEMS;
    if (one === seat) return at;
    worn[at] = one;
  }
  return 0;
}

/** Whether the viewer's cards are laid out. @param {View} view */
export const isReady = (view) => !!seatOf(view, view.you?.seat)?.ready;

/**
 * Between whom the chain closes up (ruling chain-closes-up), whoever's turn it is.
 * @param {View} view
 * @param {string} gone
 */
export function neighbours(view, gone) {
  const at = view.seats.findIndex((seat) => seat.seat === gone);
  const after = [...view.seats.slice(at + 1), ...view.seats.slice(0, at)].filter(
    (seat) => seat.alive,
  );
  return { by: after.at(-1)?.seat, who: after[0]?.seat };
}

/** The seat that something is asked of now, or null while a window is open. @param {View} view */
export const askedSeat = (view) => family().askedSeat(view);

/**
 * Whom this panel speaks for now: its own seat, a seat without a panel, or one that the host picked.
 * @param {View} view
 * @param {string | null} picked
 */
export function spokenSeat(view, picked) {
  const seat = askedSeat(view);
  if (!seat || !view.you || !canSpeakFor(view, seat)) return null;
  if (seat === view.you.seat || seat === picked || !seatOf(view, seat)?.panel) return seat;
  return null;
}

/** @param {View} view @param {string} seat */
export const canSpeakFor = (view, seat) =>
  !!view.you?.may.some((may) => may.as === seat && !ASIDE.includes(may.type));

/**
 * @param {View} view
 * @param {string | null} as
 * @param {string} [type]
 * @returns {Command[]}
 */
export const allowedCommands = (view, as, type) =>
  (view.you?.may ?? []).filter((one) => one.as === as && (!type || one.type === type));

/** Whether going out is all that is left to say. @param {View} view @param {string | null} as */
export const mustExplode = (view, as) =>
  allowedCommands(view, as, "explode").length > 0 && !allowedCommands(view, as, "defuse").length;

/** The titles that can be played now, each once, in the order of the list. */
export function playableCards(/** @type {View} */ view, /** @type {string | null} */ as) {
  return [...new Set(allowedCommands(view, as, "play").map((one) => one.card))];
}

/**
 * A command's name for as long as it waits for its answer; two options are two commands.
 * @param {Command} command
 */
export const commandTag = (command) =>
  command.type === "options"
    ? Object.keys(command).join(" ")
    : ["type", "as", "card", "target", "seat", "outcome", ...family().commandKeys]
        .map((key) => command[key])
        .filter((part) => part !== undefined)
        .join(" ");

/** Somebody has won. @param {View} view @returns {Now} */
export const wonNow = (view) => ({
  ...idleNow(view),
  key: "now.won",
  mood: "joy",
  who: view.winner,
});

/** Nothing is asked of anybody. @param {View} view @returns {Now} */
export const idleNow = (view) => ({
  key: `now.${view.phase}`,
  hint: null,
  mood: "wait",
  who: null,
  by: null,
});

/**
 * Something was played, and may be Noped.
 * @param {View} view
 * @param {{card?: string, hint?: string | null}} about the title that was played, and what to add to it
 * @returns {Now}
 */
export function windowNow(view, { card, hint = null }) {
  const played = view.played;
  const last = played?.nopes.at(-1) ?? null;
  const me = view.you?.seat;
  const by = played?.by ?? null;
  const key = last
    ? `now.nope.${played?.counts ? "yup" : "no"}`
    : `now.played${played?.target ? ".target" : ""}`;
  const could = !!me && !!view.you?.may.some((one) => one.type === "pass" && one.as === me);
  return {
    key,
    hint: played?.target && !last ? hint : null,
    mood: could ? "you" : "wait",
    who: last ?? by,
    by,
    card,
    target: played?.target,
  };
}

/**
 * Whom a sentence is said to: whoever is asked, whoever speaks for them, or everybody else.
 * @param {View} view
 * @param {string | null} actor who is asked
 * @param {string | null} as whom the panel speaks for
 * @returns {"me" | "for" | "other"}
 */
export const sideOf = (view, actor, as) =>
  actor === view.you?.seat ? "me" : as && as === actor ? "for" : "other";

/** @param {string} side @returns {Mood} */
export const moodFor = (side) => (side === "me" ? "you" : side === "for" ? "for" : "wait");

/** The request to take something back to which the viewer said no. */
let declined = 0;

/** @param {number} asked */
export const declineUndo = (asked) => {
  declined = asked;
};

/** Whether the viewer is asked to agree, and has not said no. @param {{view: View | null}} panel */
export const isAskedToAgree = ({ view }) => !!view?.you?.agree && declined !== view.you.agree;
