/**
 * What sentences say of the pile's places, of combos and of what is arranged.
 * @import { Facts } from "../core/types.js"
 * @import { Draft, View } from "./types.js"
 */
import { title } from "../core/deck.js";
import { has, listed, t } from "../core/text.js";

/**
 * A place in the pile, counted from the top.
 * @param {number} at
 * @param {number} [cards] in the pile, where its last place has a name
 */
export function place(at, cards = 0) {
  if (at === 1) return t("place.top");
  return at === cards ? t("place.bottom") : t("place.nth", { n: at });
}

/**
 * A fact of the log or of a refusal that only these games have.
 * @param {string} key
 * @param {any} value
 * @param {Facts} facts
 * @param {View} view
 */
export function word(key, value, facts, view) {
  if (key === "place") return place(value, Number(facts.cards ?? view.pile?.cards));
  if ((key === "kind" || key === "card") && has(`kind.${value}`)) return t(`kind.${value}`);
  if (key === "name" && typeof value === "string" && facts.kind) return title(value);
  if (key === "cards" && Array.isArray(value)) return listed(value.map(title));
  return undefined;
}

/**
 * What changed while the viewer puts something together.
 * @param {Draft} before
 * @param {Draft} after
 * @param {View} _view
 */
export function moved(before, after, _view) {
  const [one, other] = [before.saw, after.saw];
  if (other && one?.every(Boolean) && other.every(Boolean))
    return t("aria.order", { cards: listed(other.map((card) => title(String(card)))) });
  if (after.told && before.told) return t("aria.count", { count: after.told.length });
  if (after.kind === "five" && before.cards)
    return t("aria.count", { count: after.cards?.length ?? 0 });
  if (after.place && before.place !== after.place) return place(after.place);
  return "";
}
