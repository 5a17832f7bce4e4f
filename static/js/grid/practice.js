/**
 * A practice game begins by itself: this device keeps the deck, everybody gets ready, lots are
 * drawn, nobody calls the roll. Only what is said before the first turn; what goes wrong is left to
 * the lobby, where it is said, too.
 */
import { html } from "../core/lit.js";
import { isReady } from "../core/moves.js";
import { t } from "../core/text.js";
import { art, top } from "../shell/parts.js";
import { keeps } from "./own.js";
import { isKept, ownSeat } from "./state.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Command } from "../core/types.js" */
/** @import { View } from "./types.js" */

/** Whether something that was said is still on its way. */
let busy = false;
/** The version that holds what was said last: the next thing waits for it. */
let said = { epoch: "", version: 0 };

/** In the place of lobby and preparation, for as long as they go by themselves. @param {Controller} ctrl */
export function page(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const begins = !!ctrl.prefs.practice.begins;
  const wanted = view.phase === "over" || (begins && view.phase !== "play");
  if (wanted !== begins) queueMicrotask(() => begin(ctrl, wanted));
  if (!wanted || view.phase === "over" || !view.you?.host) return null;
  queueMicrotask(() => goOn(ctrl, view));
  return html`${top(ctrl)}<main class="page notice" aria-busy="true">
    ${art("mark")}
    <h1>${t("practice")}</h1>
    <p>${t("practice.what")}</p>
    <button type="button" class="press" data-do="by-hand" @click=${() => begin(ctrl, false)}>
      ${t("practice.not")}
    </button>
  </main>`;
}

/** Whether the next game begins by itself. @param {Controller} ctrl @param {boolean} begins */
const begin = (ctrl, begins) => ctrl.prefer("practice", { ...ctrl.prefs.practice, begins });

/**
 * Says what comes next, one thing after the other; what is refused stays to be read, in the lobby.
 * @param {Controller} ctrl
 * @param {View} view
 */
async function goOn(ctrl, view) {
  const waits = busy || !ctrl.wire || ctrl.line !== "open" || !ctrl.prefs.practice.begins;
  const old = view.epoch === said.epoch && view.version < said.version;
  if (waits || old || ctrl.view !== view) return;
  const what = next(view, isKept(ownSeat(ctrl, view)) && !ctrl.kept?.lost);
  if (!what) return;
  busy = true;
  const deal = () => keeps().then((keeper) => keeper.choose(ctrl, "device"));
  const answer = await (what === "deal" ? deal().catch(() => null) : ctrl.say(what));
  busy = false;
  if (!answer?.ok) return begin(ctrl, false);
  said = { epoch: view.epoch, version: answer.version ?? 0 };
  ctrl.draw();
}

/**
 * What comes next on the way to the first turn: a command, a deck that is to be dealt, or nothing
 * but to wait.
 * @param {View} view @param {boolean} kept whether the viewer's device keeps a deck for this game
 * @returns {Command | "deal" | null}
 */
export function next(view, kept) {
  if (view.phase === "roll_call") return { type: "skip_roll_call" };
  if (view.phase !== "lobby" && view.phase !== "setup") return null;
  if (!kept) return "deal";
  if (view.phase === "lobby") return { type: "prepare" };
  if (!isReady(view)) return { type: "ready", ready: true };
  return view.seats.every((seat) => seat.ready) ? { type: "begin", first: "lot" } : null;
}
