/**
 * The types of the panel. First come the messages that all families of games share
 * (docs/protocol.md defines them), then the panel's own types, then `Family`: everything that a
 * family of games supplies.
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
  /** The name of the seat's emblem. */
  emblem?: string;
  alive: boolean;
  out: "kitten" | "left" | null;
  hand: number;
  next: string | null;
  /** The personality of the robot that plays this seat. */
  robot?: string;
  /** In the lobby: the earlier seat whose name looks the same. */
  alike?: string;
  /** True if the player passes in every window until their next turn. */
  auto_pass?: boolean;
  survival?: number;
  boldest?: number;
}
export interface Turn {
  number: number;
  seat: string;
  step: string;
}
/** The card or combo on the table while its Nope window is open. */
export interface Played {
  /** The card. A pile has `kind` and `cards` instead. */
  card?: string;
  by: string;
  target: string | null;
  /** The seats that played a Nope on this card, the oldest first. */
  nopes: string[];
  /**
   * True if the card takes effect when the window closes, because the number of Nopes on it is
   * even.
   */
  counts: boolean;
}
/** The Nope window: a countdown during which players may Nope. */
export interface Window {
  id: number;
  /**
   * Server time in ms at which the window closes. While `held_by` is set, use `left_ms` instead.
   */
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
  /** Selects a sentence, if the event type has several. */
  case?: string;
  /** The event as a sentence in the table's language. */
  text: string;
}
/**
 * A command to the server. `as` is the seat for which the command acts. The other fields depend on
 * `type`.
 */
export interface Command {
  type: string;
  as?: string;
  [more: string]: any;
}
/** The part of a view that only the view's own viewer gets. */
export interface You {
  seat: string;
  host: boolean;
  /** Every command that the server would accept from this viewer now. */
  may: Command[];
  undo?: number;
  /** The version from which the viewer may ask the table to undo. */
  ask_back?: number;
  /** The id of the request for an undo that the viewer may agree to. */
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
  /** Options that only one family of games has. */
  [own: string]: unknown;
}
/** The state of a table, as far as one viewer may see it. */
export type Direction = "clockwise" | "counterclockwise";
export interface View {
  table: string;
  epoch: string;
  version: number;
  now: number;
  variant: string;
  house?: House | null;
  /** Name of the family. If it is missing, it is the first family of families.js. */
  family?: string;
  /** The direction of play. Missing in games in which it doesn't change. */
  direction?: Direction;
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
 * State of a deck on this device after its seat has moved away. "here": this device still needs it.
 * "gone": it was deleted. "unknown": not known yet.
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
 * A link that moves a seat to another device. If `secret` is true, the link contains a deck's key,
 * so its QR code must not be rendered by a server.
 */
export type Claim = { seat: string; url: string; claim: string; secret?: boolean };
export type Tunnel = { origin: string | null; ended: string | null };
/**
 * Returns a command to send as soon as it is allowed. The controller calls this function with each
 * new view. null means to give up, undefined to keep waiting.
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
/** The now-line: a sentence about the next action and the player who has to do it. */
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
/**
 * A short animation. The elements that match the selector `of` get the CSS class `how` for a
 * moment.
 */
export interface Move {
  of: string;
  how: string;
}

/**
 * A scene: a short moving picture of something that has just happened.
 *
 * - "draw": the viewer's device deals a card from its deck;
 * - "kitten": a player draws a Kitten;
 * - "look": the viewer looks at a card of the device's deck;
 * - "phew": a player draws a safe card;
 * - "lots": lots are drawn for the first player;
 * - "first": the first turn begins;
 * - "reverse": the order of play turns round.
 */
export interface Scene {
  kind: "draw" | "kitten" | "look" | "phew" | "lots" | "first" | "reverse";
  /** The seat of the player whom the scene is about. */
  seat: string;
  /** The card whose face is shown. If it is missing, the card stays face down. */
  card?: string | null;
  /** The key of the sentence below the card, if it isn't the usual one. */
  sentence?: string;
  /** The new direction of play. */
  direction?: Direction;
  /** True if the card lay face up, so that there is no suspense. */
  known?: boolean;
  /** True if the viewer's cards are covered, so that the face is shown only on demand. */
  covered?: boolean;
  /** The card that is new in the viewer's hand. */
  drawn?: string;
  /** Selector of the card's place on the table. */
  from?: string;
  /** Selectors of the place to which the card goes. The first that is on the page counts. */
  to?: string[];
}
/** The change from one view to the next, as far as it matters for a scene. */
export interface Change {
  before: View;
  view: View;
  /** The new entries of the log. */
  entries: Entry[];
  /** The viewer's cards before the change, if this device keeps them. */
  deckBefore: any;
}
/** The scene that is being shown, as far as the rest of the panel needs it. */
export interface RunningScene {
  /** True if the scene covers the page. A tap then only ends the scene. */
  covers: boolean;
  /** The sounds that the scene plays, each with the ms from its beginning. */
  cues: [number, Cue][];
  /** The sentence for screen readers, or "". */
  words: string;
  /** The element that had the focus when the scene began. */
  focused: Element | null;
  /** The element of the scene, once it is shown. */
  layer: HTMLElement | null;
  /** Shows the scene. */
  start(): void;
  /** Ends the scene, with the card's way to its place. */
  skip(): void;
  /** Removes the scene at once. */
  end(): void;
  /** Returns how long the scene still covers the page, in ms. */
  getMsLeft(): number;
}

/** A family's part of the page for a shared screen. It has no buttons. */
export interface FamilyScreen {
  /** Returns the width of a player's cards, in heights, including room for the name. */
  getShape(view: View): number;
  /** Renders a living player's facts (beside the name) and cards (below it). */
  renderPlayer(ctrl: Controller, seat: Seat): Drawn;
  /** Renders the middle of the table, which stands beside the headline. Can be `nothing`. */
  renderMiddle(ctrl: Controller): Drawn;
}

/**
 * A family of games: everything that the panel shows, plays or sends and that differs between
 * families. The modules in core/ and shell/ work for any family and get the rest from the current
 * one (`getFamily()` of core/family.js). families.js lists the families by name; each is defined in
 * the `family.js` of its own folder.
 *
 * A function that renders gets the controller and reads its view. Large parts that few viewers see
 * are loaded on demand (`createLazyPart` of core/late.js), to keep the first load small. No rule of
 * the game is decided here: the commands that are allowed now are in `you.may`, and the server
 * refuses all others.
 */
export interface Family {
  /** The name of the family in a variant's document. */
  name: string;
  /**
   * Folder of the family's own sentences under static/text/: `pile` for
   * `static/text/pile/<language>.json`. These sentences replace shared sentences with the same key
   * (`ready`, `call.setup`, `now.aim` …). If it is missing, the family has no sentences of its own.
   */
  texts?: string;

  /** Loads the pictures of this variant's cards, except those that are part of the first load. */
  loadArt?(variant: { cards: { effect: string; face?: string }[] }): Promise<unknown>;
  /**
   * Returns the view together with the information that only this device has, because it may keep
   * the viewer's cards.
   */
  adaptViewToDevice?(ctrl: Controller, view: View): View;
  /**
   * Sends what still has to be sent for the last game, such as the secret of the viewer's deck.
   * Called when the next game has been prepared while the viewer still looks at the end of the last
   * one.
   */
  finishLastGame?(ctrl: Controller, next: View): void;
  /**
   * Deletes what this device stored for a seat that has moved or no longer exists, unless this
   * device still needs it. Resolves to the state of the deck after that.
   */
  forgetSeat?(table: string, seat: string): Promise<DeckNeed>;
  /**
   * Returns the deck's encrypted key, for a link that moves the viewer's seat. Returns null if this
   * device has no deck.
   */
  encryptDeckForLink?(ctrl: Controller, claim: string): Promise<string | null>;
  /**
   * If a device keeps this seat's deck, returns "here" while that device is connected and "away"
   * while it isn't. Returns null if no device keeps the deck. Only a link made by that device takes
   * the deck along; a link made by the host doesn't.
   */
  locateDeck?(ctrl: Controller, seat: Seat): "here" | "away" | null;
  /**
   * Loads the function that stores a deck which came with a link. The function rejects with an error
   * whose message can be shown.
   */
  loadDeckReceiver?(): Promise<(table: string, claim: string, carried: string) => Promise<void>>;

  /**
   * Returns a sentence for the viewer if this device knows that they can't give this command,
   * although everybody else must believe that they can. The command isn't sent then.
   */
  findObjection?(ctrl: Controller, command: Command): string | null;

  /**
   * If this command has to wait for an earlier command that is still being prepared, returns a
   * promise. The promise resolves to false if the earlier command failed; this command isn't sent
   * then.
   */
  findEarlierCommand?(ctrl: Controller, command: Command): Promise<boolean> | null;

  // The player that the game waits for, and the sentence about it

  /** Returns the seat that has to act now, or null if there is none or a window is open. */
  getSeatToAct(view: View): string | null;
  /**
   * Returns the sentence about the next action (the now-line), composed with the functions of
   * core/moves.js. `as` is the seat for which this panel acts, `aim` is the card that still needs a
   * target, and `draft` is the controller's draft.
   */
  composeNowSentence(view: View, as: string | null, aim: string | null, draft?: any): Now;
  /**
   * Returns values for further placeholders of the now-line's sentence, besides its seats and its
   * card, for example `{place: …}`.
   */
  getSentenceFacts(ctrl: Controller): Facts;
  /**
   * Renders additions beside the now-line's sentence during the viewer's own turn. Often there are
   * none.
   */
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

  /** Renders a page that replaces the shell's page. Returns null to keep the shell's. */
  renderReplacementPage?(ctrl: Controller): Drawn | null;
  /** Renders the current lesson if the viewer has switched lessons on. */
  renderLesson?(ctrl: Controller): Drawn;
  /** Renders the family's own choices in the menu. */
  renderMenuChoices?(ctrl: Controller): Drawn;

  // The table

  /** Renders the middle of the panel. An open window is rendered by shell/windowed.js instead. */
  renderStage(ctrl: Controller): Drawn;
  /** Renders the buttons under the stage, from the parts in shell/dock.js. */
  renderDock(ctrl: Controller): Drawn;
  /**
   * Returns the title, the face, the colour class and an id for tests of the played card whose
   * window is open.
   */
  describePlayedCard(played: Played): { title: string; face: Drawn; hue: string; card: string };
  /**
   * Returns true if the window in which `card` is named is about something else than a card. `card`
   * is the field of a view's `played` or of a log entry.
   */
  isCardless(card: unknown): boolean;
  /** Loads the function that finds the scene for a change of the view. */
  loadScenes(): Promise<{ findScene(ctrl: Controller, change: Change): Scene | null }>;
  /** Loads the functions that draw the table on a shared screen (shell/screen.js). */
  loadScreen(): Promise<FamilyScreen>;
  /**
   * Renders the part of a living player's tile below the name. `wide` is true if the screen is
   * wide.
   */
  renderTile(ctrl: Controller, seat: Seat, wide: boolean): Drawn;
  /** Returns what a screen reader announces for a tile, in addition to name, hand size and turn. */
  describeTile(ctrl: Controller, seat: Seat): string[];
  /**
   * Returns the seat that helps the turn player. The chain and the ring mark this seat. `lit` is
   * true if the helper has to act now.
   */
  findHelper(view: View): { seat: string; lit: boolean } | null;

  // Pages and sheets; the shell renders all others

  /**
   * Returns true if a device keeps the seat's cards, so that there are no real cards on the table.
   */
  hasDeviceDeck?(seat: Seat): boolean;
  /** Renders the page of the preparation, with shell/setup.js and the family's own steps. */
  renderSetup(ctrl: Controller): Drawn;
  /** Renders the host's control in the lobby that adds another kind of player. */
  renderSeatAdder?(ctrl: Controller): Drawn;
  /**
   * Renders the choices that each player makes individually, at the top of the lobby and the
   * preparation.
   */
  renderOwnChoices?(ctrl: Controller): Drawn;
  /** Renders what an invited visitor must know: how the game works, and what to have at hand. */
  renderPrimer?(ctrl: Controller): Drawn;
  /** Renders the family's own choices in the collapsed sections of the lobby. */
  renderLobbyChoices?(ctrl: Controller): Drawn;
  /** Renders what is revealed about all players' cards at the end of a game, below the story. */
  renderVerdicts?(ctrl: Controller): Drawn;
  /**
   * Keys of those options of the family that are switches, in the order in which they are shown.
   * They come before the shared options. An option that is missing in the view isn't shown.
   */
  switches: string[];
  /** Returns the values for the placeholders in the label of one of these switches. */
  getSwitchFacts?: (key: string) => Facts;
  /** Returns a sentence to show beside one of these switches, or an empty string. */
  getSwitchNote?: (key: string) => string;
  /**
   * The functions that render the family's sheets, by kind. The shell opens `help` (shell/help.js)
   * and `seat` (shell/seat.js).
   */
  sheets: Record<string, (ctrl: Controller) => Drawn>;

  // Keyboard and live region

  /** Handles a digit key from 1 to 9. Returns true if it did anything. */
  pressDigit(digit: number, doc: Document): boolean;
  /** The selector of the button that a key presses, by letter. */
  letterSelectors: Record<string, string>;
  /** Returns the descriptions of the family's shortcuts by key, for the help sheet. */
  getShortcuts(): Record<string, string>;
  /**
   * Returns a sentence for screen readers that describes a change of the viewer's draft
   * (`ctrl.draft`). Returns an empty string if nothing has changed.
   */
  describeDraftChange(before: any, after: any, view: View): string;

  // The log

  /**
   * Names of the family's facts (values of placeholders) that are seats, in addition to those that
   * all families share.
   */
  seatFacts: string[];
  /**
   * Names of the facts that count a card's copies in each place, in the order of the sentence
   * (`where/…` in a variant's texts).
   */
  placeFacts: string[];
  /**
   * Returns the text for a fact (the value of a placeholder) that only this family has. Returns
   * undefined for any other fact.
   */
  formatFact(key: string, value: any, facts: Facts, view: View): string | undefined;
  /**
   * Types of events that say the same as the now-line. They are never shown as the newest line of
   * the log.
   */
  quietEvents: string[];
  /** Pictures beside lines of the log, by event type, for events that have no picture of a card. */
  eventSigns: Record<string, string>;
  /** Sounds, by event type. */
  eventSounds: Record<string, Cue>;
  /** Animations, by event type. */
  eventMoves: Record<string, (facts: Record<string, any>) => Move[]>;
  /** The family's part of the story at the end of a game (shell/story.js). */
  story: {
    /** Kinds of moments, by event type. */
    kinds: Record<string, string>;
    /** The kinds of moments that are drawn, in the order of the legend. */
    shown: string[];
    /**
     * Renders a moment's symbol. Returns undefined for a kind of moment whose symbol the shell
     * renders.
     */
    sign?(moment: Moment): Drawn;
  };
}

/**
 * The members of the controller that late.js and recovery.js use when a part of the page couldn't be
 * loaded. The start page has only `draw`.
 */
export interface PageWithParts {
  draw: () => void;
  sheet?: unknown;
  closeSheet?: () => void;
  showNotice?: (text: string, spot: string) => void;
}
