/**
 * A table's connection to the server, over Socket.IO. This module knows nothing of the game.
 *
 * Sending: a command is sent until the server answers, always with the same id, so the server can
 * recognise a repetition and execute the command once.
 *
 * Receiving: after connecting, the server sends a whole `view`; later changes arrive as `patch`
 * messages, each of which leads from one version to another. A `head` says only which version is the
 * newest. If a patch doesn't fit the version that we have, or a head names a newer one, we missed
 * something and request the newest view with `sync`.
 *
 *     server: view 40    patch 40→41    (lost: 41→42)    patch 42→43    view 43
 *     panel:  shows 40   shows 41                        sends sync     shows 43
 *
 * Another tab or device may open the same seat. The server then sends `superseded` and closes this
 * connection. From then on this module reconnects with `yields`, which leaves the seat to the
 * other connection as long as that one exists.
 * @import { Answer, Command, ConnectionState, Patch, Presence, Problem, View } from "./types.js"
 */
import { io as open } from "../../vendor/socket.io-client/socket.io.esm.min.js";
import { pause, createUuid, getRetryDelay } from "./http.js";
import { resolvePath } from "./page.js";
import { applyPatch } from "./patch.js";
import { getLanguage } from "./text.js";

/**
 * Time limit for connecting. After it, the other transport is tried, because some proxies silently
 * drop WebSockets.
 */
const CONNECT_TIMEOUT_MS = 10_000;
const ANSWER_TIMEOUT_MS = 6000;
/** Codes of temporary errors, after which the same request is retried. */
export const RETRYABLE_CODES = ["busy", "rate_limited", "internal"];
const MAX_TRIES = 6;
/**
 * Pause before reconnecting after the server has refused a visitor because the table admits no
 * spectators (`door`), or has reported the table as damaged.
 */
const CLOSED_RETRY_MS = 5000;
/** Interval at which the offset of this device's clock is measured. */
const CLOCK_CHECK_MS = 60_000;
/** A message that seems to come from later than this is a sign that the server's time has jumped. */
const CLOCK_JUMP_MS = 1000;
/** Pause before a superseded connection requests its seat again. */
const SUPERSEDED_RETRY_MS = 5000;
/**
 * If the server doesn't send `superseded` within this time after reconnecting, the seat is free
 * again.
 */
const SEAT_FREE_MS = 1500;
/** While this client moves to another server, "Reconnecting …" is shown only after this time. */
const MOVE_GRACE_MS = 1000;
/** When a server shuts down, its clients reconnect at random times within this interval. */
const RECONNECT_SPREAD_MS = 250;

/**
 * Creates a socket that reconnects when its server announces a shutdown (`moving`).
 * @type {typeof open}
 */
export const createSocket = (/** @type {any} */ options) => {
  const socket = open(options);
  socket.on("moving", () => {
    const left = socket.id;
    setTimeout(() => {
      if (socket.id === left) socket.disconnect().connect();
    }, Math.random() * RECONNECT_SPREAD_MS);
  });
  return socket;
};

/**
 * @typedef {{epoch: string, version: number, now: number}} Head
 *
 * @typedef {object} Handlers the functions to call for each kind of message
 * @property {(view: View, live: boolean) => void} view `live` is true if the view follows from the
 *   view before it by a patch, so that the viewer has missed nothing in between
 * @property {(presence: Presence) => void} presence
 * @property {(state: ConnectionState, problem?: Problem) => void} connection
 * @property {(sign: {seat: string | null, sign: string}) => void} [sign]
 */

export class Wire {
  /**
   * @param {string} table the table's code
   * @param {() => string | undefined} token returns the seat's token, if this device has one
   * @param {import("./clock.js").Clock} clock
   * @param {Handlers} handlers
   */
  constructor(table, token, clock, handlers) {
    this.clock = clock;
    this.handlers = handlers;
    /** The view that is shown. @type {View | null} */
    this.shownView = null;
    /** The newest view on this connection. The next patch applies to it. @type {View | null} */
    this.baseView = null;
    this.superseded = false;
    /** If false, the server ignores the seat that this browser's cookie names. */
    this.cookie = true;
    /** Local time at which the clock was last measured. */
    this.measuredAt = Number.NEGATIVE_INFINITY;
    /**
     * Timer that runs while this client moves to another server.
     * @type {ReturnType<typeof setTimeout> | null}
     */
    this.moveTimer = null;
    /**
     * Timer that runs while this connection is superseded.
     * @type {ReturnType<typeof setTimeout> | undefined}
     */
    this.seatTimer = undefined;
    this.socket = createSocket({
      auth: (/** @type {(auth: object) => void} */ answer) =>
        answer({
          table,
          token: token(),
          language: getLanguage(),
          patches: "keys",
          ...(this.superseded && { yields: true }),
          ...(!this.cookie && { cookie: false }),
        }),
      path: resolvePath("/socket.io"),
      query: { table },
      transports: ["websocket", "polling"],
      tryAllTransports: true,
      timeout: CONNECT_TIMEOUT_MS,
      reconnectionDelay: 300,
      reconnectionDelayMax: 3000,
      autoConnect: false,
    });
    this.#addListeners();
  }

  /** Connects for the first time. */
  open() {
    this.handlers.connection("connecting");
    this.socket.connect();
  }

  /** Disconnects and connects again, for example after the token has changed. */
  reconnect() {
    this.socket.disconnect();
    clearTimeout(this.seatTimer);
    this.shownView = null;
    this.superseded = false;
    this.open();
  }

  /** Shows the newest view again, because something else that is drawn has changed. */
  showAgain() {
    if (this.shownView) this.handlers.view(this.shownView, false);
  }

  /**
   * Requests the newest view. If this client already has it, the server sends only a head, which
   * still measures the clock.
   */
  sync() {
    if (!this.socket.connected) return;
    const sentAt = this.clock.localNow();
    const { epoch, version } = this.baseView ?? {};
    this.socket
      .timeout(ANSWER_TIMEOUT_MS)
      .emit(
        "sync",
        { epoch, version },
        (/** @type {unknown} */ timeout, /** @type {View | Head | Answer} */ answer) => {
          // If the answer is an error (rate-limited, busy) or doesn't arrive, do nothing: the
          // server's next `head` makes this client send `sync` again.
          if (timeout || "ok" in answer) return;
          this.measuredAt = this.clock.localNow();
          this.clock.addMeasurement(sentAt, answer.now);
          if ("seats" in answer) this.#receive(answer);
          else if (!this.superseded) this.showAgain();
        },
      );
  }

  /**
   * Sends a command repeatedly until the server answers. Retries a few times if the answer is a
   * temporary error.
   * @param {Command} command
   * @returns {Promise<Answer>}
   */
  async send(command) {
    const message = { ...command, id: createUuid() };
    for (let tries = 1; ; tries++) {
      const answer = await this.#sendOnce(message);
      if (answer?.ok) return answer;
      const code = answer?.error?.code;
      if (answer && !(code && RETRYABLE_CODES.includes(code) && tries < MAX_TRIES)) return answer;
      await pause(answer ? getRetryDelay(answer.error, 250 * tries) : 100);
    }
  }

  /**
   * Sends a gesture (`sign` on the wire) to everybody or to one seat. Unlike a command, it isn't
   * sent again if it is lost.
   * @param {string} sign
   * @param {string} [to] the only seat that gets it
   */
  sendSign(sign, to) {
    this.socket.emit("sign", { sign, to });
  }

  /** @returns {Promise<Answer | null>} null: no answer arrived */
  async #sendOnce(/** @type {Command} */ message) {
    if (!this.socket.connected) await this.#waitForConnection();
    return new Promise((resolve) => {
      const onDisconnect = () => resolve(null);
      this.socket.once("disconnect", onDisconnect);
      this.socket
        .timeout(ANSWER_TIMEOUT_MS)
        .emit(
          "command",
          message,
          (/** @type {unknown} */ timeout, /** @type {Answer} */ answer) => {
            this.socket.off("disconnect", onDisconnect);
            resolve(timeout ? null : answer);
          },
        );
    });
  }

  #waitForConnection() {
    return new Promise((resolve) => this.socket.once("connect", () => resolve(null)));
  }

  #addListeners() {
    this.socket.on("connect", () => {
      this.baseView = null;
      // The device may have been asleep, and a monotonic clock may stop during sleep.
      this.clock.reset();
      this.#endMove();
      this.measuredAt = Number.NEGATIVE_INFINITY;
      if (this.superseded) this.#schedule(SEAT_FREE_MS, () => this.#takeSeatBack());
      else this.handlers.connection("open");
    });
    this.socket.on("disconnect", (/** @type {string} */ reason) => {
      if (reason !== "io client disconnect") this.#reportLost();
      if (this.superseded) this.#retrySeatLater();
      else if (reason === "io server disconnect") setTimeout(() => this.socket.connect(), 500);
    });
    this.socket.on("connect_error", (/** @type {Error & {data?: any}} */ error) => {
      const problem = error.data?.error ?? error.data;
      if (!problem?.code) {
        // No server answered, so begin the next attempt with the other transport.
        this.socket.io.opts.transports?.reverse();
        return this.#reportLost();
      }
      if (this.superseded) {
        if (RETRYABLE_CODES.includes(problem.code)) this.#retrySeatLater();
        return; // After any other error, this connection can't get the seat back.
      }
      const damaged = problem.facts?.what === "damaged";
      if (problem.facts?.door || damaged) setTimeout(() => this.socket.connect(), CLOSED_RETRY_MS);
      if (damaged || !RETRYABLE_CODES.includes(problem.code))
        return this.handlers.connection("closed", problem);
      this.#reportLost(problem);
      setTimeout(() => this.socket.connect(), getRetryDelay(problem, 1000) + Math.random() * 1000);
    });
    this.socket.on("view", (/** @type {View} */ view) => {
      this.clock.noteServerTime(view.now);
      this.#receive(view);
      this.#measureClock(view.now);
    });
    this.socket.on("patch", (/** @type {Patch} */ patch) => {
      this.clock.noteServerTime(patch.now);
      const view = this.baseView && applyPatch(this.baseView, patch);
      if (view) {
        this.#receive(view, true);
        this.#measureClock(patch.now);
      } else if (this.#isNewer(patch)) this.sync();
    });
    this.socket.on("head", (/** @type {Head} */ head) => {
      this.clock.noteServerTime(head.now);
      if (this.#isNewer(head)) return this.sync();
      // The head confirms that `baseView` is the newest view. If a newer view is shown, the database
      // has lost events that the shown view contains. So show `baseView`.
      if (this.baseView && this.baseView.version < (this.shownView?.version ?? 0))
        this.#show(this.baseView);
      this.#measureClock(head.now);
    });
    this.socket.on("presence", (/** @type {Presence} */ presence) =>
      this.handlers.presence(presence),
    );
    this.socket.on("sign", (/** @type {{seat: string | null, sign: string}} */ sign) =>
      this.handlers.sign?.(sign),
    );
    this.socket.on("moving", () => {
      this.#endMove();
      this.moveTimer = setTimeout(() => {
        this.moveTimer = null;
        if (!this.socket.connected && this.socket.active) this.#reportLost();
      }, MOVE_GRACE_MS);
    });
    this.socket.on("superseded", () => {
      this.#endMove();
      if (!this.superseded) this.handlers.connection("superseded");
      this.superseded = true;
      this.socket.disconnect();
    });
  }

  /**
   * Reports that the connection is lost, unless this client is moving to another server. If the
   * server is full, also reports the problem; its `facts.what` says what is full.
   * @param {Problem} [problem]
   */
  #reportLost(problem) {
    if (this.moveTimer !== null || this.superseded) return;
    this.handlers.connection("lost", problem?.facts?.what ? problem : undefined);
  }

  /** Reconnects after a pause, to check whether the other connection still has the seat. */
  #retrySeatLater() {
    this.#schedule(SUPERSEDED_RETRY_MS, () => this.socket.connect());
  }

  /** @param {number} ms @param {() => void} action */
  #schedule(ms, action) {
    clearTimeout(this.seatTimer);
    this.seatTimer = setTimeout(action, ms);
  }

  /** Marks this connection as open again, because no other connection uses the seat any more. */
  #takeSeatBack() {
    this.superseded = false;
    this.handlers.connection("open");
    this.showAgain();
  }

  /** Stops the timer that waits for this client's move to another server. */
  #endMove() {
    if (this.moveTimer !== null) clearTimeout(this.moveTimer);
    this.moveTimer = null;
  }

  /**
   * Measures the offset of this device's clock if a measurement is due, or if the server's time
   * `now` from a message is still in the future: the server's time has jumped.
   */
  #measureClock(/** @type {number} */ now) {
    const { clock } = this;
    if (clock.localNow() - this.measuredAt > CLOCK_CHECK_MS || now > clock.now() + CLOCK_JUMP_MS)
      this.sync();
  }

  /**
   * Stores a view as the base for patches. Also shows the view, unless the shown view is newer: a
   * server process that is behind another one can send an older view.
   */
  #receive(/** @type {View} */ view, live = false) {
    this.baseView = view;
    if (this.shownView?.epoch !== view.epoch || this.shownView.version <= view.version)
      this.#show(view, live);
  }

  #show(/** @type {View} */ view, live = false) {
    this.shownView = view;
    if (!this.superseded) this.handlers.view(view, live);
  }

  /**
   * Returns true if a head names a newer version than `baseView` has, or another epoch, or if there
   * is no `baseView` yet.
   */
  #isNewer(/** @type {Pick<Head, "epoch" | "version">} */ head) {
    return (
      !this.baseView || head.epoch !== this.baseView.epoch || head.version > this.baseView.version
    );
  }
}
