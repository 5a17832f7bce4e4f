/**
 * Draws the app's name in our own letters. The I is a burning fuse.
 */
import { html } from "../vendor/lit-html/lit-html.js";
import { SPARK } from "./kitten.js";
import { lettering } from "./lettering.js";

/** Draws the name. It is hidden from screen readers, which read a hidden text beside it. */
export const wordmark =
  () => html`<svg class="art-wordmark" viewBox="0 0 116 60" aria-hidden="true" focusable="false">
  ${lettering("H", { x: 17, y: 58, size: 42 })}${lettering("S", { x: 68, y: 58, size: 42 })}${lettering("S", { x: 98, y: 58, size: 42 })}
  <path d="M42.500 54V30C42.500 22 50 24 48 15" fill="none" stroke="currentColor" stroke-width="8.400" stroke-linecap="round" />
  <g transform="translate(48 12) scale(1.15)"><path class="art-spark" d=${SPARK} fill="var(--blaze)" /></g></svg>`;
