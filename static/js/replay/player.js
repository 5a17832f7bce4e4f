/** Where one is in a replay, and how it goes on by itself. It must not know what is shown. */

/** How long a moment stays, in ms, by the name of the speed. @type {Record<string, number>} */
export const SPEEDS = { slow: 2400, normal: 1200, fast: 400 };

export class Player {
  /**
   * @param {import("./reel.js").Reel} reel
   * @param {(own: boolean) => void} changed told of every change; `own`: this viewer stepped
   */
  constructor(reel, changed) {
    this.reel = reel;
    this.changed = changed;
    this.at = 0;
    this.speed = "normal";
    /** @type {ReturnType<typeof setTimeout> | null} */
    this.timer = null;
  }

  get playing() {
    return this.timer !== null;
  }

  /** @param {number} at @param {boolean} [own] */
  go(at, own = true) {
    const there = Math.max(0, Math.min(this.reel.last, at));
    const moved = there !== this.at;
    this.at = there;
    if (moved) this.changed(own);
  }

  /** One moment on or back; by hand it goes on no more by itself. @param {number} by */
  step(by) {
    this.stop();
    this.go(this.at + by);
  }

  /** To the next marked moment, or the one before. @param {number[]} marked @param {number} way 1 or -1 */
  jump(marked, way) {
    this.stop();
    const found =
      way > 0 ? marked.find((at) => at > this.at) : marked.findLast((at) => at < this.at);
    this.go(found ?? (way > 0 ? this.reel.last : 0));
  }

  toggle() {
    if (this.playing) this.stop();
    else {
      if (this.at === this.reel.last) this.go(0);
      this.#wait();
    }
    this.changed(false);
  }

  stop() {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  faster() {
    const names = Object.keys(SPEEDS);
    this.speed = names[(names.indexOf(this.speed) + 1) % names.length] ?? "normal";
    this.changed(false);
  }

  #wait() {
    this.timer = setTimeout(() => {
      if (this.at + 1 < this.reel.last) this.#wait();
      else this.timer = null;
      this.go(this.at + 1);
    }, SPEEDS[this.speed]);
  }
}
