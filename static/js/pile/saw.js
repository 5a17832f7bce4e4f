/**
 * After a look at the pile: buttons to put the cards back, with a form for players who want to note them
 * privately, or, after Alter the Future, to record their new order.
 */
import { hueClass, cardsInGame, title } from "../core/deck.js";
import { html, nothing } from "../core/lit.js";
import { t } from "../core/text.js";
import { art, cardBadge, faceOf, commandButton } from "../shell/parts.js";
import { drag, reorder } from "./drag.js";
import { palette } from "./palette.js";
import { arrange, draftOf, lookAlters, mine, place, viewOf } from "./state.js";

/** @import { Controller } from "../core/controller.js" */

const MOST = 3;

/** @param {Controller} ctrl */
export function saw(ctrl) {
  const [look] = mine(ctrl, "look");
  const seen = draftOf(ctrl)?.saw;
  if (!look) return nothing;
  if (!seen) return putBack(ctrl, look);
  const whole = seen.every(Boolean);
  const next = whole
    ? commandButton(ctrl, { ...look, saw: seen }, t("dock.noted"), { kind: "main" })
    : slots(ctrl, seen);
  return html`${whole ? nothing : which(ctrl, seen)}<div class="dock two saw">
    ${next}
    <button type="button" class="press small" data-do="unsaw" @click=${() => arrange(ctrl, null)}>
      ${t("dock.no-note")}
    </button>
  </div>`;
}

/**
 * Draws the button "back on the pile" and the way to a private note.
 * @param {Controller} ctrl
 * @param {import("../core/types.js").Command} look
 */
function putBack(ctrl, look) {
  const own = ctrl.as === ctrl.me;
  const done = t(lookAlters(viewOf(ctrl)) ? "dock.altered" : "dock.looked");
  return html`<div class="dock two ${own ? "" : "alone"}">
    ${commandButton(ctrl, look, done, { kind: "main" })}
    ${
      own
        ? html`<button type="button" class="press small" data-do="saw"
          @click=${() => tell(ctrl, empty(ctrl))}>
          ${t("notes.do")}
        </button>`
        : nothing
    }
  </div>`;
}

/** @param {Controller} ctrl @param {(string | null)[]} seen */
const tell = (ctrl, seen) => arrange(ctrl, { alone: true, saw: seen });

/** Returns empty places for all cards that can be looked at. @param {Controller} ctrl @returns {null[]} */
const empty = (ctrl) =>
  Array.from({ length: Math.min(MOST, viewOf(ctrl).pile?.cards ?? 0) }, () => null);

/**
 * Draws the titles to choose from; a choice fills the first empty place.
 * @param {Controller} ctrl
 * @param {(string | null)[]} seen
 */
function which(ctrl, seen) {
  const at = seen.indexOf(null);
  return palette(
    cardsInGame().map(({ id }) => id),
    {
      label: t("now.saw.hint"),
      tap: (card) =>
        tell(
          ctrl,
          seen.map((one, i) => (i === at ? card : one)),
        ),
    },
  );
}

/**
 * Draws the places; a tap on a filled one empties it.
 * @param {Controller} ctrl
 * @param {(string | null)[]} seen
 */
const slots = (ctrl, seen) =>
  html`<ol class="slots" aria-label=${t("saw.places")}>
    ${seen.map(
      (card, at) =>
        html`<li>
          <button type="button" class="press small ${card ? hueClass(card) : ""}" ?disabled=${!card}
            aria-label=${label(card, at)} @click=${() => clear(ctrl, seen, at)}>
            ${card ? cardBadge(card) : html`<span class="soft">${place(at + 1)}</span>`}
          </button>
        </li>`,
    )}
  </ol>`;

/** @param {string | null} card @param {number} at */
const label = (card, at) =>
  card
    ? t("saw.empty", { card: title(card), place: place(at + 1) })
    : t("saw.free", { place: place(at + 1) });

/** @param {Controller} ctrl @param {(string | null)[]} seen @param {number} at */
const clear = (ctrl, seen, at) =>
  tell(
    ctrl,
    seen.map((one, i) => (i === at ? null : one)),
  );

/**
 * Draws the cards that were seen, the top one on the left. A tap removes one; after Alter the Future
 * they can be moved by dragging or with the arrow buttons.
 * @param {Controller} ctrl
 * @param {(string | null)[]} seen
 */
export function places(ctrl, seen) {
  if (!seen.every(Boolean)) return html`<div class="stage"></div>`;
  const moves = lookAlters(viewOf(ctrl));
  const move = (/** @type {number} */ from, /** @type {number} */ to) =>
    tell(ctrl, reorder(/** @type {any} */ (draftOf(ctrl)).saw, from, to));
  return html`<div class="stage">
    <ol class="places ${moves ? "movable" : ""}" aria-label=${t("saw.places")}>
      ${seen.map(
        (card, at) => html`<li data-at=${at}>
          <span class="soft">${place(at + 1)}</span>
          <button type="button" class="slot" aria-label=${label(card, at)}
            @pointerdown=${(/** @type {PointerEvent} */ event) =>
              moves &&
              drag(event, ".places [data-at]", at, move)} @click=${() => clear(ctrl, seen, at)}>
            ${faceOf(String(card))}
          </button>
          ${
            moves
              ? html`<span class="arrows">
                ${[at - 1, at + 1].map((to) => arrow(seen, String(card), at, to, move))}
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
function arrow(seen, card, at, to, move) {
  const label = t(to < at ? "saw.up" : "saw.down", { card: title(card) });
  return html`<button type="button" class="press round" ?disabled=${to < 0 || to >= seen.length}
    aria-label=${label} @click=${() => move(at, to)}>
    ${art(to < at ? "left" : "right")}
  </button>`;
}
