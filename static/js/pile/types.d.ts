/** Types of the messages that only games with one pile have (docs/protocol.md). */
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
  | "kitten"
  | "imploding";
/**
 * The chance of a Kitten at one end of the pile: an exact value, or a range with an estimate
 * (`even`).
 */
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
  /**
   * The place of the Imploding Kitten: face down in the pile, shown by the player who drew it, face
   * up in the pile, or face up on top. null means that it has left the game. Missing in boxes
   * without this card.
   */
  imploding?: "down" | "shown" | "up" | "top" | null;
  top?: End;
  bottom?: End;
}
export interface Seat extends core.Seat {
  /**
   * The least number of copies that everybody knows to be in the hand, by title. Missing if the
   * table shows no odds.
   */
  known?: Record<string, number>;
  /** Titles that everybody knows not to be in the hand. */
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
/**
 * A choice that the viewer assembles before sending it. If `alone` is true, it takes the chain's
 * place on the page.
 */
export interface Draft {
  alone?: boolean;
  /** A combo: its kind, its cards, and the title to ask for. */
  kind?: string;
  cards?: string[];
  name?: string | null;
  /** The seen cards, the top card first. null is a slot that isn't filled yet. */
  saw?: (string | null)[];
  /** The place for a Kitten that goes back into the pile. */
  place?: number;
  /** The cards of an exploding player's hand. */
  told?: string[];
}
