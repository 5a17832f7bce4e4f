/**
 * Re-exports the parts of lit-html that the panel uses, so that only this module contains its path.
 * A bundled page contains only the parts that it uses. Bind styles as `.style=${…}`, because the
 * page's content security policy forbids style attributes.
 */
export { guard } from "../../vendor/lit-html/directives/guard.js";
export { live } from "../../vendor/lit-html/directives/live.js";
export { ref } from "../../vendor/lit-html/directives/ref.js";
export { repeat } from "../../vendor/lit-html/directives/repeat.js";
export { html, svg, render, nothing } from "../../vendor/lit-html/lit-html.js";
