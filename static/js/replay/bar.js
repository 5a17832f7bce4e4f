/** What one steps with: a slider with the explosions and Nopes on it, and the buttons under it. */
import { guard, html } from "../core/lit.js";
import { current, t } from "../core/text.js";
import { sign } from "./icons.js";

/** @import { Player } from "./player.js" */
/** @import { Reel } from "./reel.js" */

/** The moments that stand on the slider, and which sort each is. @param {Reel} reel @returns {{at: number, kind: string, undone: boolean}[]} */
export function marked(reel) {
  const noted = reel.remarks.map(({ moment }) => ({
    at: reel.near(moment),
    kind: "remark",
    undone: false,
  }));
  const happened = reel.entries.flatMap((entry, index) => {
    const kind =
      entry.type === "nope_played"
        ? "nope"
        : entry.type === "went_out" && entry.facts.out === "kitten"
          ? "boom"
          : null;
    return kind ? [{ at: index + 1, kind, undone: reel.undone(entry) }] : [];
  });
  return [...happened, ...noted].sort((one, other) => one.at - other.at);
}

/** @param {Player} player @param {string} words what the slider says of where one is */
export function bar(player, words) {
  const { reel, at, playing } = player;
  return html`<div class="dock reel" role="group" aria-label=${t("replay.controls")}>
    <div class="track">${guard([reel, reel.remarks, current()], () => marks(reel))}
      <input type="range" min="0" max=${reel.last} step="1" .value=${String(at)} aria-label=${t("replay.where")} aria-valuetext=${words}
        @input=${(/** @type {Event} */ event) => slid(player, /** @type {HTMLInputElement} */ (event.target))}></div>
    ${guard([player, playing, player.speed, current()], () => buttons(player))}</div>`;
}

/** @param {Player} player */
function buttons(player) {
  const { reel, playing } = player;
  return html`<div class="row reel-buttons">
      ${button("first", t("replay.first"), () => player.step(-reel.last))}
      ${button("back", t("replay.back"), () => player.step(-1))}
      ${button(playing ? "pause" : "play", t(playing ? "replay.pause" : "replay.play"), () => player.toggle(), "main")}
      ${button("on", t("replay.on"), () => player.step(1))}
      ${button("last", t("replay.last"), () => player.step(reel.last))}
      <button type="button" class="press round speed" data-reel="speed" aria-label=${t("replay.speed", { speed: t(`replay.speed.${player.speed}`) })} @click=${() => player.faster()}>${t(`replay.times.${player.speed}`)}</button>
    </div>`;
}

/** @param {Player} player @param {HTMLInputElement} slider */
function slid(player, slider) {
  player.stop();
  player.go(Number(slider.value));
}

/** @param {string} name @param {string} label @param {() => void} click @param {string} [more] */
const button = (name, label, click, more = "") =>
  html`<button type="button" class="press round ${more}" data-reel=${name} aria-label=${label} title=${label} @click=${click}>${sign(name)}</button>`;

/** @param {Reel} reel */
const marks = (reel) =>
  html`<span class="marks-on" aria-hidden="true">${marked(reel).map(
    ({ at, kind, undone }) =>
      html`<i class="mark-${kind} ${undone ? "undone" : ""}" .style=${`--share:${at / Math.max(1, reel.last)}`}></i>`,
  )}</span>`;
