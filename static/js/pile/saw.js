/**
 * Renders the dock for a player who has looked at the top cards of the pile. It has a button to put
 * the cards back, and a form for the cards. The player can note them privately or, after Alter the
 * Future, enter the new order.
 */
import { getHueClass, getCardsInGame, getCardTitle } from "../core/deck.js";
import { html, nothing } from "../core/lit.js";
import { t } from "../core/text.js";
import { art, renderCardBadge, renderCardFace, renderCommandButton } from "../shell/parts.js";
import { startDrag, moveElement } from "./drag.js";
import { renderTitleButtons } from "./palette.js";
import {
  setDraft,
  getDraft,
  canRearrangeTop,
  getAllowedCommands,
  getSeenCount,
  describePlace,
  getView,
} from "./state.js";

/** @import { Controller } from "../core/controller.js" */

/** @param {Controller} ctrl */
export function renderLookDock(ctrl) {
  const [look] = getAllowedCommands(ctrl, "look");
  const seen = getDraft(ctrl)?.saw;
  if (!look) return nothing;
  if (!seen) return renderPutBackButtons(ctrl, look);
  const whole = seen.every(Boolean);
  const next = whole
    ? renderCommandButton(ctrl, { ...look, saw: seen }, t("dock.noted"), { kind: "main" })
    : renderSlots(ctrl, seen);
  return html`${whole ? nothing : renderTitleChoice(ctrl, seen)}<div class="dock two saw">
    ${next}
    <button type="button" class="press small" data-do="unsaw" @click=${() => setDraft(ctrl, null)}>
      ${t("dock.no-note")}
    </button>
  </div>`;
}

/**
 * Renders two buttons: one confirms that the cards are back on the pile, the other opens the form for
 * a private note.
 * @param {Controller} ctrl
 * @param {import("../core/types.js").Command} look
 */
function renderPutBackButtons(ctrl, look) {
  const isOwnSeat = ctrl.as === ctrl.me;
  const done = t(canRearrangeTop(getView(ctrl)) ? "dock.altered" : "dock.looked");
  return html`<div class="dock two ${isOwnSeat ? "" : "alone"}">
    ${renderCommandButton(ctrl, look, done, { kind: "main" })}
    ${
      isOwnSeat
        ? html`<button type="button" class="press small" data-do="saw"
          @click=${() => updateSeenCards(ctrl, getEmptySlots(ctrl))}>
          ${t("notes.do")}
        </button>`
        : nothing
    }
  </div>`;
}

/** @param {Controller} ctrl @param {(string | null)[]} seen */
const updateSeenCards = (ctrl, seen) => setDraft(ctrl, { alone: true, saw: seen });

/**
 * Returns an empty slot for each card that the player can look at.
 * @param {Controller} ctrl
 * @returns {null[]}
 */
const getEmptySlots = (ctrl) => Array.from({ length: getSeenCount(getView(ctrl)) }, () => null);

/**
 * Renders the titles to choose from. A choice fills the first empty slot.
 * @param {Controller} ctrl
 * @param {(string | null)[]} seen
 */
function renderTitleChoice(ctrl, seen) {
  const at = seen.indexOf(null);
  return renderTitleButtons(
    getCardsInGame().map(({ id }) => id),
    {
      label: t("now.saw.hint"),
      tap: (card) =>
        updateSeenCards(
          ctrl,
          seen.map((slot, i) => (i === at ? card : slot)),
        ),
    },
  );
}

/**
 * Renders the slots. A tap on a filled slot empties it.
 * @param {Controller} ctrl
 * @param {(string | null)[]} seen
 */
const renderSlots = (ctrl, seen) =>
  html`<ol class="slots" aria-label=${t("saw.places")}>
    ${seen.map(
      (card, at) =>
        html`<li>
          <button type="button" class="press small ${card ? getHueClass(card) : ""}" ?disabled=${!card}
            aria-label=${getSlotLabel(card, at)} @click=${() => clearSlot(ctrl, seen, at)}>
            ${card ? renderCardBadge(card) : html`<span class="soft">${describePlace(at + 1)}</span>`}
          </button>
        </li>`,
    )}
  </ol>`;

/** @param {string | null} card @param {number} at */
const getSlotLabel = (card, at) =>
  card
    ? t("saw.empty", { card: getCardTitle(card), place: describePlace(at + 1) })
    : t("saw.free", { place: describePlace(at + 1) });

/** @param {Controller} ctrl @param {(string | null)[]} seen @param {number} at */
const clearSlot = (ctrl, seen, at) =>
  updateSeenCards(
    ctrl,
    seen.map((slot, i) => (i === at ? null : slot)),
  );

/**
 * Renders the cards that were seen, the top card on the left. A tap removes a card. After Alter the
 * Future, the cards can be moved by dragging or with the arrow buttons.
 * @param {Controller} ctrl
 * @param {(string | null)[]} seen
 */
export function renderSeenCards(ctrl, seen) {
  if (!seen.every(Boolean)) return html`<div class="stage"></div>`;
  const moves = canRearrangeTop(getView(ctrl));
  const moveCard = (/** @type {number} */ from, /** @type {number} */ to) =>
    updateSeenCards(ctrl, moveElement(/** @type {any} */ (getDraft(ctrl)).saw, from, to));
  return html`<div class="stage">
    <ol class="places ${moves ? "movable" : ""}" aria-label=${t("saw.places")}>
      ${seen.map(
        (card, at) => html`<li data-at=${at}>
          <span class="soft">${describePlace(at + 1)}</span>
          <button type="button" class="slot" aria-label=${getSlotLabel(card, at)}
            @pointerdown=${(/** @type {PointerEvent} */ event) =>
              moves &&
              startDrag(
                event,
                ".places [data-at]",
                at,
                moveCard,
              )} @click=${() => clearSlot(ctrl, seen, at)}>
            ${renderCardFace(String(card))}
          </button>
          ${
            moves
              ? html`<span class="arrows">
                ${[at - 1, at + 1].map((to) => renderArrowButton(seen, String(card), at, to, moveCard))}
              </span>`
              : nothing
          }
        </li>`,
      )}
    </ol>
  </div>`;
}

/**
 * @param {unknown[]} seen
 * @param {string} card
 * @param {number} at
 * @param {number} to
 * @param {(from: number, to: number) => void} move
 */
function renderArrowButton(seen, card, at, to, move) {
  const label = t(to < at ? "saw.up" : "saw.down", { card: getCardTitle(card) });
  return html`<button type="button" class="press round" ?disabled=${to < 0 || to >= seen.length}
    aria-label=${label} @click=${() => move(at, to)}>
    ${art(to < at ? "left" : "right")}
  </button>`;
}
