/**
 * Draws ways to arrange the panel and the video call on a screen, in pictures of 160 × 100 units.
 */
import { html, svg } from "../vendor/lit-html/lit-html.js";
import { face, HEAD, whiskers } from "./kitten.js";

/**
 * Draws a person on the call.
 * @param {number} x @param {number} y @param {number} wide @param {string} colour
 */
const drawPerson = (x, y, wide, colour) =>
  svg`<rect x=${x} y=${y} width=${wide} height=${wide * 0.75} rx="4" fill=${colour} />
  <g transform="translate(${x + wide / 2} ${y + wide * 0.42}) scale(${wide / 96})"><path d=${HEAD}
    fill="var(--print)" />${face()}${whiskers("var(--print)")}</g>`;

/** Draws a laptop with the given content on its screen. @param {unknown} shown */
const drawLaptop = (shown) =>
  svg`<rect x="17" y="5" width="126" height="76" rx="7" fill="var(--print)" />
  <rect x="22" y="10" width="116" height="66" rx="3" fill="var(--back)" />${shown}
  <path d="M7 84H153L147 94H13Z" fill="var(--print)" />`;

/**
 * Draws the panel with a sentence, a grid and buttons.
 * @param {number} x @param {number} y @param {number} high
 */
const drawPanel = (x, y, high) =>
  svg`<g transform="translate(${x} ${y}) scale(${high / 60})">
    <rect width="32" height="60" rx="4" fill="var(--paper)" stroke="var(--print)" stroke-width="3" />
    <rect x="4" y="5" width="24" height="11" rx="3" fill="var(--marigold)" />
    ${[0, 1, 2, 3, 4, 5].map(
      (at) =>
        svg`<rect x=${5 + (at % 3) * 8} y=${20 + Math.floor(at / 3) * 12} width="6" height="9" rx="1.500"
          fill=${at === 4 ? "var(--blaze)" : "var(--back)"} />`,
    )}
    <rect x="4" y="46" width="24" height="9" rx="3" fill="var(--defuse)" />
  </g>`;

/** The pictures by arrangement. @type {Record<string, unknown>} */
const WAYS = {
  phone: svg`${drawLaptop(svg`${drawPerson(26, 13, 52, "var(--skip)")}${drawPerson(82, 13, 52, "var(--favor)")}`)}
    <g transform="rotate(-7 82 76)">${drawPanel(69, 49, 50)}</g>`,
  side: drawLaptop(svg`${drawPerson(26, 14, 76, "var(--skip)")}${drawPanel(105, 13, 60)}`),
  top: drawLaptop(svg`${drawPerson(24, 11, 85, "var(--skip)")}${drawPanel(110, 32, 42)}`),
};

/** The names of the arrangements. The first one leaves the most room for both panel and call. */
export const ways = Object.keys(WAYS);

/** @param {string} way */
export const layout = (way) =>
  html`<svg class="art-layout" viewBox="0 0 160 100" aria-hidden="true" focusable="false">${WAYS[way]}</svg>`;
