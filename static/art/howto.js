/**
 * Draws the eight pictures of "how to play", 160 × 100 units each. Their background is paper in
 * both themes.
 */
import { html, svg } from "../vendor/lit-html/lit-html.js";
import { FACES } from "./faces.js";
import { face, HEAD, SPARK, star, whiskers } from "./kitten.js";
import { drawArrow, drawCamera, drawSmallCard } from "./preparation.js";

/**
 * A player.
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {Parameters<typeof face>[0]} [mood]
 */
export const head = (x, y, size, mood) =>
  svg`<g transform="translate(${x} ${y}) scale(${size})"><path d=${HEAD} fill="var(--print)" />${face(mood)}${whiskers("var(--print)")}</g>`;

const PLACES = [-23, 23].flatMap((y) => [-34, 0, 34].map((x) => /** @type {const} */ ([x, y])));

/**
 * Draws a grid with one empty cell. The card that has to be drawn is highlighted.
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {{told?: number, gap?: number}} [look]
 */
const grid = (x, y, size, { told = -1, gap = -1 } = {}) =>
  svg`<g transform="translate(${x} ${y}) scale(${size})">${PLACES.map(([left, top], i) => {
    if (i === gap)
      return svg`<rect x=${left - 14} y=${top - 20} width="28" height="40" rx="4" fill="none" stroke="var(--print)" stroke-width="2" stroke-dasharray="4 4" />`;
    if (i !== told) return drawSmallCard(left, top);
    return svg`<g transform="translate(${left} ${top})"><rect x="-17" y="-23" width="34" height="46" rx="5" fill="var(--marigold)" stroke="var(--print)" stroke-width="3" />
    <path d=${SPARK} fill="var(--print)" transform="scale(.9)" /></g>`;
  })}</g>`;

/** Draws a hand of cards from behind. @param {number} x @param {number} y @param {number} count */
export const hand = (x, y, count) =>
  Array.from({ length: count }, (_, i) => {
    const from = i - (count - 1) / 2;
    return drawSmallCard(x + from * 10, y + Math.abs(from) * 2.5, { turn: from * 11 });
  });

/** The pictures by step. @type {Record<string, unknown>} */
const STEPS = {
  /* Six cards lie before the camera, five are in the hand. */
  lay: svg`${grid(44, 50, 0.74)}<g transform="translate(122 72) scale(.8)">${hand(0, 0, 5)}</g>
    ${drawCamera(134, 24, "M116 32L97 39")}`,
  /* The player before you names the card to draw. */
  tell: svg`${head(34, 66, 0.9, { look: [3, -1], mouth: "M-5 11Q0 19 5 11Z" })}
    <path d="M44 12H70Q77 12 77 19V31Q77 38 70 38H56L46 46L48 38H44Q37 38 37 31V19Q37 12 44 12Z" fill="var(--spark)" stroke="var(--print)" stroke-width="3" stroke-linejoin="round" />
    <path d="M47 25H63M58 20L64 25L58 30" fill="none" stroke="var(--print)" stroke-width="3.500" stroke-linecap="round" stroke-linejoin="round" />${grid(112, 52, 0.78, { told: 4 })}`,
  /* First you may play cards from the hand. */
  play: svg`${hand(38, 66, 4)}${drawArrow("M62 40C70 26 84 24 94 32", "M86 33L95 33L93 24")}
    <g transform="translate(122 54) rotate(7) scale(1.500)">${drawSmallCard(0, 0, { title: "skip" })}</g>`,
  /* Any player can Nope a card while its window is open. */
  nope: svg`<g transform="translate(56 54) rotate(-7) scale(1.500)">${drawSmallCard(0, 0, { title: "shuffle" })}</g><path d=${star(12, 36, 27)} fill="var(--nope)" transform="translate(84 56)" />
    <g transform="translate(84 56) scale(.5)">${FACES.nope}</g><circle cx="134" cy="32" r="17" fill="none" stroke="var(--print)" stroke-width="4" opacity=".3" />
    <path d="M134 15A17 17 0 1 1 119.300 40.500" fill="none" stroke="var(--nope)" stroke-width="5" stroke-linecap="round" /><path d="M134 23V32L140 36" fill="none" stroke="var(--print)" stroke-width="3.500" stroke-linecap="round" stroke-linejoin="round" />`,
  /* Then you draw the card that was named. */
  draw: svg`${grid(46, 50, 0.76, { gap: 4 })}${drawArrow("M52 82C70 96 98 94 114 78", "M105 77L114.500 77L114.500 87")}${hand(124, 44, 4)}`,
  /* The Kitten is shown, defused and hidden again. */
  kitten: svg`<path d=${star(15, 43, 32)} fill="var(--blaze)" transform="translate(47 50)" /><g transform="translate(47 50) rotate(-6) scale(1.400)">${drawSmallCard(0, 0, { title: "kitten" })}</g>
    <g transform="translate(90 38) rotate(9) scale(1.200)">${drawSmallCard(0, 0, { title: "defuse" })}</g>${drawArrow("M86 80C96 90 112 88 122 76", "M113 76L122.500 75L123 84.500")}${grid(130, 46, 0.46)}`,
  /* Without a Defuse you are out. */
  boom: svg`<path d=${star(17, 47, 34)} fill="var(--nope)" transform="translate(50 50)" /><path d=${star(17, 37, 26)} fill="var(--spark)" transform="translate(50 50) rotate(9)" />
    ${head(50, 52, 0.72, { size: 9.5, pupil: 2.4, mouth: "" })}${head(120, 26, 0.52, { look: [-2, 3] })}${head(120, 78, 0.52, { look: [-2, -3] })}
    ${drawArrow("M138 34C148 46 148 58 139 70", "M138 61L138.500 70.500L147 68")}`,
  /* The last player in the game wins. */
  win: svg`${[
    [20, 24, "skip"],
    [38, 78, "defuse"],
    [134, 22, "nope"],
    [142, 70, "look"],
    [14, 56, "favor"],
    [122, 88, "shuffle"],
  ].map(
    ([x, y, hue]) => svg`<path d=${SPARK} fill="var(--${hue})" transform="translate(${x} ${y})" />`,
  )}
    ${head(80, 62, 1.25, { mouth: "M-7 11Q0 21 7 11Z" })}
    <g transform="translate(80 38) rotate(-6) scale(.9)"><path d="M-25 0L-31-34L-14-17L0-42L14-17L31-34L25 0Q0-7-25 0Z" fill="var(--marigold)" stroke="var(--print)" stroke-width="4" stroke-linejoin="round" /><circle cy="-13" r="4" fill="var(--nope)" /></g>`,
};

/** The three steps that explain the game to newcomers. */
export const COMIC = ["lay", "tell", "boom"];

/** The names of the steps, in order. */
export const HOWTO = Object.keys(STEPS);

/** Draws a picture on a sheet of paper. @param {unknown} drawn */
export const onPaper = (
  drawn,
) => html`<svg class="art-scene art-howto" viewBox="0 0 160 100" color="var(--print)" aria-hidden="true" focusable="false">
  <rect width="160" height="100" rx="10" fill="var(--paper)" />${drawn}</svg>`;

/** @param {string} step one of HOWTO */
export const howTo = (step) => onPaper(STEPS[step]);
