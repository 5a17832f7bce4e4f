/**
 * Draws the large pictures: an explosion, a victory, a sleeping kitten, and the start page's
 * picture. Moving parts have classes that art.css animates, unless the viewer prefers reduced
 * motion.
 */
import { html, svg } from "../vendor/lit-html/lit-html.js";
import { face, HEAD, SPARK, star, whiskers } from "./kitten.js";
import { lettering } from "./lettering.js";
import { hisser } from "./mark.js";

const SOOT = [
  [-118, -52, 13],
  [-136, 18, 9],
  [-96, 58, 15],
  [112, -58, 12],
  [138, 4, 15],
  [100, 60, 10],
  [-60, -78, 8],
  [64, -80, 9],
];

/**
 * Draws the exploded Kitten. @param {string} [word] a word to draw on the explosion
 */
export const boom = (
  word = "BOOM!",
) => html`<svg class="art-scene art-boom" viewBox="-160 -100 320 200" aria-hidden="true" focusable="false">
  <g class="boom-soot">${SOOT.map(([x, y, r]) => svg`<circle cx=${x} cy=${y} r=${r} fill="var(--soft)" />`)}</g>
  <g transform="scale(1 .68)"><path class="boom-outer" d=${star(17, 150, 104)} fill="var(--nope)" />
  <path class="boom-middle" d=${star(17, 130, 88)} fill="var(--blaze)" transform="rotate(9)" />
  <path class="boom-inner" d=${star(17, 106, 76)} fill="var(--spark)" transform="rotate(-4)" /></g>
  <g class="boom-kitten" transform="translate(0 -26) scale(1.5)">
    <path d="M-20-22L-24-33M-9-18L-11-29M9-18L12-30M20-22L26-32M-26 6L-37 8M26 6L37 9" stroke="var(--print)" stroke-width="5" stroke-linecap="round" />
    <path d=${HEAD} fill="var(--print)" />
    ${face({ size: 9.5, pupil: 2.4, mouth: "" })}
  </g>
  <g class="boom-word"><g transform="rotate(-4)">${lettering(word, { x: 0, y: 74, size: 66, colour: "var(--paper)", outline: "var(--print)" })}</g></g></svg>`;

const CONFETTI = [
  [-120, -60, 10, "spark"],
  [-128, -20, -20, "skip"],
  [-132, 22, 30, "nope"],
  [-92, -84, 45, "defuse"],
  [104, -84, 15, "look"],
  [132, -58, -25, "nope"],
  [142, -12, 40, "blaze"],
  [136, 26, 5, "shuffle"],
  [-128, 66, 60, "look"],
  [136, 70, -40, "nope"],
];

/** Draws the winning kitten. Its fuse is out, and its crown is a little too big. */
export const win =
  () => html`<svg class="art-scene art-win" viewBox="-160 -100 320 200" aria-hidden="true" focusable="false">
  <path d=${star(24, 102, 91)} fill="var(--marigold)" transform="translate(8 4) scale(1.12 1)" />
  <g class="win-confetti">${CONFETTI.map(
    ([x, y, turn, hue]) =>
      svg`<rect x="-5" y="-9" width="10" height="18" rx="3" fill="var(--${hue})" transform="translate(${x} ${y}) rotate(${turn})" />`,
  )}</g>
  <path d="M44 62C84 68 92 24 74 10S66-22 78-30" fill="none" stroke="var(--print)" stroke-width="11" stroke-linecap="round" />
  <path class="win-smoke" d="M80-40Q72-50 81-57T78-74" fill="none" stroke="var(--soft)" stroke-width="4" stroke-linecap="round" />
  <path d="M-46 96C-54 40-30 26 0 26S54 40 46 96Z" fill="var(--print)" /><path d="M-16 96C-18 62-10 50 0 50S18 62 16 96Z" fill="var(--paper)" />
  <g transform="translate(0 2) scale(1.5)"><path d=${HEAD} fill="var(--print)" />
    <path d="M-20 0Q-13-9-6 0M20 0Q13-9 6 0" fill="none" stroke="var(--paper)" stroke-width="3" stroke-linecap="round" />
    <path d="M-3 6H3L0 9.500Z" fill="var(--blush)" stroke="var(--blush)" stroke-width="1.500" stroke-linejoin="round" />
    <path d="M-7 11Q-3.500 15 0 11Q3.500 15 7 11" fill="none" stroke="var(--paper)" stroke-width="2.200" stroke-linecap="round" />
    ${whiskers("var(--print)")}<circle cx="-19" cy="8" r="3.500" fill="var(--blush)" opacity=".8" /><circle cx="19" cy="8" r="3.500" fill="var(--blush)" opacity=".8" /></g>
  <g class="win-crown"><g transform="translate(0 -27) rotate(-7)">
    <path d="M-25 0L-31-34L-14-17L0-42L14-17L31-34L25 0Q0-7-25 0Z" fill="var(--spark)" stroke="var(--print)" stroke-width="4" stroke-linejoin="round" />
    <g fill="var(--nope)"><circle cy="-13" r="4" /><circle cx="-15" cy="-10" r="2.600" /><circle cx="15" cy="-10" r="2.600" /></g></g></g></svg>`;

/** Draws a sleeping kitten, for pages without players. */
export const asleep =
  () => html`<svg class="art-scene art-asleep" viewBox="-80 -54 160 100" aria-hidden="true" focusable="false">
  <path d="M-44 38C-50-6-18-22 10-22C44-20 62 6 56 38Z" fill="var(--back)" />
  <path d="M52 24C62 46 30 44-4 42" fill="none" stroke="var(--back)" stroke-width="13" stroke-linecap="round" />
  <path d="M42 33C34 37 12 36-4 35.500" fill="none" stroke="var(--on-back)" stroke-width="2.500" stroke-linecap="round" />
  <g transform="translate(-30 16) scale(1.02)"><path d=${HEAD} fill="var(--back)" stroke="var(--on-back)" stroke-width="2.500" />
    <path d="M-19 0Q-13 5-7 0M19 0Q13 5 7 0" fill="none" stroke="var(--on-back)" stroke-width="3" stroke-linecap="round" />
    <path d="M-3 7H3L0 10Z" fill="var(--blush)" stroke="var(--blush)" stroke-width="1.500" stroke-linejoin="round" /></g>
  <g class="asleep-z">${lettering("Z", { x: 4, y: -28, size: 16 })}${lettering("Z", { x: 25, y: -37, size: 11 })}</g></svg>`;

const PLACES = [-22, 40].flatMap((y) => [-68, -21, 26].map((x) => [x, y]));

/**
 * Draws the start page's picture: a kitten that watches a grid of six cards. One card is marked as
 * the card to draw.
 */
export const hero =
  () => html`<svg class="art-scene art-hero" viewBox="-132 -136 264 264" aria-hidden="true" focusable="false">
  <path d=${star(24, 130, 116)} fill="var(--blaze)" transform="translate(0 -4)" />
  <g transform="translate(2 -40) scale(2.150)">${hisser}</g>
  ${PLACES.map(
    ([x, y], i) => svg`<g transform="translate(${x} ${y})">
    <rect width="42" height="58" rx="6" fill=${i === 4 ? "var(--marigold)" : "var(--back)"} stroke="var(--print)" stroke-width="3.500" />
    <rect x="5" y="5" width="32" height="48" rx="3" fill="none" stroke=${i === 4 ? "var(--print)" : "var(--on-back)"} stroke-width="1.600" />
    <path d=${SPARK} fill=${i === 4 ? "var(--print)" : "var(--spark)"} transform="translate(21 29)" /></g>`,
  )}
  ${[-47, 47].map(
    (
      x,
    ) => svg`<g transform="translate(${x} -20)"><path d="M-16-12C-20 14-8 14 0 14S20 14 16-12Z" fill="var(--print)" stroke="var(--on-back)" stroke-width="1.500" />
    <path d="M-5 12V4M5 12V4" stroke="var(--on-back)" stroke-width="2.500" stroke-linecap="round" /></g>`,
  )}</svg>`;
