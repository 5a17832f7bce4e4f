/** The wire contract's shapes that only the draw grid has. */
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
/** Where a seat's cards are: on its table, or kept by its device, which commits to a secret. */
export type Deck =
  | { kind: "table" }
  | {
      kind: "device";
      commit: string;
      secret: string | null;
      /** Whether the seat's device has the deck; missing: it has; null: it hasn't said so yet. */
      here?: boolean | null;
    };
export interface Turn extends core.Turn {
  instructor: string;
  step: Step;
  told: Cell | null;
  say: string | null;
  owed?: number;
  /** Whether the same player was up before, and owed this turn. */
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
/** A card among those still in its row. */
export interface Lies {
  row: number;
  rows: number;
  index: number;
  count: number;
}
/** A variant's deck as a device deals it (fair.js). */
export interface Pack {
  cards: string[];
  kitten: string;
  defuse: string;
  away: number;
  hand: number;
  cells: Cell[];
}
/** The cards of a deck that a device keeps: the grid's in reading order. */
export interface Cards {
  hand: string[];
  grid: { cell: Cell; card: string }[];
}
/** One game of a log, without what was taken back (check.js). */
export interface FairGame {
  number: number;
  salt: string;
  decks: Record<string, string>;
  opened: Record<string, { version: number; secret: string }>;
  events: core.Entry[];
}
/** What does not fit in an open deck, in which event. */
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
  said?: string | null;
  lay?: string | null;
  cell?: Cell;
}
