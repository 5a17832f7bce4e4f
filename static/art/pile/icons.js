/** Icons that only the classic games have. This module adds them to those of icons.js. */
import { svg } from "../../vendor/lit-html/lit-html.js";
import { ICONS } from "../icons.js";

/** @param {string} d */
const line = (d) =>
  svg`<path d=${d} fill="none" stroke="currentColor" stroke-width="2.600" stroke-linecap="round" stroke-linejoin="round" />`;

/** @param {string} move */
const turnArrow = (move) =>
  svg`<g transform=${move}>${line("M17.600 6.400A7.900 7.900 0 1 0 19.900 12M18.400 2.200V7.200H13.400")}</g>`;

Object.assign(ICONS, {
  left: line("M14.500 5L7.500 12L14.500 19"),
  right: line("M9.500 5L16.500 12L9.500 19"),
  up: line("M5 14.500L12 7.500L19 14.500"),
  down: line("M5 9.500L12 16.500L19 9.500"),
  grip: svg`<g fill="currentColor"><circle cx="9" cy="6" r="1.900" /><circle cx="15" cy="6" r="1.900" /><circle cx="9" cy="12" r="1.900" /><circle cx="15" cy="12" r="1.900" /><circle cx="9" cy="18" r="1.900" /><circle cx="15" cy="18" r="1.900" /></g>`,
  /* an arrow round a ring, in either direction of play */
  clockwise: turnArrow(""),
  counterclockwise: turnArrow("translate(24 0) scale(-1 1)"),
  /* two equal cards */
  pair: line(
    "M4.500 7.500L11 5.500Q12.500 5 13 6.500L16 17Q16.500 18.500 15 19L8.500 20.800Q7 21.200 6.600 19.800L3.500 9.200Q3.100 8 4.500 7.500ZM15.500 4H18.500Q20.500 4 20.500 6V16.500",
  ),
});
