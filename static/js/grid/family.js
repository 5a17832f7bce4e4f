/** The draw grid as a family of games: what it supplies to the shell (see Family in core/types.d.ts). */
import { FACES } from "../../art/faces.js";
import { hueClass, title } from "../core/deck.js";
import { loadStyles, late } from "../core/late.js";
import { nothing } from "../core/lit.js";
import { t } from "../core/text.js";
import { renderCardFace } from "../shell/parts.js";
import { noteButton, dock, owedBadge } from "./dock.js";
import { call, askedSeat, now } from "./now.js";
import { digit, isKept, keepsFor, waitsForDeck } from "./state.js";
import { settleNextGame, loadKeeper, viewForDevice } from "./own.js";
import { stage } from "./stage.js";
import { describe, tile } from "./grid.js";
import { facts, describeDraftMove, word } from "./words.js";

/** @import { Family } from "../core/types.js" */
/** @import { Played, Seat, View } from "./types.js" */

const choice = late(() => import("./deck/choice.js"), "deck");
const marks = late(() => import("./deck/marks.js"), "deck");
const deck = late(() => import("./deck/dock.js"), "deck");
const plight = late(() => import("./deck/plight.js"), "deck");
const help = late(() => Promise.all([import("../shell/help.js"), import("../../art/howto.js")]));
const seat = late(() => import("./seat.js"));
const setup = late(() => import("./setup.js"), "lobby setup box");
const practice = late(() => import("./robots.js"));
const robots = late(() => import("./robots.js"), "choice");
const lessons = late(() => import("./lessons.js"), "lessons", "lessons");

/** @param {string} owner */
const gridOf = (owner) => `[data-grid=${JSON.stringify(owner)}]`;

/** @param {string} owner @param {unknown} cell */
const cellOf = (owner, cell) => `${gridOf(owner)} [data-cell=${JSON.stringify(String(cell))}]`;

/** @type {Family} */
export const grid = {
  name: "grid",
  loadArt: ({ cards }) =>
    cards.every(({ effect, face = effect }) => Object.hasOwn(FACES, face))
      ? Promise.resolve()
      : Promise.all([import("../../art/pile/faces.js"), loadStyles("pile")]),
  viewForDevice,
  settleNextGame,
  forgetSeat: (table, seat) =>
    loadKeeper().then(
      (keeper) => keeper.forget(table, seat),
      () => "unknown",
    ),
  keepsFor,
  deckForLink: (ctrl, claim) =>
    ctrl.kept
      ? loadKeeper().then((keeper) => keeper.deckForLink(ctrl, claim))
      : Promise.resolve(null),
  receiveDeck: (table, claim, carried) =>
    loadKeeper().then((keeper) => keeper.receiveDeck(table, claim, carried)),
  askedSeat,
  now,
  facts,
  aside: (ctrl) => [
    owedBadge(ctrl),
    ctrl.kept ? deck(ctrl, (part) => part.aside(ctrl)) : noteButton(ctrl),
    waitsForDeck(ctrl) ? plight(ctrl, (part) => part.plight(ctrl)) : nothing,
  ],
  callSentence: call,
  commandKeys: ["next", "cell"],

  stage,
  dock: (ctrl) => (ctrl.kept ? deck(ctrl, (part) => part.dock(ctrl)) : dock(ctrl)),
  playedView: (/** @type {Played} */ { card }) => ({
    title: title(card),
    face: renderCardFace(card),
    hue: hueClass(card),
    card,
  }),
  tile,
  describe,
  helper: (/** @type {View} */ { turn }) =>
    turn && { seat: turn.instructor, lit: turn.step === "tell" },

  replacementPage: (ctrl) =>
    ctrl.prefs.practice?.table === ctrl.table
      ? practice(ctrl, (part) => part.practice(ctrl))
      : null,
  lesson: (ctrl) =>
    ctrl.prefs.lessons?.table === ctrl.table ? lessons(ctrl, (part) => part.lesson(ctrl)) : nothing,
  menu: (ctrl) => [
    lessons(ctrl, (part) => part.renderLessonsButton(ctrl)),
    robots(ctrl, (part) => part.standIn(ctrl)),
  ],
  seatAdder: (ctrl) => robots(ctrl, (part) => part.adder(ctrl)),
  own: (ctrl) => choice(ctrl, (part) => part.choice(ctrl)),
  verdicts: (ctrl) =>
    /** @type {View} */ (ctrl.view).seats.some(isKept)
      ? marks(ctrl, (part) => part.marks(ctrl))
      : nothing,
  keepsDeck: (seat) => isKept(/** @type {Seat} */ (seat)),
  setup: (ctrl) => setup(ctrl, (part) => part.setup(ctrl)),
  switches: ["roll_call", "odds"],
  sheets: {
    camera: (ctrl) => setup(ctrl, (part) => part.camera(ctrl)),
    help: (ctrl) => help(ctrl, ([part, pictures]) => part.renderHelp(ctrl, pictures)),
    seat: (ctrl) => seat(ctrl, (part) => part.seat(ctrl)),
  },

  pressDigit: digit,
  letterSelectors: {},
  shortcuts: () => ({ "1 – 9": t("keys.cells") }),
  describeMove: describeDraftMove,

  seatFacts: ["instructor"],
  placeFacts: ["discard", "up", "hand", "down"],
  formatFact: word,
  quietEvents: ["caller_changed"],
  eventSigns: { looked: "look", grid_shuffled: "shuffle" },
  eventSounds: { card_revealed: "flip", grid_shuffled: "shuffle" },
  eventMoves: {
    instructed: ({ target, cell }) => [{ of: cellOf(target, cell), how: "pops" }],
    looked: ({ seat, cell }) => [{ of: cellOf(seat, cell), how: "pops" }],
    card_revealed: ({ seat, cell }) => [{ of: cellOf(seat, cell), how: "flips" }],
    grid_shuffled: ({ seat }) => [{ of: gridOf(seat), how: "riffles" }],
    kitten_defused: ({ seat }) => [{ of: gridOf(seat), how: "riffles" }],
  },
  story: {
    kinds: { looked: "look", grid_shuffled: "shuffle", card_revealed: "reveal" },
    shown: ["play", "nope", "draw", "reveal", "kitten", "defuse", "out", "won"],
  },
};
