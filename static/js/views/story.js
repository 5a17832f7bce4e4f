/** The end's story: the game as lanes of draws, cards, Nopes and explosions, and who was lucky. */
import { emblem, emblemIn } from "../../art/emblems.js";
import { doing, hue, title } from "../deck.js";
import { html, nothing, svg } from "../lit.js";
import { emblemOf, nameOf, seatOf } from "../moves.js";
import { copyPicture, copyText } from "../picture.js";
import { moments, newestGame, ranked } from "../story.js";
import { current, t } from "../text.js";
import { named, say } from "./parts.js";

/** @import { Controller } from "../controller.js" */
/** @import { Moment } from "../story.js" */
/** @import { View } from "../types.js" */

const LANE = 30;
const TOP = 8;
const LEFT = 10;
const WIDTH = 230;
const SHOWN = ["play", "nope", "draw", "reveal", "kitten", "defuse", "out", "won"];
const STAR = "M0-8L2-3L7-5L4 0L8 3L3 3L2 8L-1 4L-6 6L-4 1L-8-1L-4-3L-5-7L-1-4Z";

/** @param {Controller} ctrl */
export function story(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const game = newestGame(ctrl.story ?? view.log);
  const told = moments(game);
  return html`<section class="story" aria-labelledby="story-title"><h2 id="story-title">${t("story.title")}</h2>
    <div class="story-scroll" role="group" aria-labelledby="story-title" tabindex="0">${lanes(view, told)}</div>
    <ul class="legend" aria-hidden="true">${SHOWN.map((kind) => html`<li><svg viewBox="-9 -9 18 18">${glyph(/** @type {Moment} */ ({ kind, card: doing("skip") }))}</svg>${t(`story.${kind}`)}</li>`)}</ul>
    <ol class="story-fates">${ranked(told, view.seats.map((seat) => seat.seat)).map((seat) => fate(view, told, seat))}</ol>
    <div class="row"><button type="button" class="press small" @click=${(/** @type {Event} */ event) => image(ctrl, event)}>${t("story.copy.image")}</button>
      <button type="button" class="press small" @click=${() => copyText(plain(view, told)).then((done) => said(ctrl, done))}>${t("story.copy.text")}</button></div>
  </section>`;
}

/** @param {View} view @param {Moment[]} told */
function lanes(view, told) {
  const shown = told.filter((one) => SHOWN.includes(one.kind));
  const step = Math.max(3.4, Math.min(18, (WIDTH - 2 * LEFT) / Math.max(1, shown.length)));
  const width = Math.max(WIDTH, LEFT * 2 + step * shown.length);
  const x = (/** @type {number} */ at) => LEFT + step * (at + 0.5);
  const y = (/** @type {string | undefined} */ seat) => TOP + LANE * (view.seats.findIndex((one) => one.seat === seat) + 0.6);
  const height = TOP * 2 + LANE * view.seats.length;
  return html`<svg class="lanes" role="img" aria-label=${plain(view, told)} viewBox="0 0 ${width} ${height}" width=${width} height=${height}>
    <rect class="ground" width=${width} height=${height}></rect>
    ${view.seats.map((seat) => {
      const end = shown.findIndex((one) => (one.kind === "out" || one.kind === "won") && one.seat === seat.seat);
      return svg`<line class="lane" x1=${LEFT} x2=${end < 0 ? width - LEFT : x(end)} y1=${y(seat.seat)} y2=${y(seat.seat)}></line>
        <g transform="translate(${LEFT} ${y(seat.seat) - 17}) scale(.46)">${emblemIn(emblemOf(view, seat.seat))}</g>
        <text class="lane-name" x=${LEFT + 15} y=${y(seat.seat) - 8}>${short(seat.name)}</text>`;
    })}
    ${shown.map((one, at) => (one.to && one.to !== one.seat ? svg`<line class="reach reach-${one.kind}" x1=${x(at)} x2=${x(at)} y1=${y(one.seat)} y2=${y(one.to)}></line>` : nothing))}
    ${shown.map((one, at) => svg`<g transform="translate(${x(at)} ${y(one.seat)})" class="moment moment-${one.kind}"><title>${caption(view, one)}</title>${glyph(one)}</g>`)}
  </svg>`;
}

/** How many letters of a name have room in the narrowest drawing: of the wide ones only some. @param {string} name */
function short(name) {
  const room = (/** @type {string} */ words) => [...words].reduce((all, letter) => all + (/[\p{Lu}\p{Lo}@%]/u.test(letter) ? 11.5 : 7), 0) <= WIDTH - LEFT - 25;
  const letters = [...name];
  while (!room(letters.join(""))) letters.pop();
  return letters.length < [...name].length ? `${letters.join("")}…` : name;
}

/** A moment's sign: its shape tells what it was, its colour which card. @param {Moment} one */
function glyph(one) {
  if (one.kind === "draw") return svg`<circle class="sign-draw" r="3.2"></circle>`;
  if (one.kind === "play") return svg`<rect class="sign-play ${hue(one.card)} ${one.lost ? "lost" : ""}" x="-4" y="-5" width="8" height="10" rx="1.6"></rect>${one.lost ? svg`<path class="sign-cross" d="M-5 5L5-5"></path>` : nothing}`;
  if (one.kind === "nope") return svg`<path class="sign-nope" d="M-2.500-6H2.500L6-2.500V2.500L2.500 6H-2.500L-6 2.500V-2.500Z"></path><path class="sign-bar" d="M-3 0H3"></path>`;
  if (one.kind === "reveal") return svg`<path class="sign-reveal ${hue(one.card)}" d="M0-6L5 0L0 6L-5 0Z"></path>`;
  if (one.kind === "kitten") return svg`<path class="sign-kitten" d=${STAR} transform="scale(.75)"></path>`;
  if (one.kind === "defuse") return svg`<circle class="sign-defuse" r="5"></circle><path class="sign-tick" d="M-2.500 0L-.5 2L3-2"></path>`;
  if (one.kind === "out") return svg`<path class="sign-out" d=${STAR}></path><path class="sign-cross" d="M-3-3L3 3M3-3L-3 3"></path>`;
  return svg`<path class="sign-won" d="M-7 5V-4L-3-1L0-6L3-1L7-4V5Z"></path>`;
}

/** @param {View} view @param {Moment} one */
const caption = (view, one) => `${nameOf(view, one.seat)}: ${t(`story.${one.kind}`)}${one.card ? ` (${title(one.card)})` : ""}`;

/** How it ended for one seat, and how likely it was to get that far. @param {View} view @param {Moment[]} told @param {string} seat */
function fate(view, told, seat) {
  const { key, facts } = ending(told, seat);
  const survival = seatOf(view, seat)?.survival;
  return html`<li>${emblem(emblemOf(view, seat))}<span class="story-fate">${say(key, { ...facts, name: named(nameOf(view, seat)), mine: seat === view.you?.seat ? ["name"] : [] })}</span>
    ${survival === undefined ? nothing : html`<span class="luck"><meter min="0" max="1" value=${survival} aria-label=${t("story.luck.label")}></meter><span class="soft">${lucky(survival)}</span></span>`}</li>`;
}

/** @param {Moment[]} told @param {string} seat @returns {{key: string, facts: Record<string, unknown>}} */
function ending(told, seat) {
  if (told.some((one) => one.kind === "won" && one.seat === seat)) return { key: "story.fate.won", facts: {} };
  const out = told.find((one) => one.kind === "out" && one.seat === seat);
  return { key: out?.how === "left" ? "story.fate.left" : "story.fate.kitten", facts: { turn: out?.turn ?? 0 } };
}

/** @param {number} survival */
const lucky = (survival) => t("story.luck", { chance: new Intl.NumberFormat(current(), { style: "percent" }).format(survival) });

/** The story in plain words. @param {View} view @param {Moment[]} told */
export function plain(view, told) {
  const rows = ranked(told, view.seats.map((seat) => seat.seat)).map((seat) => {
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
