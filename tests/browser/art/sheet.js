/** Draws every picture on one page, in the sizes in which the panel uses it. */
import { art } from "/static/art/art.js";
import * as cards from "/static/art/cards.js";
import { ICONS } from "/static/art/icons.js";
import { lettering } from "/static/art/lettering.js";
import { mark } from "/static/art/mark.js";
import { danger, hand, toldMarker } from "/static/art/marks.js";
import { HOWTO, howTo } from "/static/art/howto.js";
import { PREPARATION, prepStep } from "/static/art/preparation.js";
import * as scenes from "/static/art/scenes.js";
import { wordmark } from "/static/art/wordmark.js";
import { html, render } from "/static/vendor/lit-html/lit-html.js";

const TITLES = {
  kitten: ["Exploding Kitten", "Exploding Kitten"],
  defuse: ["Defuse", "Disinnesgatto"],
  look: ["See the Future", "Prevedi il futuro"],
  favor: ["Favor", "Favore"],
  nope: ["Nope", "No!"],
  shuffle: ["Shuffle", "Mescola"],
  skip: ["Skip", "Salta"],
};
const SIZES = { all: 15, rest: 13, away: 4, hand: 5, laid: 5, rows: 2, columns: 3 };
const entries = Object.entries(TITLES);
const faces = () => [
  ...entries.map(([title]) => cards.cardFace(title)),
  cards.cardBack(),
  cards.emptyCell(),
];

const sheets = {
  cards: () => html`
    <section class="w40">${faces()}</section>
    <section class="w56">${faces()}</section>
    <section class="w80">${entries.map(([title, [label]]) => cards.cardFace(title, { label }))}${cards.cardBack()}</section>
    <section class="w120">${entries.map(([title, [, label]]) => cards.cardFace(title, { label }))}${cards.cardFace("attack_twice")}</section>
    <section class="w200">${faces()}</section>`,
  marks: () => html`
    <section class="w24">${entries.map(([title]) => art(title))}${mark()}${art("boom")}${art("paw")}</section>
    <section class="w40">${entries.map(([title]) => art(title))}${mark()}${art("boom")}${art("paw")}</section>
    <section class="w24">${Object.keys(ICONS).map(art)}</section>
    <section class="w56">${Object.keys(ICONS).map(art)}</section>
    <section class="w24">${[0, 0.1667, 0.2, 0.25, 0.3333, 0.5, 1].map(danger)}</section>
    <section class="w56">${[0, 0.1667, 0.2, 0.25, 0.3333, 0.5, 1].map(danger)}${[0, 1, 2, 3, 5, 7, 9].map(hand)}</section>
    <section class="w200">${mark()}${wordmark()}${toldMarker()}${danger(0.5)}</section>
    <section><svg width="900" viewBox="0 0 450 60">${["ABCDEFGHIJKLM", "NOPQRSTUVWXYZ", "0123456789!?-'+"].map((line, i) => lettering(line, { x: 225, y: 16 + i * 20, size: 15 }))}</svg></section>`,
  scenes: () => html`
    <section class="w280">${scenes.boom()}${scenes.win()}${scenes.asleep()}${scenes.hero()}</section>
    <section class="w120">${scenes.boom("BUM!")}${scenes.win()}${scenes.asleep()}${scenes.hero()}</section>
    <section class="w280">${PREPARATION.map((step) => prepStep(step, SIZES))}</section>
    <section class="w280">${HOWTO.map(howTo)}</section>`,
};

const which = new URLSearchParams(location.search).get("sheet") ?? "cards";
render(sheets[which](), document.querySelector("main"));
document.body.dataset.drawn = "yes";
