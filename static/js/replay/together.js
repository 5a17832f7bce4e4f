/**
 * Watching together: one film for all who follow; whoever steers takes them along. What this viewer does is
 * said at most so often, the newest last; while it is on its way nobody else's word counts, since it will
 * count after theirs. What goes on by itself counts only until somebody else steers.
 */
import { retryDelay } from "../core/http.js";
import { cookieAnswer } from "../core/memory.js";
import { io } from "../core/wire.js";
import { at } from "../core/page.js";
import { currentLanguage } from "../core/text.js";

const PAUSE_MS = 150;
const ANSWER_MS = 4000;

/** For so long somebody may be there of whom nothing is heard yet, by way of another process. */
const ALONE_MS = 500;

/**
 * `play`: how fast it goes on by itself, if it does; `by`: the seat that steered last, null for a spectator;
 * `you`: this page did.
 * @typedef {{at: number | null, here: number, remarks?: number, play?: string, by?: string | null,
 *   you?: true}} News
 */
/** @typedef {{at: number, play?: string, on?: true}} Step what is said; `on`: nobody steered, it goes on */

export class Together {
  /**
   * @param {{table: string, game: number, token: string | undefined}} where
   * @param {{heard: (version: number, play: string | null) => void, here: (count: number) => void,
   *   remarked: (count: number) => void, steered: (by: string | null | undefined, you: boolean) =>
   *   void, where: () => Step}} hears `remarked`: how many lines there are; `where`: where this
   *   viewer is, asked for when nobody was there to be followed, or this viewer stepped before they
   *   heard of anybody
   */
  constructor({ table, game, token }, hears) {
    this.hears = hears;
    this.pending = 0;
    /** @type {Step | null} */
    this.wanted = null;
    /** What was heard last. @type {News | null} */
    this.news = null;
    this.said = Number.NEGATIVE_INFINITY;
    /** @type {ReturnType<typeof setTimeout> | null} */
    this.timer = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.alone = undefined;
    /** When it is looked again whether there is room. @type {ReturnType<typeof setTimeout> | undefined} */
    this.door = undefined;
    this.socket = io({
      auth: {
        table,
        token,
        language: currentLanguage(),
        replay: game,
        ...(cookieAnswer(table) === false && { cookie: false }),
      },
      path: at("/socket.io"),
      query: { table },
      transports: ["websocket", "polling"],
      tryAllTransports: true,
      reconnectionDelay: 300,
      reconnectionDelayMax: 3000,
    });
    this.socket.on("replay", (/** @type {News} */ news) => this.#hear(news));
    this.socket.on("disconnect", (/** @type {string} */ why) => {
      this.pending = 0;
      if (why !== "io client disconnect") this.hears.here(0);
    });
    this.socket.on("connect_error", (/** @type {Error & {data?: any}} */ error) => {
      this.hears.here(0);
      const ms = retryDelay(error.data, 0);
      if (ms) this.door = setTimeout(() => this.socket.connect(), ms);
    });
  }

  close() {
    if (this.timer !== null) clearTimeout(this.timer);
    clearTimeout(this.alone);
    clearTimeout(this.door);
    this.socket.disconnect();
  }

  /** This viewer steered, or what they started goes on. @param {Step} step */
  say(step) {
    // What was steered and isn't said yet is no mere going on.
    const steers = this.wanted !== null && !this.wanted.on;
    this.wanted = steers ? { ...step, on: undefined } : step;
    if (this.timer !== null) return;
    this.timer = setTimeout(
      () => this.#say(),
      Math.max(0, this.said + PAUSE_MS - performance.now()),
    );
  }

  #say() {
    this.timer = null;
    const step = this.wanted;
    if (step === null || !this.socket.connected) return;
    this.wanted = null;
    this.said = performance.now();
    this.pending += 1;
    this.socket
      .timeout(ANSWER_MS)
      .emit("replay", step, (/** @type {unknown} */ late, /** @type {any} */ answer) => {
        this.pending = Math.max(0, this.pending - 1);
        if (answer?.error?.code === "stale") this.#yield();
        else if ((late || !answer?.ok) && this.wanted === null && this.socket.connected)
          setTimeout(() => this.wanted === null && this.say(step), retryDelay(answer?.error, 1000));
      });
  }

  /** Somebody else steers by now: what went on here stands. */
  #yield() {
    if (this.wanted?.on) this.wanted = null;
    const { at = null, play = null } = this.news ?? {};
    if (at !== null && this.wanted === null) this.hears.heard(at, play);
  }

  /** @param {News} news */
  #hear(news) {
    const { at: version, here, remarks = 0, play = null, by, you = false } = news;
    this.news = news;
    this.hears.here(here);
    this.hears.remarked(remarks);
    this.hears.steered(by, you);
    clearTimeout(this.alone);
    if (this.wanted?.on && !you) this.#yield();
    else if (this.wanted !== null)
      this.say(this.wanted.on ? { ...this.hears.where(), on: true } : this.hears.where());
    else if (version === null)
      this.alone = setTimeout(() => this.say(this.hears.where()), ALONE_MS);
    else if (!this.pending && !you) this.hears.heard(version, play);
  }
}
