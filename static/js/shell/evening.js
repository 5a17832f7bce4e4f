/**
 * Renders the results of a session, which is all games played at one table. There is a picture of
 * the wins to share, and a table with each player's wins, early exits, Nopes and luck.
 */
import { emblem, emblemIn } from "../../art/emblems.js";
import {
  formatNamesFragment,
  listPlayerNames,
  storeEvening,
  computeScores,
} from "../core/evening.js";
import { requestFromTable } from "../core/former.js";
import { html, nothing, svg } from "../core/lit.js";
import { getEmblemIndex } from "../core/moves.js";
import { copyPicture, copyText } from "../core/picture.js";
import { resolvePath } from "../core/page.js";
import { formatDate, formatPercent, t } from "../core/text.js";
import { getShownAddress } from "./invite.js";
import { getFileNamePrefix, renderPlayerName } from "./parts.js";
import { fitName, renderMomentSign, renderScroller } from "./story.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Game, Score } from "../core/evening.js" */
/** @import { Moment } from "../core/story.js" */
/** @import { View } from "../core/types.js" */

const [LEAST_WIDTH, EDGE, HEAD, ROW, NAMES, STEP] = [252, 12, 56, 28, 122, 22];

/**
 * Key of the finished game after which the results were requested last. Empty before the first
 * request.
 */
let requestedGame = "";

/** @param {Controller} ctrl */
export function renderEvening(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  if (ctrl.wire && requestedGame !== `${view.table} ${view.game} ${view.winner}`)
    loadGames(ctrl, view);
  const games = ctrl.evening ?? [];
  if (games.length < 2) return nothing;
  const allScores = computeScores(games);
  const luck = allScores.some((score) => score.luck !== null);
  return html`<section class="panel story evening" aria-labelledby="evening-title">
    <h2 id="evening-title">${t("evening")}</h2>
    ${renderScroller("evening-title", renderEveningPicture(ctrl, view, games, allScores))}
    <table>
      <thead>
        <tr>
          <td></td>
          <th scope="col">${t("evening.won")}</th>
          <th scope="col">${t("evening.first")}</th>
          <th scope="col">${t("evening.nopes")}</th>
          ${luck ? html`<th scope="col">${t("evening.luck")}</th>` : nothing}
        </tr>
      </thead>
      <tbody>
        ${allScores.map(
          (score) =>
            html`<tr>
              <th scope="row">
                ${emblem(getEmblemIndex(view, score.seat))}
                <span class="clip">${renderPlayerName(score.name)}</span>
              </th>
              <td>${score.won}</td>
              <td>${score.first}</td>
              <td>${score.nopes}</td>
              ${luck ? html`<td>${score.luck === null ? "–" : formatPercent(score.luck)}</td>` : nothing}
            </tr>`,
        )}
      </tbody>
    </table>
    ${luck ? html`<p class="soft luck-what">${t("evening.luck.what")}</p>` : nothing}
    <div class="row">
      <button type="button" class="press small"
        @click=${(/** @type {Event} */ event) => copyEveningPicture(ctrl, event)}>
        ${t("story.copy.image")}
      </button>
      <button type="button" class="press small"
        @click=${() =>
          copyText(getEveningText(games, allScores)).then((done) =>
            ctrl.showNotice(t(`story.${done}`), "story"),
          )}>
        ${t("story.copy.text")}
      </button>
      <a class="press small" data-do="again"
        href=${`${resolvePath("/")}${formatNamesFragment(listPlayerNames(games))}`}>
        ${t("evening.again")}
      </a>
    </div>
  </section>`;
}

/**
 * Loads the results of all games, once after each game.
 * @param {Controller} ctrl
 * @param {View} view
 */
function loadGames(ctrl, view) {
  requestedGame = `${view.table} ${view.game} ${view.winner}`;
  requestFromTable(ctrl.table, "evening").then(
    (/** @type {{games: Game[]}} */ { games }) => {
      if (view.you) storeEvening(ctrl.table, games);
      ctrl.set({ evening: games });
    },
    () => null,
  );
}

/**
 * Renders the session as a picture. Each player has a lane, with a sign for their result in each
 * game.
 * @param {Controller} ctrl
 * @param {View} view
 * @param {Game[]} games
 * @param {Score[]} allScores
 */
function renderEveningPicture(ctrl, view, games, allScores) {
  const left = EDGE + NAMES;
  const width = Math.max(LEAST_WIDTH, left + STEP * games.length + EDGE);
  const height = HEAD + ROW * allScores.length + 46;
  const x = (/** @type {number} */ game) => left + STEP * (game + 0.5);
  const address = fitName(getShownAddress(ctrl), width - 2 * EDGE, 6.2);
  return html`<svg class="lanes" role="img" aria-label=${getEveningText(games, allScores)}
    viewBox="0 0 ${width} ${height}" width=${width} height=${height} .style=${`--least:${width}px`}>
    <rect class="ground" width=${width} height=${height}></rect>
    <text class="recap-title" x=${EDGE} y="26">${t("evening.title", { count: games.length })}</text>
    ${games.map(
      ({ game }, number) =>
        svg`<text class="recap-small recap-middle" x=${x(number)} y="46">${game}</text>`,
    )}
    ${allScores.map((score, line) =>
      renderLane(view, score, {
        x,
        y: HEAD + ROW * (line + 0.5),
        lasts: games.map(({ players }) => players.length),
      }),
    )}
    <text class="recap-small recap-when" x=${EDGE} y=${height - 26}>${getEveningDate(games)}</text>
    <text class="recap-small recap-where" x=${EDGE} y=${height - 10}>${address}</text>
  </svg>`;
}

/**
 * Renders one player's lane: the name, a sign for each game, and the number of wins.
 * @param {View} view
 * @param {Score} one
 * @param {{x: (game: number) => number, y: number, lasts: number[]}} where
 */
function renderLane(view, { seat, name, places, won }, { x, y, lasts }) {
  return svg`<g transform="translate(${EDGE} ${y - 7})scale(.58)">${emblemIn(getEmblemIndex(view, seat))}</g>
    <text class="lane-name ${won ? "lane-won" : ""}" x=${EDGE + 20}
      y=${y + 4}><title>${name}</title>${fitName(name, NAMES - 48)}</text>
    <line class="lane" x1=${x(0)} x2=${x(places.length - 1)} y1=${y} y2=${y}></line>
    ${places.map(
      (played, game) =>
        svg`<g transform="translate(${x(game)} ${y})">${renderResultSign(played, lasts[game])}</g>`,
    )}
    <text class="recap-title recap-end" x=${EDGE + NAMES - 8} y=${y + 6}>${won}</text>`;
}

/**
 * Renders a player's result in one game: a crown for the winner, an explosion for the player who
 * went out first, and the rank as a number for everybody else. Renders nothing if the player wasn't
 * in the game.
 * @param {Score["places"][number]} played
 * @param {number} last
 */
function renderResultSign(played, last) {
  if (!played) return nothing;
  if (played.place > 1 && played.place < last)
    return svg`<circle class="sign-draw" r="8"></circle>
      <text class="recap-small recap-middle" y="3.5">${played.place}</text>`;
  return renderMomentSign(/** @type {Moment} */ ({ kind: played.place === 1 ? "won" : "out" }));
}

/**
 * Returns the results as plain text, with one line for each player.
 * @param {Game[]} games
 * @param {Score[]} allScores
 */
function getEveningText(games, allScores) {
  const rows = allScores.map(({ name, won, first, nopes, luck }) => {
    const facts = { name, won, first, nopes, luck: formatPercent(luck ?? 0) };
    return t(luck === null ? "evening.line" : "evening.line.luck", facts);
  });
  return [
    `${t("evening.title", { count: games.length })} (${getEveningDate(games)})`,
    ...rows,
  ].join("\n");
}

/** Returns the date of the last game. @param {Game[]} games */
const getEveningDate = (games) => formatDate(games.at(-1)?.at, "long");

/**
 * Copies the picture. If it can't be copied, saves it as a file.
 * @param {Controller} ctrl
 * @param {Event} event
 */
async function copyEveningPicture(ctrl, event) {
  const section = /** @type {HTMLElement} */ (event.target).closest(".evening");
  const drawn = section?.querySelector("svg.lanes");
  if (!(drawn instanceof SVGSVGElement)) return;
  const done = await copyPicture(drawn, `${getFileNamePrefix(ctrl)}-evening.png`);
  ctrl.showNotice(t(`story.${done}`), "story");
}
