/**
 * Draws the ten pictures of "how to play" for games with one pile, 160 × 100 units each. Three of
 * them are shared with other families.
 */
import { svg } from "../../vendor/lit-html/lit-html.js";
import { FACES } from "../faces.js";
import { hand, head, howTo as shared, onPaper } from "../howto.js";
import { star } from "../kitten.js";
import { drawArrow, drawSmallCard } from "../preparation.js";
import "./faces.js";

/** Draws the pile in the middle. @param {number} x @param {number} y @param {number} layers */
const drawPile = (x, y, layers) =>
  Array.from({ length: layers }, (_, i) => drawSmallCard(x, y - i * 3.2));

/** @param {number} x @param {number} y @param {number} turn @param {string} title */
const drawCard = (x, y, turn, title) =>
  svg`<g transform="translate(${x} ${y}) rotate(${turn}) scale(1.350)">${drawSmallCard(0, 0, { title })}</g>`;

/**
 * Draws a paw, which stands for a turn.
 * @param {number} x @param {number} y @param {number} size
 */
const drawPaw = (x, y, size) =>
  svg`<g transform="translate(${x} ${y}) scale(${size})" fill="var(--print)"><ellipse cy="5" rx="10" ry="8" /><circle cx="-10" cy="-4" r="4" /><circle cx="-3.500" cy="-9" r="4" /><circle cx="4" cy="-9" r="4" /><circle cx="10.500" cy="-4" r="4" /></g>`;

/** @type {Record<string, unknown>} */
const STEPS = {
  /* There is one pile for all, and a hand for each player. */
  pile: svg`<ellipse cx="80" cy="62" rx="34" ry="13" fill="var(--spark)" />${drawPile(80, 56, 6)}${head(24, 34, 0.5, { look: [3, 2] })}${head(136, 34, 0.5, { look: [-3, 2] })}${hand(26, 78, 3)}${hand(134, 78, 3)}`,
  /* Play as many cards as you like. */
  play: svg`${hand(36, 68, 4)}${drawArrow("M58 42C66 28 80 26 90 34", "M82 35L91 35L89 26")}${drawCard(112, 54, -8, "see")}${drawCard(134, 58, 9, "attack")}`,
  /* Two equal cards steal a card. */
  combo: svg`${drawCard(34, 50, -9, "taco")}${drawCard(56, 52, 7, "taco")}${drawArrow("M84 50H104", "M99 43L106 50L99 57")}${hand(134, 50, 3)}${drawSmallCard(118, 74, { turn: -24 })}`,
  nope: null,
  /* Then draw the top card. */
  draw: svg`${drawPile(42, 62, 7)}${drawArrow("M44 30C60 10 92 12 106 30", "M97 29L106.500 31L109 21.500")}${hand(122, 62, 4)}`,
  /* An Attack makes the next player take more turns. */
  attack: svg`<path d=${star(11, 40, 29)} fill="var(--attack)" transform="translate(44 50)" /><g transform="translate(44 50) scale(.72)">${FACES.attack}</g>${drawArrow("M84 50H102", "M97 43L104 50L97 57")}${head(130, 38, 0.66, { size: 9.5, pupil: 2.4, mouth: "M-5 13Q0 9 5 13" })}${drawPaw(120, 78, 0.9)}${drawPaw(144, 78, 0.9)}`,
  /* The Kitten is defused and hidden in the pile. */
  kitten: svg`<path d=${star(15, 43, 32)} fill="var(--blaze)" transform="translate(45 50)" />${drawCard(45, 50, -6, "kitten")}${drawCard(84, 40, 9, "defuse")}${drawArrow("M92 70C100 82 112 82 122 74", "M113 73L122.500 72.500L123 82")}${drawPile(136, 62, 6)}`,
  /* The Imploding Kitten goes back into the pile, face up. */
  imploding: svg`${drawCard(34, 50, -8, "imploding")}${drawArrow("M62 50H84", "M79 43L86 50L79 57")}${[0, 1, 2].map((i) => drawSmallCard(120, 72 - i * 3.2))}<g transform="rotate(9 122 58)">${drawSmallCard(128, 58, { title: "imploding" })}</g>${[0, 1, 2].map((i) => drawSmallCard(120, 49 - i * 3.2))}`,
  boom: null,
  win: null,
};

/** The three steps that explain the game to newcomers. */
export const COMIC = ["play", "draw", "boom"];

/** The names of the steps, in order. */
export const HOWTO = Object.keys(STEPS);

/** @param {string} step one of HOWTO */
export const howTo = (step) => (STEPS[step] ? onPaper(STEPS[step]) : shared(step));
