/**
 * Draws the steps of a draw grid's preparation (ruling prepare-in-order), in pictures of 160 × 92
 * units that are made of small cards. They show only what a person does with their cards, and
 * contain no text.
 */
import { html, svg } from "../vendor/lit-html/lit-html.js";
import { FACES } from "./faces.js";
import { SPARK } from "./kitten.js";
import { lettering } from "./lettering.js";

/**
 * The number of cards for each place.
 * @typedef {{all: number, rest: number, away: number, hand: number, laid: number, rows: number,
 *   columns: number}} Sizes
 */

/**
 * Draws a small card of 30 × 42 units, centred at (x, y).
 * @param {number} x
 * @param {number} y
 * @param {{title?: string, turn?: number}} [look]
 */
export const drawSmallCard = (
  x,
  y,
  { title, turn = 0 } = {},
) => svg`<g transform="translate(${x} ${y}) rotate(${turn})">
  <rect x="-15" y="-21" width="30" height="42" rx="4.500" fill=${title ? `var(--${title})` : "var(--back)"} stroke="var(--paper)" stroke-width="2" />
  ${
    title
      ? svg`<g transform="scale(.29)">${FACES[title]}</g>`
      : svg`<rect x="-11.500" y="-17.500" width="23" height="35" rx="2.500" fill="none" stroke="var(--on-back)" stroke-width="1.300" /><path d=${SPARK} fill="var(--on-back)" transform="scale(.6)" />`
  }</g>`;

/** Draws a heap of face-down cards. @param {number} x @param {number} y @param {number} count */
export const drawHeap = (x, y, count) =>
  Array.from({ length: Math.min(count, 5) }, (_, i) => drawSmallCard(x + i * 1.6, y - i * 2.2));

/** Draws a number in a round tag. @param {number} x @param {number} y @param {number} count */
export const drawNumberTag = (
  x,
  y,
  count,
) => svg`<circle cx=${x} cy=${y} r="11" fill="var(--marigold)" stroke="var(--print)" stroke-width="2" />
  ${lettering(String(count), { x, y: y + 5.5, size: 11, colour: "var(--print)" })}`;

/** Draws an arrow. @param {string} d @param {string} head */
export const drawArrow = (
  d,
  head,
) => svg`<path d=${d} fill="none" stroke="currentColor" stroke-width="3.500" stroke-linecap="round" stroke-dasharray=".1 6" />
  <path d=${head} fill="none" stroke="currentColor" stroke-width="3.500" stroke-linecap="round" stroke-linejoin="round" />`;

/**
 * Draws a camera. A dotted line leads from it to the place that it shows.
 * @param {number} x @param {number} y @param {string} sight the path of the line
 */
export const drawCamera = (
  x,
  y,
  sight,
) => svg`<path d=${sight} fill="none" stroke="currentColor" stroke-width="3.500" stroke-linecap="round" stroke-dasharray=".1 6.500" />
  <g transform="translate(${x} ${y})"><path d="M-8-9L-5-15H5L8-9H14Q18-9 18-5V8Q18 12 14 12H-14Q-18 12-18 8V-5Q-18-9-14-9Z" fill="currentColor" />
    <circle cy="1.500" r="8" fill="var(--paper)" /><circle cy="1.500" r="5" fill="var(--shuffle)" /><circle cx="-1.800" cy="-.300" r="1.600" fill="var(--paper)" /><circle cx="12.500" cy="-4" r="2" fill="var(--nope)" /></g>`;

const ORDER = ["kitten", "defuse", "look", "favor", "nope", "shuffle", "skip"];

/** Draws the face-down grid. If it is very large, draws only a part of it. @param {Sizes} sizes */
function drawGrid({ rows, columns }) {
  const [down, across] = [Math.min(rows, 3), Math.min(columns, 4)];
  return Array.from({ length: down }, (_, row) =>
    Array.from({ length: across }, (_, column) =>
      drawSmallCard((column - (across - 1) / 2) * 36, (row - (down - 1) / 2) * 48),
    ),
  );
}

/** Returns the scale of the grid. It is smaller if there is a third row. @param {Sizes} sizes */
const getGridScale = ({ rows }) => (rows > 2 ? 0.62 : 1);

/** Functions that draw the steps, by name. @type {Record<string, (sizes: Sizes) => unknown>} */
const STEPS = {
  /* Take your own cards. */
  take: (sizes) =>
    svg`${ORDER.map((title, i) => drawSmallCard(31 + i * 16, 48 + Math.abs(i - 3) * 2.2, { title, turn: (i - 3) * 7 }))}${drawNumberTag(80, 76, sizes.all)}`,
  /* Set aside the Kitten and one Defuse. */
  aside: (
    sizes,
  ) => svg`${drawHeap(30, 52, 5)}${drawNumberTag(46, 74, sizes.rest)}${drawArrow("M58 44H84", "M80 38L87 44L80 50")}
    ${drawSmallCard(108, 46, { title: "kitten", turn: -6 })}${drawSmallCard(138, 46, { title: "defuse", turn: 6 })}`,
  /* Shuffle all other cards. */
  shuffle: (
    sizes,
  ) => svg`${[-30, -15, 0, 15, 30].map((turn, i) => drawSmallCard(50 + i * 15, 44 + Math.abs(i - 2) * 3, { turn }))}
    ${drawArrow("M40 16C60 4 98 4 116 14", "M110 16.500L118.500 15L116.500 6.500")}${drawNumberTag(80, 74, sizes.rest)}`,
  /* Put some away without looking at them. */
  away: (
    sizes,
  ) => svg`${drawHeap(38, 50, 5)}${drawNumberTag(56, 72, sizes.rest - sizes.away)}${drawArrow("M64 42H96", "M92 36L99 42L92 48")}
    <g opacity=".5">${drawHeap(122, 52, sizes.away)}</g><path d="M108 24L142 74M142 24L108 74" stroke="var(--danger)" stroke-width="5" stroke-linecap="round" />${drawNumberTag(148, 76, sizes.away)}`,
  /* Some cards and the Defuse are the hand. */
  hand: (
    sizes,
  ) => svg`${[-24, -12, 0, 12].map((turn, i) => drawSmallCard(54 + i * 13, 46 + Math.abs(i - 1.5) * 3, { turn }))}
    ${drawSmallCard(112, 50, { title: "defuse", turn: 24 })}${drawNumberTag(80, 76, sizes.hand)}`,
  /* Shuffle the Kitten into the remaining cards. */
  mix: (
    sizes,
  ) => svg`${drawHeap(48, 54, 5)}${drawNumberTag(66, 76, sizes.laid)}${drawSmallCard(116, 54, { title: "kitten", turn: 6 })}
    ${drawArrow("M108 24C94 6 70 6 60 20", "M59.500 12L58.500 22L68 21.500")}`,
  /* Lay them out face down. */
  grid: (sizes) =>
    svg`<g transform="translate(80 45) scale(${0.86 * getGridScale(sizes)})">${drawGrid(sizes)}</g>`,
  /* Keep them in view of the camera. */
  camera: (
    sizes,
  ) => svg`<g transform="translate(62 52) scale(${0.66 * getGridScale(sizes)})">${drawGrid(sizes)}</g>
    <path d="M14 26V12H30M94 12H110V26M110 76V88H94M30 88H14V76" fill="none" stroke="currentColor" stroke-width="3.500" stroke-linecap="round" stroke-linejoin="round" />
    ${drawCamera(136, 26, "M124 42L112 52")}`,
};

/** The names of the steps, in order. */
export const PREPARATION = Object.keys(STEPS);

/** Returns the complete picture for the drawing of a step. @param {unknown} drawn */
export const stepPicture = (drawn) =>
  html`<svg class="art-scene art-step" viewBox="0 0 160 92" aria-hidden="true" focusable="false">${drawn}</svg>`;

/** Returns the picture of a step. @param {string} step one of PREPARATION @param {Sizes} sizes */
export const prepStep = (step, sizes) => stepPicture(STEPS[step]?.(sizes));
