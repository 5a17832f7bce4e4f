/**
 * Parts that every page uses: pictures, names, sentences, buttons, and buttons that ask for
 * confirmation. Also has the strip at the top of every page, with the table's code, the state of
 * the connection, and the menu.
 */
import { art } from "../../art/art.js";
import { cardFace } from "../../art/cards.js";
import { emblem as drawEmblem } from "../../art/emblems.js";
import { getPictureName, getCardTitle } from "../core/deck.js";
import { html, nothing } from "../core/lit.js";
import { getEmblemIndex, getSeatName, getCommandTag } from "../core/moves.js";
import { onNextFrame, resolvePath } from "../core/page.js";
import { joinNames, getSentencePieces, t } from "../core/text.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Command, Seat, View } from "../core/types.js" */

export { art };

/** Renders a card's small picture. @param {string} card */
export const renderCardBadge = (card) => art(getPictureName(card));

/**
 * Renders a card's face, with its title unless `hasTitle` is false.
 * @param {string} card
 * @param {{hasTitle?: boolean}} [options]
 */
export const renderCardFace = (card, { hasTitle = true } = {}) =>
  cardFace(getPictureName(card), { label: hasTitle ? getCardTitle(card) : undefined });

/**
 * Renders a player's name. The name is isolated, so that its text direction doesn't reorder the
 * text around it.
 * @param {string} name
 */
export const renderPlayerName = (name) => html`<bdi class="who">${name}</bdi>`;

/** Renders the emblem of a seat's player. @param {Controller} ctrl @param {string} seat */
export const renderEmblem = (ctrl, seat) =>
  ctrl.view ? drawEmblem(getEmblemIndex(ctrl.view, seat)) : nothing;

/** Renders the mark of a robot if a robot plays this seat. @param {Seat} seat */
export const renderRobotSign = (seat) =>
  seat.robot
    ? html`<span class="robot" role="img" aria-label=${t("seat.robot")} title=${t("seat.robot")}>
      ${art("robot")}
    </span>`
    : nothing;

/** Renders the mark of a player who passes in every window. @param {Seat} seat */
export const renderAheadSign = (seat) =>
  seat.auto_pass
    ? html`<span class="robot" role="img" aria-label=${t("seat.ahead")} title=${t("seat.ahead")}>
      ${art("check")}
    </span>`
    : nothing;

/** Renders the name of a seat's player. @param {Controller} ctrl @param {string | null | undefined} seat */
export const renderSeatName = (ctrl, seat) =>
  renderPlayerName(ctrl.view ? getSeatName(ctrl.view, seat) : "");

/**
 * Joins the names of the players for whom the table waits. If the viewer is one of them, "you"
 * comes last.
 * @param {Controller} ctrl
 * @param {View} view
 * @param {string[]} seats
 */
export function joinAwaitedNames(ctrl, view, seats) {
  const others = seats.filter((seat) => seat !== ctrl.me).map((seat) => getSeatName(view, seat));
  return joinNames(others.length < seats.length ? [...others, t("window.you")] : others);
}

/**
 * Returns the names of the placeholders that stand for the viewer's own seat. The sentence says
 * "you" there.
 * @param {Controller} ctrl
 * @param {object} facts
 */
export const getViewerFacts = (ctrl, facts) =>
  ctrl.me ? Object.entries(facts).flatMap(([fact, seat]) => (seat === ctrl.me ? [fact] : [])) : [];

/**
 * Returns the CSS class "long", which makes letters smaller, if the text is longer than `all` or
 * contains a word that is longer than `word`. Returns "" otherwise.
 * @param {string} words
 * @param {number} [word] length in characters
 * @param {number} [all] length in characters
 */
export const getLongClass = (words, word = 10, all = 99) =>
  words.length > all || words.split(/[\s-]/).some((part) => part.length > word) ? "long" : "";

/**
 * Returns a sentence as pieces to insert into a template. The values for its placeholders (`facts`)
 * may be templates themselves.
 * @param {string} key
 * @param {Record<string, unknown>} [facts]
 */
export const renderSentence = (key, facts) => getSentencePieces(key, facts);

/**
 * Renders a button that sends a command. The button has a special look while the command is
 * pending.
 * @param {Controller} ctrl
 * @param {Command} command
 * @param {unknown} label
 * @param {{kind?: string, spot?: string, id?: string, last?: boolean, key?: string}} [more] `last`:
 *   close the sheet once the server has accepted the command; `key`: the letter that presses the button
 */
export function renderCommandButton(
  ctrl,
  command,
  label,
  { kind = "", spot = "now", id = "", last = false, key = "" } = {},
) {
  const pending = ctrl.pending.has(getCommandTag(command));
  return html`<button type="button" class="press ${kind} ${pending ? "pending" : ""}"
    data-say=${id || command.type} aria-keyshortcuts=${key || nothing}
    aria-busy=${pending ? "true" : nothing}
    @click=${() => (last ? ctrl.sendFromSheet(command, spot) : ctrl.send(command, spot))}>
    ${Array.isArray(label) ? html`<span>${label}</span>` : label}${
      key ? html`<kbd aria-hidden="true">${key}</kbd>` : nothing
    }</button>`;
}

/**
 * Renders a round button that opens or closes something.
 * @param {string} icon
 * @param {string} label
 * @param {() => void} click
 * @param {string} [more] further classes
 */
export const renderRoundButton = (icon, label, click, more = "") =>
  html`<button type="button" class="press round ${more}" aria-label=${label} title=${label}
    @click=${click}>
    ${art(icon)}
  </button>`;

/**
 * Renders the current message (the "toast") if it belongs at this place on the page.
 * @param {Controller} ctrl
 * @param {string} spot
 */
export function renderToast(ctrl, spot) {
  const message = ctrl.toast;
  if (!message || message.spot !== spot) return nothing;
  return html`<div class="toast" role="alert">
    <span class="grow">${message.text}</span>
    ${
      message.ruling
        ? html`<button type="button" class="press plain small"
          @click=${() => ctrl.openHelp(message.ruling)}>
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
 * Renders a button that asks for confirmation before it sends a command.
 * @param {Controller} ctrl
 * @param {Command} command
 * @param {{label: unknown, ask: string, yes: string, kind?: string, spot?: string,
 *   act?: (event: Event) => void}} more `label`: the button's text; `ask`: the question; `yes`: the
 *   answer that sends the command, or calls `act` instead
 */
export function renderConfirmButton(
  ctrl,
  command,
  { label, ask, yes, kind = "danger", spot = "sheet", act },
) {
  const key = getCommandTag(command);
  const asking = ctrl.commandToConfirm === key;
  const sendCommand = act ?? (() => ctrl.sendFromSheet(command, spot));
  return html`<div class="sure ${asking ? "asking" : ""}" role="group"
    aria-label=${asking ? ask : nothing}>
    ${asking ? html`<p role="alert">${ask}</p>` : nothing}
    <button type="button" class="press ${kind} ${ctrl.pending.has(key) ? "pending" : ""}"
      data-ask=${asking ? nothing : command.type} data-say=${asking ? command.type : nothing}
      aria-disabled=${asking && ctrl.ignoresTaps ? "true" : nothing}
      @click=${(/** @type {Event} */ event) =>
        asking ? ctrl.ignoresTaps || sendCommand(event) : askForConfirmation(ctrl, key, event)}>
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
 * Asks for confirmation, and scrolls so that the question and both answers are in view.
 * @param {Controller} ctrl
 * @param {string} key
 * @param {Event} event
 */
function askForConfirmation(ctrl, key, event) {
  const question = /** @type {HTMLElement} */ (event.currentTarget).parentElement;
  ctrl.askToConfirm(key);
  onNextFrame(() => question?.scrollIntoView({ block: "nearest" }));
}

/**
 * Cancels a question. For keyboard users, moves the focus back to the button that asked the
 * question.
 * @param {Controller} ctrl
 * @param {Event} event
 */
function cancelQuestion(ctrl, event) {
  /** @type {HTMLElement} */ (event.currentTarget).parentElement?.querySelector("button")?.focus();
  ctrl.set({ commandToConfirm: null });
}

/**
 * Returns the table's code. If the viewer hides the code because they share their screen, returns
 * dots.
 * @param {Controller} ctrl
 */
export const getShownCode = ({ prefs, table }) => (prefs.veil ? "••••••" : table);

/**
 * Returns the beginning of a saved file's name: the table's code, unless the viewer hides the code.
 * @param {Controller} ctrl
 */
export const getFileNamePrefix = ({ prefs, table }) => (prefs.veil ? "hiss" : table);

/**
 * Returns the sentence about the connection that is shown while it isn't open.
 * @param {Controller} ctrl
 */
function getConnectionNotice(ctrl) {
  if (ctrl.closeReason) return t("line.full", { why: ctrl.closeReason.text });
  return t(ctrl.view ? "line.lost" : "line.connecting");
}

/** Renders the strip at the top of every page. @param {Controller} ctrl */
export function renderTopStrip(ctrl) {
  const view = ctrl.view;
  const watching = ctrl.presence.spectators;
  return html`<header class="top">
    <a class="brand" href=${resolvePath("/")} aria-label=${t("home")}>${art("mark")}<b>Hiss</b></a>
    <button type="button" class="table-code" aria-label=${t("top.invite", { code: getShownCode(ctrl) })}
      @click=${() => ctrl.set({ sheet: { kind: "invite" } })}>
      ${getShownCode(ctrl)}
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
        ? renderRoundButton("undo", t("undo"), () => ctrl.set({ sheet: { kind: "undo" } }))
        : nothing
    }
    ${renderRoundButton("help", t("help"), () => ctrl.openHelp())}
    ${renderRoundButton("more", t("menu"), () => ctrl.set({ sheet: { kind: "menu" } }))}
  </header>${
    ctrl.connection === "lost" || ctrl.connection === "connecting"
      ? html`<div class="line-lost" role="status">${getConnectionNotice(ctrl)}</div>`
      : nothing
  }
    ${
      view?.you?.log_room === undefined
        ? nothing
        : html`<div class="line-lost" role="status" data-log-room>${t("log.room")}</div>`
    }`;
}
