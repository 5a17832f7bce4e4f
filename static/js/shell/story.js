/** The end's story: the game as a picture, how it went for everyone, and who was lucky. */
import { emblem } from "../../art/emblems.js";
import { html, nothing } from "../core/lit.js";
import { emblemOf, nameOf, seatOf } from "../core/moves.js";
import { copyPicture, copyText } from "../core/picture.js";
import { moments, newestGame, ranked } from "../core/story.js";
import { percent, t } from "../core/text.js";
import { named, say } from "./parts.js";
import { recap } from "./recap.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Moment } from "../core/story.js" */
/** @import { View } from "../core/types.js" */

/** @param {Controller} ctrl */
export function story(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const game = newestGame(ctrl.story ?? view.log);
  const told = moments(game);
  return html`<section class="story" aria-labelledby="story-title"><h2 id="story-title">${t("story.title")}</h2>
    <div class="story-scroll" role="group" aria-labelledby="story-title" tabindex="0">${recap(ctrl, game, told, plain(view, told))}</div>
    <ol class="story-fates">${ranked(
      told,
      view.seats.map((seat) => seat.seat),
    ).map((seat) => fate(view, told, seat))}</ol>
    ${view.seats.some((seat) => seat.survival !== undefined) ? html`<p class="soft luck-what">${t("story.luck.what")}</p>` : nothing}
    <div class="row"><button type="button" class="press small" @click=${(/** @type {Event} */ event) => image(ctrl, event)}>${t("story.copy.image")}</button>
      <button type="button" class="press small" @click=${() => copyText(plain(view, told)).then((done) => said(ctrl, done))}>${t("story.copy.text")}</button></div>
  </section>`;
}

/** How it ended for one seat, and how likely it was to get that far. @param {View} view @param {Moment[]} told @param {string} seat */
function fate(view, told, seat) {
  const { key, facts } = ending(told, seat);
  const survival = seatOf(view, seat)?.survival;
  return html`<li>${emblem(emblemOf(view, seat))}<span class="story-fate">${say(key, { ...facts, name: named(nameOf(view, seat)), mine: seat === view.you?.seat ? ["name"] : [] })}</span>
    ${survival === undefined ? nothing : html`<span class="luck"><meter min="0" max="1" value=${survival} aria-label=${t("story.luck.label")}></meter><span class="soft">${lucky(survival)}</span></span>`}</li>`;
}

/** @param {Moment[]} told @param {string} seat @returns {{key: string, facts: Record<string, unknown>}} */
function ending(told, seat) {
  if (told.some((one) => one.kind === "won" && one.seat === seat))
    return { key: "story.fate.won", facts: {} };
  const out = told.find((one) => one.kind === "out" && one.seat === seat);
  return {
    key: out?.how === "left" ? "story.fate.left" : "story.fate.kitten",
    facts: { turn: out?.turn ?? 0 },
  };
}

/** @param {number} survival */
const lucky = (survival) => t("story.luck", { chance: percent(survival) });

/** The story in plain words. @param {View} view @param {Moment[]} told */
export function plain(view, told) {
  const rows = ranked(
    told,
    view.seats.map((seat) => seat.seat),
  ).map((seat) => {
    const { key, facts } = ending(told, seat);
    const survival = seatOf(view, seat)?.survival;
    return `${t(key, { ...facts, name: nameOf(view, seat) })} ${survival === undefined ? "" : lucky(survival)}`.trim();
  });
  return [t("story.turns", { count: told.at(-1)?.turn ?? 0 }), ...rows].join("\n");
}

/** @param {Controller} ctrl @param {Event} event */
async function image(ctrl, event) {
  const section = /** @type {HTMLElement} */ (event.target).closest(".story");
  const drawn = section?.querySelector("svg.lanes");
  if (drawn instanceof SVGSVGElement) said(ctrl, await copyPicture(drawn, `${ctrl.table}.png`));
}

/** @param {Controller} ctrl @param {"copied" | "saved" | "failed"} done */
const said = (ctrl, done) => ctrl.tell(t(`story.${done}`), "story");
