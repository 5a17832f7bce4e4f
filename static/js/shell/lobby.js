/**
 * Renders the lobby, where players gather before a game: the invitation, the players, and the
 * host's options in collapsed sections. The page of the preparation (setup.js) renders the players
 * with the same functions.
 */
import { getFamily } from "../core/family.js";
import { createLazyPart } from "../core/late.js";
import { html, nothing, repeat } from "../core/lit.js";
import { getSeatName } from "../core/moves.js";
import { resolvePath } from "../core/page.js";
import { getLanguage, joinNames, t } from "../core/text.js";
import { getOwnValue } from "../core/value.js";
import { renderHouseRulesPanel } from "./house.js";
import { renderInvitation } from "./invite.js";
import { renderJoinForm, renderNameField, refuseEmptyName } from "./join.js";
import {
  art,
  renderEmblem,
  getLongClass,
  renderPlayerName,
  renderCommandButton,
  renderSentence,
  renderRobotSign,
  renderToast,
  renderTopStrip,
} from "./parts.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Drawn, Seat, View } from "../core/types.js" */

const scenes = createLazyPart(() => import("../../art/scenes.js"));
const soundOffer = createLazyPart(() => import("./sound-offer.js"));
const emblems = createLazyPart(() => import("./emblem-choice.js"));
const options = createLazyPart(() => import("./options.js"), "choice");

/** @param {Controller} ctrl @param {(name: string) => void} join */
export function renderLobby(ctrl, join) {
  const view = /** @type {View} */ (ctrl.view);
  const host = !!view.you?.host;
  return html`${renderTopStrip(ctrl)}<main
    class=${view.you ? "page lobby" : "page lobby guest"}
    ?inert=${ctrl.showsStoredView}
  >
    <header class="headline">
      ${view.you || !view.host ? nothing : renderEmblem(ctrl, view.host)}
      <h1>${getPageTitle(view)}</h1>
      ${view.you ? renderVariantTitle(ctrl) : renderInvitedGame(ctrl)}
    </header>
    ${view.you ? renderInvitation(ctrl) : html`${renderWelcome(ctrl)}${renderVisitorForm(ctrl, join)}`}
    <div class="company">
      ${
        view.you && getFamily().renderOwnChoices
          ? html`<div class=${host ? "own of-host" : "own"}>${getFamily().renderOwnChoices?.(ctrl)}</div>`
          : nothing
      }
      <section class="panel people" aria-label=${t("seats")}>
        <h2>${t("seats.count", { count: view.seats.length })}</h2>
        ${renderPlayers(ctrl, (seat) => html`${renderPresenceDot(ctrl, seat)}${renderDeviceDeckMark(seat)}`)}
        ${host ? renderLookAlikeWarnings(view) : nothing}
        ${
          view.you
            ? html`<div class="emblem-room">
              ${emblems(ctrl, (part) => part.renderEmblemChoice(ctrl, view.you?.seat ?? ""))}
            </div>`
            : nothing
        }
        ${view.you && view.seats.length < 2 ? renderAlonePicture(ctrl) : nothing}
      </section>
      ${host ? renderSeatAdders(ctrl, view) : nothing}
      ${view.you ? getFamily().renderLobbyChoices?.(ctrl) : nothing}${renderHouseRulesPanel(ctrl)}
      ${
        host
          ? renderFold(
              "options",
              describeOptions(view),
              options(ctrl, (part) => part.renderTableOptions(ctrl)),
            )
          : nothing
      }
      ${view.you && !host ? html`<p class="quiet">${describeOptions(view)}</p>` : nothing}
      ${
        view.you && ctrl.prefs.sound === undefined
          ? soundOffer(ctrl, (part) => part.renderSoundOffer(ctrl))
          : nothing
      }
    </div>
    <div class="foot">${renderToast(ctrl, "now")}${renderStartButton(ctrl, view)}</div>
  </main>`;
}

/** Warns the host of names that look alike. @param {View} view */
const renderLookAlikeWarnings = (view) =>
  view.seats.flatMap(({ name, alike }) =>
    alike
      ? html`<p class="wrong" role="status" data-alike=${alike}>${renderSentence("seats.alike", {
          one: renderPlayerName(getSeatName(view, alike)),
          other: renderPlayerName(name),
        })}</p>`
      : [],
  );

/** Renders a picture that is shown while there is only one player. @param {Controller} ctrl */
const renderAlonePicture = (ctrl) =>
  html`<div class="nobody-yet">${scenes(ctrl, (part) => part.asleep())}</div>`;

/**
 * Returns the page's title. For visitors without a seat, the title names the host who invites them.
 * @param {View} view
 */
export const getPageTitle = (view) =>
  view.host && !view.you
    ? renderSentence("lobby.invites", { name: renderPlayerName(getSeatName(view, view.host)) })
    : t("lobby");

/** Returns the variant's title, or undefined before the variant is loaded. @param {Controller} ctrl */
const getVariantTitle = ({ variant }) =>
  variant?.texts[getLanguage()]?.title ?? variant?.texts[variant.language]?.title;

/** Renders the variant's title. @param {Controller} ctrl */
function renderVariantTitle(ctrl) {
  const title = getVariantTitle(ctrl);
  return title ? html`<p class="which-game">${art("cards")}${title}</p>` : nothing;
}

/** Renders the game to which the host invites a visitor. @param {Controller} ctrl */
export function renderInvitedGame(ctrl) {
  const title = getVariantTitle(ctrl);
  return title ? html`<p class="invited-to">${t("invited.to", { title })}</p>` : nothing;
}

/**
 * Renders what a visitor must know before taking a seat. It needs the variant, because the numbers
 * of cards depend on it.
 * @param {Controller} ctrl
 */
export const renderWelcome = (ctrl) =>
  ctrl.view?.options.locked
    ? nothing
    : html`<div class="welcome">${ctrl.variant ? getFamily().renderPrimer?.(ctrl) : nothing}</div>`;

/**
 * Renders the form to take a seat, or a note that the table is locked.
 * @param {Controller} ctrl
 * @param {(name: string) => void} join
 */
export const renderVisitorForm = (ctrl, join) =>
  ctrl.view?.options.locked
    ? html`<div class="panel join">
      <p>${t("join.locked")}</p>
      <a class="press wide" data-do="home" href=${resolvePath("/")}>${t("home")}</a>
    </div>`
    : renderJoinForm(ctrl, join);

/**
 * Renders the players as tokens, each with an emblem and a name. A tap on a token opens the sheet
 * of the seat.
 * @param {Controller} ctrl
 * @param {(seat: Seat) => Drawn} corner draws a seat's state in the corner of its token
 */
export const renderPlayers = (ctrl, corner) =>
  html`<ol class="seats tokens" data-room=${hasFreeSeat(ctrl) ? "some" : nothing}>
    ${repeat(
      ctrl.view?.seats ?? [],
      (seat) => seat.seat,
      (seat) => renderPlayerToken(ctrl, seat, corner(seat)),
    )}
  </ol>`;

/** Returns true if another player can take a seat. @param {Controller} ctrl */
const hasFreeSeat = ({ view, variant }) =>
  !!view && !view.options.locked && view.seats.length < (variant?.players?.most ?? Infinity);

/** @param {Controller} ctrl @param {Seat} seat @param {Drawn} corner */
function renderPlayerToken(ctrl, seat, corner) {
  const view = /** @type {View} */ (ctrl.view);
  const mine = seat.seat === ctrl.me;
  const small = getLongClass(seat.name, 8, 16);
  const face = html`<span class="coin">${renderEmblem(ctrl, seat.seat)}${corner}${renderRobotSign(
    seat,
  )}</span>
    ${renderPlayerName(seat.name)}
    ${seat.seat === view.host ? html`<span class="tag">${t("host")}</span>` : nothing}
    ${seat.panel ? nothing : html`<span class="tag">${t("seat.none")}</span>`}
    ${
      view.phase === "setup" && isAway(ctrl, seat)
        ? html`<span class="tag away">${t("seat.away")}</span>`
        : nothing
    }`;
  return html`<li class=${mine ? "me" : ""} data-seat=${seat.seat}>
    ${
      mine || view.you?.host || needsCameraCheck(view, seat)
        ? html`<button type="button" class="token ${small}" title=${t("seat.more", { name: seat.name })}
          @click=${() => ctrl.set({ sheet: { kind: "seat", seat: seat.seat } })}>
          ${face}
        </button>`
        : html`<span class="token ${small}">${face}</span>`
    }
  </li>`;
}

/**
 * Returns true if the viewer should check whether they can see this seat's cards on the call. This
 * is so during the preparation, if the seat plays with real cards.
 * @param {View} view
 * @param {Seat} seat
 */
export const needsCameraCheck = ({ phase, you }, seat) =>
  phase === "setup" &&
  "camera" in getFamily().sheets &&
  seat.seat !== you?.seat &&
  !getFamily().hasDeviceDeck?.(seat);

/** Renders the mark of a seat that keeps its cards on the player's device. @param {Seat} seat */
export const renderDeviceDeckMark = (seat) =>
  getFamily().hasDeviceDeck?.(seat)
    ? html`<span class="kept" role="img" aria-label=${t("deck.tag")} title=${t("deck.tag")}
        data-kept>${art("phone")}</span>`
    : nothing;

/**
 * Returns true if the seat's player has a panel that isn't connected.
 * @param {Controller} ctrl
 * @param {Seat} seat
 */
export const isAway = (ctrl, { seat, panel }) =>
  panel && getOwnValue(ctrl.presence.seats, seat) === "away";

/**
 * Renders a dot that shows whether the player is connected.
 * @param {Controller} ctrl
 * @param {Seat} seat
 */
function renderPresenceDot(ctrl, seat) {
  const here = !seat.panel ? "none" : isAway(ctrl, seat) ? "away" : "here";
  return html`<span class="dot ${here}" role="img" aria-label=${t(`seat.${here}`)}></span>`;
}

/**
 * Renders a collapsed section.
 * @param {string} name
 * @param {Drawn} set a summary of its settings, shown in the heading
 * @param {Drawn} more the section's content
 */
export const renderFold = (name, set, more) =>
  html`<details class="panel fold" data-fold=${name}>
    <summary><b>${t(`fold.${name}`)}</b><span class="soft">${set}</span></summary>
    ${more}
  </details>`;

/** Returns a summary of the options, in one line. @param {View} view */
const describeOptions = ({ options }) =>
  [
    t("options.set.nope", { count: options.nope_seconds }),
    t(options.spectators ? "options.set.watch" : "options.set.unwatched"),
    options.locked ? t("options.set.locked") : "",
  ]
    .filter(Boolean)
    .join(" · ");

/**
 * Renders the forms with which the host adds robots, and players without a screen, for whom the
 * host acts.
 * @param {Controller} ctrl
 * @param {View} view
 */
function renderSeatAdders(ctrl, { seats }) {
  const names = seats.filter((seat) => seat.robot || !seat.panel).map((seat) => seat.name);
  const set = names.length ? joinNames(names) : t("fold.seats.none");
  return renderFold(
    "seats",
    set,
    html`${getFamily().renderSeatAdder?.(ctrl)}${renderAddSeatForm(ctrl)}`,
  );
}

/** Renders the form that adds a player without a screen. @param {Controller} ctrl */
function renderAddSeatForm(ctrl) {
  return html`<form class="adder" novalidate
    @submit=${async (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      const form = /** @type {HTMLFormElement} */ (event.target);
      const name = String(new FormData(form).get("name"));
      if (refuseEmptyName(ctrl, name, "seats")) return;
      const answer = await ctrl.send({ type: "add_seat", name }, "seats");
      // A fast host may have typed the next name by now.
      if (answer?.ok && String(new FormData(form).get("name")) === name) form.reset();
    }}>
    ${renderNameField(ctrl, { label: t("seats.add"), spot: "seats" })}
    <button class="press">${t("add")}</button>
  </form>`;
}

/**
 * Renders the host's button that starts the preparation, or a note that says what the table waits
 * for.
 * @param {Controller} ctrl
 * @param {View} view
 */
function renderStartButton(ctrl, view) {
  if (!view.you) return nothing;
  if (!view.you.host) {
    const waits = renderSentence("lobby.wait", {
      name: renderPlayerName(getSeatName(view, view.host)),
    });
    return html`<p class="quiet">${view.host ? waits : nothing}</p>`;
  }
  if (view.seats.length < 2) return html`<p class="quiet">${art("paw")}${t("lobby.alone")}</p>`;
  return renderCommandButton(ctrl, { type: "prepare" }, t("lobby.prepare"), { kind: "main wide" });
}
