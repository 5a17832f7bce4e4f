/**
 * Renders the page for a shared screen: the table as spectators see it. The letters are large
 * enough to be read from a sofa, and in a call that makes the picture small. At the top is the
 * sentence about the next action. Beside it is the open Nope window or the middle of the table.
 * Below are all players. The page has no controls, and shows neither the table's code nor a link.
 */
import { getFamily, isFamilyLoaded } from "../core/family.js";
import { createLazyPart } from "../core/late.js";
import { html, nothing } from "../core/lit.js";
import { getSeatToAct } from "../core/moves.js";
import { t } from "../core/text.js";
import { getOwnValue } from "../core/value.js";
import { describeEvent, findNewestEntry } from "../core/wording.js";
import { getNowlineFacts } from "./nowline.js";
import { art, renderEmblem, renderPlayerName, renderRobotSign, renderSentence } from "./parts.js";
import { getWaitingSentence, renderCountdown, renderPlayedCard } from "./windowed.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { FamilyScreen, Seat, View } from "../core/types.js" */

/** The phases in which players have cards on the table. */
const PHASES_WITH_CARDS = ["play", "roll_call", "over"];
/** If a name has more letters than this, the headline has smaller letters. */
const LONG_NAME = 12;
/** If a name has more letters than this, it has smaller letters in its tile, on two lines. */
const LONG_IN_TILE = 9;
/** With more players than this, the page doesn't show the chances of the Kitten. */
const MANY_PLAYERS = 6;
/** The share of the page's height that the top takes in a wide window. `--top` in screen.css is similar. */
const TOP_SHARE = 0.32;
/**
 * More columns leave less room for names. So a larger number of columns is chosen only if it makes
 * the cards larger by this factor.
 */
const LEAST_GAIN = 1.1;

const family = createLazyPart(() => getFamily().loadScreen());

/** @param {Controller} ctrl */
export function renderScreen(ctrl) {
  if (ctrl.connection === "closed") return renderScreenNotice(getClosedText(ctrl));
  if (!ctrl.view || !isFamilyLoaded()) return renderScreenNotice("");
  return family(ctrl, (own) => renderBoard(ctrl, own));
}

/** Returns the reason why nothing can be shown. @param {Controller} ctrl */
function getClosedText({ closeReason }) {
  if (!closeReason) return t("screen.lost");
  return closeReason.facts?.door ? t("screen.closed") : closeReason.text;
}

/** @param {string} words */
const renderScreenNotice = (words) =>
  html`<main class="screen screen-notice">${art("mark")}<h1>${words}</h1></main>`;

/** @param {Controller} ctrl @param {FamilyScreen} own */
function renderBoard(ctrl, own) {
  const view = /** @type {View} */ (ctrl.view);
  const count = view.seats.length;
  const columns = chooseColumns(
    count,
    innerWidth / (innerHeight * (1 - TOP_SHARE)),
    own.getShape(view),
  );
  const long = view.seats.some(({ name }) => [...name].length > LONG_NAME) ? "long" : "";
  const many = count > MANY_PLAYERS ? "many" : "";
  return html`<div class="screen screen-${getFamily().name} ${long} ${many}">
    <header class="screen-top ${getMoodClass(ctrl, view)}">
      <div class="screen-words">
        <h1>${renderHeadline(ctrl, view)}</h1>
        ${renderSecondLine(ctrl, view)}
      </div>
      ${renderMiddle(ctrl, view, own)}
    </header>
    <main class="screen-players" .style=${`--across:${columns};--down:${Math.ceil(count / columns)}`}>
      ${view.seats.map((seat) => renderPlayer(ctrl, view, seat, own))}
    </main>
    ${
      ctrl.connection === "open"
        ? nothing
        : html`<p class="line-lost" role="status">${t("line.lost")}</p>`
    }
  </div>`;
}

/**
 * Returns the number of columns with which the players' tiles get as large as possible.
 * @param {number} count number of tiles
 * @param {number} area width of the area, in heights
 * @param {number} shape width of a tile's content, in heights
 */
function chooseColumns(count, area, shape) {
  let best = 1;
  let largest = 0;
  for (let columns = 1; columns <= count; columns++) {
    const rows = Math.ceil(count / columns);
    // The height of a tile's content, as a share of the area's height.
    const size = Math.min(1 / rows, area / columns / shape);
    if (size <= largest * LEAST_GAIN) continue;
    largest = size;
    best = columns;
  }
  return best;
}

/** @param {Controller} ctrl @param {View} view */
const getMoodClass = (ctrl, view) =>
  PHASES_WITH_CARDS.includes(view.phase) ? `screen-${ctrl.now.mood}` : "";

/** @param {Controller} ctrl @param {View} view */
function renderHeadline(ctrl, view) {
  if (!PHASES_WITH_CARDS.includes(view.phase)) return t(`screen.${view.phase}`);
  return renderSentence(ctrl.now.key, getNowlineFacts(ctrl));
}

/**
 * Renders the line below the headline: while a window is open, whether the card counts and who can
 * still Nope; otherwise the newest line of the log.
 * @param {Controller} ctrl
 * @param {View} view
 */
function renderSecondLine(ctrl, view) {
  if (view.window && view.played)
    return html`<p class="screen-verdict ${view.played.counts ? "" : "lost"}">
        ${t(view.played.counts ? "window.counts" : "window.lost")}
      </p>
      <p class="screen-line">${getWaitingSentence(ctrl, view, view.window)}</p>`;
  const newest =
    PHASES_WITH_CARDS.includes(view.phase) && !view.winner ? findNewestEntry(view) : undefined;
  return newest
    ? html`<p class="screen-line">${describeEvent(newest, view, ctrl.variant)}</p>`
    : nothing;
}

/** @param {Controller} ctrl @param {View} view @param {FamilyScreen} own */
function renderMiddle(ctrl, view, own) {
  if (view.window && view.played) {
    // If no card was played, the player's tile shows what can be Noped, and a paw stands for the
    // card.
    const picture = getFamily().isCardless(view.played.card) ? art("paw") : undefined;
    return html`<div class="screen-middle screen-window">
      ${renderPlayedCard(view.played, picture)}${renderCountdown(ctrl, view.window)}
    </div>`;
  }
  const middle =
    PHASES_WITH_CARDS.includes(view.phase) && !view.winner ? own.renderMiddle(ctrl) : nothing;
  return middle === nothing ? nothing : html`<div class="screen-middle">${middle}</div>`;
}

/** @param {Controller} ctrl @param {View} view @param {Seat} seat @param {FamilyScreen} own */
function renderPlayer(ctrl, view, seat, own) {
  const up = view.turn?.seat === seat.seat && !view.winner;
  const away = seat.panel && getOwnValue(ctrl.presence.seats, seat.seat) === "away";
  const classes = [
    up ? "up" : "",
    getSeatToAct(view) === seat.seat ? "asked" : "",
    away ? "away" : "",
    seat.alive ? "" : "is-out",
    seat.seat === view.winner ? "won" : "",
    [...seat.name].length > LONG_IN_TILE ? "long" : "",
  ];
  return html`<section class="screen-tile ${classes.filter(Boolean).join(" ")}"
    data-seat=${seat.seat}>
    <h2 class="screen-name">
      ${seat.seat === view.winner ? art("crown") : nothing}
      ${PHASES_WITH_CARDS.includes(view.phase) ? renderEmblem(ctrl, seat.seat) : nothing}
      <span class="screen-who">${renderPlayerName(seat.name)}</span>${renderRobotSign(seat)}
    </h2>
    ${renderPlayerBody(ctrl, view, seat, own)}
  </section>`;
}

/** @param {Controller} ctrl @param {View} view @param {Seat} seat @param {FamilyScreen} own */
function renderPlayerBody(ctrl, view, seat, own) {
  if (!PHASES_WITH_CARDS.includes(view.phase))
    return html`<span class="screen-face">
      ${renderEmblem(ctrl, seat.seat)}${
        view.phase === "setup" && seat.ready
          ? html`<span class="screen-ready">${art("check")}</span>`
          : nothing
      }
    </span>`;
  if (!seat.alive)
    return html`<span class="screen-out">
      ${art(seat.out === "kitten" ? "boom" : "skip")}<b>${t(`out.${seat.out}`)}</b>
    </span>`;
  return own.renderPlayer(ctrl, seat);
}
