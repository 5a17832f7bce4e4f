/**
 * A finished game as a row of views: the first as it came, each later one made by its patch when it
 * is first looked at, and kept. Nothing in a view is ever changed. The player is where one is in
 * it, and goes on by itself.
 */
import { request } from "../core/http.js";
import { applyPatch } from "../core/patch.js";
import { hasWords, t } from "../core/text.js";
import { undoneTest } from "../core/undone.js";

/** @import { Entry, Patch, Problem, View } from "../core/types.js" */

/**
 * A short line that a player left at a moment.
 * @typedef {{moment: number, at: number, seat: string, text: string}} Remark
 */

export class Reel {
  /** @param {{view: View, moments: Patch[]}} told */
  constructor({ view, moments }) {
    this.views = [view];
    this.patches = moments;
    /** Everything that happened, one entry for each moment but the first. */
    this.entries = moments.flatMap((patch) => patch.log);
    this.undone = undoneTest(this.entries);
    /** What players left at its moments. @type {Remark[]} */
    this.remarks = [];
  }

  /** The last moment's number; the first one's is 0. */
  get last() {
    return this.patches.length;
  }

  /** @param {number} at @returns {View} */
  view(at) {
    for (let next = this.views.length; next <= at; next++) {
      const made = applyPatch(
        /** @type {View} */ (this.views[next - 1]),
        /** @type {Patch} */ (this.patches[next - 1]),
      );
      if (!made) throw new Error(`moment ${next} does not follow`);
      this.views.push(made);
    }
    return /** @type {View} */ (this.views[at]);
  }

  /** What led to this moment; null: it is the first. @param {number} at @returns {Entry | null} */
  entry(at) {
    return this.patches[at - 1]?.log.at(-1) ?? null;
  }

  /** The version that a moment shows, which names it. @param {number} at */
  version(at) {
    return this.patches[at - 1]?.version ?? /** @type {View} */ (this.views[0]).version;
  }

  /** The moment of a version, else the one that is nearest to it. @param {number} version */
  near(version) {
    let [low, high] = [0, this.last];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.version(middle) <= version) low = middle;
      else high = middle - 1;
    }
    const next = Math.min(low + 1, this.last);
    return Math.abs(this.version(next) - version) < Math.abs(this.version(low) - version)
      ? next
      : low;
  }
}

/**
 * The game as its table has it.
 * @param {{path: string, game: string, query: string, token: string | undefined}} where `query`: how
 *   its variant is asked for
 */
export async function loadGame({ path, game, query, token }) {
  const [told, variant] = await Promise.all([
    request(`${path}/games/${game}/moments`, undefined, token),
    request(`${path}/variant?${query}`, undefined, token),
  ]);
  return { told, variant, remarks: null };
}

/** The game in a file: the server goes through it, and forgets it. @param {string} content */
export async function openFile(content) {
  const told = await request("/api/replays", content);
  const { variant, remarks = [] } = JSON.parse(content);
  return { told, variant, remarks };
}

/**
 * Why a game can't be shown: what is wrong with its file, and where.
 * @param {Problem} problem
 * @param {boolean} alone it comes from a file
 */
export function describeProblem({ code, text, facts = {} }, alone) {
  if (alone && code === "not_found") return t("file.gone");
  const key = `file.${String(facts.what).replace("file-", "")}`;
  return hasWords(key) ? t(key, { at: String(facts.at).replace(/^\$\.?/, "") }) : text;
}

/** How long a moment stays, in ms, by the name of the speed. @type {Record<string, number>} */
const SPEEDS = { slow: 2400, normal: 1200, fast: 400 };

export class Player {
  /**
   * @param {Reel} reel
   * @param {(own: boolean, on?: boolean) => void} changed told of every change; `own`: this viewer
   *   steered, or (`on`) what they had started goes on
   */
  constructor(reel, changed) {
    this.reel = reel;
    this.changed = changed;
    this.at = 0;
    this.speed = "normal";
    /** @type {ReturnType<typeof setTimeout> | null} */
    this.timer = null;
    /** Whether it goes on as somebody else's page says. */
    this.followed = false;
  }

  get playing() {
    return this.timer !== null || this.followed;
  }

  /** How fast it goes on by itself; null: it stands. */
  get play() {
    return this.playing ? this.speed : null;
  }

  /** @param {number} at @param {boolean} [own] */
  go(at, own = true) {
    const there = Math.max(0, Math.min(this.reel.last, at));
    const moved = there !== this.at;
    this.at = there;
    if (moved) this.changed(own);
  }

  /** To a moment; by hand it goes on no more by itself. @param {number} at */
  seek(at) {
    const { playing, at: before } = this;
    this.stop();
    this.go(at);
    if (playing && this.at === before) this.changed(true);
  }

  /** One moment on or back. @param {number} by */
  step(by) {
    this.seek(this.at + by);
  }

  /** To the next marked moment, or the one before. @param {number[]} marked @param {number} way 1 or -1 */
  jump(marked, way) {
    const found =
      way > 0 ? marked.find((at) => at > this.at) : marked.findLast((at) => at < this.at);
    this.seek(found ?? (way > 0 ? this.reel.last : 0));
  }

  toggle() {
    if (this.playing) this.stop();
    else {
      if (this.at === this.reel.last) this.at = 0;
      this.#wait();
    }
    this.changed(true);
  }

  stop() {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.followed = false;
  }

  /** While it goes on this viewer drives from here on. */
  faster() {
    const names = Object.keys(SPEEDS);
    this.speed = names[(names.indexOf(this.speed) + 1) % names.length] ?? "normal";
    const { playing } = this;
    if (playing) {
      this.stop();
      this.#wait();
    }
    this.changed(playing);
  }

  /**
   * Somebody else steered: it is where they are, and goes on or stands.
   * @param {number} at
   * @param {string | null} play how fast it goes on; null: it stands
   */
  follow(at, play) {
    const { playing, speed } = this;
    this.stop();
    this.followed = play !== null;
    if (play !== null && Object.hasOwn(SPEEDS, play)) this.speed = play;
    if (this.at !== at) this.go(at, false);
    else if (playing !== this.playing || speed !== this.speed) this.changed(false);
  }

  #wait() {
    this.timer = setTimeout(() => {
      if (this.at + 1 < this.reel.last) this.#wait();
      else this.timer = null;
      this.at = Math.min(this.reel.last, this.at + 1);
      this.changed(true, true);
    }, SPEEDS[this.speed]);
  }
}
