/** The result of this panel's own check of each device deck, shown after the game. */
import { getCardTitle } from "../../core/deck.js";
import { html, nothing } from "../../core/lit.js";
import { t } from "../../core/text.js";
import { art, renderEmblem, renderPlayerName, renderSentence } from "../../shell/parts.js";
import { checkDeck, splitGames } from "../check.js";
import { readPack } from "../fair.js";
import { hasDeviceDeck } from "../state.js";
import { getOwnValue } from "../../core/value.js";

/** @import { Controller } from "../../core/controller.js" */
/** @import { Finding, Seat, View } from "../types.js" */

/**
 * The mismatches found in each deck that was already checked, by the deck's secret.
 * @type {Map<string, Finding[]>}
 */
const checkedDecks = new Map();

/** @param {Controller} ctrl */
export function renderVerdicts(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const seats = view.seats.filter(hasDeviceDeck);
  if (!seats.length || !ctrl.variant || !ctrl.story) return nothing;
  return html`<section class="panel marks" aria-label=${t("deck.marks")}>
    <h2>${t("deck.marks")}</h2>
    <ul class="seats">${seats.map((seat) => renderVerdict(ctrl, seat))}</ul>
    <p class="soft" role="status">
      ${t(isAwaitingDeck(ctrl, seats) ? "deck.marks.checking" : "deck.marks.what")}
    </p>
  </section>`;
}

/**
 * Returns true while a connected device hasn't opened its deck. Devices wait after a game before
 * they open their decks, because the end of the game can still be undone.
 * @param {Controller} ctrl
 * @param {Seat[]} seats
 */
const isAwaitingDeck = (ctrl, seats) =>
  seats.some(
    ({ seat, deck }) =>
      deck?.kind === "device" &&
      !deck.secret &&
      deck.here !== false &&
      (seat === ctrl.me || getOwnValue(ctrl.presence.seats, seat) === "here"),
  );

/** @param {Controller} ctrl @param {Seat} seat */
function renderVerdict(ctrl, seat) {
  const mismatches = findMismatches(ctrl, seat);
  const verdict = !mismatches ? "closed" : mismatches.length ? "wrong" : "honest";
  const icon = { closed: "pause", honest: "check", wrong: "close" }[verdict];
  return html`<li data-mark=${verdict} data-seat=${seat.seat}>
    <span class="mark ${verdict}">${art(icon)}</span>
    ${renderEmblem(ctrl, seat.seat)}<span class="grow">${renderSentence(`deck.mark.${verdict}`, {
      name: renderPlayerName(seat.name),
    })}
      ${mismatches?.[0] ? html`<span class="soft">${describeMismatch(mismatches[0])}</span>` : nothing}</span>
  </li>`;
}

/**
 * Returns the mismatches in an opened deck, or null if the deck's secret isn't published or the
 * loaded log doesn't contain its game.
 * @param {Controller} ctrl
 * @param {Seat} seat
 * @returns {Finding[] | null}
 */
function findMismatches(ctrl, { seat, deck }) {
  if (deck?.kind !== "device" || !deck.secret) return null;
  const cached = checkedDecks.get(deck.secret);
  if (cached) return cached;
  const game = splitGames(ctrl.story ?? []).findLast(
    (one) => getOwnValue(one.decks, seat) === deck.commit,
  );
  if (!game) return null;
  const opened = { ...game.opened, [seat]: { version: 0, secret: deck.secret } };
  const mismatches = checkDeck(readPack(ctrl.variant), { ...game, opened }, seat);
  checkedDecks.set(deck.secret, mismatches);
  return mismatches;
}

/** Describes the first mismatch in words. @param {Finding} wrong */
const describeMismatch = ({ what: kind, shownCard: said, actualCard: lay }) =>
  t(`deck.wrong.${kind}`, {
    said: said ? getCardTitle(said) : "",
    lay: lay ? getCardTitle(lay) : "",
  });
