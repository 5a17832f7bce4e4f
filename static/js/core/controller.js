/**
 * What the panel knows: the newest view, who is here, the line's state, the viewer's choices of the moment.
 * @import { Claim, Command, FollowUp, ConnectionState, Presence, Problem } from "./types.js"
 * @import { Sheet, TableConnection, Toast, Tunnel, View } from "./types.js"
 */
import { family } from "./family.js";
import * as memory from "./memory.js";
import { askedSeat, allowedCommands, playableCards, commandTag, spokenSeat } from "./moves.js";
import { t } from "./text.js";
import { describeRefusal } from "./wording.js";

const TOLD_MS = 7000;
const BOOM_MS = 5000;
const SETTLE_MS = 400;

export class Controller {
  /**
   * @param {string} table
   * @param {import("./clock.js").Clock} clock
   * @param {() => void} draw
   */
  constructor(table, clock, draw) {
    this.table = table;
    this.clock = clock;
    this.draw = draw;
    /** @type {TableConnection | null} */
    this.wire = null;
    /** Told of every choice of the viewer's. @type {((key: string) => void) | null} */
    this.preferred = null;
    /** Opens the window that stays on top. @type {(() => void) | null} */
    this.pop = null;
    /** Takes a seat, or one in the next game. @type {((name: string) => void) | null} */
    this.join = null;
    /** Says whether the seat of `found` is the viewer's. @type {((mine: boolean) => void) | null} */
    this.isMine = null;
    this.goOn = /** @type {(() => void) | null} */ (null); // shows the view that was held back
    /** In a replay: goes to the moment of a version. @type {((version: number) => void) | null} */
    this.seek = null;
    /** @type {View | null} */
    this.view = null;
    /** Whether the view is what this device saw last: until the server answers nothing is said. */
    this.remembers = false;
    /** The next game, while the end of this one is still looked at. @type {View | null} */
    this.next = null;
    /** @type {Presence} */
    this.presence = { seats: {}, spectators: 0 };
    /** @type {ConnectionState} */
    this.line = "connecting";
    /** @type {Problem | null} */
    this.closed = null;
    this.toast = /** @type {Toast | null} */ (null);
    this.lookers = /** @type {string[]} */ ([]); // whose camera check is at one's own cards
    this.sheet = /** @type {Sheet | null} */ (null);
    /** The card that waits for its target. @type {string | null} */
    this.aim = null;
    this.link = { mark: "", copied: false }; // the one asked for last, and whether it was copied
    this.leaf = 0; // the step of the preparation that is looked at
    /** Whose card it is to hit, among many. @type {string | null} */
    this.whom = null;
    /** The seat that the host chose to speak for. @type {string | null} */
    this.picked = null;
    /** What the viewer arranges before they say it, as the family keeps it. @type {any} */
    this.draft = null;
    /** @type {FollowUp | null} */
    this.follow = null;
    /** For how many seconds whoever is asked has been waited for, once a reminder is due. */
    this.waited = 0;
    /** @type {Set<string>} */
    this.pending = new Set();
    /** The command that asks once more before it is said. @type {string | null} */
    this.asking = null;
    /** The view of a seat that only a cookie names, until the viewer has said whose it is. */
    this.found = /** @type {View | null} */ (null);
    /** Takes the seat of a link, once it is asked for. @type {(() => void) | null} */
    this.moving = null;
    /** What this device keeps of the viewer's own cards, as the family has it; null: nothing. @type {any} */
    this.kept = null;
    /** Where the seat is, once it is shown elsewhere: in another tab, or on another device, with its
     * deck or without it. Null: that isn't known yet. @type {"tab" | "device" | "deck" | null} */
    this.elsewhere = null;
    this.stoodIn = false; // whether a robot was asked to play on in the viewer's seat
    /** The place whose note is being made, as the family names places. @type {any} */
    this.noting = null;
    /** @type {any} */
    this.variant = null;
    /** What was asked last over HTTP brought a claim's link. @type {Claim | null} */
    this.claim = null;
    /** Where others reach this server; null: they can't. @type {string | null | undefined} */
    this.origin = undefined;
    /** How the tunnel does, if the server has one. @type {Tunnel | undefined} */
    this.tunnel = undefined;
    /** The whole log, at the end. @type {import("./types.js").Entry[] | null} */
    this.story = null;
    /** The table's finished games, at the end of one. @type {import("./evening.js").Game[] | null} */
    this.evening = null;
    this.search = "";
    /** Who just went out: shown to everybody for a moment. @type {{seat: string, out: string} | null} */
    this.boom = null;
    /** News is marked: after one version, up to another. @type {{after: number, upTo: number} | null} */
    this.missed = null;
    /** Back: looking again, but not shown the newest view yet. @type {"here" | "away" | "back"} */
    this.eyes = "here";
    /** Taps hit nothing for a moment. */
    this.settling = false;
    this.prefs = /** @type {Record<string, any>} */ ({ lens: {}, ...memory.recallChoices() });
  }

  get me() {
    return this.view?.you?.seat ?? null;
  }

  /** The viewer's place in the next game, for whoever came late. */
  get waitingSeat() {
    const mine = this.me ? null : memory.storedSeat(this.table)?.seat;
    return this.view?.waiting?.find((one) => one.seat === mine) ?? null;
  }

  /** Whether a view waits while the viewer looks at a game's end; not who asked on. @param {View} view */
  holdNextGame(view) {
    const before = this.view;
    const another =
      before?.phase === "over" && before.epoch === view.epoch && view.game > before.game;
    if (!another || this.pending.has("rematch")) return false;
    this.next = view;
    this.draw();
    return true;
  }

  /** Whom this panel speaks for now. */
  get as() {
    return this.view && spokenSeat(this.view, this.picked);
  }

  get now() {
    const view = /** @type {View} */ (this.view);
    return family().now(view, this.as, this.aim, this.draft);
  }

  /** @param {View} view */
  show(view) {
    const before = this.view;
    this.view = view;
    const moved =
      !before ||
      askedSeat(before) !== askedSeat(view) ||
      before.turn?.step !== view.turn?.step ||
      !!before.window !== !!view.window;
    if (moved || before?.turn?.number !== view.turn?.number) this.#clear(askedSeat(view));
    if (before && before.epoch === view.epoch && before.version < view.version)
      this.#event(before, view);
    if (this.aim && !playableCards(view, this.as).includes(this.aim)) this.aim = null;
    this.#catchUp(view.version);
    this.#sayOn(view);
    this.draw();
  }

  /** What a view brings to eyes that were away is marked. @param {number} version */
  #catchUp(version) {
    if (this.eyes === "here" || !this.missed) return;
    this.missed.upTo = version;
    if (this.eyes === "away") return;
    this.eyes = "here";
    if (this.missed.after === version) this.missed = null;
  }

  /** Whether this happened while the viewer looked away. @param {{version: number}} entry */
  isNew({ version }) {
    return !!this.missed && version > this.missed.after && version <= this.missed.upTo;
  }

  /** An explosion is an event, the last one of a game, too. @param {View} before @param {View} view */
  #event(before, view) {
    const gone = view.log.findLast(
      (entry) => entry.version > before.version && entry.type === "went_out",
    );
    const ends = before.phase === "play" && view.phase === "over" && gone?.facts.out === "kitten";
    if (!gone?.seat || (view.phase !== "play" && !ends)) return;
    const boom = { seat: gone.seat, out: String(gone.facts.out) };
    this.boom = boom;
    this.sheet = null;
    setTimeout(() => this.boom === boom && this.set({ boom: null }), BOOM_MS);
  }

  /** The viewer looks away, or looks again: what the next view brings is news. @param {boolean} away */
  setAway(away) {
    if (away && this.view && this.eyes !== "away") {
      this.eyes = "away";
      this.missed = { after: this.view.version, upTo: this.view.version };
    } else if (!away && this.eyes === "away") this.eyes = "back";
    this.draw();
  }

  /** Opens help at its beginning, or at a ruling. @param {string | null} [ruling] its slug */
  openHelp(ruling = null) {
    this.set({ sheet: { kind: "help", ruling }, search: "" });
  }

  /** Puts the sheet away. */
  closeSheet() {
    const missed = this.sheet?.kind === "log" ? null : this.missed;
    const toast = this.toast?.spot === "sheet" ? null : this.toast;
    this.set({ sheet: null, asking: null, noting: null, claim: null, search: "", missed, toast });
  }

  /** The sheet has done its work: it goes, and a second tap that was meant for it hits nothing. */
  finishSheet() {
    this.closeSheet();
    this.#settle();
  }

  /** Asks once more what this tag names; a nervous thumb's second tap is no answer. @param {string} key */
  askToConfirm(key) {
    this.asking = key;
    this.#settle();
  }

  #settle() {
    this.set({ settling: true });
    setTimeout(() => this.set({ settling: false }), SETTLE_MS);
  }

  /** What was being chosen is void when something else is asked. @param {string | null} seat who is asked */
  #clear(seat) {
    if (this.picked !== seat) this.picked = null;
    this.aim = null;
    this.draft = null;
    this.waited = 0;
    this.asking = null;
    if (this.sheet?.kind === "others") this.sheet = null;
  }

  /** @param {ConnectionState} line @param {Problem} [problem] */
  setConnection(line, problem) {
    this.line = line;
    this.closed = problem ?? null;
    this.draw();
  }

  /** @param {Presence} presence */
  setPresence(presence) {
    this.presence = presence;
    this.draw();
  }

  /** Sets some of its own; what one does next puts a refusal away. @param {Partial<Controller>} change */
  set(change) {
    if (change.aim || (change.sheet && change.sheet.kind !== "help")) this.toast = null;
    Object.assign(this, change);
    this.draw();
  }

  /** @param {string} key @param {unknown} value */
  prefer(key, value) {
    this.prefs = { ...this.prefs, [key]: value };
    memory.keep("prefs", this.prefs);
    this.preferred?.(key);
    this.draw();
  }

  /**
   * Says a command; until it is answered, its tag is pending. To what is remembered nothing is said.
   * @param {Command} command
   * @param {string} [spot] where a refusal is shown
   */
  async send(command, spot = "now") {
    const key = commandTag(command);
    if (this.remembers) this.showNotice(t("line.lost"), spot);
    if (!this.wire || this.remembers || this.pending.has(key)) return null;
    this.pending.add(key);
    this.toast = null;
    this.draw();
    const answer = await this.wire.send(command);
    this.pending.delete(key);
    if (!answer.ok && answer.error) this.showProblem(answer.error, spot);
    else this.draw();
    return answer;
  }

  /** What is wrong stays until one has done something else. @param {Problem} problem @param {string} spot */
  showProblem(problem, spot) {
    const text = describeRefusal(problem, this.view, this.variant);
    const away = problem.facts?.case === "away";
    this.set({ toast: { text, ruling: problem.ruling ?? null, spot, away } });
  }

  /** What went well is said for a moment. @param {string} text @param {string} spot */
  showNotice(text, spot) {
    const toast = { text, ruling: null, spot };
    this.set({ toast });
    setTimeout(() => this.toast === toast && this.set({ toast: null }), TOLD_MS);
  }

  /** Two commands from one tap: the second follows when it may. @param {View} view */
  #sayOn(view) {
    const command = this.follow?.(view);
    if (command === undefined) return;
    this.follow = null;
    if (command) this.send(command);
  }

  /** A card of the hand was tapped: played at once, or aimed. @param {string} card */
  tapCard(card) {
    const view = /** @type {View} */ (this.view);
    const plays = allowedCommands(view, this.as, "play").filter((one) => one.card === card);
    if (!plays[0]) return;
    if (plays[0].target) this.set({ aim: this.aim === card ? null : card, whom: null });
    else this.send(plays[0]);
  }
}
