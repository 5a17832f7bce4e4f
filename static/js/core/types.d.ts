/** The wire contract's shapes that any family shares, as docs/protocol.md fixes them, and the panel's own. */
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
  /** The temper of the robot that plays here. */
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
/** What lies in the middle while a window is open over it. */
export interface Played {
  by: string;
  target: string | null;
  nopes: string[];
  counts: boolean;
}
export interface Window {
  id: number;
  closes_at: number;
  seconds: number;
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
  /** Which of its type's sentences it is. */
  case?: string;
  text: string;
}
export interface Command {
  type: string;
  as?: string;
  [more: string]: any;
}
export interface You {
  seat: string;
  host: boolean;
  may: Command[];
  undo?: number;
  /** The version that the viewer may ask to take back; the request that they may agree to. */
  ask_back?: number;
  agree?: number;
  log_room?: number;
}
/** A player asks to take back their last word. */
export interface UndoRequest {
  id: number;
  seat: string;
  until: number;
  /** The event that would be taken back first. */
  version: number | null;
  waits_for: string[];
}
export interface Options {
  nope_seconds: number;
  spectators: boolean;
  locked: boolean;
  remind_seconds?: number | null;
  take_back?: "host" | "agreement" | "nobody";
  /** A family's own switches. */
  [own: string]: unknown;
}
export interface View {
  table: string;
  epoch: string;
  version: number;
  now: number;
  variant: string;
  house?: House | null;
  /** Missing: the first of families.js. */
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
/** What leads from the view of one version to that of another. */
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
export type ConnectionState = "connecting" | "open" | "lost" | "superseded" | "closed";
/** Whether what a device kept for a seat is still needed there, once the seat is elsewhere. */
export type DeckNeed = "here" | "gone" | "unknown";
export type Facts = Record<string, unknown>;

/** Words at a spot: what was refused, and by which ruling, or what went well. */
/** `away`: the name is that of a seat whose player isn't connected. */
export type Toast = { text: string; ruling: string | null; spot: string; away?: boolean };
export type Sheet = { kind: string; seat?: string; ruling?: string | null; rules?: Draft };
/** A link that moves a seat; `secret`: no server may draw it. */
export type Claim = { seat: string; url: string; claim: string; secret?: boolean };
export type Tunnel = { origin: string | null; ended: string | null };
/** What is said by itself: asked at each view, until it gives a command, or null for none. */
export type FollowUp = (view: View) => Command | null | undefined;
export interface TableConnection {
  send(command: Command): Promise<Answer>;
  reconnect(): void;
  showAgain(): void;
  sendSign(sign: string, to?: string): void;
}

/** What lit draws: a template, a list of them, a word, or nothing. */
export type Drawn = unknown;

export type Mood = "you" | "for" | "wait" | "danger" | "joy";
/** The sentence that says who does what now: a key of the panel's words, seats for its facts, its mood. */
export interface Now {
  key: string;
  hint: string | null;
  mood: Mood;
  who: string | null;
  by: string | null;
  target?: string | null;
  /** The title that it names. */
  card?: string;
}
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
/** Which elements (a selector) get which class for a while. */
export interface Move {
  of: string;
  how: string;
}

/**
 * What a family of games supplies: all that the core or the shell show, say or hear and only the family knows.
 * `families.js` has the families by name; each stands in the `family.js` of its own folder.
 *
 * What draws takes the controller and reads its view. A large part that not everybody sees comes late
 * (`late` of core/late.js), so that it doesn't weigh on the first load. No rule is decided here: what may be said is
 * `you.may`, and the server refuses.
 */
export interface Family {
  /** The name in a variant's document. */
  name: string;
  /**
   * Where its own words lie, under static/text/: `pile` for `static/text/pile/<language>.json`. They stand for the
   * shared ones of the same key (`ready`, `call.setup`, `now.aim` …). Missing: the shared ones are its own.
   */
  texts?: string;

  /** Fetches the pictures of this variant's cards that aren't in the first load. Missing: it needs none. */
  loadArt?(variant: { cards: { effect: string; face?: string }[] }): Promise<unknown>;
  /** A view as it is for this device, which may keep cards of its own. Missing: as it came. */
  viewForDevice?(ctrl: Controller, view: View): View;
  /** The next game is prepared, while its view is held back: what is due of this one is done. */
  settleNextGame?(ctrl: Controller, next: View): void;
  /** This seat is another device's now, or gone: what this one kept for it goes, once nobody needs it here. */
  forgetSeat?(table: string, seat: string): Promise<DeckNeed>;
  /** What a link that moves the viewer's seat carries besides the claim; null: nothing. */
  deckForLink?(ctrl: Controller, claim: string): Promise<string | null>;
  /**
   * Whether a device keeps something for another's seat that a link of the host's doesn't bring: the device is here, and
   * makes the link itself, or it is away; null: there is nothing of the kind.
   */
  keepsFor?(ctrl: Controller, seat: Seat): "here" | "away" | null;
  /** A link brought that here; fails in words. */
  receiveDeck?(table: string, claim: string, carried: string): Promise<void>;

  // Who is asked for what

  /** The seat that something is asked of now; null while a window is open, or when nobody is. */
  askedSeat(view: View): string | null;
  /** The sentence of the moment for whoever the panel speaks for, made of the pieces of core/moves.js; `draft`: see the controller. */
  now(view: View, as: string | null, aim: string | null, draft?: any): Now;
  /** What its sentences name besides seats and the card: `{place: …}`. */
  facts(ctrl: Controller): Facts;
  /** What stands at the now-line besides the sentence, for a viewer's own doing; `nothing` mostly. */
  aside(ctrl: Controller): Drawn;
  /** What the host says to the call in a turn or a roll call, in plain words; shell/call.js says the rest. */
  callSentence(view: View): string;
  /** The keys that tell two commands of one type apart, besides `as`, `card`, `target`, `seat` and `outcome`. */
  commandKeys: string[];

  /** The page that is shown in the place of the shell's; null: the shell's. */
  replacementPage?(ctrl: Controller): Drawn | null;
  /** One sentence for whoever plays for the first time, where the viewer wants any. */
  lesson?(ctrl: Controller): Drawn;
  /** In the menu, what there is to choose besides. */
  menu?(ctrl: Controller): Drawn;

  // The table

  /** The middle of the panel; shell/windowed.js draws an open window. */
  stage(ctrl: Controller): Drawn;
  /** What can be tapped now besides the stage; shell/dock.js has the pieces. */
  dock(ctrl: Controller): Drawn;
  /** What lies in the middle while a window is open: its name, its face, the class of its colours, its id for tests. */
  playedView(played: Played): { title: string; face: Drawn; hue: string; card: string };
  /** A living seat in the chain, under its name; `wide`: there is room. */
  tile(ctrl: Controller, seat: Seat, wide: boolean): Drawn;
  /** What the whole tile says to those who don't see it, besides name, hand and turn. */
  describe(ctrl: Controller, seat: Seat): string[];
  /** Who helps whoever is up, marked in the chain and in the ring, where a line runs from them; lit while it is their say. */
  helper(view: View): { seat: string; lit: boolean } | null;

  // Pages and sheets; the shell draws all others

  /** Whether a device keeps a seat's cards: nothing of them lies on a table. */
  keepsDeck?(seat: Seat): boolean;
  /** The preparation: shell/setup.js with the steps of its own. */
  setup(ctrl: Controller): Drawn;
  /** In the lobby, for the host: who else may be given a seat. */
  seatAdder?(ctrl: Controller): Drawn;
  /** In the lobby and the preparation, on top: what each chooses for themselves. */
  own?(ctrl: Controller): Drawn;
  /** In the lobby, folded away: what else there is to choose. */
  lobby?(ctrl: Controller): Drawn;
  /** At the end, under the story: what can be told of everybody's cards. */
  verdicts?(ctrl: Controller): Drawn;
  /** The options that are a switch, in their order, before the shared ones; those that the view lacks aren't shown. */
  switches: string[];
  /** What the words of one of them speak of. */
  switchFacts?: (key: string) => Facts;
  /** A sentence beside one of them; empty where there is nothing to say. */
  switchNote?: (key: string) => string;
  /** Its sheets by kind. `help` (shell/help.js) and `seat` (shell/seat.js) are asked for by the shell. */
  sheets: Record<string, (ctrl: Controller) => Drawn>;

  // Keyboard and live region

  /** A digit from 1 to 9; whether it did anything. */
  pressDigit(digit: number, doc: Document): boolean;
  /** More letters: which button each presses, as a selector. */
  letterSelectors: Record<string, string>;
  /** Its keys for the help, and what each does. */
  shortcuts(): Record<string, string>;
  /** What moved while the viewer arranges something (`ctrl.draft`), in words; empty: nothing. */
  describeMove(before: any, after: any, view: View): string;

  // The log

  /** The facts of its events that name a seat, besides the shared ones. */
  seatFacts: string[];
  /** The facts that say how many of a title lie where, in the order in which that is told (`where/…` of a variant's words). */
  placeFacts: string[];
  /** A fact of its own in a sentence of the log or a refusal; undefined: it is none of its own. */
  formatFact(key: string, value: any, facts: Facts, view: View): string | undefined;
  /** Events that say no more than the now-line. */
  quietEvents: string[];
  /** Event → the picture before its line, where it isn't its card's. */
  eventSigns: Record<string, string>;
  /** Event → what one hears. */
  eventSounds: Record<string, Cue>;
  /** Event → what moves. */
  eventMoves: Record<string, (facts: Record<string, any>) => Move[]>;
  /** Event → what kind of moment it is (shell/story.js draws each); the kinds that are drawn, in their order. */
  story: {
    kinds: Record<string, string>;
    shown: string[];
    /** A kind's own sign; undefined: the shell has one. */
    sign?(moment: Moment): Drawn;
  };
}
