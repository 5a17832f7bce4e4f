/**
 * Renders the controls of a replay: buttons, and a slider with marks for explosions, Nopes and
 * remarks. Also handles key presses.
 */
import { guard, html, svg } from "../core/lit.js";
import { getLanguage, t } from "../core/text.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Player, Reel } from "./reel.js" */

/**
 * Returns the moments that the slider marks, each with the kind of its mark.
 * @param {Reel} reel
 * @returns {{at: number, kind: string, undone: boolean}[]}
 */
export function getSliderMarks(reel) {
  const noted = reel.remarks.map(({ moment }) => ({
    at: reel.findNearest(moment),
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
    return kind ? [{ at: index + 1, kind, undone: reel.isUndone(entry) }] : [];
  });
  return [...happened, ...noted].sort((one, other) => one.at - other.at);
}

/** @param {Player} player @param {string} words description of the current moment for screen readers */
export function renderControls(player, words) {
  const { reel, at, isPlaying } = player;
  return html`<div class="dock reel" role="group" aria-label=${t("replay.controls")}>
    <div class="track">
      ${guard([reel, reel.remarks, getLanguage()], () => renderMarks(reel))}
      <input type="range" min="0" max=${reel.last} step="1" .value=${String(at)}
        aria-label=${t("replay.where")} aria-valuetext=${words}
        @input=${(/** @type {Event} */ event) =>
          seekSlider(player, /** @type {HTMLInputElement} */ (event.target))}>
    </div>
    ${guard([player, isPlaying, player.speed, getLanguage()], () => renderButtons(player))}
  </div>`;
}

/** @param {Player} player */
function renderButtons(player) {
  const { reel, isPlaying } = player;
  return html`<div class="row reel-buttons">
    ${renderButton("first", t("replay.first"), () => player.step(-reel.last))}
    ${renderButton("back", t("replay.back"), () => player.step(-1))}
    ${renderButton(
      isPlaying ? "pause" : "play",
      t(isPlaying ? "replay.pause" : "replay.play"),
      () => player.togglePlaying(),
      "main",
    )}
    ${renderButton("on", t("replay.on"), () => player.step(1))}
    ${renderButton("last", t("replay.last"), () => player.step(reel.last))}
    <button type="button" class="press round speed" data-reel="speed"
      aria-label=${t("replay.speed", { speed: t(`replay.speed.${player.speed}`) })}
      @click=${() => player.switchSpeed()}>${t(`replay.times.${player.speed}`)}</button>
  </div>`;
}

/** @param {Player} player @param {HTMLInputElement} slider */
function seekSlider(player, slider) {
  player.seek(Number(slider.value));
}

/** @param {string} name @param {string} label @param {() => void} click @param {string} [more] */
const renderButton = (name, label, click, more = "") =>
  html`<button type="button" class="press round ${more}" data-reel=${name} aria-label=${label}
    title=${label} @click=${click}>
    ${renderIcon(name)}
  </button>`;

/** @param {Reel} reel */
const renderMarks = (reel) =>
  html`<span class="marks-on" aria-hidden="true">${getSliderMarks(reel).map(
    ({ at, kind, undone }) =>
      html`<i class="mark-${kind} ${undone ? "undone" : ""}"
        .style=${`--share:${at / Math.max(1, reel.last)}`}></i>`,
  )}</span>`;

/** @type {Record<string, unknown>} */
const ICONS = {
  first: svg`<path d="M6 5V19M19 5L9 12L19 19Z"></path>`,
  back: svg`<path d="M16 5L7 12L16 19Z"></path>`,
  play: svg`<path d="M8 4L20 12L8 20Z"></path>`,
  pause: svg`<path d="M8 5V19M16 5V19"></path>`,
  on: svg`<path d="M8 5L17 12L8 19Z"></path>`,
  last: svg`<path d="M18 5V19M5 5L15 12L5 19Z"></path>`,
  link: svg`<path
    d="M10 14L14 10M8 11L5.500 13.500A3.500 3.500 0 0 0 10.500 18.500L13 16
      M16 13L18.500 10.500A3.500 3.500 0 0 0 13.500 5.500L11 8"
    fill="none"></path>`,
  file: svg`<path d="M12 4V14M7.500 10L12 14.500L16.500 10M5 19H19" fill="none"></path>`,
  log: svg`<path d="M5 7H19M5 12H19M5 17H14" fill="none"></path>`,
  bare: svg`<path d="M5 4H14V17H5ZM17 7L20 8L17.500 20L9 18.500" fill="none"></path>
    <path d="M8 10H11"></path>`,
  write: svg`<path d="M4 20L5 15.500L15.500 5L19 8.500L8.500 19ZM13 7.500L16.500 11" fill="none"></path>`,
  together: svg`<circle cx="8.500" cy="8" r="3"></circle>
    <circle cx="16" cy="9" r="2.500"></circle>
    <path d="M3 19C3 12 14 12 14 19M13.500 14C18 13 21 15 21 19" fill="none"></path>`,
};

/** @param {string} name */
export const renderIcon = (name) =>
  html`<svg class="reel-sign" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${ICONS[name]}</svg>`;

/** @param {KeyboardEvent} event @param {Controller} ctrl @param {Player} player @param {number[]} marked */
export function handleKeyPress(event, ctrl, player, marked) {
  if (event.ctrlKey || event.metaKey || event.altKey || isTextField(event.target)) return;
  if (!ctrl.sheet ? stepByKey(event) : event.key === "Escape") event.preventDefault();
  if (event.key === "Escape") ctrl.closeSheet();

  /** @param {KeyboardEvent} event */
  function stepByKey({ key, target }) {
    if (key === "ArrowRight") player.step(1);
    else if (key === "ArrowLeft") player.step(-1);
    else if (key === "PageDown") player.jumpToMark(marked, 1);
    else if (key === "PageUp") player.jumpToMark(marked, -1);
    else if (key === "Home") player.step(-player.reel.last);
    else if (key === "End") player.step(player.reel.last);
    else if (key === " " && !takesSpace(target)) player.togglePlaying();
    else if (key === "?") ctrl.openHelp();
    else return false;
    return true;
  }
}

/** Returns true if the focused element uses the space bar itself. @param {EventTarget | null} target */
const takesSpace = (target) => target instanceof Element && target.matches("button, a, summary");

/** @param {EventTarget | null} target */
const isTextField = (target) =>
  target instanceof Element && target.matches("input:not([type=range]), select, textarea");
