/**
 * Draws cards (faces and backs) and empty cells. All of them measure 100 × 140 units and fill the
 * width of their container. The module that uses a picture adds its text alternative.
 */
import { html, svg } from "../vendor/lit-html/lit-html.js";
import { FACES } from "./faces.js";
import { SPARK } from "./kitten.js";
import { titleLines } from "./lettering.js";

/** @param {unknown} content @param {string} name */
const card = (content, name) => html`<svg class="card-art ${name}" viewBox="0 0 100 140"
  aria-hidden="true" focusable="false">${content}</svg>`;

const frame = (/** @type {string} */ colour) =>
  svg`<rect x="5.500" y="5.500" width="89" height="129" rx="8" fill="none" stroke=${colour} stroke-width="2.500" />`;

/**
 * Draws the face of a card with this effect. A label adds the title under the picture, for cards of
 * 72 px and wider. An effect without a picture gets a label, and one without colours is
 * drawn on plain paper.
 * @param {string} effect
 * @param {{label?: string}} [options]
 */
export const cardFace = (effect, { label } = {}) => {
  const picture = FACES[effect];
  const words = label ?? (picture ? undefined : effect.replaceAll("_", " "));
  const [field, on] = picture
    ? [`var(--${effect}, var(--paper))`, `var(--on-${effect}, var(--print))`]
    : ["var(--paper)", "var(--print)"];
  const place = words ? "translate(50 55) scale(.9)" : "translate(50 70)";
  const lines =
    words && titleLines(words, { x: 50, y: picture ? 115 : 70, width: 78, height: 29, colour: on });
  return card(
    svg`<rect width="100" height="140" rx="12" fill=${field} />${frame(on)}
      <g transform=${place}>${picture}</g>${lines}`,
    "card-face",
  );
};

/**
 * The back of a card: a sleeping kitten with its fuse around it, because any card might be the
 * Kitten.
 */
const back = card(
  svg`<rect width="100" height="140" rx="12" fill="var(--back)" />${frame("var(--on-back)")}
    <g transform="translate(1 -4) scale(1.06)"><g fill="var(--on-back)" stroke="var(--on-back)" stroke-linejoin="round">
      <path d="M27 66L24 48L38 55ZM49 51L61 43L60 58Z" stroke-width="4" /><circle cx="45" cy="67" r="17" stroke="none" />
      <path d="M66 52C84 62 82 94 52 96C34 97 22 88 21 75" fill="none" stroke-width="9" stroke-linecap="round" />
    </g>
    <path d="M34 69Q37 72 40 68M48 65Q52 67 54 62" fill="none" stroke="var(--back)" stroke-width="3" stroke-linecap="round" />
    <path d=${SPARK} fill="var(--spark)" transform="translate(21 72) scale(1.1)" /></g>`,
  "card-back",
);

/** Draws a face-down card. */
export const cardBack = () => back;

const empty = card(
  svg`<rect x="3" y="3" width="94" height="134" rx="10" fill="none" stroke="var(--soft)" stroke-width="2.500"
    stroke-dasharray="2 9" stroke-linecap="round" />`,
  "card-empty",
);

/**
 * Draws an empty cell. Cells stay empty, because the other cards don't move up (ruling
 * grid-shrinks).
 */
export const emptyCell = () => empty;
