/** The wire contract's shapes that only the games with one pile have. */
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
/** How likely the Kitten lies at an end of the pile: a number, or between two with an even guess. */
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
  /** Certain for everybody: title → at least. Missing where a table wants no odds. */
  known?: Record<string, number>;
  /** Certain not to be there. */
  never?: string[];
}
export interface Turn extends core.Turn {
  owed: number;
  attacked: boolean;
  step: Step;
  end: "top" | "bottom" | null;
}
export interface Played extends core.Played {
  /** The card, or which combo. */
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
/** What the viewer puts together before they say it; `alone`: the chain makes room. */
export interface Draft {
  alone?: boolean;
  /** Which combo, of which cards, asking for which title. */
  kind?: string;
  cards?: string[];
  name?: string | null;
  /** What was seen on top, the top first; null: not filled in. */
  saw?: (string | null)[];
  /** Where a Kitten goes. */
  place?: number;
  /** The hand that is told. */
  told?: string[];
}
