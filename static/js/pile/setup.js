/**
 * Draws the preparation of a game with one pile, step by step, with the numbers of cards for this
 * number of players (the rulings from paw-prints to shuffle-and-place).
 */
import { STEPS, prepStep } from "../../art/pile/preparation.js";
import { getAllCards, findCardWithEffect, getCardTitle, getVariant } from "../core/deck.js";
import { html, nothing } from "../core/lit.js";
import { hasSentence, t } from "../core/text.js";
import { renderCardBadge } from "../shell/parts.js";
import { renderSetupPage } from "../shell/setup.js";
import { renderSeating } from "./seating.js";
import { getView } from "./state.js";

/** @import { Controller } from "../core/controller.js" */

/** @param {Controller} ctrl */
export function renderSetup(ctrl) {
  const many = countSetupCards(getView(ctrl).seats.length);
  return renderSetupPage(ctrl, renderSteps(many), { more: renderSeating(ctrl) });
}

/** @param {SetupCounts} many */
function renderSteps(many) {
  const { which, extra, before } = many;
  const shown = STEPS.filter(
    (step) =>
      !(step === "paws" && which === "all") &&
      !(step === "back" && !(extra > 0 && before)) &&
      !(step === "after" && !(extra > 0 && !before)),
  );
  return shown.map(
    (step) => html`<h2>${t(getStepKey(step, which), getStepFacts(step, many))}</h2>
      <span class="prep" aria-hidden="true">${prepStep(step, many)}</span>
      ${step === (shown.includes("paws") ? "paws" : "kittens") ? renderTitles(many) : nothing}`,
  );
}

/**
 * Returns the key of a step's text, which may depend on the paw prints in play.
 * @param {string} step
 * @param {string} which
 */
const getStepKey = (step, which) =>
  hasSentence(`setup.${step}.${which}`) ? `setup.${step}.${which}` : `setup.${step}`;

/** Draws the titles that are in play, with the number of cards of each. @param {SetupCounts} many */
const renderTitles = ({ which, count, used }) =>
  html`<details class="pile-list" ?open=${which === "titles"}>
    <summary>${t("setup.titles", { count })}</summary>
    <span class="pile">
      ${used.map(
        (one) =>
          html`<span class="chip">${renderCardBadge(one.id)}${one.about ? "≈" : ""}${one.count}×
            ${getCardTitle(one.id)}</span>`,
      )}
    </span>
    ${used.some((one) => one.about) ? html`<p class="soft">${t("setup.about")}</p>` : nothing}
  </details>`;

/** @param {string} step @param {SetupCounts} many */
const getStepFacts = (step, many) => ({
  ...many,
  count:
    {
      kittens: many.kittens,
      back: many.extra,
      after: many.extra,
      add: many.added,
      pile: many.pile,
    }[step] ?? many.count,
});

/**
 * The cards of one title: `paw` of them have a paw print and `plain` don't. `count` is set if the
 * number in play doesn't depend on the number of players; `about` marks an estimate.
 * @typedef {{id: string, paw: number, plain: number, count?: number, about?: boolean}} Title
 */
/** @typedef {{least: number, most: number, paw: boolean, plain: boolean}} Size */

/** @param {number} players */
function countSetupCards(players) {
  const { sizes: all = [], hand = 0, extra_defuses: extra = "before" } = getVariant() ?? {};
  /** @type {Size | undefined} */
  const size = all.find((/** @type {Size} */ one) => one.least <= players && players <= one.most);
  const countInGame = (/** @type {Title} */ { paw, plain, count }) =>
    count ?? (size?.paw ? paw : 0) + (size?.plain ? plain : 0);
  const cards = /** @type {Title[]} */ (/** @type {unknown} */ (getAllCards()));
  const findTitle = (/** @type {string} */ id) =>
    cards.find((one) => one.id === id) ?? { id, paw: 0, plain: 0 };
  const boxed = findTitle(findCardWithEffect("kitten"));
  const kittens = boxed.paw + boxed.plain;
  const used = cards
    .filter(({ id }) => id !== boxed.id)
    .map((one) => ({
      id: one.id,
      count: countInGame(one),
      about: !!(one.about && size?.plain && one.count === undefined),
    }))
    .filter(({ count }) => count);
  const all_used = used.reduce((sum, one) => sum + one.count, 0);
  const defuses = countInGame(findTitle(findCardWithEffect("defuse")));
  return {
    served: !!size && all_used > 0,
    which: cards.some(({ count }) => count !== undefined)
      ? "titles"
      : !size || all.length < 2
        ? "all"
        : size.paw && size.plain
          ? "both"
          : size.paw
            ? "paw"
            : "plain",
    used,
    count: all_used,
    kittens,
    players,
    defuses,
    extra: defuses - players,
    about: used.some((one) => one.id === findCardWithEffect("defuse") && one.about) ? "≈" : "",
    before: extra === "before",
    dealt: hand,
    hand: hand + 1,
    added: players - 1,
    pile: all_used - players * (hand + 1) + players - 1,
  };
}

/** @typedef {ReturnType<typeof countSetupCards>} SetupCounts */
