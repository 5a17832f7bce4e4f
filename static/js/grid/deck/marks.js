/**
 * After the game: the verdict on each device deck, which this panel has checked itself.
 */
import { title } from "../../core/deck.js";
import { html, nothing } from "../../core/lit.js";
import { t } from "../../core/text.js";
import { art, renderEmblem, renderPlayerName, renderSentence } from "../../shell/parts.js";
import { check, games } from "../check.js";
import { packOf } from "../fair.js";
import { isKept } from "../state.js";
import { valueAt } from "../../core/value.js";

/** @import { Controller } from "../../core/controller.js" */
/** @import { Finding, Seat, View } from "../types.js" */

/** Cache of results: secret → mismatches. @type {Map<string, Finding[]>} */
const found = new Map();

/** @param {Controller} ctrl */
export function marks(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const seats = view.seats.filter(isKept);
  if (!seats.length || !ctrl.variant || !ctrl.story) return nothing;
  return html`<section class="panel marks" aria-label=${t("deck.marks")}>
    <h2>${t("deck.marks")}</h2>
    <ul class="seats">${seats.map((seat) => mark(ctrl, seat))}</ul>
    <p class="soft">${t("deck.marks.what")}</p>
  </section>`;
}

/** @param {Controller} ctrl @param {Seat} seat */
function mark(ctrl, seat) {
  const wrong = findings(ctrl, seat);
  const side = !wrong ? "closed" : wrong.length ? "wrong" : "honest";
  const icon = { closed: "pause", honest: "check", wrong: "close" }[side];
  return html`<li data-mark=${side} data-seat=${seat.seat}>
    <span class="mark ${side}">${art(icon)}</span>
    ${renderEmblem(ctrl, seat.seat)}<span class="grow">${renderSentence(`deck.mark.${side}`, {
      name: renderPlayerName(seat.name),
    })}
      ${wrong?.[0] ? html`<span class="soft">${what(wrong[0])}</span>` : nothing}</span>
  </li>`;
}

/**
 * Returns the mismatches in an opened deck, or null if it isn't open.
 * @param {Controller} ctrl
 * @param {Seat} seat
 * @returns {Finding[] | null}
 */
function findings(ctrl, { seat, deck }) {
  if (deck?.kind !== "device" || !deck.secret) return null;
  const known = found.get(deck.secret);
  if (known) return known;
  const game = games(ctrl.story ?? []).findLast((one) => valueAt(one.decks, seat) === deck.commit);
  if (!game) return null;
  const opened = { ...game.opened, [seat]: { version: 0, secret: deck.secret } };
  const wrong = check(packOf(ctrl.variant), { ...game, opened }, seat);
  found.set(deck.secret, wrong);
  return wrong;
}

/** Describes the first mismatch in words. @param {Finding} wrong */
const what = ({ what: kind, said, lay }) =>
  t(`deck.wrong.${kind}`, { said: said ? title(said) : "", lay: lay ? title(lay) : "" });
