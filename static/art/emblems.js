/**
 * Draws the twelve emblems. Each seat of a table has one of them. In both themes, an emblem is a
 * dark shape on a light colour.
 */
import { html, svg } from "../vendor/lit-html/lit-html.js";

const SHAPES = [
  // paw, fish, moon, star, heart
  "M12 11.6c-2.8 0-5.2 3-5.2 5.1 0 3.2 3.2 1.5 5.2 1.5s5.2 1.7 5.2-1.5c0-2.1-2.4-5.1-5.2-5.1zM4.5 10.5a1.8 2.1 0 1 0 3.6 0a1.8 2.1 0 1 0-3.6 0zM8 7a1.8 2.2 0 1 0 3.6 0a1.8 2.2 0 1 0-3.6 0zM12.4 7a1.8 2.2 0 1 0 3.6 0a1.8 2.2 0 1 0-3.6 0zM15.9 10.5a1.8 2.1 0 1 0 3.6 0a1.8 2.1 0 1 0-3.6 0z",
  "M3.5 12C6 6.5 12.8 6.3 16 10.6L20.5 7V17L16 13.4C12.8 17.7 6 17.5 3.5 12z",
  "M14.5 3.8A8.3 8.3 0 1 0 19.8 15.2 7 7 0 0 1 14.5 3.8z",
  "M12 3.5l2.5 5.5 6 .7-4.4 4.1 1.2 6L12 16.8l-5.3 3 1.2-6L3.5 9.7l6-.7z",
  "M12 20L4.8 12.6a4.5 4.5 0 0 1 6.4-6.3l.8.8.8-.8a4.5 4.5 0 0 1 6.4 6.3z",
  // bell, bolt, leaf, drop, cloud
  "M12 3.5a5.7 5.7 0 0 1 5.7 5.7v4.3l2 3.3H4.3l2-3.3V9.2A5.7 5.7 0 0 1 12 3.5zM9.5 18h5a2.5 2.5 0 0 1-5 0z",
  "M14.5 2.5L5.5 13.6h5L8.8 21.5 18.5 10h-5.3z",
  "M4 20C2.5 9 9.5 3.8 20 4.2c.5 10.5-5 16-12 12.8l4.5-6.5L6 18.3z",
  "M12 2.8c3.8 4.8 6 7.8 6 11.2a6 6 0 0 1-12 0c0-3.4 2.2-6.4 6-11.2z",
  "M7 18.5a4.5 4.5 0 0 1-.5-9A6 6 0 0 1 17.8 9a4.8 4.8 0 0 1-.5 9.5z",
  // cat's face, sitting cat
  "M4.600 3.200L9.300 6.600A9 9 0 0 1 14.700 6.600L19.400 3.200L20.300 12.200C20.700 17 17 20.200 12 20.200S3.300 17 3.700 12.200zM6.600 12.300C8 10.400 10 11 10.400 13.600C8.600 14.300 7 13.900 6.600 12.300zM17.400 12.300C16 10.400 14 11 13.600 13.600C15.400 14.300 17 13.900 17.400 12.300zM12 17.300L10.400 15.400H13.600z",
  "M7.200 2.600L9.400 4.700H12.200L14.400 2.600L14.900 7.300C14.900 8.800 14.300 9.700 13.500 10.400C15.700 12 17 14.400 17 17.400L17 18.400C18.700 18.300 19.200 17 18.500 15.500C17.700 13.900 18.300 12.300 20 12.100C20.900 12 21.300 13.300 20.500 13.600C19.700 13.900 19.900 14.500 20.300 15.400C21.600 18.300 20 20.800 16.800 20.800H6.500C5.600 20.800 5.300 19.600 6.200 19.200L7.100 18.800C6.500 16 6.700 12.800 8.100 10.400C7.200 9.700 6.700 8.800 6.700 7.300z",
];

/** Draws an emblem inside another drawing, 24 units wide and high. @param {number} at */
export const emblemIn = (
  at,
) => svg`<circle class="emblem-ground" cx="12" cy="12" r="13" fill="var(--seat-${at})" stroke="var(--print)" stroke-width="1.5"></circle>
  <path d=${SHAPES[at]} fill="var(--print)" fill-rule="evenodd"></path>`;

/** Draws an emblem that is as big as the text around it. @param {number} at */
export const emblem = (at) =>
  html`<svg class="art art-emblem" viewBox="-2 -2 28 28" aria-hidden="true" focusable="false" data-emblem=${at}>${emblemIn(at)}</svg>`;
