/**
 * Plays scenes: short moving pictures of what has just happened at the table, such as a drawn card.
 * A scene is only a picture. The state behind it is drawn at once, and a command is sent at once.
 * A scene ends by itself, by a tap, by a key, or when a Nope window opens for the viewer.
 *
 * A scene is played when a patch changes the view. So no scene is played for the first view, after
 * a reconnection or an undo, or in a replay. At most one scene is shown at a time. If it covers the
 * page, a second scene that covers the page waits until the first one has ended.
 *
 * All animations change only `transform` and `opacity`. They are in scenes.css, except for the
 * movements of the card, which this module computes. This module also adds the scene's element to
 * the page, and removes it. For viewers who prefer reduced motion, each scene is one still picture.
 */
import { cardBack } from "../../art/cards.js";
import { star } from "../../art/kitten.js";
import { lettering } from "../../art/lettering.js";
import { arrowRing } from "../../art/round.js";
import { getHueClass, getCardTitle } from "../core/deck.js";
import { html, nothing, render } from "../core/lit.js";
import { getEmblemIndex, getSeatName } from "../core/moves.js";
import { getPanelWindow, onNextFrame } from "../core/page.js";
import { playCue } from "../core/senses.js";
import { t } from "../core/text.js";
import {
  getViewerFacts,
  renderCardFace,
  renderEmblem,
  renderPlayerName,
  renderSentence,
} from "./parts.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Change, Cue, RunningScene, Scene, View } from "../core/types.js" */

/**
 * The times of a scene, in ms from its beginning. At `turns` the card turns over. At `leaves` the
 * card begins to fly to its place; a scene without such a card begins to fade. At `ends` the scene
 * ends. `still` is the time for which a still picture is shown to viewers who prefer reduced
 * motion.
 * @typedef {{turns: number, leaves: number, ends: number, still: number, cues: [number, Cue][]}} Times
 */

/**
 * The middle of a card's place in the window, and the width of the card there, in px.
 * @typedef {{x: number, y: number, width: number}} Place
 */

/** @type {Record<Scene["kind"], Times>} */
const TIMES = {
  draw: {
    turns: 800,
    leaves: 2400,
    ends: 2900,
    still: 2600,
    cues: [
      [800, "flip"],
      [1050, "phew"],
    ],
  },
  kitten: {
    turns: 800,
    leaves: 2500,
    ends: 2750,
    still: 2600,
    cues: [
      [800, "flip"],
      [900, "kitten"],
    ],
  },
  look: {
    turns: 450,
    leaves: Number.POSITIVE_INFINITY,
    ends: Number.POSITIVE_INFINITY,
    still: Number.POSITIVE_INFINITY,
    cues: [[450, "flip"]],
  },
  phew: { turns: 0, leaves: 1100, ends: 1500, still: 1800, cues: [[150, "phew"]] },
  lots: {
    turns: 0,
    leaves: 2950,
    ends: 3200,
    still: 2400,
    cues: [
      [260, "shuffle"],
      [700, "shuffle"],
      [1260, "play"],
    ],
  },
  first: { turns: 0, leaves: 1700, ends: 1950, still: 2200, cues: [[100, "play"]] },
  reverse: { turns: 0, leaves: 1700, ends: 1950, still: 2200, cues: [[520, "flip"]] },
};

/**
 * Number of parts of a scene: the shade, the card's back, its picture, its title, the rays and
 * sparks, the large word, and the sentence below. Each part is added before it is visible, and in a
 * frame of its own, so that no frame takes long.
 */
const PARTS = 7;
/** Number of parts when lots are drawn, because the passing faces are several parts. */
const PARTS_OF_LOTS = 10;
/** Time in ms between two parts. The second part follows in the next frame. */
const PART_GAP_MS = 34;

/** Time in ms in which the card of a "draw" or "look" scene flies to its place. */
const FLIGHT_MS = 500;
/** The movement of the card to its place in the hand, or back. */
const FLIGHT = { duration: 460, easing: "cubic-bezier(0.5, 0, 0.3, 1)" };
/** Time in ms of this movement in a small scene, which ends sooner. */
const SMALL_FLIGHT_MS = 380;
/** The movement of the card from its place to the middle of the window. */
const LIFT = { duration: 800, easing: "cubic-bezier(0.22, 0.9, 0.3, 1)" };
/** Height in px, and factor, by which a card rises before it moves to the middle. */
const [RISE_PX, RISE_FACTOR] = [14, 1.12];
/**
 * Time in ms from the beginning of a scene in which a tap doesn't end it. Such a tap is probably
 * the second half of a double tap.
 */
const DOUBLE_TAP_MS = 300;
/**
 * If the card already lay face up, nobody is in suspense. The part of the scene before the card
 * turns over is then shortened to this time in ms.
 */
const KNOWN_MS = 350;
/** Time in ms for which the back of a covered card is shown. */
const COVERED_MS = 1700;

/** Height of a card, divided by its width. */
const CARD_SHAPE = 1.4;
/** The largest width of a card. */
const MOST_CARD_PX = 290;
/**
 * Distance of a large card's middle from the top, as a share of the window's height (45dvh in
 * scenes.css).
 */
const MIDDLE = 0.45;
/** In a small scene, the factor by which a card grows when it leaves its place. */
const PICKED_UP_SCALE = 1.3;
/** Size of a card that comes from a place that isn't on the page, as a share of its full size. */
const UNKNOWN_PLACE = 0.4;
/** The smallest height of a stage that has room for a small scene. */
const LEAST_STAGE_PX = 90;

/** Scenes that cover the page. A tap only ends them. */
const COVERING = ["draw", "kitten", "look", "lots", "first"];

/**
 * Returns a function that begins the scene that belongs to a change. It is called just before the
 * change is drawn, while the card is still in its old place.
 * @param {Controller} ctrl
 * @param {(ctrl: Controller, change: Change) => Scene | null} findCardScene
 */
export function createScenePlayer(ctrl, findCardScene) {
  return (
    /** @type {HTMLElement} */ root,
    /** @type {Omit<Change, "entries">} */ { before, view, deckBefore },
  ) => {
    const entries = view.log.filter((entry) => entry.version > before.version);
    if (entries.some(({ type }) => type === "undone")) ctrl.newCard = null;
    if (mustEnd(view, entries)) ctrl.scene?.end();
    if (!entries.length || entries.some(({ type }) => type === "undone")) return;
    const change = { before, view, entries, deckBefore };
    const scene = findFirstPlayerScene(change) ?? findCardScene(ctrl, change);
    if (!scene) return;
    const canShow = !root.ownerDocument.hidden && !ctrl.sheet && !waitsForViewer(view);
    if (canShow) beginScene(new Playing(ctrl, root, scene));
    else if (scene.drawn) markNewCard(ctrl, root, scene.drawn);
  };
}

/**
 * Returns true if a running scene must end: something was undone, the game is over, or a Nope window
 * waits for the viewer.
 * @param {View} view
 * @param {View["log"]} entries
 */
const mustEnd = (view, entries) =>
  waitsForViewer(view) || view.phase === "lobby" || entries.some(({ type }) => type === "undone");

/** Returns true if an open window waits for the viewer. @param {View} view */
const waitsForViewer = ({ window: open, you }) =>
  !!open && !!you && open.may_nope.includes(you.seat) && !open.passed.includes(you.seat);

/**
 * Begins a scene. If a small scene is running, that scene ends. If the running scene covers the
 * page, a new scene that covers the page waits until it ends, and a new small scene isn't shown.
 * @param {Playing} scene
 */
function beginScene(scene) {
  const { ctrl } = scene;
  const running = /** @type {Playing | null} */ (ctrl.scene);
  if (running?.covers) {
    if (scene.covers) running.next = scene;
    return;
  }
  running?.end();
  ctrl.scene = scene;
  onNextFrame(() => scene.start());
}

/**
 * Returns the scene that names the first player: when lots are drawn, or when the first turn begins.
 * @param {Change} change
 * @returns {Scene | null}
 */
function findFirstPlayerScene({ entries }) {
  const lots = entries.find(({ type, facts }) => type === "game_began" && facts.by_lot);
  if (lots) return { kind: "lots", seat: lots.facts.first };
  const turn = entries.find(({ type, facts }) => type === "turn_began" && facts.number === 1);
  return turn?.seat ? { kind: "first", seat: turn.seat } : null;
}

/**
 * Marks a card in the hand as new, until the viewer's next tap. Showing the hand doesn't count as a
 * tap, and neither does the tap that ends the scene.
 * @param {Controller} ctrl
 * @param {HTMLElement} root
 * @param {string} card
 */
function markNewCard(ctrl, root, card) {
  ctrl.newCard = card;
  const doc = root.ownerDocument;
  const forget = (/** @type {Event} */ event) => {
    const target = event.target instanceof Element ? event.target : null;
    if (ctrl.scene?.covers || target?.closest("[data-do=uncover]")) return;
    for (const type of ["pointerdown", "keydown"]) doc.removeEventListener(type, forget, true);
    if (ctrl.newCard === card) ctrl.set({ newCard: null });
  };
  for (const type of ["pointerdown", "keydown"]) doc.addEventListener(type, forget, true);
}

/**
 * Returns the middle of a place and the width of a card there, in px.
 * @param {DOMRect} place
 * @returns {Place}
 */
const getPlace = ({ left, top, width, height }) => ({
  x: left + width / 2,
  y: top + height / 2,
  width: Math.min(width, height / CARD_SHAPE),
});

/** A scene that is shown, or is about to be. @implements {RunningScene} */
class Playing {
  /**
   * @param {Controller} ctrl
   * @param {HTMLElement} root the panel's element
   * @param {Scene} scene
   */
  constructor(ctrl, root, scene) {
    this.ctrl = ctrl;
    this.root = root;
    this.scene = scene;
    this.still = getPanelWindow().matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.times = getTimes(scene, this.still);
    this.covers = COVERING.includes(scene.kind);
    this.cues = this.times.cues;
    this.words = describeScene(ctrl, scene);
    const from = scene.from ? root.querySelector(scene.from) : null;
    const place = from?.getBoundingClientRect();
    /** The place from which the card comes. @type {Place | null} */
    this.origin = place?.width ? getPlace(place) : null;
    /** @type {HTMLElement | null} */
    this.layer = null;
    /** @type {Element | null} */
    this.focused = null;
    /** The scene that waits until this one ends. @type {Playing | null} */
    this.next = null;
    /** @type {ReturnType<typeof setTimeout>[]} */
    this.timers = [];
    this.startedAt = performance.now();
    this.leaving = false;
    this.partCount = scene.kind === "lots" ? PARTS_OF_LOTS : PARTS;
    this.cardWidth = MOST_CARD_PX;
    /** The middle of the card in its resting position, in px. */
    this.home = { x: 0, y: 0 };
    /** The card's movement to the middle. @type {Animation | null} */
    this.lift = null;
    /** The times at which parts of the scene were added. @type {number[]} */
    this.partsAt = [];
  }

  /** @returns {number} */
  getMsLeft() {
    const left = this.startedAt + this.times.leaves - performance.now();
    return this.covers && Number.isFinite(left) ? Math.max(0, left) : 0;
  }

  start() {
    if (this.ctrl.scene !== this) return;
    const { kind, card, seat } = this.scene;
    const doc = this.root.ownerDocument;
    this.startedAt = performance.now();
    this.focused = doc.activeElement;
    const layer = doc.createElement("div");
    this.layer = layer;
    layer.className = `scene scene-${kind} ${card ? getHueClass(card) : ""}`;
    layer.dataset.scene = kind;
    layer.classList.toggle("scene-still", this.still);
    layer.classList.toggle("scene-covers", this.covers);
    if (kind === "look") {
      layer.role = "dialog";
      layer.ariaLabel = t("scene.look");
    } else layer.ariaHidden = "true";
    this.#findPlaces(layer);
    layer.style.setProperty("--card-w", `${this.cardWidth.toFixed(1)}px`);
    this.#addPart(layer);
    this.root.after(layer);
    this.#addOtherParts(layer);
    this.#listen(layer, doc);
    this.#schedule(this.times.leaves, () => this.skip());
    for (const [ms, cue] of this.times.cues) this.#schedule(ms, () => playCue(this.ctrl, cue));
    layer.dataset.seat = seat;
  }

  /** Adds all parts after the first: one by one, or at once in a still picture. @param {HTMLElement} layer */
  #addOtherParts(layer) {
    if (this.partsAt.length === this.partCount) return this.#focusButton(layer);
    const addNext = () => {
      if (this.leaving) return;
      this.#addPart(layer);
      this.#addOtherParts(layer);
    };
    if (this.still) addNext();
    else if (this.partsAt.length === 1) onNextFrame(addNext);
    else this.#schedule(PART_GAP_MS, addNext);
  }

  /** Moves the focus to the first button, in a frame of its own. @param {HTMLElement} layer */
  #focusButton(layer) {
    if (this.scene.kind !== "look") return;
    const focus = () => layer.querySelector("button")?.focus({ preventScroll: true });
    if (this.still) focus();
    else this.#schedule(PART_GAP_MS, focus);
  }

  /**
   * Adds the scene's next part. Its animations are timed from the beginning of the scene.
   * @param {HTMLElement} layer
   */
  #addPart(layer) {
    this.partsAt.push(performance.now() - this.startedAt);
    render(renderScene(this.ctrl, this.scene, this), layer);
    /** @type {HTMLElement | null} */
    const card = layer.querySelector(".scene-card");
    if (card && !this.lift && !this.still && this.scene.kind !== "phew") this.#liftCard(card);
  }

  /** Moves the card from its place to the middle. @param {HTMLElement} card */
  #liftCard(card) {
    const { origin, home, cardWidth } = this;
    const { x, y, width } = origin ?? { ...home, width: cardWidth * UNKNOWN_PLACE };
    const getStartTransform = (/** @type {number} */ rise, /** @type {number} */ factor) =>
      `translate(${x - home.x}px, ${y - home.y - rise}px) scale(${(factor * width) / cardWidth})`;
    const { duration, easing } = LIFT;
    this.lift = card.animate(
      [
        { transform: getStartTransform(0, 1), easing },
        { transform: getStartTransform(RISE_PX, RISE_FACTOR), offset: 0.18, easing },
        { transform: "none" },
      ],
      { duration, fill: "both" },
    );
  }

  /**
   * Renders the part of the scene with this number, or nothing if the part hasn't been added yet.
   * The CSS variable `--late` gets the time at which the part was added.
   * @param {number} nth
   * @param {(style: string) => unknown} draw
   */
  renderPart(nth, draw) {
    const at = this.partsAt[nth];
    return at === undefined ? nothing : draw(`--late:${at.toFixed(0)}ms`);
  }

  /** Returns the middle of a large card, in px. */
  #getMiddle() {
    return { x: getPanelWindow().innerWidth / 2, y: getPanelWindow().innerHeight * MIDDLE };
  }

  /**
   * Finds the place from which the card comes, and the size of the card in the scene. This reads
   * the page's layout, so it is done before anything is added.
   * @param {HTMLElement} layer
   */
  #findPlaces(layer) {
    const seat = `[data-seat=${JSON.stringify(this.scene.seat)}]`;
    const tile = this.root.querySelector(`:is(.tile, .screen-tile)${seat}`);
    this.origin ??= tile ? getPlace(tile.getBoundingClientRect()) : null;
    const { innerWidth, innerHeight } = getPanelWindow();
    this.cardWidth = Math.min(innerWidth * 0.58, innerHeight * 0.34, MOST_CARD_PX);
    this.home = this.#getMiddle();
    if (this.scene.kind !== "phew") return;
    this.#setStage(layer, innerHeight);
    if (!this.origin) return;
    this.home = this.origin;
    this.cardWidth = this.origin.width * PICKED_UP_SCALE;
    layer.style.setProperty("--from-x", `${this.origin.x.toFixed(1)}px`);
    layer.style.setProperty("--from-y", `${this.origin.y.toFixed(1)}px`);
  }

  /**
   * Sets the CSS variables for the edges of the stage, between the now-line and the buttons.
   * Without a stage, this is the part of the window below the now-line.
   * @param {HTMLElement} layer
   * @param {number} innerHeight
   */
  #setStage(layer, innerHeight) {
    const stage = this.root.querySelector(".stage")?.getBoundingClientRect();
    const now = this.root.querySelector(".now")?.getBoundingClientRect();
    const hasRoom = stage && stage.height >= LEAST_STAGE_PX;
    const top = hasRoom ? stage.top : (now?.bottom ?? 0);
    const bottom = hasRoom ? stage.bottom : innerHeight;
    layer.style.setProperty("--stage-top", `${top.toFixed(1)}px`);
    layer.style.setProperty("--stage-bottom", `${bottom.toFixed(1)}px`);
  }

  /** @param {HTMLElement} layer @param {Document} doc */
  #listen(layer, doc) {
    const tap = (/** @type {Event} */ event) => {
      if (performance.now() - this.startedAt < DOUBLE_TAP_MS) return;
      if (event.target instanceof Element && event.target.closest(".scene button")) return;
      this.skip();
    };
    if (this.covers) layer.addEventListener("click", tap);
    else {
      doc.addEventListener("pointerdown", tap, true);
      this.stopListening = () => doc.removeEventListener("pointerdown", tap, true);
    }
  }

  /** @param {number} ms @param {() => void} action */
  #schedule(ms, action) {
    if (Number.isFinite(ms)) this.timers.push(setTimeout(action, ms));
  }

  skip() {
    if (this.leaving) return;
    if (!this.layer) return this.end();
    this.leaving = true;
    for (const timer of this.timers) clearTimeout(timer);
    // The card's place is read before anything changes, so that no layout is computed for it.
    const card = this.still ? null : this.#sendCard(this.layer);
    this.#release();
    if (this.still) return this.end();
    this.layer.classList.remove("scene-covers");
    // Each part gets its own class, because one class of the scene would restyle all its parts.
    for (const part of this.layer.children)
      part.classList.add(part === card ? "scene-flies" : "scene-fades");
    const { leaves, ends } = this.times;
    setTimeout(() => this.end(), Number.isFinite(ends) ? ends - leaves : FLIGHT_MS);
  }

  /**
   * Starts the card's movement to its new place. Returns the card, or null if that place isn't on
   * the page.
   * @param {HTMLElement} layer
   */
  #sendCard(layer) {
    const card = /** @type {HTMLElement | null} */ (layer.querySelector(".scene-card"));
    const target = this.scene.to?.map((one) => this.root.querySelector(one)).find(Boolean);
    const place = target?.getBoundingClientRect();
    if (!card || !place?.width) return null;
    const { x, y, width } = getPlace(place);
    const { lift } = this;
    const isSmall = this.scene.kind === "phew";
    // The window may have been turned or resized since the scene began.
    const home = isSmall ? this.home : this.#getMiddle();
    // If a tap ends the scene early, the card can be anywhere on its way to the middle.
    const isOnItsWay = lift && lift.playState !== "finished";
    const here = isOnItsWay ? getComputedStyle(card).transform : "none";
    lift?.cancel();
    const there = `translate(${x - home.x}px, ${y - home.y}px) scale(${width / this.cardWidth})`;
    const { easing } = FLIGHT;
    const duration = isSmall ? SMALL_FLIGHT_MS : FLIGHT.duration;
    card.animate(
      [
        { transform: here, easing },
        { opacity: 1, offset: 0.8, easing },
        { transform: there, opacity: 0.2 },
      ],
      { duration, fill: "both" },
    );
    return card;
  }

  /**
   * Gives the page back to the viewer, although this scene may still be fading. Begins the next
   * scene if one is waiting.
   */
  #release() {
    const { ctrl, layer, next } = this;
    this.stopListening?.();
    if (layer?.contains(layer.ownerDocument.activeElement)) {
      /** @type {HTMLElement | null} */
      const now = this.root.querySelector(".now");
      const focus = () => now?.focus({ preventScroll: true });
      if (this.still) focus();
      else onNextFrame(focus);
    }
    if (ctrl.scene !== this) return;
    ctrl.scene = null;
    if (this.scene.drawn) markNewCard(ctrl, this.root, this.scene.drawn);
    if (next) {
      ctrl.scene = next;
      onNextFrame(() => next.start());
    }
    onNextFrame(ctrl.draw);
  }

  end() {
    for (const timer of this.timers) clearTimeout(timer);
    if (!this.leaving) {
      this.next = null;
      this.#release();
    }
    this.leaving = true;
    this.layer?.remove();
  }
}

/**
 * Returns a scene's times. Some times are different if the card lay face up before (`known`), if
 * the viewer's cards are covered (`covered`), or if the viewer prefers reduced motion (`still`).
 * @param {Scene} scene
 * @param {boolean} still
 * @returns {Times}
 */
function getTimes({ kind, known, covered }, still) {
  const times = TIMES[kind];
  if (still)
    return {
      ...times,
      turns: 0,
      leaves: times.still,
      ends: times.still,
      cues: moveLastCueToStart(times.cues),
    };
  if (kind === "draw" && covered)
    return { ...times, leaves: COVERED_MS, ends: COVERED_MS + FLIGHT_MS };
  if (!known || !times.turns) return times;
  const sooner = times.turns - KNOWN_MS;
  return {
    ...times,
    turns: 0,
    leaves: times.leaves - sooner,
    ends: times.ends - sooner,
    cues: times.cues.slice(1).map(([ms, cue]) => [ms - sooner, cue]),
  };
}

/**
 * Returns a list of the last cue only, moved to the beginning of the scene.
 * @param {[number, Cue][]} cues
 * @returns {[number, Cue][]}
 */
const moveLastCueToStart = (cues) => cues.slice(-1).map(([, cue]) => [0, cue]);

/**
 * Returns the text of a scene for screen readers. Returns "" if the log or the sentence about the
 * next action already has the same information.
 * @param {Controller} ctrl
 * @param {Scene} scene
 */
function describeScene({ view, me }, { kind, card, covered, seat, direction }) {
  if (kind === "draw") return covered || !card ? "" : t("scene.draw", { card: getCardTitle(card) });
  if (kind === "reverse") return t(`way.${direction}`);
  if (kind !== "first" || !view) return "";
  return t("scene.first", { who: getSeatName(view, seat), mine: seat === me ? ["who"] : [] });
}

/**
 * Renders a scene.
 * @param {Controller} ctrl
 * @param {Scene} scene
 * @param {Playing} playing
 */
function renderScene(ctrl, scene, playing) {
  if (scene.kind === "lots" || scene.kind === "first")
    return renderFirstPlayer(ctrl, scene, playing);
  if (scene.kind === "phew") return renderPhew(ctrl, scene, playing);
  if (scene.kind === "reverse") return renderTurnRound(ctrl, scene, playing);
  const hasSparks = scene.kind !== "look" && !scene.covered;
  return html`<div class="scene-behind">
      <i class="scene-shade"></i>
      ${playing.renderPart(4, renderRays)}
    </div>
    ${playing.renderPart(1, () => renderCard(scene, playing))}
    <div class="scene-before">
      ${hasSparks ? playing.renderPart(4, renderSparks) : nothing}
      ${scene.kind === "look" ? nothing : playing.renderPart(5, (late) => renderWord(scene, late))}
      ${playing.renderPart(
        scene.kind === "look" ? 5 : 6,
        (late) => html`<div class="scene-foot" .style=${late}>
        ${renderFoot(ctrl, scene, playing)}
      </div>`,
      )}
    </div>`;
}

/**
 * Renders the card, with its back and, unless it stays face down, its face.
 * @param {Scene} scene
 * @param {Playing} playing
 */
function renderCard({ card, covered }, playing) {
  const turns = playing.times.turns;
  const renderFace = (/** @type {boolean} */ hasTitle) =>
    card ? html`<div class="scene-face">${renderCardFace(card, { hasTitle })}</div>` : nothing;
  return html`<div class="scene-card" .style=${`--turns:${turns}ms`}>
    <div class="scene-tilt">
      <div class="scene-turn ${card && !covered ? "scene-up" : ""}">
        <div class="scene-back">${cardBack()}</div>
        ${
          turns
            ? playing.renderPart(2, () => renderFace(playing.partsAt.length > 3))
            : renderFace(true)
        }
      </div>
    </div>
  </div>`;
}

/** Renders the rays behind a card that has turned over. @param {string} late */
const renderRays = (late) =>
  html`<svg class="scene-rays" viewBox="-100 -100 200 200" .style=${late}>
    <path d=${star(16, 99, 44)} fill="currentColor" />
  </svg>`;

/** Angles of the sparks around the card, in degrees. */
const SPARKS = [-96, -44, 8, 58, 110, 162, 214];
/** The path of all sparks: small stars in a circle. */
const SPARKS_PATH = SPARKS.map((degrees) => {
  const angle = (degrees * Math.PI) / 180;
  return star(4, 12, 4, 87 * Math.cos(angle), 87 * Math.sin(angle));
}).join("");

/** Renders the sparks that fly when a card has turned over. @param {string} late */
const renderSparks = (late) =>
  html`<svg class="scene-sparks" viewBox="-100 -100 200 200" .style=${late}>
    <path d=${SPARKS_PATH} fill="currentColor" />
  </svg>`;

/** Renders the large word of a scene. @param {Scene} scene @param {string} late */
function renderWord({ kind }, late) {
  const word = t(kind === "kitten" ? "scene.hiss" : "scene.phew");
  return html`<svg class="scene-word" viewBox="-110 -26 220 52" .style=${late}>
    <g transform="rotate(-4)">
      ${lettering(word, { y: 19, size: 38, colour: "var(--paper)", outline: "var(--print)" })}
    </g>
  </svg>`;
}

/**
 * Renders the two lines below a large card: a sentence, and a hint how to continue.
 * @param {Controller} ctrl
 * @param {Scene} scene
 * @param {Playing} playing
 */
function renderFoot(ctrl, scene, playing) {
  if (scene.kind === "look") return renderLookButtons(scene, playing);
  const sentence =
    scene.kind === "kitten"
      ? renderSentence(scene.sentence ?? "scene.kitten", getNameFacts(ctrl, scene.seat))
      : scene.card
        ? t("scene.draw", { card: getCardTitle(scene.card) })
        : t("scene.draw.covered");
  return html`<p class="scene-words">${sentence}</p>
    <p class="scene-on">${t("boom.on")}</p>`;
}

/**
 * Renders the button that puts the card back. If the viewer's cards are covered, also renders a
 * button that turns this card over.
 * @param {Scene} scene
 * @param {Playing} playing
 */
function renderLookButtons(scene, playing) {
  const title = getCardTitle(String(scene.card));
  const turnOver = (/** @type {Event} */ event) => {
    scene.covered = false;
    playing.layer?.querySelector(".scene-turn")?.classList.add("scene-up", "scene-now");
    /** @type {HTMLElement} */ (event.currentTarget).replaceWith(words);
    words.textContent = t("scene.look.card", { card: title });
    playing.layer?.querySelector("button")?.focus({ preventScroll: true });
  };
  const words = playing.root.ownerDocument.createElement("p");
  words.className = "scene-words";
  words.role = "status";
  return html`${
    scene.covered
      ? html`<button type="button" class="press" data-do="turn-over" @click=${turnOver}>
          ${t("scene.turn-over")}
        </button>`
      : html`<p class="scene-words">${t("scene.look.card", { card: title })}</p>`
  }${playing.renderPart(
    6,
    (late) => html`<button type="button" class="press main" data-do="put-back" .style=${late}
      @click=${() => playing.skip()}>
      ${t("scene.back")}
    </button>`,
  )}`;
}

/**
 * Renders the sigh of relief at the place from which a card was drawn, with the player's name, and
 * the card on its way to their hand.
 * @param {Controller} ctrl
 * @param {Scene} scene
 * @param {Playing} playing
 */
const renderPhew = (ctrl, scene, playing) =>
  html`${renderCard(scene, playing)}
    ${playing.renderPart(
      1,
      (late) => html`<div class="scene-sigh" .style=${late}>
      <svg class="scene-burst" viewBox="-110 -62 220 124">
        <path d=${star(15, 108, 88)} transform="scale(1 .56)" fill="var(--skip)"
          stroke="var(--print)" stroke-width="5" stroke-linejoin="round" />
        <g transform="rotate(-5)">
          ${lettering(t("scene.phew"), {
            y: 18,
            size: 36,
            colour: "var(--paper)",
            outline: "var(--print)",
          })}
        </g>
      </svg>
      ${playing.renderPart(
        2,
        () => html`<b class="scene-who">
          ${renderEmblem(ctrl, scene.seat)}${renderName(ctrl, scene.seat)}
        </b>`,
      )}
      </div>`,
    )}`;

/**
 * Renders a ring of arrows that turns round, the new direction of play, and the player who turned
 * it. At rest, the arrows point in the new direction.
 * @param {Controller} ctrl
 * @param {Scene} scene
 * @param {Playing} playing
 */
const renderTurnRound = (ctrl, { seat, direction }, playing) =>
  html`<div class="scene-round" .style=${`--way:${direction === "clockwise" ? 1 : -1}`}>
    ${arrowRing("scene-wheel")}
    ${playing.renderPart(
      1,
      (late) => html`<p class="scene-way" .style=${late}>${t(`scene.way.${direction}`)}</p>
        <b class="scene-who" .style=${late}>
          ${renderEmblem(ctrl, seat)}${renderName(ctrl, seat)}
        </b>`,
    )}
  </div>`;

/** @param {Controller} ctrl @param {string} seat */
const renderName = ({ view }, seat) => renderPlayerName(view ? getSeatName(view, seat) : "");

/** @param {Controller} ctrl @param {string} seat */
const getNameFacts = (ctrl, seat) => ({
  who: renderName(ctrl, seat),
  mine: getViewerFacts(ctrl, { who: seat }),
});

/** When lots are drawn, at least this many faces pass before they stop. */
const LEAST_FACES = 8;
/** Number of faces that are added in one frame. */
const FACES_PER_PART = 3;
/** Number of faces that are visible on each side of the face in the middle. */
const FACES_BESIDE = 3;

/**
 * Renders the first player's face and name. If lots are drawn, the faces of all players pass first.
 * All screens get the same first player from the server, so they stop at the same face.
 * @param {Controller} ctrl
 * @param {Scene} scene
 * @param {Playing} playing
 */
function renderFirstPlayer(ctrl, { kind, seat }, playing) {
  const view = /** @type {View} */ (ctrl.view);
  const spins = kind === "lots";
  const faces = spins ? listFaces(view, seat) : [seat];
  const stop = spins ? faces.length - FACES_BESIDE - 1 : 0;
  const hue = `--hue:var(--seat-${getEmblemIndex(view, seat)})`;
  return html`<i class="scene-shade"></i>
    <div class="scene-lots" .style=${hue}>
      ${playing.renderPart(spins ? 7 : 2, renderRays)}
      <div class="scene-reel ${spins ? "scene-spins" : ""}">
        <div class="scene-strip" .style=${`--stop:${stop - (spins ? FACES_BESIDE : 0)}`}>
          ${faces.slice(0, (playing.partsAt.length - 1) * FACES_PER_PART).map(
            (face, nth) => html`<span class="scene-seat ${getFaceClass(nth - stop)}"
              data-stops=${nth === stop ? seat : nothing}>${renderEmblem(ctrl, face)}</span>`,
          )}
        </div>
      </div>
      ${playing.renderPart(
        spins ? 8 : 3,
        (late) => html`<p class="scene-name" .style=${late}>
          ${renderSentence("scene.first", getNameFacts(ctrl, seat))}
        </p>`,
      )}
      ${playing.renderPart(
        spins ? 9 : 4,
        (late) => html`<p class="scene-on" .style=${late}>${t("boom.on")}</p>`,
      )}
    </div>`;
}

/**
 * Returns the class of a face: one class for the first player's face, and another for the faces
 * that are visible beside it at the end. All other faces need no class, because they don't change.
 * @param {number} at the face's distance from the first player's
 */
const getFaceClass = (at) =>
  at === 0 ? "scene-chosen" : Math.abs(at) <= FACES_BESIDE ? "scene-beside" : "";

/**
 * Returns the faces that pass when lots are drawn, in the order of play. They stop when the first
 * player's face is in the middle. Only the faces that are then visible beside it come after it.
 * @param {View} view
 * @param {string} first
 */
function listFaces(view, first) {
  const seats = view.seats.map((one) => one.seat);
  const stop =
    Math.ceil(LEAST_FACES / seats.length) * seats.length + Math.max(0, seats.indexOf(first));
  return Array.from({ length: stop + 2 * FACES_BESIDE + 1 }, (_, at) =>
    String(seats[(at - FACES_BESIDE + seats.length * FACES_BESIDE) % seats.length]),
  );
}
