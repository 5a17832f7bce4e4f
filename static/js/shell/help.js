/**
 * Renders the help sheet: how to play, all cards, all rulings, and a search. The message about a
 * refused command links to the ruling that forbids it. The help sheet then opens at that ruling.
 */
import { findCardWithEffect, getHueClass, getCardTitle, setVariant } from "../core/deck.js";
import { getFamily } from "../core/family.js";
import { request } from "../core/http.js";
import { html, nothing, ref } from "../core/lit.js";
import { resolvePath } from "../core/page.js";
import { collectEntries, searchEntries } from "../core/search.js";
import { getLanguage, t } from "../core/text.js";
import { getOwnValue } from "../core/value.js";
import { renderHouseRulesSentence } from "./house.js";
import { renderCardBadge } from "./parts.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Drawn } from "../core/types.js" */

/**
 * @param {Controller} ctrl
 * @param {{HOWTO: string[], howTo: (step: string) => Drawn}} pictures how to play, step by step
 * @param {boolean} [example] true if there is an example turn to watch
 */
export function renderHelp(ctrl, { HOWTO, howTo }, example = false) {
  loadRulings(ctrl);
  const steps = HOWTO.map(
    (step) => html`<li>${howTo(step)}<span>${t(`help.how.${step}`)}</span></li>`,
  );
  return html`<input class="search" type="search" placeholder=${t("help.search")}
    aria-label=${t("help.search")} .value=${ctrl.search}
    @input=${(/** @type {Event} */ event) => {
      // A viewer who searches has left the ruling to which a link led.
      ctrl.sheet = { ...ctrl.sheet, kind: "help", ruling: null };
      ctrl.set({ search: /** @type {HTMLInputElement} */ (event.target).value });
    }}>
    ${
      ctrl.search.trim()
        ? renderSearchResults(ctrl)
        : html`${renderHouseRulesSentence(ctrl)}<h3>${t("help.how")}</h3>
          <ol class="howto">${steps}</ol>
          ${example ? renderExampleLink(ctrl) : nothing}
          ${renderShortcuts()}${renderCardTexts(ctrl, getCardIds(ctrl))}${renderTopics(ctrl)}`
    }`;
}

/** Renders the link that opens an example turn in a new tab. @param {Controller} ctrl */
const renderExampleLink = (ctrl) =>
  html`<p><a class="press" data-do="example" target="_blank"
    href=${resolvePath(`/t/${ctrl.table}/replay/example`)}>
    ${t("help.example")}
  </a></p>`;

/**
 * Variants that were loaded together with the texts of their rulings. The variant that the panel
 * loads first doesn't contain these texts.
 */
const completeVariants = new WeakSet();
let isLoading = false;

/** Loads the rulings in the viewer's language. @param {Controller} ctrl */
function loadRulings(ctrl) {
  const { variant } = ctrl;
  if (
    isLoading ||
    !variant ||
    completeVariants.has(variant) ||
    Object.keys(getVariantTexts(ctrl).rulings ?? {}).length
  )
    return;
  isLoading = true;
  request(`/api/tables/${ctrl.table}/variant?language=${getLanguage()}`)
    .then((found) => {
      // The viewer has changed the language since the request.
      if (ctrl.variant !== variant) return ctrl.draw();
      completeVariants.add(found);
      setVariant(found);
      ctrl.set({ variant: found });
    })
    .catch(() => null)
    .finally(() => {
      isLoading = false;
    });
}

/**
 * Returns the variant's texts in the viewer's language. If they aren't translated, returns them in
 * the variant's language.
 * @param {Controller} ctrl
 * @returns {Record<string, Record<string, any>>}
 */
const getVariantTexts = ({ variant }) => ({
  cards: {},
  rulings: {},
  topics: {},
  ...(variant?.texts?.[getLanguage()] ?? variant?.texts?.[variant.language]),
});

/** Returns the cards' ids in the order of the deck. @param {Controller} ctrl @returns {string[]} */
const getCardIds = ({ variant }) =>
  (variant?.cards ?? [])
    .filter((/** @type {{count?: number}} */ card) => card.count !== 0)
    .map((/** @type {{id: string}} */ card) => card.id);

/** Renders the descriptions of these cards. @param {Controller} ctrl @param {string[]} ids */
function renderCardTexts(ctrl, ids) {
  const words = getVariantTexts(ctrl).cards ?? {};
  if (!ids.length) return nothing;
  return html`<h3>${t("help.cards")}</h3><dl class="cards-help">
    ${ids.map(
      (id) =>
        html`<div class=${getHueClass(id)}>
          <dt>${renderCardBadge(id)}${getCardTitle(id)}</dt>
          <dd>${getOwnValue(words, id)?.here}<p class="soft">${getOwnValue(words, id)?.base}</p></dd>
        </div>`,
    )}
  </dl>`;
}

/** Renders the rulings by topic, or in one list if the variant has no topics. @param {Controller} ctrl */
function renderTopics(ctrl) {
  const words = getVariantTexts(ctrl);
  const topics = ctrl.variant?.topics?.length
    ? ctrl.variant.topics
    : [{ id: "", rulings: Object.keys(words.rulings ?? {}) }];
  const renderTopic = (/** @type {{id: string, rulings: string[]}} */ topic) => [
    topic.id ? html`<h4>${getOwnValue(words.topics, topic.id)}</h4>` : nothing,
    renderRulings(ctrl, topic.rulings),
  ];
  return html`<h3>${t("help.rulings")}</h3>${topics.map(renderTopic)}`;
}

/**
 * Renders a list of rulings. If a link leads to one of them, that ruling is highlighted.
 * @param {Controller} ctrl
 * @param {string[]} slugs
 */
function renderRulings(ctrl, slugs) {
  const words = getVariantTexts(ctrl).rulings ?? {};
  const isLinked = (/** @type {string} */ slug) => slug === ctrl.sheet?.ruling;
  const getSource = (/** @type {string} */ slug) => getOwnValue(ctrl.variant?.sources, slug);
  return html`<dl class="rulings">
    ${slugs.map(
      (slug) => html`<div class=${isLinked(slug) ? "asked" : ""} id=${`ruling-${slug}`}
        tabindex=${isLinked(slug) ? "-1" : nothing} ${ref(isLinked(slug) ? focusRuling : undefined)}>
        <dt>${getOwnValue(words, slug)?.title}</dt>
        <dd>
          ${getOwnValue(words, slug)?.text}
          ${getSource(slug) ? html`<small class="source">${t(`source.${getSource(slug)}`)}</small>` : nothing}
        </dd>
      </div>`,
    )}
  </dl>`;
}

/**
 * Renders the search results, the best first. If there are none, a button clears the search.
 * @param {Controller} ctrl
 */
function renderSearchResults(ctrl) {
  const words = getVariantTexts(ctrl);
  const ids = searchEntries(ctrl.search, collectEntries(words), /** @type {any} */ (words.search));
  const getFoundIds = (/** @type {string} */ kind) =>
    ids.filter((id) => id.startsWith(kind)).map((id) => id.slice(kind.length));
  const slugs = getFoundIds("ruling-");
  const both = [
    renderCardTexts(ctrl, getFoundIds("card-")),
    slugs.length ? html`<h3>${t("help.rulings")}</h3>${renderRulings(ctrl, slugs)}` : nothing,
  ];
  return html`<p class=${ids.length ? "unseen" : "nothing"} role="status">
    ${ids.length ? t("help.found", { count: ids.length }) : t("help.nothing", { query: ctrl.search.trim() })}
  </p>
    ${
      ids.length
        ? nothing
        : html`<button type="button" class="press" @click=${() => ctrl.set({ search: "" })}>
          ${t("help.all")}
        </button>`
    }
    ${ids[0]?.startsWith("ruling-") ? both.reverse() : both}`;
}

/**
 * Scrolls to the ruling to which a link leads, and focuses it so that a screen reader reads it.
 * @param {Element | undefined} ruling
 */
function focusRuling(ruling) {
  if (ruling instanceof HTMLElement)
    queueMicrotask(() => {
      ruling.focus({ preventScroll: true });
      ruling.scrollIntoView({ block: "center" });
    });
}

/** Renders the list of the keyboard shortcuts that `keys.js` handles. */
const renderShortcuts = () => {
  const keys = {
    ...getFamily().getShortcuts(),
    N: getCardTitle(findCardWithEffect("nope")),
    P: t("pass"),
    H: `${t("hold")} / ${t("release")}`,
    S: t("dock.safe"),
    K: t("dock.kitten"),
    "?": t("help"),
    Esc: t("close"),
  };
  return html`<section class="shortcuts">
    <h3>${t("keys")}</h3>
    <dl>${Object.entries(keys).map(
      ([key, does]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${does}</dd></div>`,
    )}</dl>
  </section>`;
};
