/**
 * The types of the panel. First the messages of the wire contract that all families of games share
 * (docs/protocol.md defines them), then the panel's own types, then `Family`: everything that a family
 * of games supplies.
 */
import type { Controller } from "./controller.js";
import type { Draft, House } from "./house.js";
import type { Moment } from "./story.js";

export type Phase = "lobby" | "setup" | "roll_call" | "play" | "over";
export interface Seat {
  seat: string;
  name: string;
  panel: boolean;
  ready: boolean;
  alive: boolean;
  out: "kitten" | "left" | null;
  hand: number;
  next: string | null;
  /** The personality of the robot that plays this seat. */
  robot?: string;
  /** In the lobby: the earlier seat whose name looks the same. */
  alike?: string;
  survival?: number;
}
export interface Turn {
  number: number;
  seat: string;
  step: string;
}
/** The card or combo on the table while its Nope window is open. */
export interface Played {
  by: string;
  target: string | null;
  /** The seats that played a Nope on it, oldest first. */
  nopes: string[];
  /** True if it takes effect when the window closes: the number of Nopes on it is even. */
  counts: boolean;
}
/** The Nope window: a countdown during which players may Nope. */
export interface Window {
  id: number;
  /** Server time in ms; while `held_by` is set, use `left_ms`. */
  closes_at: number;
  /** The full length of the window. */
  seconds: number;
  /** The seat that paused the window. */
  held_by: string | null;
  left_ms: number;
  may_nope: string[];
  passed: string[];
}
export interface Entry {
  version: number;
  at: number;
  type: string;
  seat: string | null;
  facts: Record<string, any>;
  /** Selects one of the sentences that the event type has. */
  case?: string;
  /** The event as a sentence in the table's language. */
  text: string;
}
/**
 * A command for the server. `as` is the seat for which it acts; the other fields depend on `type`.
 */
export interface Command {
  type: string;
  as?: string;
  [more: string]: any;
}
/** The part of a view that only its viewer gets. */
export interface You {
  seat: string;
  host: boolean;
  /** Every command that the server would accept from this viewer now. */
  may: Command[];
  undo?: number;
  /** The version whose undo the viewer may request from the table. */
  ask_back?: number;
  /** The id of the undo request that the viewer may agree to. */
  agree?: number;
  log_room?: number;
}
/** A player's request to undo their last command. */
export interface UndoRequest {
  id: number;
  seat: string;
  until: number;
  /** Version of the first event that would be undone. */
  version: number | null;
  waits_for: string[];
}
export interface Options {
  nope_seconds: number;
  spectators: boolean;
  locked: boolean;
  remind_seconds?: number | null;
  take_back?: "host" | "agreement" | "nobody";
  /** Further options that only one family has. */
  [own: string]: unknown;
}
/** The state of a table as one viewer may see it. */
export interface View {
  table: string;
  epoch: string;
  version: number;
  now: number;
  variant: string;
  house?: House | null;
  /** Defaults to the first family of families.js. */
  family?: string;
  game: number;
  phase: Phase;
  options: Options;
  host: string | null;
  seats: Seat[];
  waiting?: { seat: string; name: string }[];
  asked?: UndoRequest | null;
  turn: Turn | null;
  played: Played | null;
  window: Window | null;
  winner: string | null;
  log: Entry[];
  you: You | null;
}
/** The difference between the views of two versions; core/patch.js applies it. */
export interface Patch {
  epoch: string;
  from: number;
  version: number;
  now: number;
  set?: Partial<View>;
  seats?: Record<string, Seat>;
  log: Entry[];
  you?: You | null;
  keys?: Record<string, object> & { seats?: Record<string, Partial<Seat>> };
}
export interface Presence {
  seats: Record<string, "here" | "away">;
  spectators: number;
}
export interface Problem {
  code: string;
  text: string;
  ruling?: string | null;
  facts?: Record<string, any>;
}
export interface Answer {
  ok: boolean;
  version?: number;
  error?: Problem;
}
/** "superseded": the server closed this connection because another one took over the seat. */
export type ConnectionState = "connecting" | "open" | "lost" | "superseded" | "closed";
/**
 * State of the deck that a device stores for a seat which has moved away: "here": still needed on
 * this device; "gone": deleted; "unknown": not known yet.
 */
export type DeckNeed = "here" | "gone" | "unknown";
export type Facts = Record<string, unknown>;

/** A short message: a refusal with its ruling, or a confirmation. */
export type Toast = {
  text: string;
  ruling: string | null;
  /** The part of the page that shows the message, such as "now" or "sheet". */
  spot: string;
  /** True if the name was refused because it belongs to a seat whose player isn't connected. */
  away?: boolean;
};
/** The sheet that is open; `kind` is a key of shell/sheets.js or of the family's `sheets`. */
export type Sheet = { kind: string; seat?: string; ruling?: string | null; rules?: Draft };
/**
 * A link that moves a seat to another device. With `secret` it contains a deck's key, so its QR
 * code must not be rendered by a server.
 */
export type Claim = { seat: string; url: string; claim: string; secret?: boolean };
export type Tunnel = { origin: string | null; ended: string | null };
/**
 * Returns a command to send as soon as it is allowed. The controller calls this function with each
 * new view. Null: give up; undefined: keep waiting.
 */
export type FollowUp = (view: View) => Command | null | undefined;
/** The part of `Wire` (core/wire.js) that the panel uses. */
export interface TableConnection {
  send(command: Command): Promise<Answer>;
  reconnect(): void;
  showAgain(): void;
  sendSign(sign: string, to?: string): void;
}

/** Anything that lit-html can render: a template, a list, a string, or `nothing`. */
export type Drawn = unknown;

export type Mood = "you" | "for" | "wait" | "danger" | "joy";
/** The sentence on the now-line, about the player who has to act. */
export interface Now {
  /** Key of the sentence in static/text/. */
  key: string;
  /** Key of a second sentence that says where to tap. */
  hint: string | null;
  mood: Mood;
  /** The seats that the sentence names. */
  who: string | null;
  by: string | null;
  target?: string | null;
  /** The card that the sentence names. */
  card?: string;
}
/** A sound or a vibration. */
export type Cue =
  | "turn"
  | "play"
  | "nope"
  | "flip"
  | "shuffle"
  | "kitten"
  | "boom"
  | "phew"
  | "win";
/** A short animation: the elements that match the selector `of` get the class `how` for a moment. */
export interface Move {
  of: string;
  how: string;
}

/**
 * A family of games: everything that the panel shows, plays or sends and that differs between families.
 * The modules in core/ and shell/ work for any family and ask the current one (`getFamily()` of
 * core/family.js) for the rest. families.js lists the families by name; each is defined in the
 * `family.js` of its own folder.
 *
 * A function that draws gets the controller and reads its view. Load a large part that few viewers see
 * on demand (`createLazyPart` of core/late.js), to keep the first load small. No rule of the game is decided
 * here: the commands that are allowed now are in `you.may`, and the server refuses all others.
 */
export interface Family {
  /** The name that a variant's document refers to. */
  name: string;
  /**
   * Folder of the family's own sentences under static/text/: `pile` for
   * `static/text/pile/<language>.json`. They override shared sentences with the same key (`ready`,
   * `call.setup`, `now.aim` …). Without it the family has none.
   */
  texts?: string;

  /** Load the pictures of this variant's cards, except those of the first load. */
  loadArt?(variant: { cards: { effect: string; face?: string }[] }): Promise<unknown>;
  /**
   * Returns the view with information that only this device has: it may keep the viewer's cards.
   */
  adaptViewToDevice?(ctrl: Controller, view: View): View;
  /**
   * Send what is still due for the last game, such as its opened deck. Called when the next game
   * has been prepared while the viewer still looks at the end of the last one.
   */
  finishLastGame?(ctrl: Controller, next: View): void;
  /**
   * Delete what this device stored for a seat that has moved or no longer exists, unless it is
   * still needed here.
   */
  forgetSeat?(table: string, seat: string): Promise<DeckNeed>;
  /**
   * Returns the deck's key, encrypted, for a link that moves the viewer's seat; null if there is
   * none.
   */
  encryptDeckForLink?(ctrl: Controller, claim: string): Promise<string | null>;
  /**
   * Returns the state of the device that keeps this seat's deck. "here": it is connected; "away":
   * it isn't; null: no device keeps one. Only that device can make a link that carries the deck; a
   * link made by the host can't.
   */
  locateDeck?(ctrl: Controller, seat: Seat): "here" | "away" | null;
  /** Store the deck that a link carried. Rejects with an error whose message can be shown. */
  receiveDeck?(table: string, claim: string, carried: string): Promise<void>;

  // The player that the game waits for, and the sentence about it

  /**
   * Returns the seat that has to act now. Null while a window is open, or if no seat has to act.
   */
  getSeatToAct(view: View): string | null;
  /**
   * Returns the sentence for the now-line, composed with the helpers of core/moves.js. `as` is the seat
   * that this panel acts for, `aim` the card that still needs a target, `draft` the controller's draft.
   */
  composeNowSentence(view: View, as: string | null, aim: string | null, draft?: any): Now;
  /** Returns additional facts for that sentence, besides its seats and its card: `{place: …}`. */
  getSentenceFacts(ctrl: Controller): Facts;
  /** Draws additions next to the sentence, during the viewer's own turn; often `nothing`. */
  renderAside(ctrl: Controller): Drawn;
  /**
   * Returns the plain text that the host reads out on the call during a turn or a roll call. The
   * texts for other phases are in shell/call.js.
   */
  composeCallSentence(view: View): string;
  /**
   * Fields that distinguish two commands of one type, besides `as`, `card`, `target`, `seat` and
   * `outcome`. See `getCommandTag` of core/moves.js.
   */
  commandKeys: string[];

  /** Draws a page that replaces the shell's, or returns null to keep the shell's. */
  renderReplacementPage?(ctrl: Controller): Drawn | null;
  /** Draws the current sentence of the tutorial, if the viewer has switched lessons on. */
  renderLesson?(ctrl: Controller): Drawn;
  /** Draws the family's own choices in the menu. */
  renderMenuChoices?(ctrl: Controller): Drawn;

  // The table

  /** Draws the middle of the panel; shell/windowed.js draws an open window. */
  renderStage(ctrl: Controller): Drawn;
  /** Draws the buttons under the stage, from the parts of shell/dock.js. */
  renderDock(ctrl: Controller): Drawn;
  /**
   * Returns the played card while its window is open: title, face, colour class, and an id for
   * tests.
   */
  describePlayedCard(played: Played): { title: string; face: Drawn; hue: string; card: string };
  /** Draws a living player's tile in the chain, below the name. `wide`: the screen is wide. */
  renderTile(ctrl: Controller, seat: Seat, wide: boolean): Drawn;
  /** Returns what a screen reader announces for a tile, besides name, hand size and turn. */
  describeTile(ctrl: Controller, seat: Seat): string[];
  /**
   * Returns the seat that helps the turn player; the chain and the ring mark it. `lit`: the helper has
   * to act now.
   */
  findHelper(view: View): { seat: string; lit: boolean } | null;

  // Pages and sheets; the shell draws all others

  /**
   * Returns true if a device keeps the seat's cards, so that there are no real cards on the table.
   */
  hasDeviceDeck?(seat: Seat): boolean;
  /** Draws the page of the preparation: shell/setup.js with the family's own steps. */
  renderSetup(ctrl: Controller): Drawn;
  /** Draws the host's control in the lobby that adds another kind of player. */
  renderSeatAdder?(ctrl: Controller): Drawn;
  /**
   * Draws the choices that each player makes individually, at the top of the lobby and the
   * preparation.
   */
  renderOwnChoices?(ctrl: Controller): Drawn;
  /** Draws the family's own choices in the lobby's folded part. */
  renderLobbyChoices?(ctrl: Controller): Drawn;
  /** Draws what the end of a game reveals about all players' cards, below the story. */
  renderVerdicts?(ctrl: Controller): Drawn;
  /**
   * Keys of the family's options that are switches, in order. They come before the shared ones. An
   * option that the view lacks isn't drawn.
   */
  switches: string[];
  /** Returns the facts in the label of one of these switches. */
  getSwitchFacts?: (key: string) => Facts;
  /** Returns a sentence to show beside one of these switches, or an empty string. */
  getSwitchNote?: (key: string) => string;
  /**
   * Kind → function that draws this sheet of the family. The shell opens `help` (shell/help.js) and
   * `seat` (shell/seat.js).
   */
  sheets: Record<string, (ctrl: Controller) => Drawn>;

  // Keyboard and live region

  /** Handle a digit key from 1 to 9. Returns true if it did anything. */
  pressDigit(digit: number, doc: Document): boolean;
  /** Letter → selector of the button that it presses. */
  letterSelectors: Record<string, string>;
  /** Returns key → description, for the help sheet. */
  getShortcuts(): Record<string, string>;
  /**
   * Returns a sentence for screen readers that describes a change of the viewer's draft
   * (`ctrl.draft`); empty if nothing changed.
   */
  describeDraftChange(before: any, after: any, view: View): string;

  // The log

  /** Names of facts in the family's events that are seats, besides the shared ones. */
  seatFacts: string[];
  /**
   * Names of the facts that count a card's copies in each place, in the order of the sentence
   * (`where/…` in a variant's texts).
   */
  placeFacts: string[];
  /** Returns the text of a fact that only this family has, or undefined for any other fact. */
  formatFact(key: string, value: any, facts: Facts, view: View): string | undefined;
  /**
   * Types of events that repeat what the now-line shows. They are never shown as the newest line of
   * the log.
   */
  quietEvents: string[];
  /** Event type → picture before its line in the log, for events without the picture of a card. */
  eventSigns: Record<string, string>;
  /** Event type → sound. */
  eventSounds: Record<string, Cue>;
  /** Event type → animations. */
  eventMoves: Record<string, (facts: Record<string, any>) => Move[]>;
  /** The family's part of the story at the end of a game (shell/story.js). */
  story: {
    /** Event type → kind of moment. */
    kinds: Record<string, string>;
    /** The kinds that are drawn, in the order of the legend. */
    shown: string[];
    /** Draws a moment's symbol; undefined if the shell has one for this kind. */
    sign?(moment: Moment): Drawn;
  };
}
