/**
 * Returns small pictures by name. They are as big as the text around them. Pictures of whole cards
 * are in cards.js, scenes in scenes.js, and the steps of the preparation in preparation.js.
 */
import { html } from "../vendor/lit-html/lit-html.js";
import { cardBack } from "./cards.js";
import { FACES } from "./faces.js";
import { ICONS } from "./icons.js";
import { mark } from "./mark.js";
import { bang, toldMarker } from "./marks.js";

/** The pictures that aren't drawn on a badge, by name. @type {Record<string, any>} */
const WHOLE = { __proto__: null, mark, back: cardBack, paw: toldMarker, boom: bang };

/** Draws an effect's picture as a badge, on the colour of the effect. @param {string} effect */
const badge = (
  effect,
) => html`<svg class="art art-badge" viewBox="-54 -54 108 108" aria-hidden="true" focusable="false">
  <rect x="-54" y="-54" width="108" height="108" rx="26" fill="var(--${effect}, var(--paper))" />${FACES[effect]}</svg>`;

/**
 * Returns a picture by name, without a text alternative.
 * @param {string} name a card's effect, an icon, `mark`, `back`, `paw` or `boom`; any other name gives a card
 */
export const art = (name) => {
  if (WHOLE[name]) return WHOLE[name]();
  if (FACES[name]) return badge(name);
  return html`<svg class="art art-icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${ICONS[name] ?? ICONS.cards}</svg>`;
};
