/** The draw grid's implementation of `Family` (core/types.d.ts). */
import { FACES } from "../../art/faces.js";
import { getHueClass, getCardTitle } from "../core/deck.js";
import { loadStyleSheet, createLazyPart } from "../core/late.js";
import { nothing } from "../core/lit.js";
import { t } from "../core/text.js";
import { renderCardFace } from "../shell/parts.js";
import { renderNoteButton, renderDock, renderOwedBadge } from "./dock.js";
import { composeCallSentence, getSeatToAct, composeNowSentence } from "./now.js";
import {
  tapCellNumber,
  countCards,
  hasDeviceDeck,
  isInstruction,
  locateDeck,
  mustExplainOdds,
  findSeatOfAbsentDeck,
} from "./state.js";
import {
  openDeckBeforeNextGame,
  findEarlierChoice,
  findMissingNope,
  loadKeeper,
  adaptViewToDevice,
} from "./own.js";
import { renderStage } from "./stage.js";
import { describeFaceUpCards, renderTile } from "./grid.js";
import { getSentenceFacts, describeDraftChange, formatCellFact } from "./words.js";

/** @import { Family } from "../core/types.js" */
/** @import { Played, Seat, View } from "./types.js" */

const choice = createLazyPart(() => import("./deck/choice.js"), "deck");
const marks = createLazyPart(() => import("./deck/marks.js"), "deck");
const deck = createLazyPart(() => import("./deck/dock.js"), "deck");
const alone = createLazyPart(() => import("./deck/alone.js"), "deck");
const plight = createLazyPart(() => import("./deck/plight.js"), "deck");
const help = createLazyPart(() =>
  Promise.all([import("../shell/help.js"), import("../../art/howto.js")]),
);
const seat = createLazyPart(() => import("./seat.js"));
const setup = createLazyPart(() => import("./setup.js"), "lobby setup box deck");
const practice = createLazyPart(() => import("./robots.js"));
const robots = createLazyPart(() => import("./robots.js"), "choice");
const comic = createLazyPart(
  () => Promise.all([import("../shell/comic.js"), import("../../art/howto.js")]),
  "comic",
);
const lessons = createLazyPart(() => import("./lessons.js"), "lessons", "lessons");

/** @param {string} owner */
const gridSelector = (owner) => `[data-grid=${JSON.stringify(owner)}]`;

/** @param {string} owner @param {unknown} cell */
const cellSelector = (owner, cell) =>
  `${gridSelector(owner)} [data-cell=${JSON.stringify(String(cell))}]`;

/** @type {Family} */
export const gridFamily = {
  name: "grid",
  loadArt: ({ cards }) =>
    cards.every(({ effect, face = effect }) => Object.hasOwn(FACES, face))
      ? Promise.resolve()
      : Promise.all([import("../../art/pile/faces.js"), loadStyleSheet("pile")]),
  adaptViewToDevice,
  finishLastGame: openDeckBeforeNextGame,
  forgetSeat: (table, seat) =>
    loadKeeper().then(
      (keeper) => keeper.deleteDecks(table, seat),
      () => "unknown",
    ),
  locateDeck,
  encryptDeckForLink: (ctrl, claim) =>
    ctrl.deviceDeck
      ? loadKeeper().then((keeper) => keeper.encryptDeckForLink(ctrl, claim))
      : Promise.resolve(null),
  loadDeckReceiver: () => loadKeeper().then((keeper) => keeper.receiveDeck),
  findObjection: findMissingNope,
  findEarlierCommand: findEarlierChoice,
  getSeatToAct,
  composeNowSentence,
  getSentenceFacts,
  renderAside: (ctrl) => [
    renderOwedBadge(ctrl),
    ctrl.deviceDeck ? deck(ctrl, (part) => part.renderSeenCard(ctrl)) : renderNoteButton(ctrl),
    findSeatOfAbsentDeck(ctrl)
      ? plight(ctrl, (part) => part.renderAbsentDeckNotice(ctrl))
      : nothing,
  ],
  composeCallSentence,
  commandKeys: ["next", "cell"],

  renderStage,
  renderDock: (ctrl) =>
    ctrl.deviceDeck ? deck(ctrl, (part) => part.renderDeckDock(ctrl)) : renderDock(ctrl),
  describePlayedCard: (/** @type {Played} */ { card }) => ({
    title: getCardTitle(card),
    face: renderCardFace(card),
    hue: getHueClass(card),
    card,
  }),
  isCardless: isInstruction,
  renderTile,
  describeTile: describeFaceUpCards,
  loadScenes: () => import("./scenes.js"),
  loadScreen: () => import("./screen.js"),
  findHelper: (/** @type {View} */ { turn }) =>
    turn && { seat: turn.instructor, lit: turn.step === "tell" },

  renderReplacementPage: (ctrl) =>
    ctrl.prefs.practice?.table === ctrl.table
      ? practice(ctrl, (part) => part.renderPractice(ctrl))
      : null,
  renderLesson: (ctrl) =>
    ctrl.prefs.lessons?.table === ctrl.table
      ? lessons(ctrl, (part) => part.renderGridLesson(ctrl))
      : mustExplainOdds(ctrl)
        ? lessons(ctrl, (part) => part.renderOddsHint(ctrl))
        : nothing,
  renderMenuChoices: (ctrl) => [
    lessons(ctrl, (part) => part.renderLessonsButton(ctrl)),
    robots(ctrl, (part) => part.renderStandIn(ctrl)),
    ctrl.deviceDeck ? alone(ctrl, (part) => part.renderPassSwitch(ctrl)) : nothing,
  ],
  renderSeatAdder: (ctrl) => robots(ctrl, (part) => part.renderRobotAdder(ctrl)),
  renderOwnChoices: (ctrl) => choice(ctrl, (part) => part.renderDeckChoice(ctrl)),
  renderVerdicts: (ctrl) =>
    /** @type {View} */ (ctrl.view).seats.some(hasDeviceDeck)
      ? marks(ctrl, (part) => part.renderVerdicts(ctrl))
      : nothing,
  hasDeviceDeck: (seat) => hasDeviceDeck(/** @type {Seat} */ (seat)),
  renderSetup: (ctrl) => setup(ctrl, (part) => part.renderSetup(ctrl)),
  switches: ["roll_call", "odds"],
  renderPrimer: (ctrl) =>
    comic(ctrl, ([part, pictures]) => part.renderPrimer("grid", pictures, countCards())),
  sheets: {
    camera: (ctrl) => setup(ctrl, (part) => part.renderCameraCheck(ctrl)),
    help: (ctrl) => help(ctrl, ([part, pictures]) => part.renderHelp(ctrl, pictures)),
    seat: (ctrl) => seat(ctrl, (part) => part.renderGridSeatSheet(ctrl)),
  },

  pressDigit: tapCellNumber,
  letterSelectors: {},
  getShortcuts: () => ({ "1 – 9": t("keys.cells") }),
  describeDraftChange,

  seatFacts: ["instructor"],
  placeFacts: ["discard", "up", "hand", "down"],
  formatFact: formatCellFact,
  quietEvents: ["caller_changed"],
  eventSigns: { looked: "look", grid_shuffled: "shuffle" },
  eventSounds: { card_revealed: "flip", grid_shuffled: "shuffle" },
  eventMoves: {
    instructed: ({ target, cell }) => [{ of: cellSelector(target, cell), how: "pops" }],
    looked: ({ seat, cell }) => [{ of: cellSelector(seat, cell), how: "pops" }],
    card_revealed: ({ seat, cell }) => [{ of: cellSelector(seat, cell), how: "flips" }],
    grid_shuffled: ({ seat }) => [{ of: gridSelector(seat), how: "riffles" }],
    kitten_defused: ({ seat }) => [{ of: gridSelector(seat), how: "riffles" }],
  },
  story: {
    kinds: { looked: "look", grid_shuffled: "shuffle", card_revealed: "reveal" },
    shown: ["play", "nope", "draw", "reveal", "kitten", "defuse", "out", "won"],
  },
};
