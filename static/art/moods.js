/** Draws a cat in eight moods. These are the signs that spectators can send. */
import { html, nothing, svg } from "../vendor/lit-html/lit-html.js";

const HEAD =
  "M5 4L9.500 8H14.500L19 4L20.500 12.500A8.500 8 0 0 1 12 21A8.500 8 0 0 1 3.500 12.500Z";
const EYES = "M8.500 12.500h.01M15.500 12.500h.01";

/**
 * The outlines, the filled shapes and the colour of each mood.
 * @type {Record<string, {lines: string, filled?: string, hue?: string}>}
 */
const MOODS = {
  laugh: {
    lines: "M7 13L8.500 11.500L10 13M14 13L15.500 11.500L17 13",
    filled: "M8.500 15h7a3.500 3.500 0 0 1-7 0z",
    hue: "var(--nope)",
  },
  cry: {
    lines: "M7 12.500h3M14 12.500h3M10 18a2.500 2.500 0 0 1 4 0",
    filled:
      "M8.500 14c1 1.500 1.500 2.500 0 3-1.500-.5-1-1.500 0-3zM15.500 14c1 1.500 1.500 2.500 0 3-1.500-.5-1-1.500 0-3z",
    hue: "var(--skip)",
  },
  gasp: {
    lines: "M8.500 12h.01M15.500 12h.01",
    filled: "M10 16.500a2 2.500 0 1 0 4 0a2 2.500 0 1 0-4 0z",
    hue: "var(--on-kitten)",
  },
  love: {
    lines: "M10 17a2.500 2 0 0 0 4 0",
    filled:
      "M8.500 14.500L6.500 12.300a1.300 1.300 0 0 1 2-1.500a1.300 1.300 0 0 1 2 1.500zM15.500 14.500L13.500 12.300a1.300 1.300 0 0 1 2-1.500a1.300 1.300 0 0 1 2 1.500z",
    hue: "var(--seat-3)",
  },
  hiss: {
    lines: "M6.500 11L10 13M17.500 11L14 13",
    filled: "M8.500 15.500h7l-1 3.500h-5z",
    hue: "var(--nope)",
  },
  sleep: { lines: "M7 13h3M14 13h3M11 17h2M18 3h3L18 6h3" },
  cheer: {
    lines: "M9.500 16.500a3 2.500 0 0 0 5 0",
    filled:
      "M8.500 10l.8 1.700 1.700.8-1.700.8-.8 1.700-.8-1.700-1.700-.8 1.700-.8zM15.500 10l.8 1.700 1.700.8-1.700.8-.8 1.700-.8-1.700-1.700-.8 1.700-.8z",
    hue: "var(--spark)",
  },
  think: { lines: `${EYES}M9.500 17.500L14 16.500M7 10L9.500 9.500` },
};

export const NAMES = Object.keys(MOODS);

/** @param {string} name one of `NAMES` */
export const mood = (name) => {
  const { lines, filled, hue } = (Object.hasOwn(MOODS, name) && MOODS[name]) || MOODS.laugh;
  return html`<svg class="art art-mood" viewBox="2 2 20 20" aria-hidden="true" focusable="false"><path d=${HEAD} fill="var(--kitten)" stroke="var(--on-kitten)" stroke-width=".8" stroke-linejoin="round"></path>${filled ? svg`<path d=${filled} fill=${hue}></path>` : nothing}<path d=${lines} fill="none" stroke="var(--on-kitten)" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round"></path></svg>`;
};
