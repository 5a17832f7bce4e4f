/**
 * Renders the part of the preparation in which a player chooses which box they own. It lists the
 * cards to take from the box and the cards that stay in it.
 */
import { getCardTitle } from "../core/deck.js";
import { html, nothing } from "../core/lit.js";
import { getLanguage, joinNames, t } from "../core/text.js";
import { getOwnValue } from "../core/value.js";
import { renderCardBadge } from "./parts.js";

/** @import { Controller } from "../core/controller.js" */

/**
 * Renders the choice of the box, and its contents. Only this device stores the choice.
 * @param {Controller} ctrl
 */
export function renderBoxSection(ctrl) {
  /** @type {Edition[]} */
  const editions = ctrl.variant?.editions ?? [];
  if (!editions.length) return nothing;
  const chosen = editions.find((edition) => edition.id === ctrl.prefs.box?.edition);
  return html`<div class="box">
    <label class="field">
      <span>${t("box")}</span>
      <select name="edition"
        @change=${(/** @type {Event} */ event) =>
          storeBoxChoice(ctrl, { edition: getSelectedValue(event), players: 1 })}>
        <option value="" ?selected=${!chosen}>${t("box.any")}</option>
        ${editions.map(
          (edition) =>
            html`<option value=${edition.id} ?selected=${edition === chosen}>${
              getBoxTexts(ctrl, edition).title
            }</option>`,
        )}
      </select>
    </label>
    ${chosen ? renderBoxContents(ctrl, chosen) : nothing}
  </div>`;
}

/** @param {Controller} ctrl @param {{edition: string, players: number}} choice */
const storeBoxChoice = (ctrl, choice) => ctrl.prefer("box", choice);

/** @param {Event} event */
const getSelectedValue = (event) => /** @type {HTMLSelectElement} */ (event.target).value;

/**
 * Returns a box's texts in the viewer's language. If they aren't translated, returns them in the
 * variant's language.
 * @param {Controller} ctrl
 * @param {Edition} edition
 * @returns {{title: string, note: string}}
 */
const getBoxTexts = ({ variant }, { id }) =>
  getOwnValue(variant.texts[getLanguage()]?.editions, id) ??
  getOwnValue(variant.texts[variant.language]?.editions, id) ?? { title: id, note: "" };

/** Renders the cards to take from a box. @param {Controller} ctrl @param {Edition} edition */
function renderBoxContents(ctrl, edition) {
  /** @type {Card[]} */
  const deck = ctrl.variant.cards;
  const deckCount = countDecks(edition, deck);
  const players = Math.max(1, Math.min(deckCount, ctrl.prefs.box.players));
  const rest = getCardsLeft(edition, deck, players);
  const count = rest.reduce((sum, card) => sum + card.count, 0);
  return html`<p class="soft">${getBoxTexts(ctrl, edition).note}</p>
    ${deckCount > 1 ? renderSharerButtons(ctrl, edition, deckCount, players) : nothing}
    <ul class="box-list" aria-label=${t("box.take")}>
      ${getCardsToTake(edition, deck, players).map(
        ({ id, take, of }) =>
          html`<li class=${take > of ? "short" : ""}>
            ${renderCardBadge(id)}<b>${take}×</b><span class="grow">${getCardTitle(id)}</span>
            <span class="soft">${t("box.of", { all: of })}</span>
          </li>`,
      )}
    </ul>
    ${deckCount < 1 ? html`<p class="short">${t("box.short")}</p>` : nothing}
    <details>
      <summary>${t("box.stays", { count })}</summary>
      <p>${joinNames(rest.map((card) => `${card.count}× ${getCardTitle(card.id)}`))}</p>
    </details>`;
}

/**
 * Renders buttons to choose how many players of one household share this box.
 * @param {Controller} ctrl
 * @param {Edition} edition
 * @param {number} most number of decks in the box
 * @param {number} players
 */
const renderSharerButtons = (
  ctrl,
  edition,
  most,
  players,
) => html`<div class="row box-sharers" role="group" aria-label=${t("box.players")}>
  <span class="grow">${t("box.players")}</span>
  ${Array.from({ length: most }, (_, i) => i + 1).map(
    (count) => html`<button type="button" class="press small"
      aria-pressed=${count === players}
      @click=${() => storeBoxChoice(ctrl, { edition: edition.id, players: count })}>
      ${count}
    </button>`,
  )}
</div>`;

/**
 * A box of the game. `titles` contains the number of copies of each card in the box, by the card's
 * id.
 * @typedef {{id: string, cards: number, titles: Record<string, number>}} Edition
 */
/** @typedef {{id: string, count: number}} Card */
/**
 * The cards of one title: `take` is the number of cards to take out of the box, `of` the number of
 * cards in the box.
 * @typedef {{id: string, take: number, of: number}} Take
 */
/** @typedef {{id: string, count: number}} Rest */

/**
 * Returns the number of complete decks for which the box has enough cards.
 * @param {Edition} edition
 * @param {readonly Card[]} deck
 */
export const countDecks = (edition, deck) =>
  Math.min(
    ...deck.map(({ id, count }) => Math.floor((getOwnValue(edition.titles, id) ?? 0) / count)),
  );

/**
 * Returns the cards to take from a box for a number of decks, in the deck's order.
 * @param {Edition} edition
 * @param {readonly Card[]} deck
 * @param {number} decks
 * @returns {Take[]}
 */
export const getCardsToTake = (edition, deck, decks) =>
  deck.map(({ id, count }) => ({
    id,
    take: count * decks,
    of: getOwnValue(edition.titles, id) ?? 0,
  }));

/**
 * Returns the cards that stay in the box. The title with the most cards comes first.
 * @param {Edition} edition
 * @param {readonly Card[]} deck
 * @param {number} decks
 * @returns {Rest[]}
 */
export function getCardsLeft(edition, deck, decks) {
  const used = new Map(getCardsToTake(edition, deck, decks).map(({ id, take }) => [id, take]));
  return Object.entries(edition.titles)
    .map(([id, count]) => ({ id, count: count - (used.get(id) ?? 0) }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count);
}
