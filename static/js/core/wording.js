/**
 * The log and refusals in the viewer's language, from the variant's texts; where the
 * table already speaks it, the server's own words stand. The same way of filling in as
 * the server's.
 * @import { Lies } from "../grid/place.js"
 * @import { Entry, Problem, View } from "./types.js"
 */
import { title } from "./deck.js";
import { nameOf, seatOf } from "./moves.js";
import { lain, place } from "../grid/place.js";
import { current, filled as inPlaces, listed, t } from "./text.js";

const SEATS = [
  "seat",
  "target",
  "by",
  "next",
  "right",
  "instructor",
  "first",
  "host",
  "holder",
  "turn",
];
const CARDS = ["card", "kitten", "nope"];

/** Whether a fact is the viewer. @param {Record<string, any> | undefined} facts @param {View} view */
const mine = (facts, view) => (/** @type {string} */ key) =>
  !!view.you && facts?.[key] === view.you.seat;

/**
 * The variant's texts in the viewer's language, if the server's own words won't do: the
 * table speaks another, or the viewer is spoken of.
 * @param {any} variant @param {Record<string, any> | undefined} facts @param {View} view
 */
const own = (variant, facts, view) =>
  variant &&
  (variant.language !== current() ||
    SEATS.some(mine(facts, view)) ||
    facts?.seats?.includes(view.you?.seat))
    ? variant.texts?.[current()]
    : undefined;

/** @param {Entry} entry @param {View} view @param {any} variant @returns {string} */
export function happened(entry, view, variant) {
  const texts = own(variant, entry.facts, view);
  const side = texts && sideOf(entry.type, entry.facts);
  const sentence = texts && (texts.log[`${entry.type}/${side}`] ?? texts.log[entry.type]);
  return sentence ? filled(sentence, entry.facts, view, texts) : entry.text;
}

/** @param {Problem} problem @param {View | null} view @param {any} variant @returns {string} */
export function refused(problem, view, variant) {
  const texts = view && own(variant, problem.facts, view);
  if (!texts) return problem.text;
  const { ruling, code, facts = {} } = problem;
  const sentence = ruling
    ? (texts.refused[`${ruling}/${facts.case}`] ?? texts.refused[ruling])
    : (texts.errors[`${code}/${facts.what}`] ?? texts.errors[code]);
  return sentence
    ? filled(sentence, facts, view, texts)
    : (texts.rulings[ruling ?? ""]?.text ?? problem.text);
}

/** Which face of an event it was, where its sentence has several. @param {string} type @param {Record<string, any>} facts @returns {string | null} */
function sideOf(type, facts) {
  if (type === "ready_said") return facts.ready ? "yes" : "no";
  if (type === "nope_played" || type === "window_closed") return facts.counts ? "yes" : "no";
  if (type === "card_played") return facts.target ? "target" : null;
  if (type === "host_changed" || type === "released") return facts.seat ? null : "nobody";
  if (type === "step_began") return facts.step;
  if (type === "card_drawn") return facts.card ? "card" : null;
  if (type === "note_made") return facts.card ? null : "nothing";
  return type === "went_out" ? facts.out : null;
}

/** @param {string} sentence @param {Record<string, any>} facts @param {View} view @param {any} texts */
function filled(sentence, facts, view, { say, small }) {
  const spoken = Object.entries(facts).map(([key, value]) => [
    key,
    value == null ? "" : word(key, value, facts, view, say),
  ]);
  return inPlaces(
    sentence,
    small,
    { ...Object.fromEntries(spoken), where: whereabouts(facts, say) },
    facts,
    SEATS.filter(mine(facts, view)),
  ).join("");
}

/** Where the copies of a title lie, as far as that can be told. @param {Record<string, any>} facts @param {Record<string, string>} say */
const whereabouts = (facts, say) =>
  listed(
    ["discard", "up", "hand", "down"]
      .filter((place) => facts[place])
      .map((place) =>
        (say[`where/${place}`] ?? "").replace(
          "{number}",
          say[`number/${facts[place]}`] ?? String(facts[place]),
        ),
      ),
  );

/** A seat's name; of who isn't here any more, the last that the log knows. @param {View} view @param {string} seat @returns {string} */
const called = (view, seat) =>
  nameOf(view, seat) ||
  (view.log.findLast(({ facts }) => facts?.seat === seat && facts.name)?.facts.name ?? seat);

/** @param {string} key @param {any} value @param {Record<string, any>} facts @param {View} view @param {Record<string, string>} say */
function word(key, value, facts, view, say) {
  if (SEATS.includes(key)) return called(view, value);
  if (key === "seats")
    return listed(
      value.map((/** @type {string} */ seat) =>
        seat === view.you?.seat ? t("seat.you") : called(view, seat),
      ),
    );
  if (CARDS.includes(key)) return title(value);
  if (key === "titles") return listed(value.map(title));
  if (key === "cell" || key === "told") {
    const owner = (key === "told" ? facts.turn : facts.target) ?? facts.seat;
    const lies = (key === "cell" && facts.place) || lain(seatOf(view, owner)?.grid, value);
    return lies ? placed(lies, say, !!owner && owner === view.you?.seat) : at(value, say);
  }
  return String(value);
}

/** A place, spoken to its owner or about them. @param {Lies} lies @param {Record<string, string>} say @param {boolean} to */
function placed(lies, say, to) {
  const { row, number, side, nth } = place(lies);
  const ordinal = (say[`ordinal/${nth}`] ?? say["ordinal/other"] ?? "").replace(
    "{number}",
    String(nth),
  );
  const turned = side === "left" || side === "right";
  const words = {
    row: (say[`rows/${row}`] ?? "").replace("{number}", String(number)),
    place: (say[`place/${side}${turned && !to ? "-theirs" : ""}`] ?? "").replace(
      "{ordinal}",
      ordinal,
    ),
  };
  return (say.cell ?? "").replace("{row}", words.row).replace("{place}", words.place);
}

/** @param {[number, number]} cell @param {Record<string, string>} say */
const at = ([row, column], say) =>
  (say["empty-cell"] ?? "")
    .replace("{row}", String(row + 1))
    .replace("{column}", String(column + 1));
