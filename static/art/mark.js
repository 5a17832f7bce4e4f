/**
 * Draws the app's logo. A cat hisses, and so does a burning fuse: the kitten looks at the spark on
 * its own tail.
 */
import { html, svg } from "../vendor/lit-html/lit-html.js";
import { HEAD, SPARK } from "./kitten.js";

/** The logo's kitten, centred at (0, 0), within ±32 units. */
export const hisser = svg`
  <path d="M10 18C30 22 34 4 25-4S19-19 22-23" fill="none" stroke="var(--print)" stroke-width="6" stroke-linecap="round" />
  <g transform="translate(-6 6) scale(.86)">
    <path d=${HEAD} fill="var(--print)" />
    <g fill="var(--paper)"><ellipse cx="-12" cy="-4" rx="8.500" ry="9.500" /><ellipse cx="12" cy="-4" rx="8.500" ry="9.500" /></g>
    <g fill="var(--print)"><ellipse cx="-8.500" cy="-7.500" rx="4" ry="5" /><ellipse cx="15.500" cy="-7.500" rx="4" ry="5" /></g>
    <path d="M-3 5H3L0 8.500Z" fill="var(--blush)" stroke="var(--blush)" stroke-width="1.500" stroke-linejoin="round" />
    <path d="M-8 11Q0 8.500 8 11Q8 18 0 18T-8 11Z" fill="var(--blaze)" /><path d="M-6 10.500L-4 15L-2 10M6 10.500L4 15L2 10" fill="var(--paper)" />
  </g>
  <g transform="translate(22 -24) scale(.9)"><path class="art-spark" d=${SPARK} fill="var(--paper)" /></g>`;

/** Draws the logo: a kitten on a square label. */
export const mark =
  () => html`<svg class="art art-mark" viewBox="0 0 72 72" aria-hidden="true" focusable="false">
  <rect width="72" height="72" rx="17" fill="var(--blaze)" /><rect x="3.500" y="3.500" width="65" height="65" rx="14" fill="none" stroke="var(--spark)" stroke-width="2" />
  <g transform="translate(36 38)">${hisser}</g></svg>`;
