/** The preparation: what to do with the cards, step by step, as the family says; who is ready. */
import { html, nothing, repeat } from "../core/lit.js";
import { isReady, nameOf } from "../core/moves.js";
import { listed, t } from "../core/text.js";
import { latecomer } from "./dock.js";
import { houseRules } from "./house.js";
import { joinForm } from "./join.js";
import { art, emblem, named, press, round, sign, toast, top } from "./parts.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Drawn, Seat, View } from "../core/types.js" */

/**
 * First what is to be done; then, for whoever is ready, the others.
 * @param {Controller} ctrl
 * @param {Drawn} steps items of a list
 * @param {{beside?: (seat: Seat) => Drawn, more?: Drawn, choice?: Drawn, ready?: string}} [own] a
 *   button beside a name, what stands under the names, what is chosen before the steps, the words for
 *   being ready
 */
export function setup(ctrl, steps, { beside = () => nothing, more, choice, ready } = {}) {
  const view = /** @type {View} */ (ctrl.view);
  const decks = html`${houseRules(ctrl)}${choice}<ol class="steps panel">${steps}</ol>`;
  const people = html`${view.you?.host && !waits(view) ? begin(ctrl, view) : nothing}
    <section class="panel" aria-label=${t("setup.who")}>
      <h2>
        ${t("setup.ready", { count: view.seats.filter((seat) => seat.ready).length, all: view.seats.length })}
      </h2>
      <ol class="seats">
        ${repeat(
          view.seats,
          (seat) => seat.seat,
          (seat) => row(ctrl, seat, beside),
        )}
      </ol>
    </section>${more}`;
  return html`${top(ctrl)}<main class="page setup">
    <h1>${t("setup")}</h1>
    ${sits(ctrl, view) ? joinForm(ctrl, (name) => ctrl.join?.(name)) : nothing}
    ${isReady(view) ? html`${people}${decks}` : html`${decks}${people}`}
    <div class="foot">${toast(ctrl, "now")}${mine(ctrl, view, ready ?? t("ready"))}</div>
  </main>`;
}

/** Whether somebody without a seat may have one. @param {Controller} ctrl @param {View} view */
const sits = (ctrl, view) => !view.you && !view.options.locked && !ctrl.waits;

/** The names of those who still prepare. @param {View} view */
const waits = (view) =>
  listed(view.seats.filter((seat) => !seat.ready).map((seat) => nameOf(view, seat.seat)));

/** @param {Controller} ctrl @param {Seat} seat @param {(seat: Seat) => Drawn} beside */
function row(ctrl, seat, beside) {
  const view = /** @type {View} */ (ctrl.view);
  const mayDo = view.you?.host && seat.seat !== ctrl.me;
  const waits = mayDo && !seat.robot;
  return html`<li class=${seat.seat === ctrl.me ? "me" : ""} data-seat=${seat.seat}>
    <span class="check ${seat.ready ? "yes" : ""}" role="img"
      aria-label=${t(seat.ready ? "ready.yes" : "ready.no")}>
      ${seat.ready ? art("check") : nothing}
    </span>
    ${emblem(ctrl, seat.seat)}<span class="grow clip">${named(seat.name)}</span>${sign(seat)}
    ${beside(seat)}
    ${
      waits
        ? press(
            ctrl,
            { type: "ready", as: seat.seat, ready: !seat.ready },
            seat.ready
              ? html`${art("undo")}<span class="unseen">${t("ready.undo")}</span>`
              : t("ready.for"),
            { kind: seat.ready ? "round bare" : "small", id: `ready-${seat.seat}` },
          )
        : nothing
    }
    ${
      mayDo
        ? round(
            "more",
            t("seat.more", { name: seat.name }),
            () => ctrl.set({ sheet: { kind: "seat", seat: seat.seat } }),
            "bare",
          )
        : nothing
    }
  </li>`;
}

/** Who goes first, once everybody is ready. @param {Controller} ctrl @param {View} view */
function begin(ctrl, view) {
  return html`<section class="panel" aria-label=${t("setup.first")}>
    <h2>${t("setup.first")}</h2>
    <div class="row wrap firsts">
      ${press(ctrl, { type: "begin", first: "lot" }, t("setup.lot"), { kind: "main", id: "begin-lot" })}
      ${view.seats.map((seat) =>
        press(ctrl, { type: "begin", first: seat.seat }, named(seat.name), {
          id: `begin-${seat.seat}`,
        }),
      )}
    </div>
    <p class="soft">${t(`setup.silly.${silly(view)}`)}</p>
  </section>`;
}

const SILLY = 10;

/** A reason to go first, another for each game: as good as lots. @param {View} view */
const silly = ({ table, game }) =>
  [...table].reduce((sum, letter) => sum + letter.charCodeAt(0), game) % SILLY;

/**
 * What is for this viewer to do, and what everyone waits for.
 * @param {Controller} ctrl
 * @param {View} view
 * @param {string} ready
 */
function mine(ctrl, view, ready) {
  if (view.you && !isReady(view))
    return press(ctrl, { type: "ready", ready: true }, ready, {
      kind: "main wide",
      id: "ready",
    });
  const names = waits(view);
  const next = names
    ? t("setup.waits", { names })
    : t("setup.picks", { name: nameOf(view, view.host) });
  const undo = { kind: "wide small", id: "unready" };
  return [
    names || !view.you?.host ? html`<p class="quiet">${next}</p>` : nothing,
    view.you
      ? press(ctrl, { type: "ready", ready: false }, t("ready.not"), undo)
      : sits(ctrl, view)
        ? nothing
        : latecomer(ctrl),
  ];
}
