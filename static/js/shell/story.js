/**
 * Renders the story of a finished game: a picture to share, how the game ended for each player, and
 * their awards.
 */
import { emblem, emblemIn } from "../../art/emblems.js";
import { giveAwards } from "../core/awards.js";
import { splitCharacters } from "../core/characters.js";
import { getHueClass, getCardTitle } from "../core/deck.js";
import { isolate } from "../core/direction.js";
import { getFamily } from "../core/family.js";
import { html, nothing, svg } from "../core/lit.js";
import { getEmblemIndex, getSeatName } from "../core/moves.js";
import { getPanelDocument, isWindowWide, onNextFrame } from "../core/page.js";
import { copyPicture, copyText } from "../core/picture.js";
import { findMoments, getNewestGameEvents, rankPlayers } from "../core/story.js";
import { getLanguage, formatDate, formatPercent, t } from "../core/text.js";
import { renderHouseRulesSentence, getHouseRulesText } from "./house.js";
import { getShownAddress } from "./invite.js";
import { getFileNamePrefix, renderPlayerName, renderSentence } from "./parts.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Award } from "../core/awards.js" */
/** @import { Moment } from "../core/story.js" */
/** @import { Drawn, Entry, View } from "../core/types.js" */

/** @param {Controller} ctrl */
export function renderStory(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const game = getNewestGameEvents(ctrl.story ?? view.log);
  const storyMoments = findMoments(game);
  // A view's log may lack the beginning of the game.
  const isWhole = game[0]?.type === "game_began";
  const awards = isWhole ? giveAwards(game, view.seats) : new Map();
  return html`<section class="story" aria-labelledby="story-title">
    <h2 id="story-title">${t("story.title")}</h2>
    ${renderHouseRulesSentence(ctrl)}
    ${renderScroller(
      "story-title",
      renderStoryPicture(ctrl, game, storyMoments, getStoryText(view, storyMoments, awards)),
    )}
    <ol class="story-fates">
      ${rankPlayers(
        storyMoments,
        view.seats.map((seat) => seat.seat),
      ).map((seat) => renderPlayerResult(view, storyMoments, seat, awards.get(seat)))}
    </ol>
    <div class="row">
      <button type="button" class="press small"
        @click=${(/** @type {Event} */ event) => copyStoryPicture(ctrl, event)}>
        ${t("story.copy.image")}
      </button>
      <button type="button" class="press small"
        @click=${() =>
          copyText(getShareText(ctrl, game, storyMoments, awards)).then((done) =>
            showCopyResult(ctrl, done),
          )}>
        ${t("story.copy.text")}
      </button>
    </div>
  </section>`;
}

/**
 * Renders how the game ended for a player, and the player's award.
 * @param {View} view
 * @param {Moment[]} storyMoments
 * @param {string} seat
 * @param {Award | undefined} award
 */
function renderPlayerResult(view, storyMoments, seat, award) {
  const { key, facts } = getResultSentence(storyMoments, seat);
  return html`<li>
    ${emblem(getEmblemIndex(view, seat))}
    <span class="story-fate">
      ${renderSentence(key, {
        ...facts,
        name: renderPlayerName(getSeatName(view, seat)),
        mine: seat === view.you?.seat ? ["name"] : [],
      })}
    </span>
    ${
      award
        ? html`<span class="award" data-award=${award.award}>
          <b>${t(`award.${award.award}`)}</b>
          <span class="soft">${describeAward(view, award)}</span>
        </span>`
        : nothing
    }
  </li>`;
}

/**
 * Returns the message key of the sentence about how the game ended for a seat, and the values for
 * the sentence's placeholders (`facts`).
 * @param {Moment[]} storyMoments
 * @param {string} seat
 * @returns {{key: string, facts: Record<string, unknown>}}
 */
function getResultSentence(storyMoments, seat) {
  if (storyMoments.some((moment) => moment.kind === "won" && moment.seat === seat))
    return { key: "story.fate.won", facts: {} };
  const out = storyMoments.find((moment) => moment.kind === "out" && moment.seat === seat);
  return {
    key: out?.how === "left" ? "story.fate.left" : "story.fate.kitten",
    facts: { turn: out?.turn ?? 0 },
  };
}

/**
 * Returns the reason for an award.
 * @param {View} view
 * @param {Award} award
 */
function describeAward(view, { award, score, facts }) {
  const seconds = Math.round(score / 1000);
  if (award === "ponderer" && seconds >= 90)
    return t("award.ponderer.minutes", { count: Math.round(seconds / 60) });
  return t(`award.${award}.why`, {
    ...facts,
    count: award === "ponderer" ? seconds : score,
    chance: formatPercent(score),
    target: getSeatName(view, String(facts.target)),
  });
}

/**
 * Renders a scrollable container for a drawing that may be wider than the page. While a part of the
 * drawing is hidden on the right, that edge is faded, and a line below tells the viewer to scroll.
 * @param {string} title the heading's id
 * @param {Drawn} drawn
 */
export function renderScroller(title, drawn) {
  onNextFrame(() => getPanelDocument().querySelectorAll(".story-scroll").forEach(updateFade));
  return html`<div class="story-scroll" role="group" aria-labelledby=${title} tabindex="0"
    @scroll=${(/** @type {Event} */ event) => updateFade(/** @type {Element} */ (event.currentTarget))}>
    ${drawn}
  </div>
    <p class="soft story-on" aria-hidden="true">${t("story.on")}</p>`;
}

/** Fades the right edge if a part of the drawing is hidden there. @param {Element} box */
const updateFade = (box) =>
  box.classList.toggle("more", box.scrollLeft + box.clientWidth < box.scrollWidth - 2);

/**
 * Returns the story as a text to copy, headed by the variant's title and the date.
 * @param {Controller} ctrl
 * @param {Entry[]} game
 * @param {Moment[]} storyMoments
 * @param {Map<string, Award>} awards
 */
function getShareText(ctrl, game, storyMoments, awards) {
  const view = /** @type {View} */ (ctrl.view);
  return [
    `Hiss · ${getVariantTitle(ctrl)} · ${getGameDate(game)}`,
    getHouseRulesText(ctrl),
    getStoryText(view, storyMoments, awards),
  ]
    .filter(Boolean)
    .join("\n");
}

/**
 * Returns the story as plain text, with one line for each player.
 * @param {View} view
 * @param {Moment[]} storyMoments
 * @param {Map<string, Award>} awards
 */
function getStoryText(view, storyMoments, awards) {
  const rows = rankPlayers(
    storyMoments,
    view.seats.map((seat) => seat.seat),
  ).map((seat) => {
    const { key, facts } = getResultSentence(storyMoments, seat);
    const result = t(key, { ...facts, name: getSeatName(view, seat) });
    const award = awards.get(seat);
    if (!award) return result;
    const title = t(`award.${award.award}`);
    return t("award.line", { result, award: title, why: describeAward(view, award) });
  });
  return [t("story.turns", { count: storyMoments.at(-1)?.turn ?? 0 }), ...rows].join("\n");
}

/**
 * Copies the picture. If it can't be copied, saves it as a file.
 * @param {Controller} ctrl
 * @param {Event} event
 */
async function copyStoryPicture(ctrl, event) {
  const section = /** @type {HTMLElement} */ (event.target).closest(".story");
  const drawn = section?.querySelector("svg.lanes");
  if (drawn instanceof SVGSVGElement)
    showCopyResult(ctrl, await copyPicture(drawn, `${getFileNamePrefix(ctrl)}.png`));
}

/** @param {Controller} ctrl @param {"copied" | "saved" | "failed"} done */
const showCopyResult = (ctrl, done) => ctrl.showNotice(t(`story.${done}`), "story");

const LANE_HEIGHT = 26;
const HEAD_HEIGHT = 50;
const MARGIN = 10;
const LINE_HEIGHT = 17;
const STAR = "M0-8L2-3L7-5L4 0L8 3L3 3L2 8L-1 4L-6 6L-4 1L-8-1L-4-3L-5-7L-1-4Z";

/** Returns true if the window has room for longer names and lanes. */
const hasLongLanes = () => isWindowWide(43.75);

/**
 * Renders the picture of the story. Each player has a lane, with a sign for each moment in which
 * the player did something.
 * @param {Controller} ctrl
 * @param {Entry[]} game
 * @param {Moment[]} storyMoments
 * @param {string} words the picture's text for screen readers
 */
function renderStoryPicture(ctrl, game, storyMoments, words) {
  const view = /** @type {View} */ (ctrl.view);
  const kinds = getFamily().story.shown;
  const drawnMoments = storyMoments.filter((moment) => kinds.includes(moment.kind));
  const [names, least] = hasLongLanes() ? [124, 430] : [76, 256];
  const left = MARGIN + names;
  const step = Math.max(5, (least - left - MARGIN) / Math.max(1, drawnMoments.length));
  const width = Math.max(least, left + step * drawnMoments.length + MARGIN);
  const x = (/** @type {number} */ at) => left + step * (at + 0.5);
  const rules = getHouseRulesText(ctrl);
  const head = HEAD_HEIGHT + (rules ? LINE_HEIGHT : 0);
  const y = (/** @type {string | undefined} */ seat) =>
    head + LANE_HEIGHT * (view.seats.findIndex((player) => player.seat === seat) + 0.5);
  const under = head + LANE_HEIGHT * view.seats.length + 8;
  const room = least - 2 * MARGIN;
  const signs = renderLegend(kinds, room);
  const won = t("story.fate.won", { name: getSeatName(view, view.winner) });
  const turns = t("story.turns", { count: storyMoments.at(-1)?.turn ?? 0 });
  const sort = t("story.sort", { game: getVariantTitle(ctrl), turns });
  const address = fitName(getShownAddress(ctrl), room, 6.2);
  const height = under + signs.lines * LINE_HEIGHT + 40;
  return html`<svg class="lanes" role="img" aria-label=${words} viewBox="0 0 ${width} ${height}"
    width=${width} height=${height} .style=${`--least:${width}px`}>
    <rect class="ground" width=${width} height=${height}></rect>
    <text class="recap-title" x=${MARGIN} y="24">${fitName(won, room, 11)}</text>
    <text class="recap-small" x=${MARGIN} y="41">${sort}</text>
    ${
      rules
        ? svg`<text class="recap-small recap-rules" x=${MARGIN}
          y=${41 + LINE_HEIGHT}>${fitName(rules, room, 6.2)}</text>`
        : nothing
    }
    ${view.seats.map((seat) =>
      renderLane(view, drawnMoments, {
        seat: seat.seat,
        name: fitName(seat.name, names - 24),
        left,
        right: width - MARGIN,
        x,
        y: y(seat.seat),
      }),
    )}
    ${drawnMoments.map((moment, at) =>
      moment.to && moment.to !== moment.seat
        ? svg`<line class="reach reach-${moment.kind}" x1=${x(at)} x2=${x(at)} y1=${y(moment.seat)}
          y2=${y(moment.to)}></line>`
        : nothing,
    )}
    ${drawnMoments.map(
      (moment, at) =>
        svg`<g transform="translate(${x(at)} ${y(moment.seat)})" class="moment moment-${moment.kind}">
          <title>${getTooltip(view, moment)}</title>${renderMomentSign(moment)}
        </g>`,
    )}
    <g transform="translate(${MARGIN} ${under + 8})">${signs.drawn}</g>
    <text class="recap-small recap-when" x=${MARGIN} y=${height - 24}>${getGameDate(game)}</text>
    <text class="recap-small recap-where" x=${MARGIN} y=${height - 9}>${address}</text>
  </svg>`;
}

/**
 * Renders one player's name and lane. The lane ends where the player won or went out.
 * @param {View} view
 * @param {Moment[]} drawnMoments
 * @param {{seat: string, name: string, left: number, right: number, x: (at: number) => number, y:
 *   number}} where
 */
function renderLane(view, drawnMoments, { seat, name, left, right, x, y }) {
  const end = drawnMoments.findIndex(
    (moment) => (moment.kind === "out" || moment.kind === "won") && moment.seat === seat,
  );
  return svg`<g transform="translate(${MARGIN} ${y - 6})scale(.5)">${emblemIn(getEmblemIndex(view, seat))}</g>
    <text class="lane-name ${seat === view.winner ? "lane-won" : ""}" x=${MARGIN + 17}
      y=${y + 4}><title>${getSeatName(view, seat)}</title>${name}</text>
    <line class="lane" x1=${left} x2=${end < 0 ? right : x(end)} y1=${y} y2=${y}></line>`;
}

/**
 * Renders the legend of the signs. Returns it together with its number of lines.
 * @param {string[]} kinds
 * @param {number} room width of a line
 */
function renderLegend(kinds, room) {
  let [across, line] = [0, 0];
  const drawn = kinds.map((kind) => {
    const words = t(`story.${kind}`);
    const long = 22 + words.length * 6;
    if (across + long > room) [across, line] = [0, line + 1];
    const place = `translate(${across + 7} ${line * LINE_HEIGHT})`;
    across += long + 8;
    return svg`<g transform=${place}>${renderMomentSign(/** @type {Moment} */ ({ kind }))}<text
      class="recap-small" x="12" y="4">${words}</text></g>`;
  });
  return { drawn, lines: line + 1 };
}

const WIDE = /[\p{Lu}\p{Lo}\p{Extended_Pictographic}@%]/u;

/**
 * Shortens a name to a width, and ends it in dots. The width is estimated: a wide letter counts as
 * 1.6 letters.
 * @param {string} name
 * @param {number} room
 * @param {number} [letter] average width of a letter
 */
export function fitName(name, room, letter = 7.8) {
  const measureWidth = (/** @type {string[]} */ letters) =>
    letters.reduce((all, character) => all + letter * (WIDE.test(character) ? 1.6 : 1), 0);
  const letters = splitCharacters(name);
  if (measureWidth(letters) <= room) return name;
  while (letters.length && measureWidth(letters) > room - letter) letters.pop();
  return `${letters.join("")}…`;
}

/** @param {Controller} ctrl @returns {string} */
const getVariantTitle = ({ variant }) =>
  variant?.texts[getLanguage()]?.title ?? variant?.texts[variant.language]?.title ?? "";

/** Returns the date of the last event. @param {Entry[]} game */
const getGameDate = (game) => formatDate(game.at(-1)?.at, "long");

/**
 * Renders the symbol of a moment. The shape stands for the kind of moment, the colour for the card.
 * @param {Moment} moment
 */
export function renderMomentSign(moment) {
  const familySign = getFamily().story.sign?.(moment);
  if (familySign) return familySign;
  if (moment.kind === "draw") return svg`<circle class="sign-draw" r="3.2"></circle>`;
  if (moment.kind === "play")
    return svg`<rect class="sign-play ${getHueClass(moment.card)} ${moment.lost ? "lost" : ""}" x="-4" y="-5"
      width="8" height="10" rx="1.6"></rect>
      ${moment.lost ? svg`<path class="sign-cross" d="M-5 5L5-5"></path>` : nothing}`;
  if (moment.kind === "nope")
    return svg`<path class="sign-nope"
      d="M-2.500-6H2.500L6-2.500V2.500L2.500 6H-2.500L-6 2.500V-2.500Z"></path>
      <path class="sign-bar" d="M-3 0H3"></path>`;
  if (moment.kind === "reveal")
    return svg`<path class="sign-reveal ${getHueClass(moment.card)}" d="M0-6L5 0L0 6L-5 0Z"></path>`;
  if (moment.kind === "kitten")
    return svg`<path class="sign-kitten" d=${STAR} transform="scale(.75)"></path>`;
  if (moment.kind === "defuse")
    return svg`<circle class="sign-defuse" r="5"></circle>
      <path class="sign-tick" d="M-2.500 0L-.5 2L3-2"></path>`;
  if (moment.kind === "out")
    return svg`<path class="sign-out" d=${STAR}></path>
      <path class="sign-cross" d="M-3-3L3 3M3-3L-3 3"></path>`;
  return svg`<path class="sign-won" d="M-7 5V-4L-3-1L0-6L3-1L7-4V5Z"></path>`;
}

/** Returns a moment's tooltip. @param {View} view @param {Moment} moment */
function getTooltip(view, moment) {
  const card = moment.card ? ` (${getCardTitle(moment.card)})` : "";
  return `${isolate(getSeatName(view, moment.seat))}: ${t(`story.${moment.kind}`)}${card}`;
}
