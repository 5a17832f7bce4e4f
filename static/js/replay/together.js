/**
 * Lets several people watch a replay together. When one of them goes to a moment, all other pages
 * follow: that person *steers*. This viewer's steps are rate-limited, and only the newest step is
 * sent. While a step made by hand is being sent, other people's steps are ignored, because the server
 * will receive this step after theirs. Automatic advance ends when somebody else steers.
 */
import { getRetryDelay } from "../core/http.js";
import { readCookieAnswer } from "../core/memory.js";
import { createSocket } from "../core/wire.js";
import { resolvePath } from "../core/page.js";
import { getLanguage } from "../core/text.js";

const PAUSE_MS = 150;
const ANSWER_MS = 4000;

/**
 * Time that this page waits if the server process knows no shared position. Another process may
 * send one in this time; otherwise this page reports its own position.
 */
const ALONE_MS = 500;

/**
 * The shared state as the server sends it.
 * @typedef {object} News
 * @property {number | null} at the version that is shown
 * @property {number} here the number of people who watch
 * @property {number} [remarks] the number of remarks
 * @property {string} [play] the speed of automatic advance; missing while it is off
 * @property {string | null} [by] the seat that steered last, or null for a spectator
 * @property {true} [you] set if this page steered last
 */
/**
 * A step to send: the moment's version `at`, and the speed `play` while the replay advances
 * automatically. `on` is true if the step was not made by the viewer, but by automatic advance, or
 * if the page only reports its position because nobody has chosen one.
 * @typedef {{at: number, play?: string, on?: true}} Step
 */

export class Together {
  /**
   * @param {{table: string, game: number, token: string | undefined}} where
   * @param {{goTo: (version: number, play: string | null) => void, showCount: (count: number) => void,
   *   stopFollowing: () => void, noteRemarks: (count: number) => void, noteSteering: (by: string | null |
   *   undefined, you: boolean) => void, getPosition: () => Step}} callbacks `stopFollowing` is called when
   *   the connection is lost; `noteRemarks` receives the number of remarks; `getPosition` returns this
   *   viewer's position, needed when there is nobody to follow
   */
  constructor({ table, game, token }, callbacks) {
    this.callbacks = callbacks;
    /** The number of steps made by hand that the server hasn't answered. */
    this.pending = 0;
    /** @type {Step | null} */
    this.waitingStep = null;
    /** The newest shared state that the server has sent. @type {News | null} */
    this.news = null;
    this.lastSentAt = Number.NEGATIVE_INFINITY;
    /** @type {ReturnType<typeof setTimeout> | null} */
    this.sendTimer = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.aloneTimer = undefined;
    /**
     * Timer that connects again after the server was full.
     * @type {ReturnType<typeof setTimeout> | undefined}
     */
    this.reconnectTimer = undefined;
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
    this.socket.on("replay", (/** @type {News} */ news) => this.#handleNews(news));
    this.socket.on("disconnect", (/** @type {string} */ why) => {
      this.pending = 0;
      if (why === "io client disconnect") return;
      this.callbacks.showCount(0);
      this.callbacks.stopFollowing();
    });
    this.socket.on("connect_error", (/** @type {Error & {data?: any}} */ error) => {
      this.callbacks.showCount(0);
      const ms = getRetryDelay(error.data, 0);
      if (ms) this.reconnectTimer = setTimeout(() => this.socket.connect(), ms);
    });
  }

  close() {
    if (this.sendTimer !== null) clearTimeout(this.sendTimer);
    clearTimeout(this.aloneTimer);
    clearTimeout(this.reconnectTimer);
    this.socket.disconnect();
  }

  /** Sends this viewer's step, at once or as soon as the rate limit allows. @param {Step} step */
  sendStep(step) {
    // If the waiting step was made by hand, the newer step counts as made by hand, too.
    const steers = this.waitingStep !== null && !this.waitingStep.on;
    this.waitingStep = steers ? { ...step, on: undefined } : step;
    if (this.sendTimer !== null) return;
    this.sendTimer = setTimeout(
      () => this.#sendWaitingStep(),
      Math.max(0, this.lastSentAt + PAUSE_MS - performance.now()),
    );
  }

  #sendWaitingStep() {
    this.sendTimer = null;
    const step = this.waitingStep;
    if (step === null || !this.socket.connected) return;
    this.waitingStep = null;
    this.lastSentAt = performance.now();
    if (!step.on) this.pending += 1;
    this.socket
      .timeout(ANSWER_MS)
      .emit("replay", step, (/** @type {unknown} */ late, /** @type {any} */ answer) => {
        if (!step.on) this.pending = Math.max(0, this.pending - 1);
        if (answer?.error?.code === "stale") this.#followOthers();
        else if ((late || !answer?.ok) && this.waitingStep === null && this.socket.connected)
          setTimeout(
            () => this.waitingStep === null && this.sendStep(step),
            getRetryDelay(answer?.error, 1000),
          );
      });
  }

  /** Tells the server where this page is. A page that is advancing steers the others from here on. */
  #reportPosition() {
    const position = this.callbacks.getPosition();
    this.sendStep(position.play ? position : { ...position, on: true });
  }

  /** Stops advancing automatically and follows the person who steers now. */
  #followOthers() {
    if (this.waitingStep?.on) this.waitingStep = null;
    const { at = null, play = null } = this.news ?? {};
    if (at !== null && this.waitingStep === null && !this.pending) this.callbacks.goTo(at, play);
  }

  /** @param {News} news */
  #handleNews(news) {
    const { at: version, here, remarks = 0, play = null, by, you = false } = news;
    this.news = news;
    this.callbacks.showCount(here);
    this.callbacks.noteRemarks(remarks);
    this.callbacks.noteSteering(by, you);
    clearTimeout(this.aloneTimer);
    if (this.waitingStep?.on && !you) this.waitingStep = null;
    if (this.waitingStep !== null)
      this.sendStep(
        this.waitingStep.on
          ? { ...this.callbacks.getPosition(), on: true }
          : this.callbacks.getPosition(),
      );
    else if (version === null) this.aloneTimer = setTimeout(() => this.#reportPosition(), ALONE_MS);
    else if (!this.pending && !you) this.callbacks.goTo(version, play);
  }
}
