/** A small view of a game in which Ana is the turn player and Ben her instructor. */

const GRID = [
  ["down", "down", "down"],
  ["down", "down", "down"],
];

/** @param {{step?: string, me?: string | null, may?: object[], played?: object | null, window?: object | null}} more */
export function newView({ step = "act", me = "ana", may = [], played = null, window = null } = {}) {
  const seats = ["ana", "ben", "cleo"].map((seat) => ({
    seat,
    name: seat,
    panel: true,
    ready: true,
    alive: true,
    out: null,
    hand: 5,
    discard: [],
    grid: GRID,
    next: null,
  }));
  const you = me && { seat: me, host: false, notes: [], may };
  const turn = {
    number: 1,
    seat: "ana",
    instructor: "ben",
    step,
    told: step === "tell" ? null : [0, 1],
    say: null,
  };
  return {
    table: "KXQF7H",
    epoch: "e",
    version: 1,
    now: 0,
    phase: "play",
    seats,
    turn,
    played,
    window,
    you,
    roll_call: null,
    winner: null,
    host: "ben",
    log: [],
    options: { nope_seconds: 8 },
  };
}
