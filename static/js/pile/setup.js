/** The preparation: a box becomes hands and a pile, step by step, counted for those who sit here. */
import { STEPS, prepStep } from "../../art/pile/preparation.js";
import { title } from "../core/deck.js";
import { html, nothing } from "../core/lit.js";
import { has, t } from "../core/text.js";
import { badge } from "../shell/parts.js";
import { setup as page } from "../shell/setup.js";
import { seating } from "./seating.js";
import { sizes } from "./sizes.js";
import { viewOf } from "./state.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Sizes } from "./sizes.js" */

/** @param {Controller} ctrl */
export function setup(ctrl) {
  const many = sizes(viewOf(ctrl).seats.length);
  return page(ctrl, steps(many), { more: seating(ctrl) });
}

/** @param {Sizes} many */
function steps(many) {
  const { which, extra, before } = many;
  const shown = STEPS.filter(
    (step) =>
      !(step === "paws" && which === "all") &&
      !(step === "back" && !(extra > 0 && before)) &&
      !(step === "after" && !(extra > 0 && !before)),
  );
  return shown.map(
    (step) => html`<li><h2>${t(sentence(step, which), facts(step, many))}</h2>
      <span class="prep" aria-hidden="true">${prepStep(step, many)}</span>
      ${step === (shown.includes("paws") ? "paws" : "kittens") ? titles(many) : nothing}</li>`,
  );
}

/** What a step says: something of its own where that depends on the paw prints. @param {string} step @param {string} which */
const sentence = (step, which) =>
  has(`setup.${step}.${which}`) ? `setup.${step}.${which}` : `setup.${step}`;

/** What is played with, title by title. @param {Sizes} many */
const titles = ({ count, used }) =>
  html`<details class="pile-list"><summary>${t("setup.titles", { count })}</summary>
    <span class="pile">${used.map((one) => html`<span class="chip">${badge(one.id)}${one.about ? "≈" : ""}${one.count}× ${title(one.id)}</span>`)}</span>
    ${used.some((one) => one.about) ? html`<p class="soft">${t("setup.about")}</p>` : nothing}</details>`;

/** @param {string} step @param {Sizes} many */
const facts = (step, many) => ({
  ...many,
  count:
    {
      kittens: many.kittens,
      back: many.extra,
      after: many.extra,
      add: many.added,
      pile: many.pile,
    }[step] ?? many.count,
});
