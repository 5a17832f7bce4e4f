/**
 * Defines `Reel`, a finished game as a sequence of views, and `Player`, a viewer's position in a
 * reel, which can advance automatically. The first view comes from the server. Each later view is
 * computed from its patch when it is first used, and cached. Views are never modified.
 */
import { request } from "../core/http.js";
import { applyPatch } from "../core/patch.js";
import { hasSentence, t } from "../core/text.js";
import { createUndoneTest } from "../core/undone.js";

/** @import { Entry, Patch, Problem, View } from "../core/types.js" */

/**
 * A remark that a player left at a moment. `moment` is the version of that moment's view.
 * @typedef {{moment: number, at: number, seat: string, text: string}} Remark
 */

export class Reel {
  /** @param {{view: View, moments: Patch[]}} game */
  constructor({ view, moments }) {
    this.views = [view];
    this.patches = moments;
    /** The log. It has one entry for each moment except the first. */
    this.entries = moments.flatMap((patch) => patch.log);
    this.isUndone = createUndoneTest(this.entries);
    /** The players' remarks. @type {Remark[]} */
    this.remarks = [];
  }

  /** The number of the last moment. The first moment has number 0. */
  get last() {
    return this.patches.length;
  }

  /** @param {number} at @returns {View} */
  getView(at) {
    for (let next = this.views.length; next <= at; next++) {
      const view = applyPatch(
        /** @type {View} */ (this.views[next - 1]),
        /** @type {Patch} */ (this.patches[next - 1]),
      );
      if (!view) throw new Error(`moment ${next} does not follow`);
      this.views.push(view);
    }
    return /** @type {View} */ (this.views[at]);
  }

  /**
   * Returns the event that led to this moment, or null for the first moment.
   * @param {number} at
   * @returns {Entry | null}
   */
  getEntry(at) {
    return this.patches[at - 1]?.log.at(-1) ?? null;
  }

  /** Returns the version of the view at a moment. @param {number} at */
  getVersion(at) {
    return this.patches[at - 1]?.version ?? /** @type {View} */ (this.views[0]).version;
  }

  /**
   * Returns the moment with this version. If there is none, returns the nearest moment.
   * @param {number} version
   */
  findNearest(version) {
    let [low, high] = [0, this.last];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.getVersion(middle) <= version) low = middle;
      else high = middle - 1;
    }
    const next = Math.min(low + 1, this.last);
    return Math.abs(this.getVersion(next) - version) < Math.abs(this.getVersion(low) - version)
      ? next
      : low;
  }
}

/**
 * Fetches a game of a table, with its variant.
 * @param {{path: string, game: string, query: string, token: string | undefined}} where `query` is for the
 *   variant
 */
export async function loadGame({ path, game, query, token }) {
  const [replay, variant] = await Promise.all([
    request(`${path}/games/${game}/moments`, undefined, token),
    request(`${path}/variant?${query}`, undefined, token),
  ]);
  return { replay, variant, remarks: null };
}

/** Uploads a game file. The server replays it and stores nothing. @param {string} content */
export async function uploadGameFile(content) {
  const replay = await request("/api/replays", content);
  const { variant, remarks = [] } = JSON.parse(content);
  return { replay, variant, remarks };
}

/**
 * Describes why a game can't be shown, for example an error in its file and where the error is.
 * @param {Problem} problem
 * @param {boolean} alone true for a game from a file
 */
export function describeProblem({ code, text, facts = {} }, alone) {
  if (alone && code === "not_found") return t("file.gone");
  const key = `file.${String(facts.what).replace("file-", "")}`;
  return hasSentence(key) ? t(key, { at: String(facts.at).replace(/^\$\.?/, "") }) : text;
}

/** Time in ms for which each moment is shown, by speed. @type {Record<string, number>} */
const SPEEDS = { slow: 2400, normal: 1200, fast: 400 };

export class Player {
  /**
   * @param {Reel} reel
   * @param {(own: boolean, on?: boolean) => void} onChange called after every change. `own`: this
   *   viewer caused it; `on`: by automatic advance that they had started
   */
  constructor(reel, onChange) {
    this.reel = reel;
    this.onChange = onChange;
    this.at = 0;
    this.speed = "normal";
    /** @type {ReturnType<typeof setTimeout> | null} */
    this.timer = null;
    /**
     * True while this page follows another person's replay, and that replay advances automatically.
     */
    this.isFollowing = false;
  }

  get isPlaying() {
    return this.timer !== null || this.isFollowing;
  }

  /** The speed of automatic advance, or null while the replay is paused. */
  get play() {
    return this.isPlaying ? this.speed : null;
  }

  /** @param {number} at @param {boolean} [own] */
  goTo(at, own = true) {
    const there = Math.max(0, Math.min(this.reel.last, at));
    const moved = there !== this.at;
    this.at = there;
    if (moved) this.onChange(own);
  }

  /** Goes to a moment and stops automatic advance. @param {number} at */
  seek(at) {
    const { isPlaying: wasPlaying, at: before } = this;
    this.stop();
    this.goTo(at);
    if (wasPlaying && this.at === before) this.onChange(true);
  }

  /** Goes forward by a number of moments, or back if it is negative. @param {number} by */
  step(by) {
    this.seek(this.at + by);
  }

  /**
   * Goes to the next or previous moment that the slider marks. If there is none, goes to the end or
   * the beginning.
   * @param {number[]} marked @param {number} way 1 or -1
   */
  jumpToMark(marked, way) {
    const target =
      way > 0 ? marked.find((at) => at > this.at) : marked.findLast((at) => at < this.at);
    this.seek(target ?? (way > 0 ? this.reel.last : 0));
  }

  togglePlaying() {
    if (this.isPlaying) this.stop();
    else {
      if (this.at === this.reel.last) this.at = 0;
      this.#scheduleAdvance();
    }
    this.onChange(true);
  }

  stop() {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.isFollowing = false;
  }

  /**
   * Pauses if another person's page advanced this replay. Called when this page no longer receives
   * that person's steps. A replay that this viewer advances goes on.
   */
  stopFollowing() {
    if (!this.isFollowing) return;
    this.stop();
    this.onChange(false);
  }

  /**
   * Switches to the next speed. If the replay is advancing automatically, this viewer now steers it
   * for the others.
   */
  switchSpeed() {
    const names = Object.keys(SPEEDS);
    this.speed = names[(names.indexOf(this.speed) + 1) % names.length] ?? "normal";
    const { isPlaying: wasPlaying } = this;
    if (wasPlaying) {
      this.stop();
      this.#scheduleAdvance();
    }
    this.onChange(wasPlaying);
  }

  /**
   * Follows the person who steers: goes to their moment, and advances or pauses as their replay
   * does.
   * @param {number} at
   * @param {string | null} play their speed, or null while they pause
   */
  follow(at, play) {
    const { isPlaying: wasPlaying, speed } = this;
    this.stop();
    this.isFollowing = play !== null;
    if (play !== null && Object.hasOwn(SPEEDS, play)) this.speed = play;
    if (this.at !== at) this.goTo(at, false);
    else if (wasPlaying !== this.isPlaying || speed !== this.speed) this.onChange(false);
  }

  #scheduleAdvance() {
    this.timer = setTimeout(() => {
      if (this.at + 1 < this.reel.last) this.#scheduleAdvance();
      else this.timer = null;
      this.at = Math.min(this.reel.last, this.at + 1);
      this.onChange(true, true);
    }, SPEEDS[this.speed]);
  }
}
