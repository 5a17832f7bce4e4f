/** The classic games, with one pile for all, as a family: what it supplies to the shell (see Family in core/types.d.ts). */
import "../../art/pile/faces.js";
import "../../art/pile/icons.js";
import { hue, title, variantOf } from "../core/deck.js";
import { late } from "../core/late.js";
import { html } from "../core/lit.js";
import { listed, t } from "../core/text.js";
import { faceOf } from "../shell/parts.js";
import { call } from "./call.js";
import { dock } from "./dock.js";
import { digit } from "./keys.js";
import { asked, comboOf, facts, now } from "./now.js";
import { stage } from "./stage.js";
import { aside } from "./aside.js";
import { sign } from "./story.js";
import { isCombo } from "./state.js";
import { describe, tile } from "./tile.js";
import { moved, word } from "./words.js";

/** @import { Family } from "../core/types.js" */
/** @import { Played } from "./types.js" */

const help = late(() => import("./help.js"));
const lobby = late(() => import("./lobby.js"));
const odds = late(() => import("./odds.js"));
const seat = late(() => import("./seat.js"));
const setup = late(() => import("./setup.js"));

/** @param {string} part @param {string} how */
const of = (part, how) => () => [{ of: part, how }];

/** @type {Family} */
export const pile = {
  name: "pile",
  texts: "pile",
  asked,
  now,
  facts,
  aside,
  call,
  apart: ["kind", "cards", "name", "has"],

  stage,
  dock,
  played: (/** @type {Played} */ played) =>
    isCombo(played)
      ? { title: comboOf(played), face: laid(played.cards), hue: "", card: played.kind }
      : {
          title: title(played.kind),
          face: faceOf(played.kind),
          hue: hue(played.kind),
          card: played.kind,
        },
  tile,
  describe,
  helper: () => null,

  setup: (ctrl) => setup(ctrl, (part) => part.setup(ctrl)),
  lobby: (ctrl) => lobby(ctrl, (part) => part.lobby(ctrl)),
  /* what a box has no combos for is not offered (ruling combos-of-this-edition) */
  get switches() {
    return special().length ? ["special_combos", "odds"] : ["odds"];
  },
  choosing: (key) =>
    key === "special_combos"
      ? { combos: listed(special().map((kind) => t(`special.${kind}`))) }
      : {},
  sheets: {
    discard: (ctrl) => odds(ctrl, (part) => part.discard(ctrl)),
    help: (ctrl) => help(ctrl, (part) => part.help(ctrl)),
    pile: (ctrl) => odds(ctrl, (part) => part.odds(ctrl)),
    seat: (ctrl) => seat(ctrl, (part) => part.seat(ctrl)),
  },

  digit,
  letters: { c: "[data-do=combo]", d: ".pile-button[data-say=draw]" },
  shortcuts: () => ({ "1 – 9": t("keys.cards"), C: t("combo"), D: t("pile.draw") }),
  moved,

  seats: [],
  places: ["discard", "hand"],
  word,
  quiet: [],
  signs: { looked: "see", pile_shuffled: "shuffle", combo_played: "pair", card_touched: "paw" },
  heard: { combo_played: "play", pile_shuffled: "shuffle" },
  moves: {
    card_touched: of(".heap", "pops"),
    pile_shuffled: of(".heap", "riffles"),
    kitten_defused: of(".heap", "riffles"),
    card_played: of(".fan-card:last-child", "pops"),
    combo_played: of(".fan-card:last-child", "pops"),
    turn_began: of(".paw.first", "pops"),
  },
  story: {
    kinds: { looked: "look", pile_shuffled: "shuffle", combo_played: "combo" },
    shown: ["play", "combo", "nope", "draw", "kitten", "defuse", "out", "won"],
    sign,
  },
};

/** The kinds of combos that this box has. @returns {string[]} */
const special = () => variantOf()?.combos ?? [];

/** The cards of a combo, laid as they are played: over each other. @param {string[]} cards */
const laid = (cards) =>
  html`<span class="laid" data-count=${cards.length}>${cards.map((card, at) => html`<span class="fan-card" .style=${`--at:${at - (cards.length - 1) / 2}`}>${faceOf(card)}</span>`)}</span>`;
