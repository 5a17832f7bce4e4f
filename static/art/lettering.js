/**
 * Draws words in our own capital letters, which have one thick round stroke. So words like NOPE!
 * and the titles of cards look the same on every device, without a font.
 *
 * These words are pictures. Screen readers read the text beside them instead.
 */
import { svg } from "../vendor/lit-html/lit-html.js";

/** The height of a capital letter, the thickness of its stroke, and the gap between letters. */
const HEIGHT = 10;
const STROKE = 2.5;
const GAP = 3.9;
const SPACE = 1.6;

/**
 * The width and path of each letter. The top of a letter is at 0, its bottom at 10.
 * @type {Record<string, [number, string]>}
 */
const LETTERS = {
  A: [5.2, "M0 10V2.8Q0 0 2.6 0T5.2 2.8V10M0 6.4H5.2"],
  B: [5, "M2.4 4.8Q4.6 4.8 4.6 2.4T2.4 0H0V10H2.5Q5 10 5 7.4T2.4 4.8H0"],
  C: [4.8, "M4.8 2.6Q4.8 0 2.4 0T0 2.6V7.4Q0 10 2.4 10T4.8 7.4"],
  D: [5, "M0 0V10H2Q5 10 5 7V3Q5 0 2 0Z"],
  E: [4.2, "M4.2 0H0V10H4.2M0 4.9H3.6"],
  F: [4.2, "M4.2 0H0V10M0 5H3.6"],
  G: [4.9, "M4.9 2.6Q4.9 0 2.4 0T0 2.6V7.4Q0 10 2.4 10T4.9 7.4V5.6H3"],
  H: [5, "M0 0V10M5 0V10M0 5H5"],
  I: [0, "M0 0V10"],
  J: [3.8, "M3.8 0V7.4Q3.8 10 1.9 10T0 7.8"],
  K: [5, "M0 0V10M4.8 0L0 5.8M1.9 3.6L5 10"],
  L: [4, "M0 0V10H4"],
  M: [6.8, "M0 10V0L3.4 5.6L6.8 0V10"],
  N: [5, "M0 10V0L5 10V0"],
  O: [5, "M0 2.6Q0 0 2.5 0T5 2.6V7.4Q5 10 2.5 10T0 7.4Z"],
  P: [4.8, "M0 10V0H2.3Q4.8 0 4.8 2.9T2.3 5.8H0"],
  Q: [5, "M0 2.6Q0 0 2.5 0T5 2.6V7.4Q5 10 2.5 10T0 7.4ZM3 7.4L5.3 10.6"],
  R: [5, "M0 10V0H2.3Q4.7 0 4.7 2.7T2.3 5.4H0M2.5 5.4L5 10"],
  S: [4.8, "M4.6 2.3Q4.4 0 2.4 0T.1 2.4T2.4 4.9T4.8 7.5T2.4 10T0 7.7"],
  T: [5.2, "M0 0H5.2M2.6 0V10"],
  U: [5, "M0 0V7.4Q0 10 2.5 10T5 7.4V0"],
  V: [5.4, "M0 0L2.7 10L5.4 0"],
  W: [7.6, "M0 0L1.7 10L3.8 3.4L5.9 10L7.6 0"],
  X: [5, "M0 0L5 10M5 0L0 10"],
  Y: [5.2, "M0 0L2.6 5L5.2 0M2.6 5V10"],
  Z: [4.8, "M0 0H4.8L0 10H4.8"],
  0: [5, "M0 2.6Q0 0 2.5 0T5 2.6V7.4Q5 10 2.5 10T0 7.4Z"],
  1: [2.2, "M0 2.2L2.2 0V10"],
  2: [4.8, "M0 2.5Q0 0 2.4 0T4.8 2.4Q4.8 4 3.2 5.8L0 10H4.8"],
  3: [4.8, "M0 1.6Q.7 0 2.4 0T4.6 2.4T2.2 4.8Q4.8 4.8 4.8 7.4T2.3 10T0 8.3"],
  4: [5, "M3.9 10V0L0 7.2H5"],
  5: [4.8, "M4.4 0H.5L.2 4.6Q1 3.8 2.3 3.8Q4.8 3.8 4.8 6.9T2.3 10T0 8.4"],
  6: [4.8, "M3.8 0Q0 2.4 0 7Q0 10 2.4 10T4.8 7.2T2.4 4.5T0 7"],
  7: [4.8, "M0 0H4.8L1.6 10"],
  8: [4.8, "M2.4 4.7Q.3 4.7 .3 2.3T2.4 0T4.5 2.3T2.4 4.7Q0 4.7 0 7.3T2.4 10T4.8 7.3T2.4 4.7Z"],
  9: [4.8, "M1 10Q4.8 7.6 4.8 3Q4.8 0 2.4 0T0 2.8T2.4 5.5T4.8 3"],
  "!": [0, "M0 0V6M0 9.9V10"],
  "?": [4.6, "M0 2.4Q0 0 2.3 0T4.6 2.3Q4.6 3.8 3.2 4.6T2.3 6.4M2.3 9.9V10"],
  "-": [3, "M0 5.4H3"],
  "'": [0, "M0 0V2"],
  "+": [4, "M2 3.2V7.4M0 5.3H4"],
};

/** @param {string} word */
const lettersOf = (word) =>
  [...word.toUpperCase().normalize("NFD")].filter((letter) => !/\p{M}/u.test(letter));

/** @param {string} letter */
const widthOf = (letter) => (letter === " " ? SPACE : (LETTERS[letter]?.[0] ?? -GAP));

/** @param {string[]} letters */
const lengthOf = (letters) =>
  letters.reduce((sum, letter) => sum + widthOf(letter) + GAP, STROKE - GAP);

/** Returns the width of a word, divided by the height of its letters. @param {string} word */
const wordWidth = (word) => lengthOf(lettersOf(word)) / (HEIGHT + STROKE);

/**
 * Moves a letter's path to the right. So a word is a single path, which a page draws faster than a
 * path for each letter.
 * @param {string} path
 * @param {number} by
 */
const movePath = (path, by) =>
  path.replace(/([A-Z])([^A-Z]*)/g, (_, command, numbers) => {
    if (command === "V") return command + numbers;
    const moved = (numbers.match(/-?[\d.]+/g) ?? []).map(
      (/** @type {string} */ number, /** @type {number} */ at) =>
        at % 2 ? number : (Number(number) + by).toFixed(2),
    );
    return command + moved.join(" ");
  });

/**
 * Draws a word that is centred at x and stands on y. Its letters are `size` units high. `outline`
 * is the colour of an edge around the letters; without it there is no edge.
 * @param {string} word
 * @param {{x?: number, y?: number, size?: number, colour?: string, outline?: string}} [where]
 */
export const lettering = (
  word,
  { x = 0, y = 0, size = HEIGHT, colour = "currentColor", outline } = {},
) => {
  const letters = lettersOf(word);
  const scale = size / (HEIGHT + STROKE);
  let at = x / scale - lengthOf(letters) / 2 + STROKE / 2;
  let path = "";
  for (const letter of letters) {
    path += movePath(LETTERS[letter]?.[1] ?? "", at);
    at += widthOf(letter) + GAP;
  }
  const foot = (y / scale - HEIGHT - STROKE / 2).toFixed(2);
  return svg`<g fill="none" stroke-linecap="round" stroke-linejoin="round"
    transform="scale(${scale.toFixed(3)}) translate(0 ${foot})">
    ${outline ? svg`<path d=${path} stroke=${outline} stroke-width=${STROKE * 1.8} />` : ""}
    <path d=${path} stroke=${colour} stroke-width=${STROKE} /></g>`;
};

/**
 * Draws a title in one or two lines, within a box of the given width and height around (x, y).
 * @param {string} title
 * @param {{x: number, y: number, width: number, height: number, colour?: string}} box
 */
export const titleLines = (title, { x, y, width, height, colour }) => {
  const lines = title.length > 8 ? splitTitle(title) : [title];
  const most = lines.length === 1 ? height * 0.62 : height * 0.44;
  const size = Math.min(most, ...lines.map((line) => width / wordWidth(line)));
  const leading = size * 1.28;
  const first = y + size / 2 - ((lines.length - 1) * leading) / 2;
  return lines.map((line, i) => lettering(line, { x, y: first + i * leading, size, colour }));
};

/** Splits a title into one or two lines of similar length. @param {string} title */
const splitTitle = (title) => {
  const words = title.split(" ");
  const ways = words
    .slice(1)
    .map((_, i) => [words.slice(0, i + 1).join(" "), words.slice(i + 1).join(" ")]);
  /** @param {string[]} lines */
  const widest = (lines) => Math.max(...lines.map(wordWidth));
  return ways.reduce((best, way) => (widest(way) < widest(best) ? way : best), [title]);
};
