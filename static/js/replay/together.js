/**
 * Lets several people watch a replay together. Whenever a person goes to a moment, all other pages
 * follow; that person "steers". The steps of this viewer are rate-limited, and only the newest is
 * sent. While a step is on its way, the steps of others are ignored, because the server will order
 * this one after theirs. Automatic advance ends when somebody else steers.
 */
import { getRetryDelay } from "../core/http.js";
import { readCookieAnswer } from "../core/memory.js";
import { createSocket } from "../core/wire.js";
import { resolvePath } from "../core/page.js";
import { getLanguage } from "../core/text.js";

const PAUSE_MS = 150;
const ANSWER_MS = 4000;

/** Time to wait for viewers on other server processes before this page sets the position. */
const ALONE_MS = 500;

/**
 * The shared state as the server sends it. `at`: the version that is shown; `here`: the number of
 * people who watch; `remarks`: the number of remarks; `play`: the speed of automatic advance, if it
 * is on; `by`: the seat that steered last, or null for a spectator; `you`: set if this page steered
 * last.
 * @typedef {{at: number | null, here: number, remarks?: number, play?: string, by?: string | null,
 *   you?: true}} News
 */
/** @typedef {{at: number, play?: string, on?: true}} Step a step to send; `on`: made by automatic advance */

export class Together {
  /**
   * @param {{table: string, game: number, token: string | undefined}} where
   * @param {{heard: (version: number, play: string | null) => void, here: (count: number) => void,
   *   remarked: (count: number) => void, steered: (by: string | null | undefined, you: boolean) =>
   *   void, where: () => Step}} hears callbacks. `remarked`: the number of remarks; `where`
   *   returns this viewer's position, needed when there is nobody to follow
   */
  constructor({ table, game, token }, hears) {
    this.hears = hears;
    this.pending = 0;
    /** @type {Step | null} */
    this.wanted = null;
    /** The newest shared state. @type {News | null} */
    this.news = null;
    this.said = Number.NEGATIVE_INFINITY;
    /** @type {ReturnType<typeof setTimeout> | null} */
    this.timer = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.alone = undefined;
    /** Timer to connect again when the server was full. @type {ReturnType<typeof setTimeout> | undefined} */
    this.door = undefined;
    this.socket = createSocket({
      auth: {
        table,
        token,
        language: getLanguage(),
        replay: game,
        ...(readCookieAnswer(table) === false && { cookie: false }),
      },
      path: resolvePath("/socket.io"),
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
      const ms = getRetryDelay(error.data, 0);
      if (ms) this.door = setTimeout(() => this.socket.connect(), ms);
    });
  }

  close() {
    if (this.timer !== null) clearTimeout(this.timer);
    clearTimeout(this.alone);
    clearTimeout(this.door);
    this.socket.disconnect();
  }

  /** Sends a step of this viewer, now or when the rate limit allows. @param {Step} step */
  say(step) {
    // If a waiting step was made by hand, count the newer one as made by hand, too.
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
          setTimeout(
            () => this.wanted === null && this.say(step),
            getRetryDelay(answer?.error, 1000),
          );
      });
  }

  /** Stops automatic advance and follows the person who steers now. */
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
