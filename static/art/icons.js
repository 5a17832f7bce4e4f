/**
 * Small icons drawn with lines, 24 × 24 units each. They have the colour of the text beside them.
 */
import { svg } from "../vendor/lit-html/lit-html.js";

/** @param {string} d */
const line = (d) =>
  svg`<path d=${d} fill="none" stroke="currentColor" stroke-width="2.600" stroke-linecap="round" stroke-linejoin="round" />`;

/** @param {string} d @param {string} [dots] */
const lineAndFill = (d, dots = "") => svg`${line(d)}<path d=${dots} fill="currentColor" />`;

/** The icons by name. @type {Record<string, any>} */
export const ICONS = {
  __proto__: null,
  more: svg`<g fill="currentColor"><circle cx="5" cy="12" r="2.300" /><circle cx="12" cy="12" r="2.300" /><circle cx="19" cy="12" r="2.300" /></g>`,
  sign: line(
    "M5 4L9.500 8H14.500L19 4L20.500 12.500A8.500 8 0 0 1 3.500 12.500ZM8.500 12V12.500M15.500 12V12.500M9.500 16C11 17.500 13 17.500 14.500 16",
  ),
  undo: line("M9 4L4 9L9 14M4.500 9H14.500A5 5 0 0 1 14.500 19.500H9"),
  help: lineAndFill(
    "M7.500 8.500C7.500 2.500 16.500 2.500 16.500 8.500C16.500 12 12 11.500 12 15",
    "M12 18.300A1.700 1.700 0 1 1 11.990 18.300Z",
  ),
  previous: line("M14.500 5L7.500 12L14.500 19"),
  close: line("M5.500 5.500L18.500 18.500M18.500 5.500L5.500 18.500"),
  check: line("M4 13L9.500 18.500L20 6"),
  pause: line("M8.500 5V19M15.500 5V19"),
  turn: line("M20 5V10H15M19.500 9.500A8 8 0 1 0 20 14"),
  cards: line(
    "M9 4H17.500Q19.500 4 19.500 6V16M4.500 10Q4.500 8 6.500 8H13.500Q15.500 8 15.500 10V18.500Q15.500 20.500 13.500 20.500H6.500Q4.500 20.500 4.500 18.500Z",
  ),
  speak: lineAndFill(
    "M4 9.500V14.500H7.500L12.500 18.500V5.500L7.500 9.500ZM16 9Q18 12 16 15M18.800 6.200Q22.500 12 18.800 17.800",
    "M4 9.500V14.500H7.500L12.500 18.500V5.500L7.500 9.500Z",
  ),
  crown: lineAndFill(
    "M4 18.500L3 7.500L8.500 12L12 4.500L15.500 12L21 7.500L20 18.500Z",
    "M4 18.500L3 7.500L8.500 12L12 4.500L15.500 12L21 7.500L20 18.500Z",
  ),
  here: svg`<circle cx="12" cy="12" r="6" fill="currentColor" />`,
  /* a person who looks over a wall */
  watch: lineAndFill(
    "M2.500 17H21.500M5.500 17L6 7.500L9.500 10.500Q12 9.700 14.500 10.500L18 7.500L18.500 17",
    "M9.500 12.200A1.500 1.800 0 1 1 9.490 12.200ZM14.500 12.200A1.500 1.800 0 1 1 14.490 12.200Z",
  ),
  camera: lineAndFill(
    "M4.500 7H13Q15 7 15 9V15Q15 17 13 17H4.500Q2.500 17 2.500 15V9Q2.500 7 4.500 7ZM15 11L21.500 7.500V16.500L15 13",
    "",
  ),
  phone: line(
    "M8 3H16Q17.500 3 17.500 4.500V19.500Q17.500 21 16 21H8Q6.500 21 6.500 19.500V4.500Q6.500 3 8 3M11 17.500H13",
  ),
  robot: lineAndFill(
    "M5.500 9H18.500V19H5.500ZM12 9V5M2.500 12.500V15.500M21.500 12.500V15.500M9.500 16H14.500",
    "M12 2.200A1.700 1.700 0 1 1 11.990 2.200ZM9 11.200A1.500 1.500 0 1 1 8.990 11.200ZM15 11.200A1.500 1.500 0 1 1 14.990 11.200Z",
  ),
  pop: line("M10 4.500H4.500V19.500H19.500V14M13.500 4.500H19.500V10.500M19 5L11.500 12.500"),
};
