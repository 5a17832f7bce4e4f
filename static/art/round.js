/**
 * Draws the ring of three arrows that turns round when the direction of play changes. It measures
 * 120 × 120 units, and its arrows point clockwise.
 */
import { html, svg } from "../vendor/lit-html/lit-html.js";

const INK = "var(--print)";
const FIELD = "var(--reverse)";

/** Draws an arrow that fills a third of the ring. @param {number} turn in degrees */
const drawArrow = (turn) => svg`<g transform=${`rotate(${turn})`}>
  <path d="M-33.700-25.400A42.200 42.200 0 0 1 20-37.200" fill="none" stroke=${INK} stroke-width="21" />
  <path d="M15-57L42-23L4-19Z" fill=${FIELD} stroke=${INK} stroke-width="5" stroke-linejoin="round" />
  <path d="M-31.300-28.300A42.200 42.200 0 0 1 20-37.200" fill="none" stroke=${FIELD} stroke-width="12" /></g>`;

/** Draws the ring. @param {string} name its CSS class */
export const arrowRing = (name) => html`<svg class=${name} viewBox="-60 -60 120 120"
  aria-hidden="true" focusable="false">${[0, 120, 240].map(drawArrow)}</svg>`;
