/** Draws the picture that chat programs show beside a link to the panel, in 1200 × 630 px. */
import { face, HEAD, whiskers } from "/static/art/kitten.js";
import { hero } from "/static/art/scenes.js";
import { wordmark } from "/static/art/wordmark.js";
import { html, render, svg } from "/static/vendor/lit-html/lit-html.js";

/** The friends on the call: their place, their colour and where they look. */
const FRIENDS = [
  [0, "skip", [-3, 0]],
  [256, "favor", [-3, 1]],
];

const call = html`<svg class="call" viewBox="0 0 500 220">${FRIENDS.map(
  ([x, colour, look]) => svg`<g transform="translate(${x} 0)">
  <rect x="5" y="5" width="234" height="210" rx="26" fill="var(--${colour})" stroke="var(--print)" stroke-width="10" />
  <g transform="translate(122 122) scale(2.7)"><path d=${HEAD} fill="var(--print)" />${face({ look })}${whiskers("var(--print)")}</g></g>`,
)}</svg>`;

render(html`${hero()}<div class="side">${wordmark()}${call}</div>`, document.querySelector("main"));
document.body.dataset.drawn = "yes";
