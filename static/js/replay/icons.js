/** What is pressed in a replay, for the eye only. */
import { svg } from "../core/lit.js";
import { html } from "../core/lit.js";

/** @type {Record<string, unknown>} */
const SIGNS = {
  first: svg`<path d="M6 5V19M19 5L9 12L19 19Z"></path>`,
  back: svg`<path d="M16 5L7 12L16 19Z"></path>`,
  play: svg`<path d="M8 4L20 12L8 20Z"></path>`,
  pause: svg`<path d="M8 5V19M16 5V19"></path>`,
  on: svg`<path d="M8 5L17 12L8 19Z"></path>`,
  last: svg`<path d="M18 5V19M5 5L15 12L5 19Z"></path>`,
  link: svg`<path d="M10 14L14 10M8 11L5.500 13.500A3.500 3.500 0 0 0 10.500 18.500L13 16M16 13L18.500 10.500A3.500 3.500 0 0 0 13.500 5.500L11 8" fill="none"></path>`,
  file: svg`<path d="M12 4V14M7.500 10L12 14.500L16.500 10M5 19H19" fill="none"></path>`,
  lines: svg`<path d="M5 7H19M5 12H19M5 17H14" fill="none"></path>`,
  bare: svg`<path d="M5 4H14V17H5ZM17 7L20 8L17.500 20L9 18.500" fill="none"></path><path d="M8 10H11"></path>`,
  write: svg`<path d="M4 20L5 15.500L15.500 5L19 8.500L8.500 19ZM13 7.500L16.500 11" fill="none"></path>`,
  together: svg`<circle cx="8.500" cy="8" r="3"></circle><circle cx="16" cy="9" r="2.500"></circle><path d="M3 19C3 12 14 12 14 19M13.500 14C18 13 21 15 21 19" fill="none"></path>`,
};

/** @param {string} name */
export const sign = (name) =>
  html`<svg class="reel-sign" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${SIGNS[name]}</svg>`;
