/**
 * Draws the steps of the preparation of a game with one pile (rulings kittens-aside to
 * shuffle-and-place), in pictures of 160 × 92 units that are made of small cards and contain no
 * text.
 */
import { svg } from "../../vendor/lit-html/lit-html.js";
import {
  drawArrow,
  drawCamera,
  drawHeap,
  drawSmallCard,
  stepPicture,
  drawNumberTag,
} from "../preparation.js";
import "./faces.js";

/**
 * The number of cards for each place.
 * @typedef {{which: string, count: number, kittens: number, players: number, extra: number,
 *   hand: number, added: number, pile: number, imploding: number, expansion: number}} Sizes
 */

/** Draws a paw print as in the corner of a card. @param {number} x @param {number} y */
const drawPawPrint = (x, y) =>
  svg`<g transform="translate(${x} ${y})" fill="var(--paper)"><ellipse cy="2.500" rx="3.600" ry="3" /><circle cx="-3.600" cy="-1.500" r="1.500" /><circle cx="-1.200" cy="-3.600" r="1.500" /><circle cx="1.400" cy="-3.600" r="1.500" /><circle cx="3.700" cy="-1.500" r="1.500" /></g>`;

/**
 * Draws a card of the box, with or without a paw print.
 * @param {number} x @param {string} title @param {boolean} paw @param {boolean} used
 */
const drawBoxCard = (x, title, paw, used) =>
  svg`<g opacity=${used ? 1 : 0.3}>${drawSmallCard(x, 46, { title })}${paw ? drawPawPrint(x - 8.5, 61) : ""}${used ? "" : svg`<path d="M${x - 14} 27L${x + 14} 65" stroke="var(--danger)" stroke-width="4" stroke-linecap="round" />`}</g>`;

/**
 * Draws the pile. The more cards it has, the thicker it is.
 * @param {number} x @param {number} y @param {number} count
 */
const drawPile = (x, y, count) =>
  Array.from({ length: Math.max(1, Math.min(9, Math.ceil(count / 6))) }, (_, i) =>
    drawSmallCard(x, y - i * 3),
  );

/** @type {Record<string, (sizes: Sizes) => unknown>} */
const DRAWN = {
  /* Take out all Kittens. */
  kittens: ({ kittens, imploding }) =>
    svg`${drawHeap(34, 52, 5)}${drawArrow("M58 44H82", "M78 38L85 44L78 50")}${[-10, 0, 10].map((turn, i) => drawSmallCard(104 + i * 17, 46, { title: imploding && i > 1 ? "imploding" : "kitten", turn }))}${drawNumberTag(146, 76, kittens + imploding)}`,
  /* Use the cards with a paw print, those without one, or both. */
  paws: ({ which, count, expansion }) => {
    const [paw, plain] = [which !== "plain", which !== "paw"];
    return svg`${drawBoxCard(28, "skip", true, paw)}${drawBoxCard(60, "favor", true, paw)}${drawBoxCard(100, "skip", false, plain)}${drawBoxCard(132, "taco", false, plain)}${drawNumberTag(80, 78, count - expansion)}`;
  },
  /* Add all cards of the expansion. */
  expansion: ({ expansion }) =>
    svg`${["feral", "reverse", "bottom", "alter"].map((title, i) => drawSmallCard(24 + i * 15, 46 + Math.abs(i - 1.5) * 2, { title, turn: (i - 1.5) * 7 }))}${drawNumberTag(47, 78, expansion)}${drawArrow("M88 44H106", "M102 38L109 44L102 50")}${drawHeap(128, 52, 5)}`,
  /* Give everyone a Defuse. */
  defuses: ({ players }) =>
    svg`${[-12, -4, 4, 12].map((turn, i) => drawSmallCard(44 + i * 24, 46 + Math.abs(i - 1.5) * 2, { title: "defuse", turn }))}${drawNumberTag(80, 78, players)}`,
  /* Put the remaining Defuses back into the pile. */
  back: ({ extra }) =>
    svg`${drawSmallCard(36, 46, { title: "defuse", turn: -6 })}${drawNumberTag(52, 72, extra)}${drawArrow("M64 44H94", "M90 38L97 44L90 50")}${drawHeap(122, 52, 5)}`,
  /* Deal the cards. With the Defuse they are the hand. */
  deal: ({ hand }) =>
    svg`${[-27, -18, -9, 0, 9, 18].map((turn, i) => drawSmallCard(42 + i * 13, 48 + Math.abs(i - 2.5) * 2.4, { turn }))}${drawSmallCard(128, 58, { title: "defuse", turn: 30 })}${drawNumberTag(80, 80, hand)}`,
  after: (sizes) => DRAWN.back?.(sizes),
  /* Add one Kitten fewer than there are players. The Imploding Kitten is one of them. */
  add: ({ added, imploding }) =>
    svg`${imploding ? drawSmallCard(24, 46, { title: "imploding", turn: -12 }) : ""}${drawSmallCard(imploding ? 45 : 38, 46, { title: "kitten", turn: imploding ? 4 : -6 })}${drawNumberTag(54, 72, added + imploding)}${drawArrow("M64 44H94", "M90 38L97 44L90 50")}${drawHeap(122, 52, 5)}`,
  /* Put the pile in the middle, where the camera sees how thick it is. */
  pile: ({ pile }) =>
    svg`<ellipse cx="66" cy="70" rx="46" ry="14" fill="var(--faint)" />${drawPile(66, 58, pile)}${drawNumberTag(88, 78, pile)}
    ${drawCamera(134, 26, "M115 34L98 42")}`,
};

/** The names of the steps, in order. The preparation shows only those that the box needs. */
export const STEPS = Object.keys(DRAWN);

/** Returns the picture of a step. @param {string} step one of STEPS @param {Sizes} sizes */
export const prepStep = (step, sizes) => stepPicture(DRAWN[step]?.(sizes));
