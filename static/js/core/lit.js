/** The one door to lit-html, so that its address stands in one place; joined, a page loads what it uses.
 * Styles are bound as `.style=${…}`: set as an attribute they would break the page's policy. */
export { guard } from "../../vendor/lit-html/directives/guard.js";
export { live } from "../../vendor/lit-html/directives/live.js";
export { ref } from "../../vendor/lit-html/directives/ref.js";
export { repeat } from "../../vendor/lit-html/directives/repeat.js";
export { html, svg, render, nothing } from "../../vendor/lit-html/lit-html.js";
