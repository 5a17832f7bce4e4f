/**
 * Draws the marks on cards and beside names: the paw on the card to draw, a card's danger, a hand
 * of cards, and an explosion.
 */
import { html, svg } from "../vendor/lit-html/lit-html.js";
import { star } from "./kitten.js";

const PAW = svg`<path d="M13 27H35V45H13Z" /><ellipse cx="24" cy="26" rx="17" ry="13" />
  <ellipse cx="9" cy="17" rx="6" ry="7.500" transform="rotate(-24 9 17)" /><ellipse cx="18.500" cy="10.500" rx="6" ry="8" />
  <ellipse cx="29.500" cy="10.500" rx="6" ry="8" /><ellipse cx="39" cy="17" rx="6" ry="7.500" transform="rotate(24 39 17)" />`;

/** Draws the paw on the card that the player has to draw. It reaches in from below. */
export const toldMarker =
  () => html`<svg class="art art-paw" viewBox="0 0 48 50" aria-hidden="true" focusable="false">
  <g fill="var(--paper)" stroke="var(--print)" stroke-width="7" stroke-linejoin="round">${PAW}</g>
  <g fill="var(--paper)">${PAW}</g>
  <g fill="var(--blaze)"><ellipse cx="9" cy="17" rx="3.300" ry="4.500" transform="rotate(-24 9 17)" /><ellipse cx="18.500" cy="10" rx="3.300" ry="4.800" />
    <ellipse cx="29.500" cy="10" rx="3.300" ry="4.800" /><ellipse cx="39" cy="17" rx="3.300" ry="4.500" transform="rotate(24 39 17)" />
    <path d="M24 19C30 19 35 24.500 34 29S27.500 31 24 31S15 33.500 14 29S18 19 24 19Z" /></g>
  <rect x="11" y="41" width="26" height="7.500" rx="3.700" fill="var(--marigold)" stroke="var(--print)" stroke-width="3" /></svg>`;

/**
 * For each level of danger, the highest chance of the Kitten, and how the mark looks. A greater
 * danger has more points.
 */
export const LEVELS = /** @type {const} */ ([
  [0.18, { points: 0, field: "var(--paper)", on: "var(--print)", edge: "var(--print)" }],
  [0.34, { points: 8, field: "var(--marigold)", on: "var(--print)", edge: "var(--print)" }],
  [0.995, { points: 11, field: "var(--blaze)", on: "var(--print)", edge: "var(--print)" }],
]);
const CERTAIN = { points: 14, field: "var(--nope)", on: "var(--paper)", edge: "var(--paper)" };

/**
 * Draws the chance of the Kitten as a star with a percentage. The star has more points for a
 * greater danger.
 * @param {number} chance from 0 to 1
 */
export const danger = (chance) => {
  const { points, field, on, edge } = LEVELS.find(([below]) => chance < below)?.[1] ?? CERTAIN;
  const shape = points
    ? star(points, 19, points > 8 ? 14.5 : 15.5)
    : "M-15 0A15 15 0 1 1 15 0A15 15 0 1 1-15 0";
  return html`<svg class="art art-danger" viewBox="-20 -20 40 40" aria-hidden="true" focusable="false">
    <path d=${shape} fill=${field} stroke=${edge} stroke-width="2" stroke-linejoin="round" />
    <text y="4.600" text-anchor="middle" font-size=${chance >= 0.995 ? 9.5 : 12} font-weight="800" fill=${on}>${Math.round(chance * 100)}%</text></svg>`;
};

/** Draws a hand of cards from behind. @param {number} count */
export const hand = (count) => {
  const shown = Math.min(count, 7);
  const cards = Array.from(
    { length: shown },
    (_, i) => (i - (shown - 1) / 2) * (shown > 5 ? 8 : 10),
  );
  return html`<svg class="art art-hand" viewBox="0 0 64 48" aria-hidden="true" focusable="false">${cards.map(
    (
      angle,
    ) => svg`<rect x="21" y="5" width="22" height="32" rx="4" transform="rotate(${angle.toFixed(0)} 32 62)"
      fill="var(--back)" stroke="var(--on-back)" stroke-width="2" />`,
  )}${shown ? "" : svg`<rect x="22" y="9" width="20" height="28" rx="4" fill="none" stroke="currentColor" stroke-width="2" stroke-dasharray="4 4" />`}</svg>`;
};

/** Draws a small explosion, without a word. */
export const bang =
  () => html`<svg class="art art-bang" viewBox="-50 -50 100 100" aria-hidden="true" focusable="false">
  <path d=${star(12, 48, 31)} fill="var(--blaze)" /><path d=${star(12, 36, 23)} fill="var(--spark)" transform="rotate(15)" />
  <path d=${star(8, 18, 11)} fill="var(--paper)" /></svg>`;
