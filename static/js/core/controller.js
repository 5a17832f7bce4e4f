/**
 * The panel's state: the newest view, the players' presence, and what the viewer has chosen but not
 * sent yet. All drawing code reads this object, and every change to it ends in `draw()`. It decides
 * no rule of the game.
 *
 * When the viewer taps a button, it calls `send(command)`, which marks the command as pending and
 * passes it to the wire. The wire repeats the command until the server answers. If the command is
 * refused, a toast appears where the viewer tapped. If it is accepted, the result arrives as a new
 * view, on this panel as on all others, and `show(view)` displays the view.
 * @import { Claim, Command, ConnectionState, FollowUp, Presence, Problem, RunningScene } from "./types.js"
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

/** The commands that set a value, so that only the newest of several counts. */
const SETTERS = ["options", "seating", "emblem", "auto_pass"];
/** Time for which a notice is shown. */
const NOTICE_MS = 7000;
/** Time for which the picture of an explosion is shown. */
const BOOM_MS = 5000;
/** Time for which taps are ignored after a sheet has closed. */
const SETTLE_MS = 400;

/** Returns true from the first turn of a game until the next game. @param {View} view */
const isInGame = ({ phase }) => phase === "play" || phase === "over";

export class Controller {
  /**
   * Commands that wait until the command with the same tag has been answered. Each function lets its
   * command be sent (true), or drops it because a newer one has taken its place (false).
   * @type {Map<string, (isNewest: boolean) => void>}
   */
  #queued = new Map();

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
    /**
     * Opens the panel in a small window that stays on top of others.
     * @type {(() => void) | null}
     */
    this.openSmallWindow = null;
    /**
     * The pop-up window in which the viewer has opened this table.
     * @type {globalThis.Window | null}
     */
    this.popup = null;
    /** True if this page shows the table on a shared screen, to everybody on the call. */
    this.isSharedScreen = false;
    /**
     * Takes a seat. During a game, takes a seat in the next game.
     * @type {((name: string) => void) | null}
     */
    this.join = null;
    /**
     * Handles the viewer's answer to the question whether the seat of `unconfirmedView` is theirs.
     * @type {((mine: boolean) => void) | null}
     */
    this.confirmSeat = null;
    this.showNextGame = /** @type {(() => void) | null} */ (null); // shows `nextGameView`
    /**
     * Shows the moment with this version. Set in a replay only.
     * @type {((version: number) => void) | null}
     */
    this.showVersion = null;

    // Data from the server

    /** @type {View | null} */
    this.view = null;
    /**
     * True while `view` is the view that this device stored at its last visit. While it is true, no
     * command can be sent.
     */
    this.showsStoredView = false;
    /**
     * The first view of the next game. It is held back while the viewer looks at the end of this
     * game.
     * @type {View | null}
     */
    this.nextGameView = null;
    /** @type {Presence} */
    this.presence = { seats: {}, spectators: 0 };
    /** @type {ConnectionState} */
    this.connection = "connecting";
    /**
     * The reason for the state of the connection, if `connection` is "closed", or if it is "lost"
     * because the server is full. Otherwise null.
     * @type {Problem | null}
     */
    this.closeReason = null;
    /** The variant's document, without the texts that only the help sheet uses. @type {any} */
    this.variant = null;
    /**
     * The seats of the players who are looking at the viewer's cards on camera right now.
     * @type {string[]}
     */
    this.cameraCheckers = [];
    /** The link that was requested last to move a seat to another device. @type {Claim | null} */
    this.claim = null;
    /**
     * The address at which other devices reach this server; null if they can't reach it.
     * @type {string | null | undefined}
     */
    this.origin = undefined;
    /**
     * State of the tunnel that gives the server a public address, if the server has one.
     * @type {Tunnel | undefined}
     */
    this.tunnel = undefined;
    /**
     * The whole log. It is fetched at the end of a game.
     * @type {import("./types.js").Entry[] | null}
     */
    this.story = null;
    /**
     * The results of the table's finished games. They are fetched at the end of a game.
     * @type {import("./evening.js").Game[] | null}
     */
    this.evening = null;

    // The viewer's unfinished choices

    /** The card that the viewer is playing, while it still needs a target. @type {string | null} */
    this.aimedCard = null;
    /**
     * The player whom the viewer chose as the target. Among many players, a target is chosen in two
     * taps: first the player, then the card.
     * @type {string | null}
     */
    this.chosenTarget = null;
    /** The seat that the host chose to act for. @type {string | null} */
    this.pickedSeat = null;
    /** The command that the viewer is composing. Its form depends on the family. @type {any} */
    this.draft = null;
    /** @type {FollowUp | null} */
    this.followUp = null;
    /** The tags of the commands that the server hasn't answered yet. @type {Set<string>} */
    this.pending = new Set();
    /**
     * The tag of the command whose button is asking for confirmation, or null if none is.
     * @type {string | null}
     */
    this.commandToConfirm = null;
    /**
     * The card or place about which the viewer is writing a private note.
     * @type {any}
     */
    this.noteSpot = null;
    /** The text in the search field of the help sheet. */
    this.search = "";
    /** Index of the step of the preparation that is shown. */
    this.setupStep = 0;

    // The viewer and their seat

    /**
     * The view for the seat that this browser's cookie names, until the viewer has confirmed that
     * the seat is theirs.
     */
    this.unconfirmedView = /** @type {View | null} */ (null);
    /**
     * Takes the seat from the link with which this page was opened. Called once the viewer has
     * agreed.
     * @type {(() => void) | null}
     */
    this.takeLinkedSeat = null;
    /**
     * The viewer's cards, if this device keeps them. Their form depends on the family.
     * @type {any}
     */
    this.deviceDeck = null;
    /**
     * The place where somebody has opened the viewer's seat after this page did. "tab": another tab
     * of this browser. "device": another device. "deck": another device, but the deck is still on
     * this one. null: not known yet.
     * @type {"tab" | "device" | "deck" | null}
     */
    this.supersededBy = null;
    /** True if the viewer has lent the seat to a robot. */
    this.lentToRobot = false;

    // Layers above the page

    this.toast = /** @type {Toast | null} */ (null);
    this.sheet = /** @type {Sheet | null} */ (null);
    /** The link that the viewer shared last. `copied` is true if it is on the clipboard. */
    this.link = { mark: "", copied: false };
    /**
     * The player who has just gone out. It is set for a few seconds.
     * @type {{seat: string, out: string} | null}
     */
    this.explosion = null;
    /** The scene that is being shown (shell/scenes.js). @type {RunningScene | null} */
    this.scene = null;
    /** The card that the viewer drew last, until the viewer's next tap. @type {string | null} */
    this.newCard = null;
    /**
     * Number of seconds that the table has waited for the same seat, or 0 before a reminder is due.
     */
    this.secondsWaited = 0;
    /** True while taps are ignored. */
    this.ignoresTaps = false;

    // Events that happened while the page was hidden

    /**
     * The range of versions whose events are marked as new.
     * @type {{after: number, upTo: number} | null}
     */
    this.missedVersions = null;
    /**
     * The viewer's attention: looking at the page, or away. "back" means that the page is visible again but
     * hasn't shown the newest view yet.
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

  /**
   * The viewer's entry in the list of players who wait for the next game, or null if the viewer
   * isn't in it.
   */
  get waitingSeat() {
    const mine = this.me ? null : memory.readStoredSeat(this.table)?.seat;
    return this.view?.waiting?.find(({ seat }) => seat === mine) ?? null;
  }

  /**
   * Holds back the first view of the next game while the viewer looks at the end of this game,
   * unless the viewer asked for the rematch. Returns true if the view was held back.
   * @param {View} view
   */
  holdNextGame(view) {
    const before = this.view;
    if (this.isSharedScreen) return false; // Nobody taps on a shared screen.
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

  /** The now-line: the sentence that says what has to be done next, and by whom. */
  get now() {
    const view = /** @type {View} */ (this.view);
    return getFamily().composeNowSentence(view, this.as, this.aimedCard, this.draft);
  }

  /**
   * Shows a new view. Drops the viewer's unfinished choices if the step or the seat that has to act
   * has changed.
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
    // After a game its cards are gone, and with them the sheets about them.
    if (before && isInGame(before) && !isInGame(view) && this.sheet?.kind !== "help")
      if (String(this.sheet?.kind) in getFamily().sheets) this.sheet = null;
    this.#markMissed(view.version);
    this.#sendFollowUp(view);
    this.draw();
  }

  /**
   * Marks the events up to this version as new if the viewer was looking away.
   * @param {number} version
   */
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
   * Shows the player who has just gone out, if the game goes on or was ended by this explosion.
   * @param {View} before
   * @param {View} view
   */
  #showExplosion(before, view) {
    const exit = view.log.findLast(
      (entry) => entry.version > before.version && entry.type === "went_out",
    );
    const ends = before.phase === "play" && view.phase === "over" && exit?.facts.out === "kitten";
    if (!exit?.seat || (view.phase !== "play" && !ends)) return;
    // only an Imploding Kitten is named, because it puts a player out in its own way
    const boom = { seat: exit.seat, out: exit.facts.kitten ? "imploding" : String(exit.facts.out) };
    this.explosion = boom;
    this.sheet = null;
    const lastsMs = BOOM_MS + (this.scene?.getMsLeft() ?? 0);
    setTimeout(() => this.explosion === boom && this.set({ explosion: null }), lastsMs);
  }

  /**
   * Records that the page was hidden or is visible again. Events are marked as new if they arrive
   * while the page is hidden, or with the first view after the page has become visible again.
   * @param {boolean} away
   */
  setAway(away) {
    if (away && this.view && this.attention !== "away") {
      this.attention = "away";
      this.missedVersions = { after: this.view.version, upTo: this.view.version };
    } else if (!away && this.attention === "away") this.attention = "back";
    this.draw();
  }

  /**
   * Opens the help sheet at its beginning, or at a ruling.
   * @param {string | null} [ruling] the ruling's slug
   */
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
   * Closes a sheet after its task is done. Also ignores taps for a moment, so that a double tap
   * doesn't hit a button below the sheet.
   */
  finishSheet() {
    this.closeSheet();
    this.#ignoreTaps();
  }

  /**
   * Makes the button of this command ask for confirmation. Also ignores taps for a moment, so that
   * a double tap doesn't confirm it.
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

  /**
   * Drops the viewer's unfinished choices.
   * @param {string | null} seat the seat that has to act now
   */
  #dropChoices(seat) {
    if (this.pickedSeat !== seat) this.pickedSeat = null;
    this.aimedCard = null;
    this.draft = null;
    this.secondsWaited = 0;
    if (this.sheet?.kind === "others") this.sheet = null;
    // A question in a sheet, such as whether to leave, isn't about the step that has ended.
    if (!this.sheet) this.commandToConfirm = null;
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
   * Sets fields of this object and draws. Removes the message on the page (the toast) if the viewer
   * has chosen a card or opened a sheet other than the help.
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
    memory.storePreferences({ [key]: value });
    this.onPreferenceChange?.(key);
    this.draw();
  }

  /**
   * Sends a command. The command is pending until the server answers. Returns the answer, or null
   * if nothing was sent. Nothing is sent while the same command is pending, while the panel shows a
   * stored view, or if this device knows that the viewer can't give the command. A command that
   * sets a value is sent after the pending one; of several that wait, only the newest is sent.
   * @param {Command} command
   * @param {string} [spot] the part of the page that shows a refusal
   */
  async send(command, spot = "now") {
    const key = getCommandTag(command);
    if (this.showsStoredView) this.showNotice(t("line.lost"), spot);
    if (!this.wire || this.showsStoredView) return null;
    if (this.pending.has(key) && !(SETTERS.includes(command.type) && (await this.#waitFor(key))))
      return null;
    const objection = getFamily().findObjection?.(this, command);
    if (objection) {
      this.showNotice(objection, spot);
      return null;
    }
    this.pending.add(key);
    this.toast = null;
    this.draw();
    const earlier = getFamily().findEarlierCommand?.(this, command);
    const answer = !earlier || (await earlier) ? await this.wire.send(command) : null;
    this.pending.delete(key);
    if (!answer) this.draw();
    else if (!answer.ok && answer.error) this.showProblem(answer.error, spot);
    else this.draw();
    this.#queued.get(key)?.(true);
    this.#queued.delete(key);
    return answer;
  }

  /**
   * Waits until the pending command with this tag has been answered. Returns false if another
   * command has come to wait in the meantime.
   * @param {string} key
   * @returns {Promise<boolean>}
   */
  #waitFor(key) {
    this.#queued.get(key)?.(false);
    return new Promise((resolve) => this.#queued.set(key, resolve));
  }

  /**
   * Sends a command from a sheet. When the server has accepted it, closes that sheet, but no other
   * one that the viewer has opened in the meantime.
   * @param {Command} command
   * @param {string} [spot]
   */
  async sendFromSheet(command, spot = "sheet") {
    const { sheet } = this;
    const answer = await this.send(command, spot);
    const isOpen = sheet && this.sheet?.kind === sheet.kind && this.sheet.seat === sheet.seat;
    if (answer?.ok && isOpen) this.finishSheet();
  }

  /**
   * Shows why a command or request was refused, until the viewer chooses something else.
   * @param {Problem} problem @param {string} spot
   */
  showProblem(problem, spot) {
    const text = describeRefusal(problem, this.view, this.variant);
    const away = ["away", "away-host"].includes(problem.facts?.case);
    this.set({ toast: { text, ruling: problem.ruling ?? null, spot, away } });
  }

  /** Shows a confirmation for a moment. @param {string} text @param {string} spot */
  showNotice(text, spot) {
    const toast = { text, ruling: null, spot };
    this.set({ toast });
    setTimeout(() => this.toast === toast && this.set({ toast: null }), NOTICE_MS);
  }

  /**
   * Sends the command that follows from the viewer's last tap, once the server allows it.
   * @param {View} view
   */
  #sendFollowUp(view) {
    const command = this.followUp?.(view);
    if (command === undefined) return;
    this.followUp = null;
    if (command) this.send(command);
  }

  /**
   * Plays a card from the hand. If the card needs a target, it is only selected, or deselected if
   * it was selected.
   * @param {string} card
   */
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
