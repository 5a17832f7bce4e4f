/** The wire contract's shapes, as docs/protocol.md fixes them, and the panel's own. */
export type Cell = [number, number];
export type Face = string | null;
export type Grid = Face[][];
export type Step = "tell" | "act" | "window" | "look" | "shuffle" | "reveal" | "report" | "kitten";
export type Phase = "lobby" | "setup" | "roll_call" | "play" | "over";
export interface Odds {
  cells: Record<string, Record<string, number>>;
  holds: Record<string, number>;
  placed: boolean;
}
export interface Seat {
  seat: string;
  name: string;
  panel: boolean;
  ready: boolean;
  alive: boolean;
  out: "kitten" | "left" | null;
  hand: number;
  discard: string[];
  grid: Grid;
  next: string | null;
  odds?: Odds;
  survival?: number;
}
export interface Turn {
  number: number;
  seat: string;
  instructor: string;
  step: Step;
  told: Cell | null;
  say: string | null;
}
export interface Played {
  card: string;
  by: string;
  target: string | null;
  cell: Cell | null;
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
  text: string;
}
export interface Command {
  type: string;
  as?: string;
  [more: string]: any;
}
export interface Note {
  cell: Cell;
  card: string;
}
export interface You {
  seat: string;
  host: boolean;
  notes: Note[];
  may: Command[];
  undo?: number;
  log_room?: number;
  odds?: Odds;
}
export interface Options {
  nope_seconds: number;
  roll_call: boolean;
  spectators: boolean;
  locked: boolean;
  odds?: boolean;
  remind_seconds?: number | null;
}
export interface View {
  table: string;
  epoch: string;
  version: number;
  now: number;
  variant: string;
  game: number;
  phase: Phase;
  options: Options;
  host: string | null;
  seats: Seat[];
  waiting?: { seat: string; name: string }[];
  roll_call: { caller: string } | null;
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
export type Line = "connecting" | "open" | "lost" | "superseded" | "closed";
export type Facts = Record<string, unknown>;
