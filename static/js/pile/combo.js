/**
 * Lets a player compose a combo with taps: its kind, its title, the title to ask for (in a triple),
 * and the target. The choices come from `you.may`, the commands that the server allows now, because
 * the panel doesn't know the player's hand.
 */
import { getCardTitle } from "../core/deck.js";
import { html, nothing } from "../core/lit.js";
import { joinNames, t } from "../core/text.js";
import { renderCardBadge, renderCommandButton, renderRoundButton } from "../shell/parts.js";
import { renderTitleButtons, renderTargetButtons } from "./palette.js";
import {
  setDraft,
  countCards,
  getDraft,
  getEffect,
  getAllowedCommands,
  getTitles,
} from "./state.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Command } from "../core/types.js" */
/** @import { Draft } from "./types.js" */

const FIVE = 5;

/**
 * Returns the kinds of combo that can be played now, in the order of `you.may`.
 * @param {Controller} ctrl
 * @returns {string[]}
 */
export const getComboKinds = (ctrl) => [
  ...new Set(getAllowedCommands(ctrl, "combo").map((command) => command.kind)),
];

/** @param {Controller} ctrl @param {string} [kind] */
export const startCombo = (ctrl, kind = getComboKinds(ctrl)[0]) =>
  setDraft(ctrl, { alone: true, kind, cards: kind === "five" ? [] : undefined });

/** Renders the choices for a combo, in place of stage and dock. @param {Controller} ctrl */
export function renderComboBuilder(ctrl) {
  const draft = /** @type {Draft} */ (getDraft(ctrl));
  return html`<div class="builder">
    ${renderBuilderHead(ctrl, draft)}${
      draft.kind === "five" ? renderFiveChoice(ctrl, draft) : renderPairOrTripleChoice(ctrl, draft)
    }
  </div>`;
}

/**
 * Renders the heading: a button to go back, and the kinds of combo or the cards chosen so far.
 * @param {Controller} ctrl
 * @param {Draft} draft
 */
function renderBuilderHead(ctrl, draft) {
  const chosen = draft.kind !== "five" && draft.cards;
  const goBack = () => setDraft(ctrl, chosen ? { ...draft, cards: undefined, name: null } : null);
  return html`<div class="builder-head">
    ${renderRoundButton("undo", t("back"), goBack, "bare")}
    ${
      chosen
        ? html`<span class="chosen">
          ${chosen.map(renderCardBadge)}
          <b class="clip">${joinNames([...new Set(chosen)].map(getCardTitle))}</b>
          ${draft.name ? html`<span class="soft">→</span>${renderCardBadge(draft.name)}` : nothing}
        </span>`
        : html`<span class="kinds" role="group" aria-label=${t("combo")}>
          ${getComboKinds(ctrl).map(
            (kind) =>
              html`<button type="button" class="press small"
                aria-pressed=${String(kind === draft.kind)} data-kind=${kind}
                @click=${() => startCombo(ctrl, kind)}>
                ${t(`combo.name.${kind}`)}
              </button>`,
          )}
        </span>`
    }
  </div>`;
}

/** Renders the choices for a pair or a triple. @param {Controller} ctrl @param {Draft} draft */
function renderPairOrTripleChoice(ctrl, draft) {
  const commands = getAllowedCommands(ctrl, "combo").filter(
    (command) => command.kind === draft.kind,
  );
  const cards = draft.cards;
  if (!cards)
    return renderTitleButtons(getBaseTitles(commands), {
      label: t(`now.combo.${draft.kind}`),
      tap: (base) =>
        applyChoice(
          ctrl,
          { ...draft, cards: getCombosOfTitle(commands, base)[0]?.cards },
          commands,
        ),
    });
  const entry = commands.find((command) => areSameCards(command.cards, cards));
  if (draft.kind === "triple" && !draft.name)
    return html`${renderTitleButtons(getTitles(), {
      label: t("now.combo.name"),
      tap: (name) => applyChoice(ctrl, { ...draft, name }, commands),
    })}`;
  const from = entry?.targets ?? [];
  if (from.length === 1 && getCombosOfTitle(commands, getBaseTitle(cards)).length > 1)
    return renderFeralChoice(draft, commands, (way) => sendCombo(ctrl, draft, way, from[0]));
  return html`${renderFeralChoice(draft, commands, (way) =>
    setDraft(ctrl, { ...draft, cards: way.cards }),
  )}${renderTargetButtons(ctrl, from, (target) =>
    sendCombo(ctrl, draft, /** @type {Command} */ (entry), target),
  )}`;
}

/**
 * Stores the draft (the unfinished combo) after a choice. If nothing is left to choose, plays the
 * combo instead.
 * @param {Controller} ctrl
 * @param {Draft} draft
 * @param {Command[]} commands
 */
function applyChoice(ctrl, draft, commands) {
  const [way, ...others] = draft.cards ? getCombosOfTitle(commands, getBaseTitle(draft.cards)) : [];
  const isComplete = way && !others.length && (draft.kind !== "triple" || draft.name);
  if (isComplete && way.targets.length === 1) sendCombo(ctrl, draft, way, way.targets[0]);
  else setDraft(ctrl, draft);
}

/**
 * Plays a pair or a triple against a player.
 * @param {Controller} ctrl
 * @param {Draft} draft
 * @param {Command} way
 * @param {string} target
 */
function sendCombo(ctrl, draft, { targets: _, ...command }, target) {
  ctrl.send({ ...command, target, ...(draft.name ? { name: draft.name } : {}) });
}

/** @param {string[]} cards @param {string[]} other */
const areSameCards = (cards, other) => [...cards].sort().join() === [...other].sort().join();

/**
 * Returns the title that the cards of a pair or triple share. Feral Cats can replace any cat, so
 * this is the title of the other cards, or "Feral Cat" if all cards are Feral Cats.
 * @param {string[]} cards
 */
const getBaseTitle = (cards) =>
  cards.find((card) => getEffect(card) !== "feral") ?? String(cards[0]);

/** The effects of cats, which can be played in a combo only. */
const CATS = ["cat", "feral"];

/** Returns all titles of the game. Cats come first. */
function listCatsFirst() {
  const isNoCat = (/** @type {string} */ card) => !CATS.includes(getEffect(card) ?? "");
  return getTitles().sort((card, otherCard) => Number(isNoCat(card)) - Number(isNoCat(otherCard)));
}

/**
 * Returns the titles with which a pair or a triple can be played now. Cats come first.
 * @param {Command[]} commands
 * @returns {string[]}
 */
function getBaseTitles(commands) {
  const bases = new Set(commands.map((command) => getBaseTitle(command.cards)));
  return listCatsFirst().filter((card) => bases.has(card));
}

/**
 * Returns the combos of a title. Those with the fewest Feral Cats come first.
 * @param {Command[]} commands
 * @param {string} base
 */
const getCombosOfTitle = (commands, base) =>
  commands
    .filter((command) => getBaseTitle(command.cards) === base)
    .sort(
      (command, otherCommand) =>
        new Set(command.cards).size - new Set(otherCommand.cards).size ||
        countCopies(otherCommand, base) - countCopies(command, base),
    );

/** @param {Command} command @param {string} base */
const countCopies = (command, base) =>
  command.cards.filter((/** @type {string} */ card) => card === base).length;

/**
 * Renders the choice of how many Feral Cats to use, if there is a choice.
 * @param {Draft} draft
 * @param {Command[]} commands
 * @param {(way: Command) => void} tap
 */
function renderFeralChoice(draft, commands, tap) {
  const cards = /** @type {string[]} */ (draft.cards);
  const combos = getCombosOfTitle(commands, getBaseTitle(cards));
  if (combos.length < 2) return nothing;
  return html`<div class="ways" role="group" aria-label=${t("combo.ways")}>
    ${combos.map(
      (command) => html`<button type="button" class="press small"
        aria-pressed=${String(areSameCards(command.cards, cards))} aria-label=${describeCards(command.cards)}
        @click=${() => tap(command)}>
        ${command.cards.map(renderCardBadge)}
      </button>`,
    )}
  </div>`;
}

/** @param {string[]} cards */
const describeCards = (cards) =>
  joinNames([...countCards(cards)].map(([card, count]) => `${count}× ${getCardTitle(card)}`));

/**
 * Renders the titles to choose five different cards from. Feral Cats can replace any of the five.
 * @param {Controller} ctrl
 * @param {Draft} draft
 */
function renderFiveChoice(ctrl, draft) {
  const cards = draft.cards ?? [];
  const counts = countCards(cards);
  const isWild = (/** @type {string} */ card) => getEffect(card) === "feral";
  const toggleCard = (/** @type {string} */ card) =>
    setDraft(ctrl, {
      ...draft,
      cards:
        counts.has(card) && (!isWild(card) || cards.length === FIVE)
          ? cards.filter((chosen) => chosen !== card)
          : [...cards, card],
    });
  const [entry] = getAllowedCommands(ctrl, "combo").filter((command) => command.kind === "five");
  const left = FIVE - cards.length;
  return html`${renderTitleButtons(listCatsFirst(), {
    label: t("now.combo.five"),
    tap: toggleCard,
    count: (card) => counts.get(card) ?? 0,
    able: (card) => left > 0 || counts.has(card),
  })}${
    left || !entry
      ? html`<p class="quiet">${t("combo.left", { count: left })}</p>`
      : renderCommandButton(ctrl, { ...entry, cards }, t("combo.play"), { kind: "main wide" })
  }`;
}
