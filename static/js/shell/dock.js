/** The one place for the action: what can be tapped now besides the cells of the stage. */
import { hand as fan } from "../../art/marks.js";
import { doing, hue, title } from "../core/deck.js";
import { html, nothing } from "../core/lit.js";
import { asked, may, playable, seatOf, tag } from "../core/moves.js";
import { percent, t } from "../core/text.js";
import { filled } from "../grid/grid.js";
import { latecomer } from "./latecomer.js";
import { art, badge, long, named, press } from "./parts.js";
import { sure } from "./sure.js";
import { windowDock } from "./windowed.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Command, View } from "../core/types.js" */

/** @param {Controller} ctrl */
export function dock(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  if (view.window) return windowDock(ctrl);
  if (!ctrl.me) return html`<div class="dock two">${latecomer(ctrl)}</div>`;
  if (view.roll_call) return names(ctrl);
  const step = view.turn?.step;
  if (!ctrl.as) return waiting(ctrl);
  if (step === "act") return hand(ctrl);
  if (step === "shuffle") return done(ctrl, "shuffled", "dock.shuffled");
  if (step === "reveal") return titles(ctrl);
  if (step === "report") return outcomes(ctrl);
  if (step === "kitten") return fate(ctrl);
  return html`<div class="dock"><p class="quiet">${t("dock.tap")}</p></div>`;
}

/** Nothing to do here: what oneself holds, for company. @param {Controller} ctrl */
function waiting(ctrl) {
  const mine = ctrl.view && seatOf(ctrl.view, ctrl.me);
  const words = mine?.alive
    ? html`${fan(mine.hand)}${t("dock.hand", { count: mine.hand })}`
    : t("dock.watch");
  return html`<div class="dock"><p class="quiet">${words}</p></div>`;
}

/** The cards that may be played, one tap each. @param {Controller} ctrl */
function hand(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const cards = playable(view, ctrl.as);
  if (!cards.length)
    return html`<div class="dock"><p class="quiet">${t("dock.no-cards")}</p></div>`;
  return html`<div class="dock hand" role="group" aria-label=${t("dock.play")} data-count=${cards.length}>
    ${cards.map(
      (
        card,
      ) => html`<button type="button" class="press play ${hue(card)} ${ctrl.aim === card ? "aiming" : ""} ${waitsFor(ctrl, card) ? "pending" : ""}"
      data-play=${card} aria-pressed=${card === ctrl.aim ? "true" : nothing} @click=${() => ctrl.play(card)}>
      <span class="face">${badge(card)}</span>${caption(card)}</button>`,
    )}
  </div>`;
}

/** A title in the width of a thumb: a very long word may break in its middle. @param {string | undefined} card */
function caption(card) {
  const words = title(String(card));
  const soft = words.replace(
    /\S{12,}/g,
    (word) =>
      `${word.slice(0, Math.ceil(word.length / 2))}\u00ad${word.slice(Math.ceil(word.length / 2))}`,
  );
  return html`<span class="caption ${long(words, 8)}">${soft}</span>`;
}

/** @param {Controller} ctrl @param {string} card */
const waitsFor = (ctrl, card) =>
  may(/** @type {View} */ (ctrl.view), ctrl.as, "play").some(
    (one) => one.card === card && ctrl.pending.has(tag(one)),
  );

/** Done; and, for who wants, where the cards lie now. @param {Controller} ctrl @param {string} type @param {string} label @param {string} [kind] */
function done(ctrl, type, label, kind = "main") {
  const view = /** @type {View} */ (ctrl.view);
  const [command] = may(view, ctrl.as, type);
  if (!command) return waiting(ctrl);
  const laid = ctrl.laid;
  const seat = seatOf(view, String(command.as));
  const count = filled(seat).length;
  const ready = !laid || laid.length === count;
  const room = seat?.grid.flat().includes(null);
  return html`<div class="dock two ${room ? "" : "alone"}">
    ${ready ? press(ctrl, laid ? { ...command, cells: laid } : command, t(label), { kind }) : html`<p class="quiet">${t("dock.lay", { count: count - laid.length })}</p>`}
    ${room ? html`<button type="button" class="press small" data-say="elsewhere" aria-pressed=${String(!!laid)} @click=${() => ctrl.set({ laid: laid ? null : filled(seat) })}>${t(laid ? "dock.same-cells" : "dock.elsewhere")}</button>` : nothing}
  </div>`;
}

/** A Favor's card: which title was turned up. @param {Controller} ctrl */
function titles(ctrl) {
  const found = may(/** @type {View} */ (ctrl.view), ctrl.as, "reveal");
  return html`<div class="dock hand" role="group" aria-label=${t("dock.reveal")} data-count=${found.length}>
    ${found.map(
      (
        one,
      ) => html`<button type="button" class="press play ${hue(one.card)} ${ctrl.pending.has(tag(one)) ? "pending" : ""}" data-reveal=${one.card}
      @click=${() => ctrl.say(one)}><span class="face">${badge(one.card)}</span>${caption(one.card)}</button>`,
    )}
  </div>`;
}

/** What the touched card was. @param {Controller} ctrl */
function outcomes(ctrl) {
  const found = may(/** @type {View} */ (ctrl.view), ctrl.as, "report");
  return html`<div class="dock two equal">${found.map((one) =>
    press(
      ctrl,
      one,
      one.outcome === "safe"
        ? html`${art("check")}${t("dock.safe")}`
        : html`${art("kitten")}${t("dock.kitten")}`,
      {
        kind: one.outcome === "safe" ? "good" : "danger",
        id: one.outcome,
        key: one.outcome === "safe" ? "S" : "K",
      },
    ),
  )}</div>`;
}

/** The Kitten is on the table. @param {Controller} ctrl */
function fate(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const [defuse] = may(view, ctrl.as, "defuse");
  const [explode] = may(view, ctrl.as, "explode");
  return html`<div class="fate">${defuse ? done(ctrl, "defuse", "dock.defuse", "good") : nothing}
    ${explode ? html`<div class="dock">${out(ctrl, explode, defuse ? "danger small" : "danger")}</div>` : nothing}</div>`;
}

/** Going out is asked twice, and with what the call knows of a Defuse. @param {Controller} ctrl @param {Command} explode @param {string} kind */
function out(ctrl, explode, kind) {
  const card = doing("defuse");
  const chance = seatOf(/** @type {View} */ (ctrl.view), explode.as)?.odds?.holds[card] ?? 0;
  const side = chance > 0.995 ? "surely" : chance > 0 ? "maybe" : "plain";
  const ask = t(`sure.explode.${side}`, { chance: percent(chance), card: title(card) });
  return sure(ctrl, explode, {
    label: html`${art("boom")}${t("dock.explode")}`,
    ask,
    yes: t("sure.explode.yes"),
    kind,
    spot: "now",
  });
}

/** The roll call: every other name is a button, so that the right one isn't given away. @param {Controller} ctrl */
function names(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const caller = asked(view);
  const [right] = may(view, ctrl.as, "call_next");
  const skip = view.you?.host
    ? press(ctrl, { type: "skip_roll_call" }, t("roll.skip"), { kind: "small" })
    : nothing;
  if (!right)
    return html`<div class="dock two"><p class="quiet">${t("roll.wait")}</p>${skip}</div>`;
  const others = view.seats.filter((seat) => seat.alive && seat.seat !== caller);
  return html`<div class="dock names">${others.map((seat) =>
    press(ctrl, { type: "call_next", as: right.as, next: seat.seat }, named(seat.name), {
      kind: long(seat.name, 9),
      id: `call-${seat.seat}`,
    }),
  )}${skip}</div>`;
}
