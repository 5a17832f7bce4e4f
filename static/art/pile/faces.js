/**
 * The pictures of the effects and cats that only the classic games have. This module adds them to
 * those of faces.js. Each is centred at (0, 0), within ±42 × ±46 units, and has one bold silhouette
 * that can be recognised at 40 px.
 */
import { svg } from "../../vendor/lit-html/lit-html.js";
import { FACES } from "../faces.js";
import { face, HEAD, SPARK, star, whiskers } from "../kitten.js";

const PAPER = "var(--paper)";
const INK = "var(--print)";
const SPARK_COLOUR = "var(--spark)";
const BLAZE = "var(--blaze)";
const BLUSH = "var(--blush)";
const LEAF = "var(--leaf)";

/** Draws a scratch. @param {number} x @param {number} y */
const drawScratch = (x, y) =>
  svg`<path d="M${x + 7} ${y - 27}Q${x + 13} ${y} ${x - 9} ${y + 25}Q${x - 3} ${y - 2} ${x + 7} ${y - 27}Z" fill=${PAPER} />`;

/** Draws a paw with its claws out. @param {string} move */
const drawClaws = (move) => svg`<g transform=${move}>
  <g fill=${PAPER}><path d="M-27-9L-31-27L-18-14ZM-12-19L-10-38L-1-20ZM3-20L9-38L15-17ZM18-13L30-26L28-7Z" /></g>
  <g fill=${INK}><ellipse cx="-22" cy="-5" rx="9" ry="11" transform="rotate(-24 -22 -5)" /><ellipse cx="-7" cy="-13" rx="9" ry="11" /><ellipse cx="9" cy="-13" rx="9" ry="11" />
  <ellipse cx="23" cy="-4" rx="9" ry="11" transform="rotate(24 23 -4)" /><path d="M-22 14C-22-2-12-8 0-8S22-2 22 14C22 24 12 26 0 26S-22 24-22 14Z" /></g>
  <path d="M-12 15C-12 5-6 3 0 3S12 5 12 15C12 20 6 18 0 18S-12 20-12 15Z" fill=${BLUSH} /></g>`;

/** A paw with its claws out, below three scratches. */
const attack = svg`${drawScratch(-22, -8)}${drawScratch(0, -17)}${drawScratch(22, -8)}
  <path d=${star(9, 11, 6)} fill=${SPARK_COLOUR} transform="translate(31 -33)" />${drawClaws("translate(0 24) scale(.92)")}`;

/** A paw in a crosshair. */
const targeted = svg`<circle r="40" fill=${PAPER} /><circle r="31" fill=${BLAZE} /><circle r="22.500" fill=${PAPER} />
  <path d="M0-46V-30M0 46V30M-46 0H-30M46 0H30" stroke=${INK} stroke-width="6" stroke-linecap="round" />
  <g fill=${INK}><ellipse cx="-12" cy="-4" rx="5" ry="6.500" transform="rotate(-26 -12 -4)" /><ellipse cx="-4.500" cy="-12" rx="5" ry="7" /><ellipse cx="5" cy="-12" rx="5" ry="7" />
  <ellipse cx="12.500" cy="-4" rx="5" ry="6.500" transform="rotate(26 12.500 -4)" /><path d="M0-2C6-2 12 5 11 11S5 14 0 14S-10 17-11 11S-6-2 0-2Z" /></g>`;

/**
 * Draws a card of the pile with a sign on it.
 * @param {number} x @param {number} turn @param {string} colour @param {unknown} sign
 */
const numberedCard = (x, turn, colour, sign) =>
  svg`<g transform="translate(${x} 13) rotate(${turn})"><rect x="-14" y="-20" width="28" height="40" rx="5" fill=${colour} stroke=${INK} stroke-width="3" />${sign}</g>`;

/** An eye that watches two of three cards swap places. */
const alter = svg`
  ${numberedCard(-27, -10, PAPER, svg`<circle r="4.500" fill=${BLAZE} />`)}${numberedCard(27, 10, PAPER, svg`<g fill=${BLAZE}><circle cy="-7" r="4.500" /><circle cy="7" r="4.500" /></g>`)}
  ${numberedCard(0, 0, SPARK_COLOUR, svg`<path d="M-10 0Q0-11 10 0Q0 11-10 0Z" fill=${PAPER} stroke=${INK} stroke-width="2.500" /><circle r="4" fill=${INK} />`)}
  <path d="M-24-19C-16-38 16-38 25-22" fill="none" stroke=${PAPER} stroke-width="6" stroke-linecap="round" />
  <path d="M14-24L27-17L30-32Z" fill=${PAPER} stroke=${PAPER} stroke-width="4" stroke-linejoin="round" />
  <path d="M-22 39C-12 47 10 47 19 41" fill="none" stroke=${PAPER} stroke-width="5" stroke-linecap="round" /><path d="M-14 34L-27 36L-19 47Z" fill=${PAPER} stroke=${PAPER} stroke-width="3" stroke-linejoin="round" />`;

/** A paw that takes the lowest card of a stack. */
const bottom = svg`
  ${[4, -6, -16, -26].map((y) => svg`<path d="M-34 ${y}L2 ${y - 14}L36 ${y}L0 ${y + 15}Z" fill="var(--back)" stroke=${PAPER} stroke-width="3" stroke-linejoin="round" />`)}
  <path d=${SPARK} fill="var(--on-back)" transform="translate(1 -25.500) scale(1 .6)" />
  <path d="M-24 22L10 10L42 24L8 40Z" fill=${SPARK_COLOUR} stroke=${INK} stroke-width="3" stroke-linejoin="round" />
  <g fill=${INK}><path d="M-44 46L-30 20Q-20 8-6 17Q4 25-4 33Q-12 40-20 36L-28 46Z" /><circle cx="-4" cy="16" r="6" /><circle cx="3" cy="23" r="6" /><circle cx="2" cy="32" r="6" /></g>
  <path d="M-20 24Q-14 20-9 25" fill="none" stroke=${BLUSH} stroke-width="4" stroke-linecap="round" />`;

/**
 * Draws the head that all cats of the cat cards share.
 * @param {string} fur @param {Parameters<typeof face>[0]} [mood]
 */
const drawCatHead = (fur, mood) =>
  svg`<path d=${HEAD} fill=${fur} stroke=${fur} stroke-width="2" stroke-linejoin="round" />${face(mood)}${whiskers(INK)}`;

/** Feral Cat: a battered cat. */
const feral = svg`<path d=${star(15, 45, 33)} fill=${INK} stroke=${INK} stroke-width="3" stroke-linejoin="round" />
  <path d="M-34-14L-38-44L-14-32ZM34-14L38-44L25-37L22-42L14-32Z" fill=${INK} /><path d="M-30-24L-32-37L-21-31ZM30-24L32-37L26-32Z" fill=${BLUSH} />
  <g transform="translate(0 3) scale(1.25)">${face({ size: 8, pupil: 3, look: [2, 1], mouth: "M-10 15L-6 12L-2 15L2 12L6 15L10 12", white: SPARK_COLOUR })}</g>
  <path d="M6-17L24-2M20-17L9-2" stroke=${PAPER} stroke-width="4" stroke-linecap="round" /><path d="M-8 17L-5.500 25L-2.500 17ZM3 17L5.500 25L8.500 17Z" fill=${PAPER} />
  <path d="M-27 9L-42 6M-26 15L-40 18M27 9L42 6M26 15L40 18" stroke=${PAPER} stroke-width="2.500" stroke-linecap="round" />`;

/** Tacocat: a cat in a taco shell. */
const taco = svg`<path d="M-36 14Q-38-22-32-34L-15-19Q0-23 15-19L32-34Q38-22 36 14Z" fill=${INK} />
  <path d="M-43 8Q-42-2-34-1Q-30-10-22-4Q-16-12-8-5Q0-13 8-5Q16-12 22-4Q30-10 34-1Q42-2 43 8L38 16H-38Z" fill=${LEAF} />
  <path d="M-43 10A43 34 0 0 0 43 10Q0 0-43 10Z" fill=${SPARK_COLOUR} stroke=${INK} stroke-width="3.500" stroke-linejoin="round" />
  <g transform="translate(0 -14)"><circle cx="-13" r="6" fill=${PAPER} /><circle cx="13" r="6" fill=${PAPER} /><circle cx="-13" r="3" fill=${INK} /><circle cx="13" r="3" fill=${INK} /></g>
  <path d="M-3 15H3L0 19Z" fill=${BLAZE} /><path d="M-9 22Q-4 29 0 22Q4 29 9 22" fill="none" stroke=${INK} stroke-width="3" stroke-linecap="round" />
  <g fill=${BLAZE}><circle cx="-24" cy="19" r="3.500" /><circle cx="24" cy="19" r="3.500" /><circle cx="-14" cy="32" r="2.500" /><circle cx="15" cy="33" r="2.500" /></g>`;

/** Cattermelon: a cat that is half a melon. */
const melon = svg`<path d="M-39-8L-35-40L-14-20ZM39-8L35-40L14-20Z" fill=${LEAF} stroke=${INK} stroke-width="3" stroke-linejoin="round" />
  <path d="M-44-12H44A44 50 0 0 1-44-12Z" fill=${LEAF} stroke=${INK} stroke-width="3" stroke-linejoin="round" />
  <path d="M-36-11H36A36 41 0 0 1-36-11Z" fill=${PAPER} /><path d="M-31-11H31A31 35 0 0 1-31-11Z" fill=${BLAZE} />
  <ellipse cx="-12" cy="0" rx="4" ry="6.500" fill=${INK} /><ellipse cx="12" cy="0" rx="4" ry="6.500" fill=${INK} /><circle cx="-10.500" cy="-2" r="1.500" fill=${PAPER} /><circle cx="13.500" cy="-2" r="1.500" fill=${PAPER} />
  <path d="M-3 8H3L0 12Z" fill=${INK} /><path d="M-8 14Q-4 19 0 14Q4 19 8 14" fill="none" stroke=${INK} stroke-width="2.600" stroke-linecap="round" />
  <g fill=${INK}><ellipse cx="-23" cy="-3" rx="2" ry="3.200" /><ellipse cx="23" cy="-3" rx="2" ry="3.200" /><ellipse cx="-16" cy="13" rx="2" ry="3.200" /><ellipse cx="16" cy="13" rx="2" ry="3.200" /><ellipse cx="0" cy="-6" rx="2" ry="3.200" /></g>`;

/** Hairy Potato Cat: a potato with hair in all the wrong places. */
const potato = svg`<path d="M-30-12L-34-40L-12-27ZM23-17L34-41L37-10Z" fill="var(--spud)" stroke=${INK} stroke-width="3" stroke-linejoin="round" />
  <path d="M-14-30C4-38 34-26 39 0S26 42 2 42S-43 30-41 4S-30-24-14-30Z" fill="var(--spud)" stroke=${INK} stroke-width="3.500" />
  <path d="M-9-31Q-11-42-18-44M0-33Q2-43-2-46M8-32Q14-41 12-46M-38 14L-45 12M-36 23L-43 26M39 10L45 7M36 20L43 24M-14 40L-17 46M14 41L18 46" fill="none" stroke=${INK} stroke-width="3" stroke-linecap="round" />
  <g fill=${INK} opacity=".35"><ellipse cx="-25" cy="-8" rx="3" ry="2" /><ellipse cx="27" cy="-5" rx="3" ry="2" /><ellipse cx="22" cy="30" rx="3.500" ry="2" /><ellipse cx="-22" cy="28" rx="3" ry="2" /></g>
  <circle cx="-12" cy="1" r="8" fill=${PAPER} /><circle cx="13" cy="-1" r="10" fill=${PAPER} /><circle cx="-11" cy="2" r="3.500" fill=${INK} /><circle cx="11" cy="0" r="4" fill=${INK} />
  <path d="M-3 11H4L.5 15Z" fill=${BLAZE} /><path d="M-9 24Q0 17 10 24" fill="none" stroke=${INK} stroke-width="3" stroke-linecap="round" />`;

/** Beard Cat: a cat with a huge beard. */
const beard = svg`<path d="M-31 0C-36 28-20 46 0 46S36 28 31 0Q16 12 0 10T-31 0Z" fill=${BLAZE} stroke=${INK} stroke-width="3" stroke-linejoin="round" />
  <g transform="translate(0 -12) scale(1.12)">${drawCatHead(INK, { mouth: "", lids: "M-21-2Q-12-12-4-4ZM21-2Q12-12 4-4Z" })}</g>
  <path d="M0 5C-6-2-20-2-29 9C-34 16-27 19-22 16C-14 11-6 17 0 12C6 17 14 11 22 16C27 19 34 16 29 9C20-2 6-2 0 5Z" fill=${BLAZE} stroke=${INK} stroke-width="2.600" stroke-linejoin="round" />
  <path d="M-17 22Q-16 33-9 39M-5 20Q-5 33-2 42M6 20Q6 33 3 42M17 22Q16 33 9 39" fill="none" stroke=${INK} stroke-width="2.400" stroke-linecap="round" />`;

/** Rainbow-Ralphing Cat: a cat that brings up a rainbow. */
const rainbow = svg`<g fill="none" stroke-width="7"><path d="M-2 8C-2 30 10 40 42 40" stroke=${BLAZE} /><path d="M-8 8C-8 36 6 47 42 47" stroke=${INK} stroke-width="3" />
  <path d="M3 8C4 24 14 33 42 33" stroke=${SPARK_COLOUR} /><path d="M9 8C10 19 18 26 42 26" stroke=${LEAF} /><path d="M14 6C16 14 22 19 42 19" stroke="var(--shuffle)" /></g>
  <g transform="translate(-6 -14) rotate(-6) scale(1.15)">${drawCatHead(INK, { size: 8.5, pupil: 2.6, look: [-2, -3], mouth: "" })}</g>
  <ellipse cx="2" cy="7" rx="12" ry="7" fill=${BLUSH} stroke=${INK} stroke-width="3" />
  <path d=${SPARK} fill=${SPARK_COLOUR} transform="translate(33 -4) scale(.7)" /><path d=${SPARK} fill=${PAPER} transform="translate(-36 26) scale(.6)" />`;

/**
 * Draws a blade of the whirlpool around the Imploding Kitten.
 * @param {number} turn @param {string} colour
 */
const drawBlade = (turn, colour) =>
  svg`<path d="M-3-46C16-47 32-35 27-15C22-27 13-34-6-33Z" fill=${colour} transform=${`rotate(${turn})`} />`;

/** A kitten in the middle of a whirlpool. */
const imploding = svg`<circle r="46" fill=${INK} />
  ${[0, 60, 120, 180, 240, 300].map((turn, i) => drawBlade(turn, i % 2 ? SPARK_COLOUR : BLAZE))}
  <circle r="27" fill=${PAPER} /><g transform="translate(0 3) rotate(-9) scale(.8)"><path d=${HEAD} fill=${INK} />
  ${face({ size: 8.5, pupil: 2.4, look: [2, 2], mouth: "M-3.500 15A3.500 3.500 0 1 1 3.500 15A3.500 3.500 0 1 1-3.500 15" })}</g>`;

/** A long cat curled into a ring, and an arrow in the other direction. */
const reverse = svg`<path d="M34-2A34 34 0 0 0 17-31" fill="none" stroke=${PAPER} stroke-width="10" stroke-linecap="round" />
  <path d="M21-43L2-35L19-21Z" fill=${PAPER} stroke=${PAPER} stroke-width="5" stroke-linejoin="round" />
  <path d="M19 29A34 34 0 0 1-34-6" fill="none" stroke=${INK} stroke-width="16" stroke-linecap="round" />
  <path d="M18 30Q36 26 41 12" fill="none" stroke=${INK} stroke-width="7" stroke-linecap="round" />
  <g transform="translate(-17 -23) rotate(28) scale(.8)"><path d=${HEAD} fill=${INK} />${face({ size: 8, pupil: 3.4, look: [3, 1] })}${whiskers(INK)}</g>`;

Object.assign(FACES, {
  see: FACES.look,
  alter,
  attack,
  targeted_attack: targeted,
  bottom,
  feral,
  taco,
  melon,
  potato,
  beard,
  rainbow,
  imploding,
  reverse,
});

/** The picture of a cat card for which the variant names no picture. */
FACES.cat ??= svg`<g transform="translate(0 4) scale(1.45)">${drawCatHead(INK)}</g>`;
