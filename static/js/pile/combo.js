/**
 * Assembles a combo by taps: its kind, its title, the title that a triple asks for, and the target.
 * The choices come from `you.may`; the panel doesn't know the viewer's hand.
 */
import { title } from "../core/deck.js";
import { html, nothing } from "../core/lit.js";
import { joinNames, t } from "../core/text.js";
import { cardBadge, commandButton, roundButton } from "../shell/parts.js";
import { palette, targets } from "./palette.js";
import { arrange, countCards, draftOf, effectOf, mine, titles } from "./state.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Command } from "../core/types.js" */
/** @import { Draft } from "./types.js" */

const FIVE = 5;

/**
 * Returns the kinds of combo that can be played now, in the order of `you.may`.
 * @param {Controller} ctrl
 * @returns {string[]}
 */
export const kinds = (ctrl) => [...new Set(mine(ctrl, "combo").map((one) => one.kind))];

/** @param {Controller} ctrl @param {string} [kind] */
export const begin = (ctrl, kind = kinds(ctrl)[0]) =>
  arrange(ctrl, { alone: true, kind, cards: kind === "five" ? [] : undefined });

/** Draws the choices for a combo, in place of stage and dock. @param {Controller} ctrl */
export function combo(ctrl) {
  const draft = /** @type {Draft} */ (draftOf(ctrl));
  return html`<div class="builder">
    ${head(ctrl, draft)}${draft.kind === "five" ? five(ctrl, draft) : same(ctrl, draft)}
  </div>`;
}

/**
 * Draws the heading: the kinds, the choice so far, and the way back.
 * @param {Controller} ctrl
 * @param {Draft} draft
 */
function head(ctrl, draft) {
  const chosen = draft.kind !== "five" && draft.cards;
  const back = () => arrange(ctrl, chosen ? { ...draft, cards: undefined, name: null } : null);
  return html`<div class="builder-head">
    ${roundButton("undo", t("back"), back, "bare")}
    ${
      chosen
        ? html`<span class="chosen">
          ${chosen.map(cardBadge)}
          <b class="clip">${joinNames([...new Set(chosen)].map(title))}</b>
          ${draft.name ? html`<span class="soft">→</span>${cardBadge(draft.name)}` : nothing}
        </span>`
        : html`<span class="kinds" role="group" aria-label=${t("combo")}>
          ${kinds(ctrl).map(
            (kind) =>
              html`<button type="button" class="press small"
                aria-pressed=${String(kind === draft.kind)} data-kind=${kind}
                @click=${() => begin(ctrl, kind)}>
                ${t(`combo.name.${kind}`)}
              </button>`,
          )}
        </span>`
    }
  </div>`;
}

/** Draws the choices for a pair or a triple. @param {Controller} ctrl @param {Draft} draft */
function same(ctrl, draft) {
  const all = mine(ctrl, "combo").filter((one) => one.kind === draft.kind);
  const cards = draft.cards;
  if (!cards)
    return palette(basesOf(all), {
      label: t(`now.combo.${draft.kind}`),
      tap: (base) => choose(ctrl, { ...draft, cards: wayOf(all, base)[0]?.cards }, all),
    });
  const entry = all.find((one) => sameCards(one.cards, cards));
  if (draft.kind === "triple" && !draft.name)
    return html`${palette(titles(), {
      label: t("now.combo.name"),
      tap: (name) => choose(ctrl, { ...draft, name }, all),
    })}`;
  const from = entry?.targets ?? [];
  if (from.length === 1 && wayOf(all, baseOf(cards)).length > 1)
    return ways(draft, all, (way) => take(ctrl, draft, way, from[0]));
  return html`${ways(draft, all, (way) => arrange(ctrl, { ...draft, cards: way.cards }))}${targets(
    ctrl,
    from,
    (target) => take(ctrl, draft, /** @type {Command} */ (entry), target),
  )}`;
}

/**
 * Updates the draft after a choice, and plays the combo if nothing is left to choose.
 * @param {Controller} ctrl
 * @param {Draft} draft
 * @param {Command[]} all
 */
function choose(ctrl, draft, all) {
  const [way, ...others] = draft.cards ? wayOf(all, baseOf(draft.cards)) : [];
  const whole = way && !others.length && (draft.kind !== "triple" || draft.name);
  if (whole && way.targets.length === 1) take(ctrl, draft, way, way.targets[0]);
  else arrange(ctrl, draft);
}

/**
 * Plays a pair or a triple against somebody.
 * @param {Controller} ctrl
 * @param {Draft} draft
 * @param {Command} way
 * @param {string} target
 */
function take(ctrl, draft, { targets: _, ...command }, target) {
  ctrl.send({ ...command, target, ...(draft.name ? { name: draft.name } : {}) });
}

/** @param {string[]} one @param {string[]} other */
const sameCards = (one, other) => [...one].sort().join() === [...other].sort().join();

/**
 * Returns the title of a matching combo: that of its cards which are no feral cats.
 * @param {string[]} cards
 */
const baseOf = (cards) => cards.find((card) => effectOf(card) !== "feral") ?? String(cards[0]);

/** Returns the titles of which a combo can be played. @param {Command[]} all @returns {string[]} */
function basesOf(all) {
  const found = new Set(all.map((one) => baseOf(one.cards)));
  return titles().filter((card) => found.has(card));
}

/**
 * Returns the combos of a title, those with the fewest feral cats first.
 * @param {Command[]} all
 * @param {string} base
 */
const wayOf = (all, base) =>
  all
    .filter((one) => baseOf(one.cards) === base)
    .sort(
      (one, other) =>
        new Set(one.cards).size - new Set(other.cards).size || more(other, base) - more(one, base),
    );

/** @param {Command} one @param {string} base */
const more = (one, base) => one.cards.filter((/** @type {string} */ card) => card === base).length;

/**
 * Draws the choice of how many feral cats to use, if there is one.
 * @param {Draft} draft
 * @param {Command[]} all
 * @param {(way: Command) => void} tap
 */
function ways(draft, all, tap) {
  const cards = /** @type {string[]} */ (draft.cards);
  const found = wayOf(all, baseOf(cards));
  if (found.length < 2) return nothing;
  return html`<div class="ways" role="group" aria-label=${t("combo.ways")}>
    ${found.map(
      (one) => html`<button type="button" class="press small"
        aria-pressed=${String(sameCards(one.cards, cards))} aria-label=${describeCards(one.cards)}
        @click=${() => tap(one)}>
        ${one.cards.map(cardBadge)}
      </button>`,
    )}
  </div>`;
}

/** @param {string[]} cards */
const describeCards = (cards) =>
  joinNames([...countCards(cards)].map(([card, count]) => `${count}× ${title(card)}`));

/**
 * Draws the choice of five different cards, of which feral cats may replace any.
 * @param {Controller} ctrl
 * @param {Draft} draft
 */
function five(ctrl, draft) {
  const cards = draft.cards ?? [];
  const many = countCards(cards);
  const wild = (/** @type {string} */ card) => effectOf(card) === "feral";
  const tap = (/** @type {string} */ card) =>
    arrange(ctrl, {
      ...draft,
      cards:
        many.has(card) && (!wild(card) || cards.length === FIVE)
          ? cards.filter((one) => one !== card)
          : [...cards, card],
    });
  const [entry] = mine(ctrl, "combo").filter((one) => one.kind === "five");
  const left = FIVE - cards.length;
  return html`${palette(titles(), {
    label: t("now.combo.five"),
    tap,
    count: (card) => many.get(card) ?? 0,
    able: (card) => left > 0 || many.has(card),
  })}${
    left || !entry
      ? html`<p class="quiet">${t("combo.left", { count: left })}</p>`
      : commandButton(ctrl, { ...entry, cards }, t("combo.play"), { kind: "main wide" })
  }`;
}
