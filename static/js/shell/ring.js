/**
 * Renders the living players as a ring in the order of play. If play can turn round, arrows on the
 * ring show its direction. A line leads to the turn player from
 * the helper, the player who does something for them (see `Family.findHelper`). The names of the
 * players who are out are listed, too. Also renders the scene that appears when a player goes out
 * and the ring closes.
 */
import { emblemIn } from "../../art/emblems.js";
import { boom as scene } from "../../art/scenes.js";
import { joinIsolated } from "../core/direction.js";
import { getFamily } from "../core/family.js";
import { html, nothing, svg } from "../core/lit.js";
import { getEmblemIndex, findNeighbours } from "../core/moves.js";
import { t } from "../core/text.js";
import { getViewerFacts, renderSentence, renderSeatName } from "./parts.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Seat, View } from "../core/types.js" */

/** Radius of the ring, in units of the drawing. */
const RADIUS = 68;
/** Half the width of the drawing. */
const HALF_WIDTH = 150;
/** Half the width of an emblem. */
const EMBLEM_RADIUS = 12;

/** @param {Controller} ctrl */
export function renderRing(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const alive = view.seats.filter((seat) => seat.alive);
  const out = view.seats.filter((seat) => !seat.alive);
  const turned = view.direction === "counterclockwise";
  return html`<svg class="ring" viewBox="-150 -110 300 ${out.length ? 236 : 218}" role="img"
    aria-label=${t("ring", {
      names: joinIsolated(
        (turned ? alive.toReversed() : alive).map((seat) => seat.name),
        " → ",
      ),
    })}>
    <circle class="ring-line" r=${RADIUS}></circle>${
      view.direction ? renderRingArrows(alive.length, turned) : nothing
    }${renderHelperLine(view, alive)}
    ${alive.map((seat, at) =>
      renderRingSeat(view, seat, getRingPosition(at, alive.length), seat.seat === ctrl.me),
    )}
    ${
      out.length
        ? svg`<foreignObject x=${-HALF_WIDTH} y="106" width=${2 * HALF_WIDTH} height="20"><div
          class="ring-name center ring-out">
          ${joinIsolated(
            out.map((seat) => seat.name),
            " · ",
          )}
        </div></foreignObject>`
        : nothing
    }</svg>`;
}

/**
 * Returns the coordinates of the position `at` on a ring of `count` players.
 * @param {number} at
 * @param {number} count
 * @returns {[number, number]}
 */
function getRingPosition(at, count) {
  const angle = (at / count) * 2 * Math.PI - Math.PI / 2;
  return [Math.cos(angle) * RADIUS, Math.sin(angle) * RADIUS];
}

/**
 * Renders an arrow on the ring between each two neighbours.
 * @param {number} count number of players
 * @param {boolean} turned true if play goes counterclockwise
 */
function renderRingArrows(count, turned) {
  return Array.from({ length: count }, (_, at) => {
    const [x, y] = getRingPosition(at + 0.5, count);
    const angle = ((at + 0.5) / count) * 360 + (turned ? 180 : 0);
    return svg`<path class="ring-arrow" d="M-5-7L5 0L-5 7"
      transform=${`translate(${x} ${y}) rotate(${angle})`}></path>`;
  });
}

/** Renders the line from the helper to the turn player. @param {View} view @param {Seat[]} alive */
function renderHelperLine(view, alive) {
  const helper = getFamily().findHelper(view);
  const from = alive.findIndex((seat) => seat.seat === helper?.seat);
  const to = alive.findIndex((seat) => seat.seat === view.turn?.seat);
  if (from < 0 || to < 0 || from === to) return nothing;
  const [x1, y1] = getRingPosition(from, alive.length);
  const [x2, y2] = getRingPosition(to, alive.length);
  return svg`<path class="ring-tells ${helper?.lit ? "lit" : ""}"
    d="M${x1} ${y1}Q${(x1 + x2) * 0.28} ${(y1 + y2) * 0.28} ${x2} ${y2}" pathLength="1"></path>`;
}

/** @param {View} view @param {Seat} seat @param {[number, number]} at @param {boolean} me */
function renderRingSeat(view, seat, [x, y], me) {
  const role =
    seat.seat === view.turn?.seat
      ? "up"
      : seat.seat === getFamily().findHelper(view)?.seat
        ? "tells"
        : "";
  const scale = (EMBLEM_RADIUS * (role === "up" ? 1.35 : 1)) / 13;
  const sign = emblemIn(getEmblemIndex(view, seat.seat));
  return svg`<g class="ring-seat ${role} ${me ? "me" : ""}">
    <circle cx=${x} cy=${y} r=${13 * scale + 3}></circle>
    <g transform="translate(${x - 12 * scale} ${y - 12 * scale}) scale(${scale})">${sign}</g>
    ${renderNameLabel(seat.name, x, y)}
  </g>`;
}

/**
 * Renders a name outside the ring. At the left and right of the ring it has two lines, above and
 * below the ring one line. If the name doesn't fit, it is cut off and ends in dots.
 * @param {string} name
 * @param {number} x
 * @param {number} y
 */
function renderNameLabel(name, x, y) {
  const side = x > 20 ? "start" : x < -20 ? "end" : "center";
  const gap = EMBLEM_RADIUS + 10;
  const [left, wide] =
    side === "start"
      ? [x + gap, HALF_WIDTH - x - gap]
      : side === "end"
        ? [-HALF_WIDTH, HALF_WIDTH + x - gap]
        : [-HALF_WIDTH, 2 * HALF_WIDTH];
  const [top, high] = side === "center" ? [y < 0 ? y - 38 : y + 19, 20] : [y - 17, 34];
  return svg`<foreignObject x=${left} y=${top} width=${wide} height=${high}><div
    class="ring-name ${side}"><span>${name}</span></div></foreignObject>`;
}

/**
 * Renders a sentence whose placeholders stand for players. `seats` contains the seat for each
 * placeholder; the sentence shows the name of its player.
 * @param {Controller} ctrl
 * @param {string} key
 * @param {Record<string, string | undefined>} seats
 */
const renderSeatSentence = (ctrl, key, seats) =>
  renderSentence(key, {
    mine: getViewerFacts(ctrl, seats),
    ...Object.fromEntries(
      Object.entries(seats).map(([fact, seat]) => [fact, renderSeatName(ctrl, seat)]),
    ),
  });

/**
 * Renders the scene that shows that a player has just gone out.
 * @param {Controller} ctrl
 * @param {{seat: string, out: string}} exit
 */
export function renderBoomScene(ctrl, { seat, out }) {
  const view = /** @type {View} */ (ctrl.view);
  const pair = findNeighbours(view, seat);
  return html`<button type="button" class="boom" @click=${() => ctrl.set({ explosion: null })}>
    ${out === "left" ? "" : scene(t("boom"))}
    <span class="boom-words">${renderSeatSentence(ctrl, `boom.${out}`, { who: seat })}</span>
    ${
      view.winner
        ? ""
        : html`${renderRing(ctrl)}<span class="boom-next">${renderSeatSentence(
            ctrl,
            "boom.next",
            pair,
          )}</span>`
    }
    <span class="soft">${t("boom.on")}</span></button>`;
}
