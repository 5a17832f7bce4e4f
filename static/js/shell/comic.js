/** Renders a comic of three pictures that explains a game to people who don't know it. */
import { art } from "../../art/art.js";
import { html } from "../core/lit.js";
import { t } from "../core/text.js";

/** @import { Drawn } from "../core/types.js" */

/**
 * The pictures of a family: three steps of "how to play", and the function that draws a step.
 * @typedef {{COMIC: string[], howTo: (step: string) => Drawn}} ComicPictures
 */

/** @param {string} family @param {ComicPictures} pictures */
export const renderComic = (family, pictures) =>
  html`<ol class="comic">
    ${pictures.COMIC.map(
      (step) => html`<li>${pictures.howTo(step)}<span>${t(`comic.${family}.${step}`)}</span></li>`,
    )}
  </ol>`;

/**
 * Renders the information for an invited visitor: the comic, and a list of things to have at hand.
 * @param {string} family
 * @param {ComicPictures} pictures
 * @param {Record<string, number>} [counts] the numbers of cards for the sentence
 */
export const renderPrimer = (family, pictures, counts) =>
  html`${renderComic(family, pictures)}
    <p class="need">${art("cards")}<span>${t(`invited.need.${family}`, counts)}</span></p>`;
