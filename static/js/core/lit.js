/** The one door to lit-html, so that its address stands in one place.
 * Styles are bound as `.style=${…}`: set as an attribute they would break the page's policy. */
export { guard } from "../../vendor/lit-html/directives/guard.js";
export { html, svg, render, nothing } from "../../vendor/lit-html/lit-html.js";
