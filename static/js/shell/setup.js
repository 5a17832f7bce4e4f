/** The preparation: fifteen cards become a hand and a grid, step by step; who is ready. */
import { prepStep } from "../../art/preparation.js";
import { deck, sizes, title } from "../core/deck.js";
import { html, nothing } from "../core/lit.js";
import { repeat } from "../core/lit-more.js";
import { isReady, nameOf } from "../core/moves.js";
import { listed, t } from "../core/text.js";
import { box } from "./box.js";
import { latecomer } from "./latecomer.js";
import { art, badge, emblem, named, press, round, toast } from "./parts.js";
import { top } from "./top.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Seat, View } from "../core/types.js" */

/** First what is to be done; then, for whoever is ready, the others. @param {Controller} ctrl */
export function setup(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const decks = html`<ol class="steps panel">${steps(ctrl)}</ol>`;
  const people = html`${view.you?.host && !waits(view) ? begin(ctrl, view) : nothing}
    <section class="panel" aria-label=${t("setup.who")}><h2>${t("setup.ready", { count: view.seats.filter((seat) => seat.ready).length, all: view.seats.length })}</h2>
      <ol class="seats">${repeat(
        view.seats,
        (seat) => seat.seat,
        (seat) => row(ctrl, seat),
      )}</ol></section>`;
  return html`${top(ctrl)}<main class="page setup">
    <h1>${t("setup")}</h1>
    ${isReady(view) ? html`${people}${decks}` : html`${decks}${people}`}
    <div class="foot">${toast(ctrl, "now")}${mine(ctrl, view)}</div>
  </main>`;
}

/** The names of those who still prepare. @param {View} view */
const waits = (view) =>
  listed(view.seats.filter((seat) => !seat.ready).map((seat) => nameOf(view, seat.seat)));

/** @param {Controller} ctrl */
function steps(ctrl) {
  const chips = deck().map(
    ({ id, count }) => html`<span class="chip">${badge(id)}${count}× ${title(id)}</span>`,
  );
  const many = sizes();
  const picture = (/** @type {string} */ step) =>
    html`<span class="prep" aria-hidden="true">${prepStep(step, many)}</span>`;
  return html`<li><h2>${t("setup.take", many)}</h2>${picture("take")}${ctrl.prefs.box?.edition ? nothing : html`<span class="pile">${chips}</span>`}${box(ctrl)}</li>
    <li><h2>${t("setup.aside", many)}</h2>${picture("aside")}</li>
    <li><h2>${t("setup.away", many)}</h2>${picture("shuffle")}${picture("away")}</li>
    <li><h2>${t("setup.hand", many)}</h2>${picture("hand")}</li>
    <li><h2>${t("setup.grid", many)}</h2>${picture("mix")}${picture("grid")}</li>`;
}

/** @param {Controller} ctrl @param {Seat} seat */
function row(ctrl, seat) {
  const view = /** @type {View} */ (ctrl.view);
  const mayDo = view.you?.host && seat.seat !== ctrl.me;
  return html`<li class=${seat.seat === ctrl.me ? "me" : ""} data-seat=${seat.seat}><span class="check ${seat.ready ? "yes" : ""}" role="img" aria-label=${t(seat.ready ? "ready.yes" : "ready.no")}>${seat.ready ? art("check") : nothing}</span>
    ${emblem(ctrl, seat.seat)}<span class="grow clip">${named(seat.name)}</span>
    ${seat.seat === ctrl.me ? nothing : round("camera", t("camera.of", { name: seat.name }), () => ctrl.set({ sheet: { kind: "camera", seat: seat.seat } }), "bare")}
    ${mayDo ? press(ctrl, { type: "ready", as: seat.seat, ready: !seat.ready }, seat.ready ? html`${art("undo")}<span class="unseen">${t("ready.undo")}</span>` : t("ready.for"), { kind: seat.ready ? "round bare" : "small", id: `ready-${seat.seat}` }) : nothing}
    ${mayDo ? round("more", t("seat.more", { name: seat.name }), () => ctrl.set({ sheet: { kind: "seat", seat: seat.seat } }), "bare") : nothing}</li>`;
}

/** Who goes first, once everybody is ready. @param {Controller} ctrl @param {View} view */
function begin(ctrl, view) {
  return html`<section class="panel" aria-label=${t("setup.first")}><h2>${t("setup.first")}</h2><div class="row wrap firsts">
    ${press(ctrl, { type: "begin", first: "lot" }, t("setup.lot"), { kind: "main", id: "begin-lot" })}
    ${view.seats.map((seat) => press(ctrl, { type: "begin", first: seat.seat }, named(seat.name), { id: `begin-${seat.seat}` }))}</div></section>`;
}

/** What is for this viewer to do, and what everyone waits for. @param {Controller} ctrl @param {View} view */
function mine(ctrl, view) {
  if (view.you && !isReady(view))
    return press(ctrl, { type: "ready", ready: true }, t("ready"), {
      kind: "main wide",
      id: "ready",
    });
  const names = waits(view);
  return html`${names || !view.you?.host ? html`<p class="quiet">${names ? t("setup.waits", { names }) : t("setup.picks", { name: nameOf(view, view.host) })}</p>` : nothing}
    ${view.you ? nothing : latecomer(ctrl)}${view.you ? press(ctrl, { type: "ready", ready: false }, t("ready.not"), { kind: "wide small", id: "unready" }) : nothing}`;
}
