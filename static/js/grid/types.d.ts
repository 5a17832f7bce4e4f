/** Types of the messages that only the draw grid has (docs/protocol.md). */
import type * as core from "../core/types.js";

export type Cell = [number, number];
export type Face = string | null;
export type Grid = Face[][];
export type Step = "tell" | "act" | "window" | "look" | "shuffle" | "reveal" | "report" | "kitten";
export interface Odds {
  cells: Record<string, Record<string, number>>;
  holds: Record<string, number>;
  placed: boolean;
}
export interface Seat extends core.Seat {
  discard: string[];
  grid: Grid;
  deck?: Deck;
  odds?: Odds;
}
/** A seat's deck: real cards on the player's table, or a device deck with its commitment. */
export type Deck =
  | { kind: "table" }
  | {
      kind: "device";
      commit: string;
      secret: string | null;
      /**
       * False if the seat's device lacks the deck, null if the device hasn't reported yet. A missing
       * field means true.
       */
      here?: boolean | null;
    };
export interface Turn extends core.Turn {
  instructor: string;
  step: Step;
  told: Cell | null;
  say: string | null;
  owed?: number;
  /** True if this is the second or a later one of several turns that the player owed. */
  again?: boolean;
}
export interface Played extends core.Played {
  card: string;
  cell: Cell | null;
}
export interface Note {
  cell: Cell;
  card: string;
}
export interface You extends core.You {
  notes: Note[];
  odds?: Odds;
}
export interface View extends core.View {
  seats: Seat[];
  roll_call: { caller: string } | null;
  turn: Turn | null;
  played: Played | null;
  you: You | null;
}
/** The position of a card among the cards that are left in its row. */
export interface RowPlace {
  row: number;
  rows: number;
  index: number;
  count: number;
}
/** The cards of a player's deck in a variant, and how they are dealt (fair.js). */
export interface Pack {
  cards: string[];
  kitten: string;
  defuse: string;
  away: number;
  hand: number;
  cells: Cell[];
}
/** The cards of a device deck. Those in the grid are in reading order. */
export interface Cards {
  hand: string[];
  grid: { cell: Cell; card: string }[];
}
/** One game of a log, without the events that were undone (check.js). */
export interface FairGame {
  number: number;
  salt: string;
  decks: Record<string, string>;
  opened: Record<string, { version: number; secret: string }>;
  events: core.Entry[];
}
/**
 * A mismatch between an opened deck and an event: the card that the player showed, and the card
 * that was really there.
 */
export interface Finding {
  version: number;
  what:
    | "another-secret"
    | "no-salt"
    | "not-in-hand"
    | "another-card"
    | "a-kitten"
    | "no-kitten"
    | "other-cells"
    | "not-sealed";
  shownCard?: string | null;
  actualCard?: string | null;
  cell?: Cell;
}
