/** The lobby: who sits here, how others get in, what the host may choose before the decks are prepared. */
import { family } from "../core/family.js";
import { late } from "../core/late.js";
import { html, nothing, repeat } from "../core/lit.js";
import { seatOf } from "../core/moves.js";
import { current, t } from "../core/text.js";
import { houseRules } from "./house.js";
import { invite } from "./invite.js";
import { joinForm } from "./join.js";
import { art, emblem, named, press, round, sign, toast, top } from "./parts.js";
import { valueAt } from "../core/value.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Seat, View } from "../core/types.js" */

const options = late(() => import("./options.js"), "choice");
const scenes = late(() => import("../../art/scenes.js"));

/** @param {Controller} ctrl @param {(name: string) => void} join */
export function lobby(ctrl, join) {
  const view = /** @type {View} */ (ctrl.view);
  const host = !!view.you?.host;
  return html`${top(ctrl)}<main class="page lobby">
    <h1>${t("lobby")}</h1>
    ${game(ctrl)}
    ${
      view.you
        ? nothing
        : view.options.locked
          ? html`<p class="panel">${t("join.locked")}</p>`
          : joinForm(ctrl, join)
    }
    ${invite(ctrl)}
    <section class="panel people" aria-label=${t("seats")}>
      <h2>${t("seats.count", { count: view.seats.length })}</h2>
      <ol class="seats">
        ${repeat(
          view.seats,
          (seat) => seat.seat,
          (seat) => row(ctrl, seat),
        )}
      </ol>
      ${host ? html`${family().adder?.(ctrl)}${adder(ctrl)}` : nothing}${toast(ctrl, "seats")}
    </section>
    ${
      view.seats.length < 2
        ? html`<div class="alone">${scenes(ctrl, (part) => part.asleep())}</div>`
        : nothing
    }
    ${family().lobby?.(ctrl)}${houseRules(ctrl)}
    ${host ? options(ctrl, (part) => part.options(ctrl)) : nothing}
    <div class="foot">${toast(ctrl, "now")}${start(ctrl)}</div>
  </main>`;
}

/** What is played here. @param {Controller} ctrl */
function game({ variant }) {
  const title = variant?.texts[current()]?.title ?? variant?.texts[variant.language]?.title;
  return title ? html`<p class="which-game">${art("cards")}${title}</p>` : nothing;
}

/** @param {Controller} ctrl @param {Seat} seat */
function row(ctrl, seat) {
  const view = /** @type {View} */ (ctrl.view);
  const here = !seat.panel
    ? "none"
    : valueAt(ctrl.presence.seats, seat.seat) === "away"
      ? "away"
      : "here";
  return html`<li class=${seat.seat === ctrl.me ? "me" : ""} data-seat=${seat.seat}>
    <span class="dot ${here}" role="img" aria-label=${t(`seat.${here}`)}></span>
    ${emblem(ctrl, seat.seat)}<span class="grow clip">${named(seat.name)}</span>${sign(seat)}
    ${seat.seat === view.host ? html`<span class="tag">${t("host")}</span>` : nothing}
    ${seat.panel ? nothing : html`<span class="tag">${t("seat.none")}</span>`}
    ${
      seat.seat === ctrl.me || view.you?.host
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

/** A player without a panel, for whom the host will speak. @param {Controller} ctrl */
function adder(ctrl) {
  return html`<form class="adder"
    @submit=${async (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      const form = /** @type {HTMLFormElement} */ (event.target);
      const answer = await ctrl.say(
        { type: "add_seat", name: String(new FormData(form).get("name")) },
        "seats",
      );
      if (answer?.ok) form.reset();
    }}>
    <label class="field grow">
      <span>${t("seats.add")}</span>
      <input name="name" required maxlength="24" autocomplete="off">
    </label>
    <button class="press">${t("add")}</button>
  </form>`;
}

/** @param {Controller} ctrl */
function start(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  if (!view.you?.host)
    return html`<p class="quiet">
      ${view.you ? t("lobby.wait", { name: seatOf(view, view.host)?.name ?? "" }) : ""}
    </p>`;
  if (view.seats.length < 2) return html`<p class="quiet">${art("paw")}${t("lobby.alone")}</p>`;
  return press(ctrl, { type: "prepare" }, t("lobby.prepare"), { kind: "main wide" });
}
