/**
 * The log and refusals in the viewer's language, from the variant's texts; where the
 * table already speaks it, the server's own words stand. The same way of filling in as
 * the server's.
 * @import { Entry, Problem, View } from "./types.js"
 */
import { nameOf } from "./moves.js";
import { current, filled as inPlaces, listed, title } from "./text.js";

const SEATS = ["seat", "target", "by", "next", "instructor", "first", "host", "turn"];
const CARDS = ["card", "kitten", "nope"];

/** The variant's texts in the viewer's language, if the table speaks another. @param {any} variant */
const foreign = (variant) => (variant && variant.language !== current() ? variant.texts?.[current()] : undefined);

/** @param {Entry} entry @param {View} view @param {any} variant @returns {string} */
export function happened(entry, view, variant) {
  const texts = foreign(variant);
  const side = texts && sideOf(entry.type, entry.facts);
  const sentence = texts && (texts.log[`${entry.type}/${side}`] ?? texts.log[entry.type]);
  return sentence ? filled(sentence, entry.facts, view, texts) : entry.text;
}

/** @param {Problem} problem @param {View | null} view @param {any} variant @returns {string} */
export function refused(problem, view, variant) {
  const texts = foreign(variant);
  if (!texts || !view) return problem.text;
  if (!problem.ruling) return texts.errors[problem.code] ?? problem.text;
  const sentence = texts.refused[`${problem.ruling}/${problem.facts?.case}`] ?? texts.refused[problem.ruling];
  return sentence ? filled(sentence, problem.facts ?? {}, view, texts) : (texts.rulings[problem.ruling]?.text ?? problem.text);
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
  const spoken = Object.entries(facts).map(([key, value]) => [key, value == null ? "" : word(key, value, facts, view, say)]);
  return inPlaces(sentence, small, { ...Object.fromEntries(spoken), where: whereabouts(facts, say) }, facts).join("");
}

/** Where the copies of a title lie, as far as that can be told. @param {Record<string, any>} facts @param {Record<string, string>} say */
const whereabouts = (facts, say) =>
  listed(
    ["discard", "up", "hand", "down"]
      .filter((place) => facts[place])
      .map((place) => (say[`where/${place}`] ?? "").replace("{number}", say[`number/${facts[place]}`] ?? String(facts[place]))),
  );

/** @param {string} key @param {any} value @param {Record<string, any>} facts @param {View} view @param {Record<string, string>} say */
function word(key, value, facts, view, say) {
  if (SEATS.includes(key)) return nameOf(view, value) || String(value);
  if (key === "seats") return listed(value.map((/** @type {string} */ seat) => nameOf(view, seat)));
  if (CARDS.includes(key)) return title(value);
  if (key === "titles") return listed(value.map(title));
  if (key === "cell" || key === "told") return facts.place ? placed(facts.place, say) : at(value, say);
  return String(value);
}

/** Where a card lay when it was spoken of, if the log says so. @param {{row: number, rows: number, index: number, count: number}} place @param {Record<string, string>} say */
function placed({ row, rows, index, count }, say) {
  const line = rows === 1 ? "one" : row === 0 ? "top" : row === rows - 1 ? "bottom" : rows === 3 ? "middle" : "other";
  const right = count - 1 - index;
  const side = count === 1 ? "only" : index === right ? "middle" : index < right ? "left-theirs" : "right-theirs";
  const nth = Math.min(index, right) + 1;
  const ordinal = (say[`ordinal/${nth}`] ?? say["ordinal/other"] ?? "").replace("{number}", String(nth));
  const words = { row: (say[`rows/${line}`] ?? "").replace("{number}", String(row + 1)), place: (say[`place/${side}`] ?? "").replace("{ordinal}", ordinal) };
  return (say.cell ?? "").replace("{row}", words.row).replace("{place}", words.place);
}

/** @param {[number, number]} cell @param {Record<string, string>} say */
const at = ([row, column], say) => (say["empty-cell"] ?? "").replace("{row}", String(row + 1)).replace("{column}", String(column + 1));
