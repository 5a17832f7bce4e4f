/**
 * Renders the middle of the table: the pile with the odds of its two ends, the discard pile, and the
 * turns that the player owes.
 */
import { cardBack, emptyCell } from "../../art/cards.js";
import { danger } from "../../art/marks.js";
import { findCardWithEffect, getCardTitle } from "../core/deck.js";
import { html, nothing } from "../core/lit.js";
import { getSeatName, getCommandTag } from "../core/moves.js";
import { t } from "../core/text.js";
import {
  art,
  renderCardBadge,
  renderEmblem,
  renderCardFace,
  renderPlayerName,
  renderSentence,
} from "../shell/parts.js";
import { getNextSeat } from "./now.js";
import {
  getEndOdds,
  getAllowedCommands,
  describePile,
  describePlace,
  getView,
  isImplodingOnTop,
} from "./state.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { End, View } from "./types.js" */

const CARDS_PER_LAYER = 3; // number of cards that one layer in the picture of the pile stands for
const FANNED_CARDS = 4; // maximum number of discarded cards that the fan shows
/** The steps in which a drawn card doesn't lie in the pile any more. */
const DRAWN_STEPS = ["report", "kitten", "imploding"];
const MOST_PAWS = 6; // maximum number of paws that are shown

/**
 * Renders the middle of the table without buttons, for a shared screen.
 * @param {Controller} ctrl
 */
export function renderSharedMiddle(ctrl) {
  const view = getView(ctrl);
  const { cards, unnoted } = view.discard ?? { cards: [], unnoted: 0 };
  return html`<div class="table-top">
    <div class="felt">
      ${renderPile(ctrl, view)}<div class="chances">${renderOdds(view)}</div>
      <div class="discarded">${renderFan(cards, unnoted)}${renderCount(cards.length + unnoted)}</div>
    </div>
    ${renderOwedTurns(ctrl, view)}
  </div>`;
}

/** @param {Controller} ctrl */
export function renderTableMiddle(ctrl) {
  const view = getView(ctrl);
  return html`<div class="table-top">
    <div class="felt">${renderPile(ctrl, view)}${renderOddsButton(ctrl, view)}${renderDiscardPile(
      ctrl,
      view,
    )}</div>
    ${renderOwedTurns(ctrl, view)}
  </div>`;
}

/**
 * Renders the pile; the more cards, the thicker it looks. A tap on it draws the top card.
 * @param {Controller} ctrl
 * @param {View} view
 */
function renderPile(ctrl, view) {
  const { cards = 0 } = view.pile ?? {};
  const [draw] = getAllowedCommands(ctrl, "draw");
  const end = DRAWN_STEPS.includes(view.turn?.step ?? "") ? (view.turn?.end ?? null) : null;
  const words = describePile(view);
  const look = html`<span class="heap ${end ? `lifted-${end}` : ""}"
    .style=${`--layers:${Math.ceil(cards / CARDS_PER_LAYER)}`}>
    ${Array.from(
      { length: Math.ceil(cards / CARDS_PER_LAYER) },
      (_, at) => html`<i .style=${`--at:${at}`}></i>`,
    )}${cards ? renderTopCard(view) : emptyCell()}${renderCount(cards)}${renderTopNotes(view)}${
      end ? html`<span class="pin" aria-hidden="true">${art("paw")}</span>` : nothing
    }
  </span>`;
  return draw
    ? html`<button type="button" class="pile-button ${ctrl.pending.has(getCommandTag(draw)) ? "pending" : ""}"
      data-say="draw" aria-keyshortcuts="D" aria-label=${`${t("pile.draw")} ${words}`}
      @click=${() => ctrl.send(draw)}>
      ${look}
    </button>`
    : html`<span class="pile-button" role="img" aria-label=${words}>${look}</span>`;
}

/**
 * Renders the top card of the pile from behind, or its face if it lies face up.
 * @param {View} view
 */
const renderTopCard = (view) =>
  isImplodingOnTop(view) ? renderCardFace(findCardWithEffect("imploding")) : cardBack();

/** Renders the viewer's private notes about the top cards. @param {View} view */
function renderTopNotes(view) {
  const notes = (view.you?.notes ?? []).filter((note) => note.place <= 3);
  return notes.length
    ? html`<span class="heap-notes">
      ${notes.map(
        (note) =>
          html`<span class="noted" title=${`${describePlace(note.place)}: ${getCardTitle(note.card)}`}>
            ${renderCardBadge(note.card)}
            <small aria-hidden="true">${note.place}</small>
          </span>`,
      )}
    </span>`
    : nothing;
}

/**
 * Renders the odds of both ends and the number of Kittens in the pile. A tap opens an explanation.
 * @param {Controller} ctrl
 * @param {View} view
 */
function renderOddsButton(ctrl, view) {
  if (!view.pile) return nothing;
  const { top, bottom } = getEndOdds(view);
  // Without the odds, if the host has switched them off, the button shows the number of Kittens.
  const label = top
    ? t("pile.odds", {
        top: describeEndOdds("top", top),
        bottom: describeEndOdds("bottom", bottom),
      })
    : describePile(view);
  return html`<button type="button" class="chances" aria-label=${label}
    @click=${() => ctrl.set({ sheet: { kind: "pile" } })}>
    ${renderOdds(view)}
  </button>`;
}

/** Renders the odds of both ends and the number of Kittens in the pile. @param {View} view */
function renderOdds(view) {
  if (!view.pile) return nothing;
  const { top, bottom } = getEndOdds(view);
  const { kittens, exact } = view.pile;
  return html`<span class="both">${renderEndOdds("top", top)}${renderEndOdds("bottom", bottom)}</span>
    <span class="inside">
      ${renderCardBadge(findCardWithEffect("kitten"))}<b>×${kittens}</b>${renderImplodingSign(
        view,
      )}${getUncertaintyReasons(top, bottom).map(
        (state) => html`<span class="tag">${t(`odds.${state}`)}</span>`,
      )}${exact ? nothing : html`<span class="tag">${t("pile.counts")}</span>`}
    </span>`;
}

/**
 * Renders a picture of the Imploding Kitten and its place in the pile. Renders nothing if it isn't
 * in the pile.
 * @param {View} view
 */
function renderImplodingSign({ pile }) {
  if (!pile?.imploding || pile.imploding === "shown") return nothing;
  return html`${renderCardBadge(findCardWithEffect("imploding"))}${
    pile.imploding === "down"
      ? nothing
      : html`<span class="tag" data-lies=${pile.imploding}>${t(`pile.lies.${pile.imploding}`)}</span>`
  }`;
}

/**
 * Returns the reasons why the odds of these ends are uncertain, each reason once.
 * @param {...(End | undefined)} both
 */
const getUncertaintyReasons = (...both) => [
  ...new Set(both.map((odds) => odds?.state ?? "shuffled").filter((state) => state !== "shuffled")),
];

/**
 * Renders the odds of one end as a mark. Uncertain odds look different.
 * @param {string} which
 * @param {End | undefined} odds
 */
function renderEndOdds(which, odds) {
  if (!odds) return nothing;
  const exact = odds.least === odds.most;
  return html`<span class="pile-end ${exact ? "" : "guess"}">
    <span class="end-mark">${danger(odds.even)}</span>
    <b>${t(`pile.${which}`)}</b>
    <span class="one-in">${describeChance(odds.even)}</span>
  </span>`;
}

/** Describes a chance in words, such as "1 in 5". @param {number} chance from 0 to 1 */
function describeChance(chance) {
  if (chance < 0.005 || chance > 0.995) return t(chance < 0.5 ? "odds.none" : "odds.sure");
  const ratio = Math.round(1 / Math.min(chance, 1 - chance));
  return t("odds.in", { some: chance > 0.5 ? ratio - 1 : 1, many: ratio });
}

/**
 * Describes the odds of an end in a sentence, with the reason for any uncertainty.
 * @param {string} which
 * @param {End | undefined} odds
 */
export function describeEndOdds(which, odds) {
  if (!odds) return "";
  const chance = describeChance(odds.even);
  if (odds.least === odds.most) return chance;
  return t(`odds.${odds.state === "arranged" ? "arranged" : which}.words`, { chance });
}

/** Renders the number of cards on a pile. @param {number} count */
const renderCount = (count) => html`<b class="tally" aria-hidden="true">${count}</b>`;

/**
 * Renders the discard pile as a fan with the newest card on top. A tap opens the sheet with all its
 * cards.
 * @param {Controller} ctrl
 * @param {View} view
 */
function renderDiscardPile(ctrl, view) {
  const { cards, unnoted } = view.discard ?? { cards: [], unnoted: 0 };
  const count = cards.length + unnoted;
  const top = cards.at(-1);
  const hidden = unnoted ? t("discard.unnoted", { count: unnoted }) : "";
  const description = top
    ? t("discard.of", { count, card: getCardTitle(top) })
    : t("discard.none", { count });
  const label = [description, hidden].filter(Boolean).join(", ");
  return html`<button type="button" class="discarded" data-do="discard" aria-label=${label}
    @click=${() => ctrl.set({ sheet: { kind: "discard" } })}>
    ${renderFan(cards, unnoted)}
    ${renderCount(count)}${
      unnoted ? html`<b class="tally unnoted" aria-hidden="true" >${hidden}</b>` : nothing
    }
  </button>`;
}

/**
 * Renders the newest cards of the discard pile as a fan.
 * @param {string[]} cards
 * @param {number} unnoted number of further cards that nobody has noted
 */
function renderFan(cards, unnoted) {
  const newest = cards.slice(-FANNED_CARDS);
  return html`<span class="fanned" data-count=${newest.length}>
    ${
      newest.length
        ? newest.map(
            (card, at) =>
              html`<span class="fan-card" .style=${`--at:${at - (newest.length - 1)}`}>
                ${renderCardFace(card)}
              </span>`,
          )
        : unnoted
          ? cardBack()
          : emptyCell()
    }
  </span>`;
}

/**
 * Renders the arrow that points to the next player. If play can turn round, it shows the direction.
 * @param {View} view
 */
const renderDirection = ({ direction }) =>
  direction
    ? html`<span class="play-way" role="img" data-way=${direction} aria-label=${t(`way.${direction}`)}
      title=${t(`way.${direction}`)}>${art(direction)}</span>`
    : art("right");

/**
 * Renders a paw for each turn that the player still owes, beginning with the current turn, and the
 * name of the next player.
 * @param {Controller} ctrl
 * @param {View} view
 */
function renderOwedTurns(ctrl, view) {
  const turn = view.turn;
  if (!turn) return nothing;
  const next = getNextSeat(view);
  const owes = turn.owed > 1 || turn.attacked;
  return html`<p class="debt ${turn.attacked ? "attacked" : ""}">
    ${
      owes
        ? html`<span class="paws" role="img" aria-label=${t("owed", { count: turn.owed })}>
          ${Array.from(
            { length: Math.min(turn.owed, MOST_PAWS) },
            (_, at) => html`<span class="paw ${at ? "" : "first"}">${art("paw")}</span>`,
          )}
          ${turn.owed > MOST_PAWS ? html`<b>×${turn.owed}</b>` : nothing}
        </span><b class="owes">${t("owed.turns", { count: turn.owed })}</b>`
        : nothing
    }
    ${
      next && next !== turn.seat
        ? html`<span class="then">
          ${renderDirection(view)}
          ${renderEmblem(ctrl, next)}
          <span class="clip">${renderSentence("then", {
            who: renderPlayerName(getSeatName(view, next)),
          })}</span>
        </span>`
        : nothing
    }
  </p>`;
}
