/** Types of the wire contract that only games with one pile have. */
import type * as core from "../core/types.js";

export type Step =
  | "act"
  | "window"
  | "look"
  | "shuffle"
  | "give"
  | "take"
  | "answer"
  | "pick"
  | "report"
  | "kitten";
/** The chance of a Kitten at an end of the pile: exact, or a range with an even guess. */
export interface End {
  state: "shuffled" | "placed" | "arranged" | "noted";
  even: number;
  least: number;
  most: number;
}
export interface Pile {
  cards: number;
  kittens: number;
  exact: boolean;
  top?: End;
  bottom?: End;
}
export interface Seat extends core.Seat {
  /** Cards that everybody knows are there: title → at least. Missing if the table shows no odds. */
  known?: Record<string, number>;
  /** Titles that everybody knows are not there. */
  never?: string[];
}
export interface Turn extends core.Turn {
  owed: number;
  attacked: boolean;
  step: Step;
  end: "top" | "bottom" | null;
}
export interface Played extends core.Played {
  /** The card's id, or the kind of combo. */
  kind: string;
  cards: string[];
  /** The title that a triple asks for. */
  name: string | null;
}
export interface Note {
  place: number;
  card: string;
}
export interface You extends core.You {
  notes: Note[];
  odds?: { top: End; bottom: End };
}
export interface View extends core.View {
  seats: Seat[];
  pile: Pile | null;
  discard: { cards: string[]; unnoted: number } | null;
  turn: Turn | null;
  played: Played | null;
  you: You | null;
}
/** A choice that the viewer assembles before sending it; with `alone` it gets the chain's room. */
export interface Draft {
  alone?: boolean;
  /** A combo: its kind, cards, and the title asked for. */
  kind?: string;
  cards?: string[];
  name?: string | null;
  /** Cards seen on top, the top first; null: not filled in. */
  saw?: (string | null)[];
  /** The place for a Kitten. */
  place?: number;
  /** The hand that an exploding player names. */
  told?: string[];
}
