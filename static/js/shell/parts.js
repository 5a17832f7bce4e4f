/**
 * Pieces that every view uses: pictures, names, sentences, buttons to press and those that ask once
 * more; and the strip on top of every page: where one is, whether the line holds, and the way to
 * the host's things.
 */
import { art } from "../../art/art.js";
import { cardFace } from "../../art/cards.js";
import { emblem as worn } from "../../art/emblems.js";
import { pictureOf, title } from "../core/deck.js";
import { html, nothing } from "../core/lit.js";
import { emblemOf, nameOf, commandTag } from "../core/moves.js";
import { at } from "../core/page.js";
import { joinNames, sentencePieces, t } from "../core/text.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Command, Seat, View } from "../core/types.js" */

export { art };

/** A card's small picture. @param {string} card */
export const cardBadge = (card) => art(pictureOf(card));

/** A card's face, with its title on it. @param {string} card */
export const faceOf = (card) => cardFace(pictureOf(card), { label: title(card) });

/** A player's name: always text, always isolated. @param {string} name */
export const playerName = (name) => html`<bdi class="who">${name}</bdi>`;

/** A player's own colour and shape, beside the name. @param {Controller} ctrl @param {string} seat */
export const emblem = (ctrl, seat) => (ctrl.view ? worn(emblemOf(ctrl.view, seat)) : nothing);

/** That a robot plays here, for eyes and ears. @param {Seat} seat */
export const robotSign = (seat) =>
  seat.robot
    ? html`<span class="robot" role="img" aria-label=${t("seat.robot")} title=${t("seat.robot")}>
      ${art("robot")}
    </span>`
    : nothing;

/** @param {Controller} ctrl @param {string | null | undefined} seat */
export const seatName = (ctrl, seat) => playerName(ctrl.view ? nameOf(ctrl.view, seat) : "");

/**
 * Those who are waited for, one after the other, the viewer last.
 * @param {Controller} ctrl
 * @param {View} view
 * @param {string[]} seats
 */
export function waitedFor(ctrl, view, seats) {
  const others = seats.filter((seat) => seat !== ctrl.me).map((seat) => nameOf(view, seat));
  return joinNames(others.length < seats.length ? [...others, t("window.you")] : others);
}

/** Which of these facts are the viewer. @param {Controller} ctrl @param {object} facts */
export const viewerFacts = (ctrl, facts) =>
  ctrl.me ? Object.entries(facts).flatMap(([fact, seat]) => (seat === ctrl.me ? [fact] : [])) : [];

/**
 * Whether words need smaller letters to fit: a long word, or many.
 * @param {string} words
 * @param {number} [word]
 * @param {number} [all]
 */
export const longClass = (words, word = 10, all = 99) =>
  words.length > all || words.split(/[\s-]/).some((one) => one.length > word) ? "long" : "";

/** A sentence with templates in it. @param {string} key @param {Record<string, unknown>} [facts] */
export const sentence = (key, facts) => sentencePieces(key, facts);

/**
 * A button that says a command.
 * @param {Controller} ctrl
 * @param {Command} command
 * @param {unknown} label
 * @param {{kind?: string, spot?: string, id?: string, last?: boolean, key?: string}} [more] last:
 *   once accepted, the sheet goes away; key: the letter that presses it
 */
export function commandButton(
  ctrl,
  command,
  label,
  { kind = "", spot = "now", id = "", last = false, key = "" } = {},
) {
  const pending = ctrl.pending.has(commandTag(command));
  return html`<button type="button" class="press ${kind} ${pending ? "pending" : ""}"
    data-say=${id || command.type} aria-keyshortcuts=${key || nothing}
    aria-busy=${pending ? "true" : nothing}
    @click=${() => ctrl.send(command, spot).then((answer) => last && answer?.ok && ctrl.finishSheet())}>
    ${Array.isArray(label) ? html`<span>${label}</span>` : label}${
      key ? html`<kbd aria-hidden="true">${key}</kbd>` : nothing
    }</button>`;
}

/**
 * A round button that opens or closes something.
 * @param {string} icon
 * @param {string} label
 * @param {() => void} click
 * @param {string} [more]
 */
export const roundButton = (icon, label, click, more = "") =>
  html`<button type="button" class="press round ${more}" aria-label=${label} title=${label}
    @click=${click}>
    ${art(icon)}
  </button>`;

/** What went wrong, at the spot where it did. @param {Controller} ctrl @param {string} spot */
export function toast(ctrl, spot) {
  const shown = ctrl.toast;
  if (!shown || shown.spot !== spot) return nothing;
  return html`<div class="toast" role="alert">
    <span class="grow">${shown.text}</span>
    ${
      shown.ruling
        ? html`<button type="button" class="press plain small"
          @click=${() => ctrl.openHelp(shown.ruling)}>
          ${t("why")}
        </button>`
        : nothing
    }
    <button type="button" class="press plain small" aria-label=${t("close")}
      @click=${() => ctrl.set({ toast: null })}>
      ✕
    </button>
  </div>`;
}

/**
 * @param {Controller} ctrl
 * @param {Command} command
 * @param {{label: unknown, ask: string, yes: string, kind?: string, spot?: string,
 *   act?: (event: Event) => void}} more `label` first, then `ask` and `yes`; `act`: what a yes does,
 *   where it isn't that the command is said
 */
export function confirmButton(
  ctrl,
  command,
  { label, ask, yes, kind = "danger", spot = "sheet", act },
) {
  const key = commandTag(command);
  const asking = ctrl.asking === key;
  const say =
    act ??
    (() =>
      ctrl.send(command, spot).then((answer) => answer?.ok && ctrl.sheet && ctrl.finishSheet()));
  return html`<div class="sure ${asking ? "asking" : ""}" role="group"
    aria-label=${asking ? ask : nothing}>
    ${asking ? html`<p role="alert">${ask}</p>` : nothing}
    <button type="button" class="press ${kind} ${ctrl.pending.has(key) ? "pending" : ""}"
      data-ask=${asking ? nothing : command.type} data-say=${asking ? command.type : nothing}
      aria-disabled=${asking && ctrl.settling ? "true" : nothing}
      @click=${(/** @type {Event} */ event) =>
        asking ? ctrl.settling || say(event) : askInView(ctrl, key, event)}>
      ${asking ? yes : label}
    </button>
    ${
      asking
        ? html`<button type="button" class="press small" data-back
          @click=${(/** @type {Event} */ event) => cancelQuestion(ctrl, event)}>
          ${t("sure.no")}
        </button>`
        : nothing
    }
  </div>`;
}

/**
 * The question takes room of its own: it and both its answers stay in view.
 * @param {Controller} ctrl
 * @param {string} key
 * @param {Event} event
 */
function askInView(ctrl, key, event) {
  const whole = /** @type {HTMLElement} */ (event.currentTarget).parentElement;
  ctrl.askToConfirm(key);
  requestAnimationFrame(() => whole?.scrollIntoView({ block: "nearest" }));
}

/**
 * Nothing is said, and whoever came by keyboard is where they were.
 * @param {Controller} ctrl
 * @param {Event} event
 */
function cancelQuestion(ctrl, event) {
  /** @type {HTMLElement} */ (event.currentTarget).parentElement?.querySelector("button")?.focus();
  ctrl.set({ asking: null });
}

/** The table's code, as far as it is to be seen: a screen may be shared. @param {Controller} ctrl */
export const shownCode = ({ prefs, table }) => (prefs.veil ? "••••••" : table);

/** The name of a file about the table. @param {Controller} ctrl */
export const fileStem = ({ prefs, table }) => (prefs.veil ? "hiss" : table);

/** The strip on top of every page. @param {Controller} ctrl */
export function topStrip(ctrl) {
  const view = ctrl.view;
  const watching = ctrl.presence.spectators;
  return html`<header class="top">
    <a class="brand" href=${at("/")} aria-label=${t("home")}>${art("mark")}<b>Hiss</b></a>
    <button type="button" class="table-code" aria-label=${t("top.invite", { code: shownCode(ctrl) })}
      @click=${() => ctrl.set({ sheet: { kind: "invite" } })}>
      ${shownCode(ctrl)}
    </button>
    ${
      watching
        ? html`<span class="soft watching" title=${t("top.watching", { count: watching })}>
          ${art("watch")}
          ${watching}
        </span>`
        : nothing
    }
    <span class="grow"></span>
    ${
      view?.you?.undo || view?.you?.ask_back
        ? roundButton("undo", t("undo"), () => ctrl.set({ sheet: { kind: "undo" } }))
        : nothing
    }
    ${roundButton("help", t("help"), () => ctrl.openHelp())}
    ${roundButton("more", t("menu"), () => ctrl.set({ sheet: { kind: "menu" } }))}
  </header>${
    ctrl.line === "lost" || ctrl.line === "connecting"
      ? html`<div class="line-lost" role="status">${t(view ? "line.lost" : "line.connecting")}</div>`
      : nothing
  }
    ${
      view?.you?.log_room === undefined
        ? nothing
        : html`<div class="line-lost" role="status" data-log-room>${t("log.room")}</div>`
    }`;
}
