/**
 * Defines the family of the classic games, in which all players share one pile. It contains
 * everything that this family supplies to the shell (see `Family` in core/types.d.ts).
 */
import { hand } from "../../art/marks.js";
import "../../art/pile/faces.js";
import "../../art/pile/icons.js";
import { getHueClass, getCardTitle, getVariant } from "../core/deck.js";
import { createLazyPart } from "../core/late.js";
import { html, nothing, svg } from "../core/lit.js";
import { joinNames, t } from "../core/text.js";
import { renderCardBadge, renderCardFace } from "../shell/parts.js";
import { renderDock } from "./dock.js";
import {
  getAskedSeat,
  getCallSentence,
  describeCombo,
  getNowlineFacts,
  getNowline,
} from "./now.js";
import { renderStage } from "./stage.js";
import {
  hasExampleCards,
  hasImplodingKitten,
  isCombo,
  describeDraftMove,
  describeFact,
} from "./state.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Moment } from "../core/story.js" */
/** @import { Family } from "../core/types.js" */
/** @import { Played, Seat } from "./types.js" */

const help = createLazyPart(() =>
  Promise.all([import("../shell/help.js"), import("../../art/pile/howto.js")]),
);
const comic = createLazyPart(
  () => Promise.all([import("../shell/comic.js"), import("../../art/pile/howto.js")]),
  "comic",
);
const lessons = createLazyPart(() => import("./lessons.js"), "lessons", "lessons");
const seating = createLazyPart(() => import("./seating.js"));
const setup = createLazyPart(() => import("./setup.js"), "lobby setup");
const sheets = createLazyPart(() => import("./sheets.js"));

/**
 * Clicks the nth button on the page, in reading order. Returns false if there is none.
 * @param {number} digit
 * @param {Document} doc
 */
function pressDigit(digit, doc) {
  const buttons = doc.querySelectorAll("[data-digit]:not(:disabled)");
  const button = /** @type {HTMLElement | undefined} */ (buttons[digit - 1]);
  button?.click();
  return !!button;
}

/**
 * Renders the sign (a small symbol) of a combo in the picture of the story. Returns undefined for
 * other moments; the shell has signs for these.
 * @param {Moment} moment
 */
const renderMomentSign = (moment) =>
  moment.kind === "combo"
    ? svg`<g class="sign-combo ${moment.lost ? "lost" : ""}"><rect
      class="sign-play ${getHueClass(moment.card)}" x="-6" y="-5" width="7" height="10" rx="1.600"
      transform="rotate(-12)"></rect><rect
      class="sign-play ${getHueClass(moment.card)}" x="-1" y="-5" width="7" height="10" rx="1.600"
      transform="rotate(10)"></rect></g>
      ${moment.lost ? svg`<path class="sign-cross" d="M-5 5L5-5"></path>` : ""}`
    : undefined;

/** Maximum number of known cards that a tile shows. */
const KNOWN_ON_TILE = 3;

/**
 * Renders a player's tile in the chain (the list of all players). The tile shows the hand as a fan,
 * and the cards in the hand that everybody knows.
 * @param {Controller} _ctrl @param {Seat} seat @param {boolean} wide
 */
function renderTile(_ctrl, seat, wide) {
  const known = Object.entries(seat.known ?? {});
  const visible = wide ? known : known.slice(0, KNOWN_ON_TILE);
  return html`<span class="holds">${hand(seat.hand)}<span class="count">${seat.hand}</span></span><span
    class="tile-side known">
    ${visible.map(
      ([card, least]) =>
        html`<span class="count ${getHueClass(card)}">
          ${renderCardBadge(card)}
          ${wide ? getCardTitle(card) : nothing}
          ${least > 1 ? html`<b>${least}</b>` : nothing}
        </span>`,
    )}
  </span>`;
}

/** Describes what everybody knows about a hand. @param {Controller} _ctrl @param {Seat} seat */
function describeHand(_ctrl, seat) {
  const known = Object.entries(seat.known ?? {}).map(([card, least]) =>
    least > 1 ? `${least}× ${getCardTitle(card)}` : getCardTitle(card),
  );
  return [
    ...(known.length ? [t("hand.known", { cards: joinNames(known) })] : []),
    ...(seat.never?.length
      ? [t("hand.never", { cards: joinNames(seat.never.map(getCardTitle)) })]
      : []),
  ];
}

/** @param {string} part @param {string} how */
const createAnimations = (part, how) => () => [{ of: part, how }];

/** @type {Family} */
export const pile = {
  name: "pile",
  texts: "pile",
  getSeatToAct: getAskedSeat,
  composeNowSentence: getNowline,
  getSentenceFacts: getNowlineFacts,
  renderAside: () => nothing,
  composeCallSentence: getCallSentence,
  commandKeys: ["kind", "cards", "name", "has"],

  renderStage,
  renderDock,
  isCardless: () => false,
  describePlayedCard: (/** @type {Played} */ played) =>
    isCombo(played)
      ? {
          title: describeCombo(played),
          face: renderCardFan(played.cards),
          hue: "",
          card: played.kind,
        }
      : {
          title: getCardTitle(played.kind),
          face: renderCardFace(played.kind),
          hue: getHueClass(played.kind),
          card: played.kind,
        },
  renderTile,
  describeTile: describeHand,
  loadScenes: () => import("./scenes.js"),
  loadScreen: () => import("./screen.js"),
  findHelper: () => null,

  renderLesson: (ctrl) =>
    ctrl.prefs.lessons?.table === ctrl.table
      ? lessons(ctrl, (part) => part.renderCurrentLesson(ctrl))
      : nothing,
  renderMenuChoices: (ctrl) => lessons(ctrl, (part) => part.renderLessonsButton(ctrl)),
  renderSetup: (ctrl) => setup(ctrl, (part) => part.renderSetup(ctrl)),
  renderLobbyChoices: (ctrl) => seating(ctrl, (part) => part.renderSeating(ctrl)),
  // Offer special combos only if the box has any (ruling combos-of-this-edition).
  get switches() {
    return getBoxCombos().length ? ["special_combos", "odds"] : ["odds"];
  },
  getSwitchFacts: (key) =>
    key === "special_combos"
      ? { combos: joinNames(getBoxCombos().map((kind) => t(`special.${kind}`))) }
      : {},
  getSwitchNote: (key) => {
    const reason = key === "special_combos" && getVariant()?.special_combos;
    return reason ? t(`options.special_combos.${reason}`) : "";
  },
  renderPrimer: (ctrl) => comic(ctrl, ([part, pictures]) => part.renderPrimer("pile", pictures)),
  sheets: {
    discard: (ctrl) => sheets(ctrl, (part) => part.renderDiscardSheet(ctrl)),
    help: (ctrl) =>
      help(ctrl, ([part, pictures]) =>
        part.renderHelp(ctrl, getHowToSteps(pictures), hasExampleCards()),
      ),
    pile: (ctrl) => sheets(ctrl, (part) => part.renderOddsSheet(ctrl)),
    seat: (ctrl) => sheets(ctrl, (part) => part.renderPileSeatSheet(ctrl)),
  },

  pressDigit,
  letterSelectors: {
    c: "[data-do=combo]",
    d: ".pile-button[data-say=draw]",
    i: "[data-say=imploding]",
  },
  getShortcuts: () => ({
    "1 – 9": t("keys.cards"),
    C: t("combo"),
    D: t("pile.draw"),
    ...(hasImplodingKitten() ? { I: t("keys.imploding") } : {}),
  }),
  describeDraftChange: describeDraftMove,

  seatFacts: [],
  placeFacts: ["discard", "hand"],
  formatFact: describeFact,
  quietEvents: [],
  eventSigns: {
    looked: "see",
    pile_shuffled: "shuffle",
    combo_played: "pair",
    card_touched: "paw",
    imploding_shown: "imploding",
    imploding_put_back: "imploding",
    imploding_seen: "imploding",
    order_reversed: "reverse",
  },
  eventSounds: {
    combo_played: "play",
    pile_shuffled: "shuffle",
    imploding_shown: "kitten",
    order_reversed: "flip",
  },
  eventMoves: {
    card_touched: createAnimations(".heap", "pops"),
    pile_shuffled: createAnimations(".heap", "riffles"),
    kitten_defused: createAnimations(".heap", "riffles"),
    imploding_put_back: createAnimations(".heap", "riffles"),
    imploding_seen: createAnimations(".heap", "pops"),
    order_reversed: createAnimations(".play-way", "pops"),
    card_played: createAnimations(".fan-card:last-child", "pops"),
    combo_played: createAnimations(".fan-card:last-child", "pops"),
    turn_began: createAnimations(".paw.first", "pops"),
  },
  story: {
    kinds: {
      looked: "look",
      pile_shuffled: "shuffle",
      combo_played: "combo",
      imploding_shown: "kitten",
    },
    shown: ["play", "combo", "nope", "draw", "kitten", "defuse", "out", "won"],
    sign: renderMomentSign,
  },
};

/** Returns the kinds of special combos that can be played in this box. @returns {string[]} */
const getBoxCombos = () => getVariant()?.combos ?? [];

/**
 * Returns the steps of "how to play" and their pictures. Combos and cards that this box lacks are
 * left out.
 * @param {typeof import("../../art/pile/howto.js")} pictures
 */
const getHowToSteps = ({ HOWTO, howTo }) => {
  const [only, ...more] = ["pair", "triple"].filter((kind) => getBoxCombos().includes(kind));
  return {
    HOWTO: HOWTO.filter((step) => step !== "imploding" || hasImplodingKitten()).flatMap((step) =>
      step !== "combo" ? step : more.length ? step : (only ?? []),
    ),
    howTo: (/** @type {string} */ step) => howTo(step === only ? "combo" : step),
  };
};

/** Renders the cards of a combo, overlapping as they are played. @param {string[]} cards */
const renderCardFan = (cards) =>
  html`<span class="laid" data-count=${cards.length}>
    ${cards.map(
      (card, at) =>
        html`<span class="fan-card" .style=${`--at:${at - (cards.length - 1) / 2}`}>${renderCardFace(
          card,
        )}</span>`,
    )}
  </span>`;
