/**
 * Renders an open Nope window: the played card with the Nopes on it, the countdown, the players for
 * whom the window waits, and the buttons (Nope, pass, pause).
 */
import { findCardWithEffect, getCardTitle } from "../core/deck.js";
import { getFamily } from "../core/family.js";
import { html, nothing } from "../core/lit.js";
import { findAllowedCommands, getSeatName, findSeat } from "../core/moves.js";
import { t } from "../core/text.js";
import {
  art,
  getViewerFacts,
  renderPlayerName,
  renderCommandButton,
  renderSentence,
  joinAwaitedNames,
} from "./parts.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Played, Window, View } from "../core/types.js" */

/**
 * Renders the open Nope window in place of the stage.
 * @param {Controller} ctrl
 * @param {unknown} [picture] shown in place of the played card
 */
export function renderWindow(ctrl, picture) {
  const view = /** @type {View} */ (ctrl.view);
  const open = /** @type {Window} */ (view.window);
  const played = view.played;
  if (!played) return nothing;
  return html`<div class="stage window ${played.counts ? "counts" : "lost"}">
    ${renderPlayedCard(played, picture)}
    ${renderCountdown(ctrl, open)}
    <p class="verdict">${t(played.counts ? "window.counts" : "window.lost")}</p>
    <p class="waits soft">${getWaitingSentence(ctrl, view, open)}</p>
  </div>`;
}

/**
 * Renders the played card with the Nopes on it.
 * @param {Played} played
 * @param {unknown} [picture] shown in place of the card
 */
export function renderPlayedCard(played, picture) {
  const { face, hue, card } = getFamily().describePlayedCard(played);
  return html`<div class="played ${hue} ${picture ? "pictured" : ""}" data-card=${card}>
    ${picture ?? face}
    <span class="nopes">${played.nopes.map(() => html`<span class="slams">${art("nope")}</span>`)}</span>
  </div>`;
}

/** Returns the time until the window closes, in ms. @param {Controller} ctrl @param {Window} open */
const getMsLeft = (ctrl, open) =>
  open.held_by
    ? open.left_ms
    : Math.max(0, Math.min(open.seconds * 1000, open.closes_at - ctrl.clock.now()));

/**
 * Renders the countdown: a ring that empties, with the number of seconds left.
 * @param {Controller} ctrl
 * @param {Window} open
 */
export function renderCountdown(ctrl, open) {
  const ms = getMsLeft(ctrl, open);
  const share = ms / (open.seconds * 1000);
  const seconds = Math.ceil(ms / 1000);
  return html`<div class="clock ${seconds <= 3 ? "late" : ""} ${open.held_by ? "held" : ""}"
    role="timer" aria-label=${t("window.left", { count: seconds })}
    .style=${`--share:${share.toFixed(3)}`}>
    <svg viewBox="0 0 40 40" aria-hidden="true">
      <circle class="all" cx="20" cy="20" r="16"></circle>
      <circle class="left" cx="20" cy="20" r="16" pathLength="1"></circle>
    </svg>
    <b>${open.held_by ? art("pause") : seconds}</b>
    <span class="of">${t("window.of", { count: open.seconds })}</span>
  </div>`;
}

/**
 * Returns the sentence about the players who haven't passed yet.
 * @param {Controller} ctrl
 * @param {View} view
 * @param {Window} open
 */
export function getWaitingSentence(ctrl, view, open) {
  if (open.held_by)
    return renderSentence("window.held", {
      who: renderPlayerName(getSeatName(view, open.held_by)),
      mine: getViewerFacts(ctrl, { who: open.held_by }),
    });
  const left = open.may_nope.filter((seat) => !open.passed.includes(seat));
  if (!left.length) return "";
  if (left.length > 4) return t("window.waits.many", { count: left.length });
  return t("window.waits", { names: joinAwaitedNames(ctrl, view, left) });
}

/** Renders the buttons with which players react to the open window. @param {Controller} ctrl */
export function renderWindowDock(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const mine = ctrl.me ?? null;
  const [nope] = findAllowedCommands(view, mine, "nope");
  const [pass] = findAllowedCommands(view, mine, "pass");
  const [hold] = findAllowedCommands(view, mine, "hold");
  const [release] = findAllowedCommands(view, mine, "release");
  return html`<div class="dock window-dock">
    ${
      nope
        ? renderCommandButton(ctrl, nope, html`${art("nope")}<span>${getNopeLabel(view)}</span>`, {
            kind: "nope",
            key: "N",
          })
        : nothing
    }
    ${
      pass
        ? renderCommandButton(ctrl, pass, t("pass"), { kind: "pass", key: "P" })
        : nope
          ? html`<p class="quiet beside-nope">${t("window.passed.me")}</p>`
          : nothing
    }
    ${
      !nope && !pass
        ? html`<p class="quiet">
          ${t(hasPassed(view, mine) ? "window.passed" : mine ? getWaitingKey(ctrl, view) : "window.watch")}
        </p>`
        : nothing
    }
    <div class="aside">
      ${
        hold
          ? renderCommandButton(ctrl, hold, html`${art("pause")}${t("hold")}`, {
              kind: "small",
              key: "H",
            })
          : nothing
      }
      ${
        release
          ? renderCommandButton(ctrl, release, t("release"), { kind: "small main", key: "H" })
          : nothing
      }
      ${findPassesForAbsent(ctrl).length ? nothing : renderAheadButton(ctrl)}
      ${renderSpeakForOthersButton(ctrl)}${renderPassForAbsentButton(ctrl)}
    </div>
  </div>`;
}

/**
 * Returns the label of a button that plays a Nope. A Nope that makes the played card count again is
 * called "Yup!".
 * @param {View} view
 */
export const getNopeLabel = ({ played }) =>
  played?.counts === false ? t("window.yup") : getCardTitle(findCardWithEffect("nope"));

/**
 * Returns the key of the sentence for a player who can neither Nope nor pass. If that player played
 * the last card (the played card or the last Nope) from real cards, the sentence asks them to hold
 * the card up for the others to see.
 * @param {Controller} ctrl
 * @param {View} view
 */
const getWaitingKey = ({ deviceDeck: kept, me }, view) =>
  !kept && getTopPlayer(view) === me && !isCardlessNow(view) ? "window.show" : "window.wait";

/** Returns the seat that played the last card: the last Nope, or the played card. @param {View} view */
const getTopPlayer = ({ played }) => played?.nopes.at(-1) ?? played?.by;

/**
 * Returns true if the window is about something else than a card, so that there is no card to show.
 * @param {View} view
 */
const isCardlessNow = ({ played }) => !played?.nopes.length && getFamily().isCardless(played?.card);

/** @param {View} view @param {string | null} mine */
const hasPassed = (view, mine) => !!mine && !!view.window?.passed.includes(mine);

/** Returns true if the viewer can choose to pass in every window. @param {Controller} ctrl */
export const canPassAhead = ({ view, me }) => {
  const seat = view && findSeat(view, me);
  return !!seat?.alive && !seat.auto_pass && view?.phase === "play";
};

/**
 * Renders the button that opens the sheet "Pass for me" (see ahead.js). Renders nothing if the viewer
 * can't choose it.
 * @param {Controller} ctrl
 */
export const renderAheadButton = (ctrl) =>
  canPassAhead(ctrl)
    ? html`<button type="button" class="press small" data-do="ahead"
      @click=${() => ctrl.set({ sheet: { kind: "ahead" } })}>${t("ahead")}</button>`
    : nothing;

/**
 * Renders the host's button for Nopes that players shout on the call. It opens the list of players
 * who may Nope.
 * @param {Controller} ctrl
 */
function renderSpeakForOthersButton(ctrl) {
  if (!getSeatsToSpeakFor(ctrl).length) return nothing;
  return html`<button type="button" class="press small" data-say="others"
    @click=${() => ctrl.set({ sheet: { kind: "others" } })}>
    ${art("speak")}
    ${t("window.for")}
  </button>`;
}

/** Renders the host's button that passes for all players without a panel. @param {Controller} ctrl */
function renderPassForAbsentButton(ctrl) {
  const passCommands = findPassesForAbsent(ctrl);
  if (!passCommands.length) return nothing;
  return html`<button type="button" class="press small" data-say="pass-absent"
    @click=${() => passCommands.map((command) => ctrl.send(command))}>
    ${t("pass.absent")}
  </button>`;
}

/** Returns the host's passes for players without a panel. @param {Controller} ctrl */
function findPassesForAbsent({ view }) {
  return (view?.you?.may ?? []).filter(
    ({ type, as }) => type === "pass" && view && findSeat(view, as)?.panel === false,
  );
}

/** Returns the seats for which the host may play a Nope or pass. @param {Controller} ctrl */
export const getSeatsToSpeakFor = (ctrl) => [
  ...new Set(
    (ctrl.view?.you?.may ?? [])
      .filter(({ as, type }) => as !== ctrl.me && (type === "nope" || type === "pass"))
      .map(({ as }) => String(as)),
  ),
];
