/**
 * The panel's state: the newest view, who is connected, and what the viewer has chosen but not sent yet.
 * Everything that is drawn reads this object; every change of it ends in `draw()`. No rule of the game is
 * decided here.
 *
 * The path of a tap: a button calls `send(command)`, the command is marked as pending, and the wire
 * sends it until the server answers. A refusal becomes a toast where the viewer tapped. What the
 * command changed arrives as a new view, for this panel as for all others, and goes through
 * `show(view)`.
 * @import { Claim, Command, ConnectionState, FollowUp, Presence, Problem } from "./types.js"
 * @import { Sheet, TableConnection, Toast, Tunnel, View } from "./types.js"
 */
import { getFamily } from "./family.js";
import * as memory from "./memory.js";
import {
  getSeatToAct,
  findAllowedCommands,
  getPlayableCards,
  getCommandTag,
  getActingSeat,
} from "./moves.js";
import { t } from "./text.js";
import { describeRefusal } from "./wording.js";

/** Time that a notice is shown. */
const NOTICE_MS = 7000;
/** Time that the picture of an explosion is shown. */
const BOOM_MS = 5000;
/** Time that taps are ignored after a sheet has closed. */
const SETTLE_MS = 400;

export class Controller {
  /**
   * @param {string} table the table's code
   * @param {import("./clock.js").Clock} clock
   * @param {() => void} draw schedules a new drawing of the panel
   */
  constructor(table, clock, draw) {
    this.table = table;
    this.clock = clock;
    this.draw = draw;

    // Callbacks, set by the page

    /** @type {TableConnection | null} */
    this.wire = null;
    /** Called after each change of `prefs`. @type {((key: string) => void) | null} */
    this.onPreferenceChange = null;
    /** Opens the small window that stays on top of others. @type {(() => void) | null} */
    this.openSmallWindow = null;
    /** Takes a seat, or during a game one in the next game. @type {((name: string) => void) | null} */
    this.join = null;
    /**
     * Answers the question if the seat in `found` is the viewer's.
     * @type {((mine: boolean) => void) | null}
     */
    this.confirmSeat = null;
    this.showNextGame = /** @type {(() => void) | null} */ (null); // shows the view in `next`
    /** In a replay: goes to the moment of a version. @type {((version: number) => void) | null} */
    this.showVersion = null;

    // Data from the server

    /** @type {View | null} */
    this.view = null;
    /** True while `view` is the one that this device stored at its last visit; nothing can be sent then. */
    this.showsStoredView = false;
    /**
     * First view of the next game, held back while the viewer looks at the end of this one.
     * @type {View | null}
     */
    this.nextGameView = null;
    /** @type {Presence} */
    this.presence = { seats: {}, spectators: 0 };
    /** @type {ConnectionState} */
    this.connection = "connecting";
    /** The reason for the state "closed", or for "lost" without room. @type {Problem | null} */
    this.closeReason = null;
    /** The variant's document, without the texts that only help needs. @type {any} */
    this.variant = null;
    /** The seats whose players are checking the viewer's cards in the call. @type {string[]} */
    this.cameraCheckers = [];
    /** The link that was requested last for moving a seat. @type {Claim | null} */
    this.claim = null;
    /** The address where others reach this server; null if they can't. @type {string | null | undefined} */
    this.origin = undefined;
    /** State of the tunnel, if the server has one. @type {Tunnel | undefined} */
    this.tunnel = undefined;
    /** The whole log, fetched at the end of a game. @type {import("./types.js").Entry[] | null} */
    this.story = null;
    /**
     * The table's finished games, fetched at the end of one.
     * @type {import("./evening.js").Game[] | null}
     */
    this.evening = null;

    // The viewer's unfinished choices

    /** The card that waits for its target. @type {string | null} */
    this.aimedCard = null;
    /** The seat chosen as a target, when there are many players. @type {string | null} */
    this.chosenTarget = null;
    /** The seat that the host chose to act for. @type {string | null} */
    this.pickedSeat = null;
    /** A command that the viewer is still putting together, in the family's own form. @type {any} */
    this.draft = null;
    /** @type {FollowUp | null} */
    this.followUp = null;
    /** Tags of the commands that the server hasn't answered yet. @type {Set<string>} */
    this.pending = new Set();
    /** Tag of the command whose button asks for confirmation. @type {string | null} */
    this.commandToConfirm = null;
    /** The spot of a private note that is being written, as the family names spots. @type {any} */
    this.noteSpot = null;
    /** The text in the search field of help. */
    this.search = "";
    /** The step of the preparation that is shown. */
    this.setupStep = 0;

    // The viewer and their seat

    /** The view of a seat that only a cookie names, until the viewer has confirmed that it is theirs. */
    this.unconfirmedView = /** @type {View | null} */ (null);
    /**
     * Takes the seat of the link that this page was opened with, once confirmed.
     * @type {(() => void) | null}
     */
    this.takeLinkedSeat = null;
    /** The viewer's cards as this device stores them, in the family's own form. @type {any} */
    this.deviceDeck = null;
    /**
     * The place where the seat is used now that this connection is superseded: in another tab, or on
     * another device, with or without its deck. Null: not known yet.
     * @type {"tab" | "device" | "deck" | null}
     */
    this.supersededBy = null;
    /** True if a robot was asked to play on in the viewer's seat. */
    this.lentToRobot = false;

    // Layers above the page

    this.toast = /** @type {Toast | null} */ (null);
    this.sheet = /** @type {Sheet | null} */ (null);
    /** The link that the viewer shared last; `copied`: it is on the clipboard. */
    this.link = { mark: "", copied: false };
    /**
     * The seat that has just gone out, shown to everybody for a moment.
     * @type {{seat: string, out: string} | null}
     */
    this.explosion = null;
    /** Seconds that the game has waited for one seat; 0 until a reminder is due. */
    this.secondsWaited = 0;
    /** True while taps are ignored for a moment. */
    this.ignoresTaps = false;

    // News from the time when the viewer looked away

    /** The versions that are marked as new. @type {{after: number, upTo: number} | null} */
    this.missedVersions = null;
    /**
     * "back": the page is visible again but hasn't shown the newest view yet.
     * @type {"here" | "away" | "back"}
     */
    this.attention = "here";

    /** The viewer's preferences, stored on this device. @type {Record<string, any>} */
    this.prefs = { lens: {}, ...memory.readPreferences() };
  }

  /** The viewer's seat. */
  get me() {
    return this.view?.you?.seat ?? null;
  }

  /** The viewer's place in the next game, if they came too late for this one. */
  get waitingSeat() {
    const mine = this.me ? null : memory.readStoredSeat(this.table)?.seat;
    return this.view?.waiting?.find(({ seat }) => seat === mine) ?? null;
  }

  /**
   * Holds back the first view of the next game while the viewer looks at the end of this one, unless
   * the viewer asked for the rematch. Returns true if the view is held back.
   * @param {View} view
   */
  holdNextGame(view) {
    const before = this.view;
    const another =
      before?.phase === "over" && before.epoch === view.epoch && view.game > before.game;
    if (!another || this.pending.has("rematch")) return false;
    this.nextGameView = view;
    this.draw();
    return true;
  }

  /** The seat that this panel can act for now, or null. */
  get as() {
    return this.view && getActingSeat(this.view, this.pickedSeat);
  }

  /** The sentence for the now-line. */
  get now() {
    const view = /** @type {View} */ (this.view);
    return getFamily().composeNowSentence(view, this.as, this.aimedCard, this.draft);
  }

  /**
   * Shows a new view. If the game has moved on, the viewer's unfinished choices are dropped.
   * @param {View} view
   */
  show(view) {
    const before = this.view;
    this.view = view;
    const movedOn =
      !before ||
      getSeatToAct(before) !== getSeatToAct(view) ||
      before.turn?.step !== view.turn?.step ||
      !!before.window !== !!view.window;
    if (movedOn || before?.turn?.number !== view.turn?.number)
      this.#dropChoices(getSeatToAct(view));
    if (before && before.epoch === view.epoch && before.version < view.version)
      this.#showExplosion(before, view);
    if (this.aimedCard && !getPlayableCards(view, this.as).includes(this.aimedCard))
      this.aimedCard = null;
    this.#markMissed(view.version);
    this.#sendFollowUp(view);
    this.draw();
  }

  /** Extends the marked versions if the viewer was looking away. @param {number} version */
  #markMissed(version) {
    if (this.attention === "here" || !this.missedVersions) return;
    this.missedVersions.upTo = version;
    if (this.attention === "away") return;
    this.attention = "here";
    if (this.missedVersions.after === version) this.missedVersions = null;
  }

  /** Returns true if this event happened while the viewer looked away. @param {{version: number}} entry */
  isNew({ version }) {
    return (
      !!this.missedVersions &&
      version > this.missedVersions.after &&
      version <= this.missedVersions.upTo
    );
  }

  /**
   * Shows who has just gone out, during a game or by the explosion that ends it.
   * @param {View} before
   * @param {View} view
   */
  #showExplosion(before, view) {
    const exit = view.log.findLast(
      (entry) => entry.version > before.version && entry.type === "went_out",
    );
    const ends = before.phase === "play" && view.phase === "over" && exit?.facts.out === "kitten";
    if (!exit?.seat || (view.phase !== "play" && !ends)) return;
    const boom = { seat: exit.seat, out: String(exit.facts.out) };
    this.explosion = boom;
    this.sheet = null;
    setTimeout(() => this.explosion === boom && this.set({ explosion: null }), BOOM_MS);
  }

  /**
   * Notes that the viewer looks away or is back. Events that arrive until the first view after that
   * count as new.
   * @param {boolean} away
   */
  setAway(away) {
    if (away && this.view && this.attention !== "away") {
      this.attention = "away";
      this.missedVersions = { after: this.view.version, upTo: this.view.version };
    } else if (!away && this.attention === "away") this.attention = "back";
    this.draw();
  }

  /** Opens help at its beginning, or at a ruling. @param {string | null} [ruling] the ruling's slug */
  openHelp(ruling = null) {
    this.set({ sheet: { kind: "help", ruling }, search: "" });
  }

  /** Closes the sheet. */
  closeSheet() {
    const missedVersions = this.sheet?.kind === "log" ? null : this.missedVersions;
    const toast = this.toast?.spot === "sheet" ? null : this.toast;
    this.set({
      sheet: null,
      commandToConfirm: null,
      noteSpot: null,
      claim: null,
      search: "",
      missedVersions,
      toast,
    });
  }

  /**
   * Closes the sheet after its work is done. A second tap meant for the sheet must not hit what is
   * below it.
   */
  finishSheet() {
    this.closeSheet();
    this.#ignoreTaps();
  }

  /**
   * Lets the button of this command ask for confirmation. A double tap must not confirm it.
   * @param {string} key the command's tag
   */
  askToConfirm(key) {
    this.commandToConfirm = key;
    this.#ignoreTaps();
  }

  /** Ignores taps for a moment. */
  #ignoreTaps() {
    this.set({ ignoresTaps: true });
    setTimeout(() => this.set({ ignoresTaps: false }), SETTLE_MS);
  }

  /** Drops what the viewer was choosing. @param {string | null} seat the seat that has to act now */
  #dropChoices(seat) {
    if (this.pickedSeat !== seat) this.pickedSeat = null;
    this.aimedCard = null;
    this.draft = null;
    this.secondsWaited = 0;
    this.commandToConfirm = null;
    if (this.sheet?.kind === "others") this.sheet = null;
  }

  /** @param {ConnectionState} line @param {Problem} [problem] */
  setConnection(line, problem) {
    this.connection = line;
    this.closeReason = problem ?? null;
    this.draw();
  }

  /** @param {Presence} presence */
  setPresence(presence) {
    this.presence = presence;
    this.draw();
  }

  /**
   * Sets fields and draws. The viewer's next choice removes a toast.
   * @param {Partial<Controller>} change
   */
  set(change) {
    if (change.aimedCard || (change.sheet && change.sheet.kind !== "help")) this.toast = null;
    Object.assign(this, change);
    this.draw();
  }

  /** Changes one of the viewer's preferences and stores it. @param {string} key @param {unknown} value */
  prefer(key, value) {
    this.prefs = { ...this.prefs, [key]: value };
    memory.storeValue("prefs", this.prefs);
    this.onPreferenceChange?.(key);
    this.draw();
  }

  /**
   * Sends a command. Its tag is pending until the server answers. Returns the answer, or null if
   * nothing was sent: the same command is pending, or the view is only a stored one.
   * @param {Command} command
   * @param {string} [spot] the part of the page that shows a refusal
   */
  async send(command, spot = "now") {
    const key = getCommandTag(command);
    if (this.showsStoredView) this.showNotice(t("line.lost"), spot);
    if (!this.wire || this.showsStoredView || this.pending.has(key)) return null;
    this.pending.add(key);
    this.toast = null;
    this.draw();
    const answer = await this.wire.send(command);
    this.pending.delete(key);
    if (!answer.ok && answer.error) this.showProblem(answer.error, spot);
    else this.draw();
    return answer;
  }

  /** Shows a refusal until the viewer does something else. @param {Problem} problem @param {string} spot */
  showProblem(problem, spot) {
    const text = describeRefusal(problem, this.view, this.variant);
    const away = problem.facts?.case === "away";
    this.set({ toast: { text, ruling: problem.ruling ?? null, spot, away } });
  }

  /** Shows a confirmation for a moment. @param {string} text @param {string} spot */
  showNotice(text, spot) {
    const toast = { text, ruling: null, spot };
    this.set({ toast });
    setTimeout(() => this.toast === toast && this.set({ toast: null }), NOTICE_MS);
  }

  /** Sends the second command of a tap that means two, once it is allowed. @param {View} view */
  #sendFollowUp(view) {
    const command = this.followUp?.(view);
    if (command === undefined) return;
    this.followUp = null;
    if (command) this.send(command);
  }

  /** Plays a card of the hand; one that needs a target is aimed first, or put back. @param {string} card */
  tapCard(card) {
    const view = /** @type {View} */ (this.view);
    const plays = findAllowedCommands(view, this.as, "play").filter(
      (command) => command.card === card,
    );
    if (!plays[0]) return;
    if (plays[0].target)
      this.set({ aimedCard: this.aimedCard === card ? null : card, chosenTarget: null });
    else this.send(plays[0]);
  }
}
