/** Draws the preparation: the family's steps for the cards, one at a time, and the players who are ready. */
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
 * Draws the page. The steps are above the players until the viewer is ready, then below them.
 * @param {Controller} ctrl
 * @param {Drawn[]} steps the steps with real cards; empty if there is nothing to prepare
 * @param {{choice?: Drawn, more?: Drawn}} [own] `choice`: a choice above the steps; `more`: a part
 *   below the players
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

/** Returns true if the viewer has no seat and may take one. @param {Controller} ctrl @param {View} view */
const sits = (ctrl, view) => !view.you && !view.options.locked && !ctrl.waitingSeat;

/** @param {Seat} seat */
const check = ({ ready }) =>
  html`<span class="check ${ready ? "yes" : ""}" role="img"
    aria-label=${t(ready ? "ready.yes" : "ready.no")}>
    ${ready ? art("check") : nothing}
  </span>`;

/**
 * Draws the steps: a page each, to swipe or tap through; tiles in a row on a wide screen.
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

/** Scrolls to a step. @param {Event} event @param {number} leaf */
function turn({ currentTarget }, leaf) {
  const button = /** @type {HTMLElement} */ (currentTarget);
  const steps = button.closest("main")?.querySelector(".steps")?.children;
  steps?.[leaf]?.scrollIntoView({ block: "nearest", inline: "center" });
}

/**
 * Draws the viewer's next action, or the players that the table waits for.
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
 * Draws the button for being ready, after the button for the next step if there is one.
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

/** Draws the host's choice of the first player. @param {Controller} ctrl @param {View} view */
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

/** Returns the number of a silly reason to go first, another one for each game. @param {View} view */
const silly = ({ table, game }) =>
  [...table].reduce((sum, letter) => sum + letter.charCodeAt(0), game) % SILLY;
