/**
 * The socket: its library's one door, and a table's connection. It says each command until it is
 * answered, always with the same id, so that it happens once; it asks for the view when `head`, or a
 * patch for another view, shows that we are behind. It must not know the game.
 * @import { Answer, Command, ConnectionState, Patch, Presence, Problem, View } from "./types.js"
 */
import { io as open } from "../../vendor/socket.io-client/socket.io.esm.min.js";
import { pause, uuid, retryDelay } from "./http.js";
import { at } from "./page.js";
import { applyPatch } from "./patch.js";
import { currentLanguage } from "./text.js";

/** A proxy that swallows what it doesn't know is found out after this. */
const CONNECT_MS = 10_000;
const ANSWER_MS = 6000;
const AGAIN = ["busy", "rate_limited", "internal"];
const TRIES = 6;
/** Whoever stands before a closed door, or a damaged table, looks again whether it has opened. */
const DOOR_MS = 5000;
const MEASURE_MS = 60_000;
/** Whoever was sent away asks so often whether the seat is free, */
const AWAY_MS = 5000;
/** and has it once nobody, at another server perhaps, said otherwise for so long. */
const FREE_MS = 1500;
/** Whoever goes from one server to another is not lost for as long as this. */
const MOVE_MS = 1000;

/** Within this all clients of a server that ends connect again, not all in one instant. */
const SPREAD_MS = 250;

/** A socket, which leaves a server that is about to end. @type {typeof open} */
export const io = (/** @type {any} */ options) => {
  const socket = open(options);
  socket.on("moving", () => {
    const left = socket.id;
    setTimeout(() => {
      if (socket.id === left) socket.disconnect().connect();
    }, Math.random() * SPREAD_MS);
  });
  return socket;
};

/**
 * @typedef {{epoch: string, version: number, now: number}} Head
 *
 * @typedef {object} Hears
 * @property {(view: View) => void} view
 * @property {(presence: Presence) => void} presence
 * @property {(line: ConnectionState, problem?: Problem) => void} line
 * @property {(sign: {seat: string | null, sign: string}) => void} [sign]
 */

export class Wire {
  /**
   * @param {string} table
   * @param {() => string | undefined} token
   * @param {import("./clock.js").Clock} clock
   * @param {Hears} hears
   */
  constructor(table, token, clock, hears) {
    this.clock = clock;
    this.hears = hears;
    /** What is shown. @type {View | null} */
    this.known = null;
    /** What this connection has sent: its patches build on that alone. @type {View | null} */
    this.base = null;
    this.superseded = false;
    /** Whether a cookie's seat counts where there is no token. */
    this.cookie = true;
    this.measured = Number.NEGATIVE_INFINITY;
    /** @type {ReturnType<typeof setTimeout> | null} */
    this.moving = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.waiting = undefined;
    this.socket = io({
      auth: (/** @type {(auth: object) => void} */ tell) =>
        tell({
          table,
          token: token(),
          language: currentLanguage(),
          patches: "keys",
          ...(this.superseded && { yields: true }),
          ...(!this.cookie && { cookie: false }),
        }),
      path: at("/socket.io"),
      query: { table },
      transports: ["websocket", "polling"],
      tryAllTransports: true,
      timeout: CONNECT_MS,
      reconnectionDelay: 300,
      reconnectionDelayMax: 3000,
      autoConnect: false,
    });
    this.#listen();
  }

  open() {
    this.hears.line("connecting");
    this.socket.connect();
  }

  /** Hangs up and calls again: with another token, or because the device slept. */
  reconnect() {
    this.socket.disconnect();
    clearTimeout(this.waiting);
    this.known = null;
    this.superseded = false;
    this.open();
  }

  /** Shows the newest view anew: what this device knows of it has changed. */
  showAgain() {
    if (this.known) this.hears.view(this.known);
  }

  /** Asks for the newest view; if we have it, this only measures the clock. */
  sync() {
    if (!this.socket.connected) return;
    const asked = this.clock.localNow();
    const { epoch, version } = this.base ?? {};
    this.socket
      .timeout(ANSWER_MS)
      .emit(
        "sync",
        { epoch, version },
        (/** @type {unknown} */ late, /** @type {View | Head | Answer} */ answer) => {
          // Asked too often, or the store is busy: the next head asks again.
          if (late || "ok" in answer) return;
          this.measured = this.clock.localNow();
          this.clock.addMeasurement(asked, answer.now);
          if ("seats" in answer) this.#take(answer);
          else if (!this.superseded) this.showAgain();
        },
      );
  }

  /**
   * Says a command until the server answers.
   * @param {Command} command
   * @returns {Promise<Answer>}
   */
  async send(command) {
    const said = { ...command, id: uuid() };
    for (let tried = 1; ; tried++) {
      const answer = await this.#once(said);
      if (answer?.ok) return answer;
      const code = answer?.error?.code;
      if (answer && !(code && AGAIN.includes(code) && tried < TRIES)) return answer;
      await pause(answer ? retryDelay(answer.error, 250 * tried) : 100);
    }
  }

  /** Shows a sign to all or to a seat; if it is lost, so be it. @param {string} sign @param {string} [to] */
  sendSign(sign, to) {
    this.socket.emit("sign", { sign, to });
  }

  /** @returns {Promise<Answer | null>} null: no answer came */
  async #once(/** @type {Command} */ said) {
    if (!this.socket.connected) await this.#connected();
    return new Promise((resolve) => {
      const onDisconnect = () => resolve(null);
      this.socket.once("disconnect", onDisconnect);
      this.socket
        .timeout(ANSWER_MS)
        .emit("command", said, (/** @type {unknown} */ late, /** @type {Answer} */ answer) => {
          this.socket.off("disconnect", onDisconnect);
          resolve(late ? null : answer);
        });
    });
  }

  #connected() {
    return new Promise((resolve) => this.socket.once("connect", () => resolve(null)));
  }

  #listen() {
    this.socket.on("connect", () => {
      this.base = null;
      // The device may have slept, and clocks that never jump may stand still meanwhile.
      this.clock.reset();
      this.#moved();
      this.measured = Number.NEGATIVE_INFINITY;
      if (this.superseded) this.#later(FREE_MS, () => this.#back());
      else this.hears.line("open");
    });
    this.socket.on("disconnect", (/** @type {string} */ why) => {
      if (why !== "io client disconnect") this.#lost();
      if (this.superseded) this.#stayAway();
      else if (why === "io server disconnect") setTimeout(() => this.socket.connect(), 500);
    });
    this.socket.on("connect_error", (/** @type {Error & {data?: any}} */ error) => {
      const problem = error.data?.error ?? error.data;
      if (!problem?.code) {
        // Nobody answered: from here on the other way is tried first, in turn.
        this.socket.io.opts.transports?.reverse();
        return this.#lost();
      }
      if (this.superseded) {
        if (AGAIN.includes(problem.code)) this.#stayAway();
        return; // else the seat is not ours to come back to
      }
      const damaged = problem.facts?.what === "damaged";
      if (problem.facts?.door || damaged) setTimeout(() => this.socket.connect(), DOOR_MS);
      if (damaged || !AGAIN.includes(problem.code)) return this.hears.line("closed", problem);
      this.#lost();
      setTimeout(() => this.socket.connect(), retryDelay(problem, 1000) + Math.random() * 1000);
    });
    this.socket.on("view", (/** @type {View} */ view) => {
      this.clock.noteServerTime(view.now);
      this.#take(view);
      this.#measure();
    });
    this.socket.on("patch", (/** @type {Patch} */ patch) => {
      this.clock.noteServerTime(patch.now);
      const view = this.base && applyPatch(this.base, patch);
      if (view) this.#take(view);
      else if (this.#news(patch)) this.sync();
    });
    this.socket.on("head", (/** @type {Head} */ head) => {
      this.clock.noteServerTime(head.now);
      if (this.#news(head)) return this.sync();
      // A process that was only behind has caught up by now: what it lacks is lost.
      if (this.base && this.base.version < (this.known?.version ?? 0)) this.#show(this.base);
      this.#measure();
    });
    this.socket.on("presence", (/** @type {Presence} */ presence) => this.hears.presence(presence));
    this.socket.on("sign", (/** @type {{seat: string | null, sign: string}} */ sign) =>
      this.hears.sign?.(sign),
    );
    this.socket.on("moving", () => {
      this.#moved();
      this.moving = setTimeout(() => {
        this.moving = null;
        if (!this.socket.connected && this.socket.active) this.#lost();
      }, MOVE_MS);
    });
    this.socket.on("superseded", () => {
      this.#moved();
      if (!this.superseded) this.hears.line("superseded");
      this.superseded = true;
      this.socket.disconnect();
    });
  }

  /** Nobody answers, which is not said of a server that is being changed for another. */
  #lost() {
    if (this.moving === null && !this.superseded) this.hears.line("lost");
  }

  /** The seat is somebody else's; later it may be free. */
  #stayAway() {
    this.#later(AWAY_MS, () => this.socket.connect());
  }

  /** @param {number} ms @param {() => void} then */
  #later(ms, then) {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(then, ms);
  }

  /** Nobody else has the seat any more. */
  #back() {
    this.superseded = false;
    this.hears.line("open");
    this.showAgain();
  }

  #moved() {
    if (this.moving !== null) clearTimeout(this.moving);
    this.moving = null;
  }

  /** Every now and then it is measured how far off the device's clock is. */
  #measure() {
    if (this.clock.localNow() - this.measured > MEASURE_MS) this.sync();
  }

  /** What the server sends; shown, unless it is older than what is: the process may be behind. */
  #take(/** @type {View} */ view) {
    this.base = view;
    if (this.known?.epoch !== view.epoch || this.known.version <= view.version) this.#show(view);
  }

  #show(/** @type {View} */ view) {
    this.known = view;
    if (!this.superseded) this.hears.view(view);
  }

  #news(/** @type {Pick<Head, "epoch" | "version">} */ head) {
    return !this.base || head.epoch !== this.base.epoch || head.version > this.base.version;
  }
}
