/** The preparation: what to do with the cards, one step at a time, as the family says; who is ready. */
import { html, nothing } from "../core/lit.js";
import { isReady, nameOf } from "../core/moves.js";
import { joinNames, t } from "../core/text.js";
import { latecomerNote } from "./dock.js";
import { houseRules } from "./house.js";
import { isChecked, onDevice, people, title, welcome } from "./lobby.js";
import { art, playerName, commandButton, sentence, toast, topStrip } from "./parts.js";
import { cameraNotice } from "./sheets.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Drawn, Seat, View } from "../core/types.js" */

/**
 * First what is to be done; then, for whoever is ready, the others.
 * @param {Controller} ctrl
 * @param {Drawn[]} steps the steps with real cards; none: there is nothing to be done
 * @param {{choice?: Drawn, more?: Drawn}} [own] what is chosen before the steps, what stands under
 *   the names
 */
export function setup(ctrl, steps, { choice, more } = {}) {
  const view = /** @type {View} */ (ctrl.view);
  const ready = view.seats.filter((seat) => seat.ready).length;
  const who = html`<section class="panel people" aria-label=${t("setup.who")}>
    <h2>${t("setup.ready", { count: ready, all: view.seats.length })}</h2>
    ${people(ctrl, (seat) => html`${check(seat)}${onDevice(seat)}`)}
    ${
      view.seats.some((seat) => isChecked(view, seat))
        ? html`<p class="soft">${t("camera.hint")}</p>`
        : nothing
    }
  </section>${more}`;
  const rules = houseRules(ctrl);
  const cards = html`${view.house ? rules : nothing}${choice}${steps.length ? leaves(ctrl, steps) : nothing}`;
  return html`${topStrip(ctrl)}<main class="page setup" ?inert=${ctrl.remembers}>
    <header class="headline"><h1>${sits(ctrl, view) ? title(view) : t("setup")}</h1></header>
    ${sits(ctrl, view) ? welcome(ctrl, (name) => ctrl.join?.(name)) : nothing}
    ${isReady(view) ? html`${who}${cards}` : html`${cards}${who}`}${view.house ? nothing : rules}
    <div class="foot">${cameraNotice(ctrl)}${toast(ctrl, "now")}${next(ctrl, view, steps.length)}</div>
  </main>`;
}

/** Whether somebody without a seat may have one now. @param {Controller} ctrl @param {View} view */
const sits = (ctrl, view) => !view.you && !view.options.locked && !ctrl.waitingSeat;

/** @param {Seat} seat */
const check = ({ ready }) =>
  html`<span class="check ${ready ? "yes" : ""}" role="img"
    aria-label=${t(ready ? "ready.yes" : "ready.no")}>
    ${ready ? art("check") : nothing}
  </span>`;

/**
 * The steps: leaves to be swiped or tapped through, tiles in a row where there is room.
 * @param {Controller} ctrl
 * @param {Drawn[]} steps
 */
const leaves = (ctrl, steps) =>
  html`<ol class="steps" tabindex="0" aria-label=${t("setup")}
    @scroll=${(/** @type {Event} */ event) => {
      const list = /** @type {HTMLElement} */ (event.currentTarget);
      const leaf = Math.round(list.scrollLeft / list.clientWidth);
      if (leaf !== ctrl.leaf) ctrl.set({ leaf });
    }}>
    ${steps.map((step) => html`<li class="panel">${step}</li>`)}
  </ol>`;

/** @param {Event} event @param {number} leaf */
function turn({ currentTarget }, leaf) {
  const button = /** @type {HTMLElement} */ (currentTarget);
  const steps = button.closest("main")?.querySelector(".steps")?.children;
  steps?.[leaf]?.scrollIntoView({ block: "nearest", inline: "center" });
}

/**
 * What is for this viewer to do, and if nothing is, for whom everyone waits.
 * @param {Controller} ctrl
 * @param {View} view
 * @param {number} steps
 */
function next(ctrl, view, steps) {
  if (!view.you) return sits(ctrl, view) ? nothing : latecomerNote(ctrl);
  if (!isReady(view)) return doneButton(ctrl, steps);
  const waits = view.seats.filter((seat) => !seat.ready);
  const spoken = view.you.host && waits.find((seat) => !seat.panel);
  if (spoken)
    return commandButton(
      ctrl,
      { type: "ready", as: spoken.seat, ready: true },
      sentence("ready.for", { who: playerName(spoken.name) }),
      { kind: "main wide", id: `ready-${spoken.seat}` },
    );
  if (!waits.length && view.you.host) return begin(ctrl, view);
  const words = waits.length
    ? t("setup.waits", { names: joinNames(waits.map((seat) => seat.name)) })
    : t("setup.picks", { name: nameOf(view, view.host) });
  return html`<p class="quiet">${words}</p>${unready(ctrl)}`;
}

/** @param {Controller} ctrl */
const unready = (ctrl) =>
  commandButton(ctrl, { type: "ready", ready: false }, t("ready.not"), {
    kind: "plain small",
    id: "unready",
  });

/**
 * The next step, while there is one out of sight; and that all is done.
 * @param {Controller} ctrl
 * @param {number} steps
 */
function doneButton(ctrl, steps) {
  const more = ctrl.leaf < steps - 1;
  const done = commandButton(
    ctrl,
    { type: "ready", ready: true },
    t(steps ? "ready" : "deck.ready"),
    {
      kind: more ? "early" : "main wide",
      id: "ready",
    },
  );
  if (!more) return done;
  return html`<div class="row leafing">
    <button type="button" class="press main grow" data-do="next"
      @click=${(/** @type {Event} */ event) => turn(event, ctrl.leaf + 1)}>
      ${t("setup.next", { at: ctrl.leaf + 1, all: steps })}
    </button>
    ${done}
  </div>`;
}

/** Who goes first, once everybody is ready. @param {Controller} ctrl @param {View} view */
function begin(ctrl, view) {
  const lot = { kind: "main wide", id: "begin-lot" };
  return html`<section class="firsts" aria-label=${t("setup.first")}>
    <h2>${t("setup.first")}</h2>
    ${commandButton(ctrl, { type: "begin", first: "lot" }, t("setup.lot"), lot)}
    <p class="soft">${t(`setup.silly.${silly(view)}`)}</p>
    <div class="row wrap">
      ${view.seats.map((seat) =>
        commandButton(ctrl, { type: "begin", first: seat.seat }, playerName(seat.name), {
          id: `begin-${seat.seat}`,
        }),
      )}
    </div>
  </section>`;
}

const SILLY = 10;

/** A reason to go first, another for each game: as good as lots. @param {View} view */
const silly = ({ table, game }) =>
  [...table].reduce((sum, letter) => sum + letter.charCodeAt(0), game) % SILLY;
