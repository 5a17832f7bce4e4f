/**
 * Finds the scene (a short moving picture) that belongs to a change at a table with one pile: a
 * drawn card, or a new direction of play.
 */

/** @import { Controller } from "../core/controller.js" */
/** @import { Change, Entry, Scene } from "../core/types.js" */

/**
 * Returns the scene for a change, or null if there is none.
 * @param {Controller} _ctrl
 * @param {Change} change
 * @returns {Scene | null}
 */
export function findScene(_ctrl, { entries }) {
  const entry = entries.findLast(hasScene);
  if (!entry?.seat) return null;
  const { seat, facts } = entry;
  const place = { seat, from: ".heap > .card-art" };
  switch (entry.type) {
    case "kitten_shown":
      return { ...place, kind: "kitten", card: facts.kitten };
    case "imploding_shown":
      return { ...place, kind: "kitten", card: facts.kitten, sentence: "scene.imploding" };
    case "went_out":
      return { ...place, kind: "kitten", card: facts.kitten, sentence: "scene.out", known: true };
    case "order_reversed":
      return { seat, kind: "reverse", direction: facts.direction };
  }
  const tile = `:is(.tile, .screen-tile)[data-seat=${JSON.stringify(seat)}]`;
  return { ...place, kind: "phew", to: [tile] };
}

const TYPES_WITH_SCENE = ["card_drawn", "kitten_shown", "imploding_shown", "order_reversed"];

/**
 * Returns true if the panel plays a scene for an entry of the log. If a player goes out, there is a
 * scene only for the Imploding Kitten that they drew face up. The explosion itself is shown in any
 * case.
 * @param {Entry} entry
 */
const hasScene = ({ type, facts }) =>
  TYPES_WITH_SCENE.includes(type) || (type === "went_out" && typeof facts.kitten === "string");
