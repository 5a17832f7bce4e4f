/**
 * The pictures of the draw grid's seven effects. Each is centred at (0, 0), within ±42 × ±46 units,
 * and has one bold silhouette that can be recognised at 40 px. At 200 px it also has a small joke.
 */
import { svg } from "../vendor/lit-html/lit-html.js";
import { face, HEAD, SPARK, star, whiskers } from "./kitten.js";

const PAPER = "var(--paper)";
const INK = "var(--print)";
const SPARK_COLOUR = "var(--spark)";
const BLAZE = "var(--blaze)";
const BLUSH = "var(--blush)";

/** An annoyed kitten in the middle of its explosion. */
const kitten = svg`
  <path d=${star(11, 47, 33)} fill=${BLAZE} />
  <path d=${star(11, 38, 27)} fill=${SPARK_COLOUR} transform="rotate(16)" />
  <g transform="translate(0 5)">
    <path d="M-2-19Q-6-32 3-34Q9-35 8-40" fill="none" stroke=${INK} stroke-width="4" stroke-linecap="round" />
    <path d=${HEAD} fill=${INK} />
    ${face({ size: 9.5, pupil: 2.6, mouth: "M-4 15.500A4 3.200 0 1 1 4 15.500A4 3.200 0 1 1-4 15.500" })}
    ${whiskers(INK)}
  </g>
  <path d=${SPARK} fill=${PAPER} transform="translate(8 -38) scale(.9) rotate(20)" />`;

/** Scissors with eyes that watch the fuse they have just cut. */
const defuse = svg`
  <path d="M39-20C30-32 20-8 5-19" fill="none" stroke=${SPARK_COLOUR} stroke-width="6" stroke-linecap="round" />
  <path d="M-8-12C-18-4-24-20-33-15" fill="none" stroke=${SPARK_COLOUR} stroke-width="6" stroke-linecap="round" />
  <path d=${SPARK} fill=${PAPER} transform="translate(-33 -15)" />
  <g fill=${PAPER} stroke=${PAPER} stroke-width="3" stroke-linejoin="round">
    <path d="M-14 20L9-44Q15-40 14-32L-2 15Z" /><path d="M14 20L-9-44Q-15-40-14-32L2 15Z" />
  </g>
  <g fill=${INK} stroke=${PAPER} stroke-width="7"><circle cx="-18" cy="29" r="12" /><circle cx="18" cy="29" r="12" /></g>
  <g fill=${PAPER}><circle cx="-20" cy="24" r="5" /><circle cx="16" cy="24" r="5" /></g>
  <circle r="3" cy="6" fill=${INK} />`;

/** An eye that reflects an explosion. */
const look = svg`
  <path d="M0-44V-32M-24-37L-18-27M24-37L18-27M-38-22L-31-15M38-22L31-15" stroke=${SPARK_COLOUR} stroke-width="5" stroke-linecap="round" />
  <path d="M-40 6Q-21-24 0-24T40 6Q21 35 0 35T-40 6Z" fill=${PAPER} />
  <circle cy="5" r="23" fill=${SPARK_COLOUR} /><circle cy="5" r="23" fill="none" stroke=${INK} stroke-width="3" />
  <path d="M0-17Q15 5 0 27Q-15 5 0-17Z" fill=${INK} />
  <path d=${star(8, 6, 3)} fill=${BLAZE} transform="translate(0 8)" />
  <path d=${SPARK} fill=${PAPER} transform="translate(11 -6) scale(.6)" />
  <path d="M-14 43H14" stroke=${SPARK_COLOUR} stroke-width="5" stroke-linecap="round" />`;

/** A begging paw with a heart-shaped pad. */
const favor = svg`
  <path d="M-17 46V18H17V46Q8 41 0 46T-17 46Z" fill=${INK} /><path d="M-17 38Q-8 33 0 38T17 38" fill="none" stroke=${PAPER} stroke-width="3.500" />
  <path d="M-33 2C-33-20-20-24 0-24S33-20 33 2C33 24 20 32 0 32S-33 24-33 2Z" fill=${INK} />
  <g fill=${INK}><ellipse cx="-26" cy="-16" rx="11" ry="14" transform="rotate(-28 -26 -16)" /><ellipse cx="-9" cy="-29" rx="11" ry="15" transform="rotate(-7 -9 -29)" />
  <ellipse cx="9" cy="-29" rx="11" ry="15" transform="rotate(7 9 -29)" /><ellipse cx="26" cy="-16" rx="11" ry="14" transform="rotate(28 26 -16)" /></g>
  <g fill=${BLUSH}><ellipse cx="-26" cy="-17" rx="5.500" ry="7.500" transform="rotate(-28 -26 -17)" /><ellipse cx="-9" cy="-31" rx="5.500" ry="8" transform="rotate(-7 -9 -31)" />
  <ellipse cx="9" cy="-31" rx="5.500" ry="8" transform="rotate(7 9 -31)" /><ellipse cx="26" cy="-17" rx="5.500" ry="7.500" transform="rotate(28 26 -17)" /></g>
  <path d="M0 24C-10 15-21 8-21-2C-21-13-6-14 0-4C6-14 21-13 21-2C21 8 10 15 0 24Z" fill=${BLAZE} />
  <path d="M-13-3Q-12-6-9-6" fill="none" stroke=${PAPER} stroke-width="3" stroke-linecap="round" />`;

/** A no-entry sign with an angry cat's face. */
const nope = svg`
  <path d="M-36-6L-34-42Q-33-46-28-43L-6-28ZM36-6L34-42Q33-46 28-43L6-28Z" fill=${PAPER} />
  <circle cy="4" r="38" fill=${PAPER} />
  <rect x="-29" y="8" width="58" height="17" rx="4" fill="var(--nope)" />
  <path d="M-27-14L-5-5Q-7 4-15 4Q-25 3-27-14ZM27-14L5-5Q7 4 15 4Q25 3 27-14Z" fill=${INK} />
  <circle cx="-14" cy="-3" r="2.500" fill=${PAPER} /><circle cx="14" cy="-3" r="2.500" fill=${PAPER} />
  <path d="M-18 16.500H18" stroke=${PAPER} stroke-width="2.500" stroke-dasharray="5 4" />`;

/** Two long cats that swap places. */
const shuffle = svg`
  ${longCat("M-33 25C-6 25-4-25 16-25", PAPER, -25)}
  <path d="M-33-25C-6-25-4 25 16 25" fill="none" stroke="var(--shuffle)" stroke-width="21" />
  ${longCat("M-33-25C-6-25-4 25 16 25", SPARK_COLOUR, 25)}`;

/**
 * @param {string} body
 * @param {string} colour
 * @param {number} y where the head is
 */
function longCat(body, colour, y) {
  return svg`<path d=${body} fill="none" stroke=${colour} stroke-width="13" stroke-linecap="round" />
  <g transform="translate(17 ${y})">
    <path d="M-2-17Q-2-21 2-19L22-2Q24 0 22 2L2 19Q-2 21-2 17Z" fill=${colour} stroke=${colour} stroke-width="4" stroke-linejoin="round" />
    <path d="M5-6V-4M5 4V6" stroke=${INK} stroke-width="4.500" stroke-linecap="round" /><circle cx="22" r="3" fill=${BLAZE} />
  </g>`;
}

/** A cat that leaps over a card. */
const skip = svg`
  <g transform="translate(-2 27)">
    <rect x="-13" y="-15" width="26" height="34" rx="4" fill="var(--back)" stroke=${PAPER} stroke-width="3" />
    <path d=${SPARK} fill="var(--on-back)" transform="translate(0 2)" />
  </g>
  <path d="M-28 8C-42 4-42-12-33-18" fill="none" stroke=${INK} stroke-width="6" stroke-linecap="round" />
  <path d="M-27 10C-28-22-16-32-3-32C10-32 20-22 22-6" fill="none" stroke=${INK} stroke-width="17" stroke-linecap="round" />
  <path d="M-29 10L-35 28M-22 10L-23 29M27 4L33 30M18 4L21 30" stroke=${INK} stroke-width="7" stroke-linecap="round" />
  <g transform="translate(24 -9) rotate(22) scale(.6)"><path d=${HEAD} fill=${INK} />
  <g fill=${PAPER}><path d="M-20 0Q-12-9-5 0ZM20 0Q12-9 5 0Z" /></g><path d="M-3 7.500H3L0 11Z" fill=${BLUSH} />
  <path d="M-6 12Q-3 15 0 12Q3 15 6 12" fill="none" stroke=${PAPER} stroke-width="2.400" stroke-linecap="round" /></g>`;

/** The pictures by effect. @type {Record<string, any>} */
export const FACES = { __proto__: null, kitten, defuse, look, favor, nope, shuffle, skip };
