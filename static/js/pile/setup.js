/**
 * Renders the preparation of a game with one pile, step by step, with the numbers of cards for this
 * number of players (the rulings from paw-prints to shuffle-and-place).
 */
import { STEPS, prepStep } from "../../art/pile/preparation.js";
import { getAllCards, findCardWithEffect, getCardTitle, getVariant } from "../core/deck.js";
import { html, nothing } from "../core/lit.js";
import { hasSentence, t } from "../core/text.js";
import { art, renderCardBadge } from "../shell/parts.js";
import { renderSetupPage } from "../shell/setup.js";
import { renderSeating } from "./seating.js";
import { getView } from "./state.js";

/** @import { Controller } from "../core/controller.js" */

/** @param {Controller} ctrl */
export function renderSetup(ctrl) {
  const counts = countSetupCards(getView(ctrl).seats.length);
  const choice = html`<p class="panel one-room">${art("cards")}<span>${t("setup.room")}</span></p>`;
  return renderSetupPage(ctrl, renderSteps(counts), { choice, more: renderSeating(ctrl) });
}

/** @param {SetupCounts} counts */
function renderSteps(counts) {
  const { which, extra, before, expansion } = counts;
  const steps = STEPS.filter(
    (step) =>
      !(step === "paws" && which === "all") &&
      !(step === "expansion" && !expansion) &&
      !(step === "back" && !(extra > 0 && before)) &&
      !(step === "after" && !(extra > 0 && !before)),
  );
  const last = ["expansion", "paws", "kittens"].find((step) => steps.includes(step));
  return steps.map(
    (step) => html`<h2>${t(getStepKey(step, counts), getStepFacts(step, counts))}</h2>
      <div class="preps" aria-hidden="true"><span class="prep">${prepStep(step, counts)}</span></div>
      ${step === last ? renderTitles(counts) : nothing}`,
  );
}

/**
 * Returns the key of a step's text. The text may depend on which paw prints are in play, and on the
 * Imploding Kitten.
 * @param {string} step
 * @param {SetupCounts} counts
 */
const getStepKey = (step, { which, imploding }) =>
  [...(imploding ? [`setup.${step}.imploding`] : []), `setup.${step}.${which}`].find((key) =>
    hasSentence(key),
  ) ?? `setup.${step}`;

/** Renders the list of the titles in play, with the number of cards of each. @param {SetupCounts} many */
const renderTitles = ({ which, count, used }) =>
  html`<details class="pile-list" ?open=${which === "titles"}>
    <summary>${t("setup.titles", { count })}</summary>
    <span class="pile">
      ${used.map(
        (card) =>
          html`<span class="chip">${renderCardBadge(card.id)}${card.about ? "≈" : ""}${card.count}×
            ${getCardTitle(card.id)}</span>`,
      )}
    </span>
    ${used.some((card) => card.about) ? html`<p class="soft">${t("setup.about")}</p>` : nothing}
  </details>`;

/** @param {string} step @param {SetupCounts} counts */
const getStepFacts = (step, counts) => ({
  ...counts,
  count:
    {
      kittens: counts.kittens,
      paws: counts.count - counts.expansion,
      expansion: counts.expansion,
      back: counts.extra,
      after: counts.extra,
      add: counts.added,
      pile: counts.pile,
    }[step] ?? counts.count,
});

/**
 * The cards of one title. `paw` is the number of cards with a paw print, `plain` the number
 * without, and `expansion` the number that an expansion adds for any number of players. `count` is
 * set if the same number of cards is in play for every number of players. `about` is true if the
 * numbers are estimates.
 * @typedef {{id: string, paw: number, plain: number, expansion?: number, count?: number,
 *   about?: boolean}} Title
 */
/** @typedef {{least: number, most: number, paw: boolean, plain: boolean}} Size */

/** @param {number} players */
function countSetupCards(players) {
  const {
    sizes: allSizes = [],
    hand = 0,
    extra_defuses: whenExtraDefusesGo = "before",
  } = getVariant() ?? {};
  /** @type {Size | undefined} */
  const size = allSizes.find(
    (/** @type {Size} */ size) => size.least <= players && players <= size.most,
  );
  const countInGame = (/** @type {Title} */ { paw, plain, count, expansion = 0 }) =>
    count ?? (size?.paw ? paw : 0) + (size?.plain ? plain : 0) + expansion;
  const cards = /** @type {Title[]} */ (/** @type {unknown} */ (getAllCards()));
  const findTitle = (/** @type {string} */ id) =>
    cards.find((card) => card.id === id) ?? { id, paw: 0, plain: 0 };
  const boxed = findTitle(findCardWithEffect("kitten"));
  const kittens = boxed.paw + boxed.plain;
  const { id: implodingId } = findTitle(findCardWithEffect("imploding"));
  const imploding = cards.some(({ id }) => id === implodingId) ? 1 : 0;
  const inHands = cards.filter(({ id }) => id !== boxed.id && id !== implodingId);
  const used = inHands
    .map((card) => ({
      id: card.id,
      count: countInGame(card),
      about: !!(card.about && size?.plain && card.count === undefined),
    }))
    .filter(({ count }) => count);
  const total = used.reduce((sum, card) => sum + card.count, 0);
  const hasTitleCounts = cards.some(({ count }) => count !== undefined);
  const added = Math.max(1, players - 1 - imploding);
  const defuses = countInGame(findTitle(findCardWithEffect("defuse")));
  return {
    served: !!size && total > 0,
    which: hasTitleCounts
      ? "titles"
      : !size || allSizes.length < 2
        ? "all"
        : size.paw && size.plain
          ? "both"
          : size.paw
            ? "paw"
            : "plain",
    used,
    count: total,
    kittens,
    players,
    defuses,
    extra: defuses - players,
    about: used.some((card) => card.id === findCardWithEffect("defuse") && card.about) ? "≈" : "",
    before: whenExtraDefusesGo === "before",
    dealt: hand,
    hand: hand + 1,
    imploding,
    expansion: hasTitleCounts ? 0 : inHands.reduce((sum, card) => sum + (card.expansion ?? 0), 0),
    added,
    pile: total - players * (hand + 1) + added + imploding,
  };
}

/** @typedef {ReturnType<typeof countSetupCards>} SetupCounts */
