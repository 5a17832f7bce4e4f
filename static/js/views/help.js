/** Every card and every ruling, searchable; a refusal opens it at its ruling. */
import { html, nothing } from "../lit.js";
import { ref } from "../lit-more.js";
import { current, t, title } from "../text.js";
import { art } from "./parts.js";

/** @import { Controller } from "../controller.js" */

/** @param {Controller} ctrl */
export function help(ctrl) {
  const wanted = plain(ctrl.search);
  const fits = (/** @type {string[]} */ ...texts) => texts.some((text) => plain(text ?? "").includes(wanted));
  return html`<input class="search" type="search" placeholder=${t("help.search")} aria-label=${t("help.search")} .value=${ctrl.search}
      @input=${(/** @type {Event} */ event) => ctrl.set({ search: /** @type {HTMLInputElement} */ (event.target).value })}>
    ${cards(ctrl, fits)}${rulings(ctrl, fits)}`;
}

/** @param {string} text */
const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** The variant's words, in the viewer's language if it has them. @param {Controller} ctrl @returns {Record<string, Record<string, any>>} */
const texts = ({ variant }) => ({ cards: {}, rulings: {}, ...(variant?.texts?.[current()] ?? variant?.texts?.[variant.language]) });

/** @typedef {(...texts: string[]) => boolean} Fits */

/** @param {Controller} ctrl @param {Fits} fits */
function cards(ctrl, fits) {
  const found = Object.entries(texts(ctrl).cards).filter(([id, card]) => fits(title(id), card.here, card.base));
  if (!found.length) return nothing;
  return html`<h3>${t("help.cards")}</h3><dl class="cards-help">${found.map(
    ([id, card]) => html`<div class="hue-${id}"><dt>${art(id)}${title(id)}</dt><dd>${card.here}<p class="soft">${card.base}</p></dd></div>`,
  )}</dl>`;
}

/** @param {Controller} ctrl @param {Fits} fits */
function rulings(ctrl, fits) {
  const all = Object.entries(texts(ctrl).rulings);
  const asked = ctrl.sheet?.ruling;
  const found = all.filter(([slug, ruling]) => fits(ruling.title, ruling.text, slug));
  return html`<h3>${t("help.rulings")}</h3><dl class="rulings">${found.map(
    ([slug, ruling]) => html`<div class=${slug === asked ? "asked" : ""} id=${`ruling-${slug}`} tabindex=${slug === asked ? "-1" : nothing}
      ${ref(slug === asked ? bringIntoView : undefined)}><dt>${ruling.title}</dt><dd>${ruling.text}</dd></div>`,
  )}</dl>`;
}

/** What was asked for is looked at, and read out, once it stands on the page. @param {Element | undefined} ruling */
function bringIntoView(ruling) {
  if (ruling instanceof HTMLElement)
    queueMicrotask(() => {
      ruling.focus({ preventScroll: true });
      ruling.scrollIntoView({ block: "center" });
    });
}
