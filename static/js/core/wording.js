/**
 * The log and refusals in the viewer's language, from the variant's texts; where the
 * table already speaks it, the server's own words stand. The same way of filling in as
 * the server's.
 * @import { Entry, Problem, View } from "./types.js"
 */
import { title } from "./deck.js";
import { family } from "./family.js";
import { nameOf } from "./moves.js";
import { currentLanguage, fill as inPlaces, joinNames, t } from "./text.js";

const SEATS = ["seat", "target", "by", "next", "right", "first", "host", "holder", "turn"];
const CARDS = ["card", "kitten", "nope"];

/** Whether a fact is a seat. @param {string} key */
const isSeat = (key) => SEATS.includes(key) || family().seatFacts.includes(key);

/** Whether a fact is the viewer. @param {Record<string, any> | undefined} facts @param {View} view */
const mine = (facts, view) => (/** @type {string} */ key) =>
  !!view.you && isSeat(key) && facts?.[key] === view.you.seat;

/**
 * The variant's texts in the viewer's language, if the server's own words won't do: the
 * table speaks another, or the viewer is spoken of.
 * @param {any} variant @param {Record<string, any> | undefined} facts @param {View} view
 */
const own = (variant, facts, view) =>
  variant &&
  (variant.language !== currentLanguage() ||
    Object.keys(facts ?? {}).some(mine(facts, view)) ||
    facts?.seats?.includes(view.you?.seat))
    ? variant.texts?.[currentLanguage()]
    : undefined;

/** @param {Entry} entry @param {View} view @param {any} variant @returns {string} */
export function describeEvent(entry, view, variant) {
  const { type, facts } = entry;
  const texts = own(variant, facts, view);
  const sentence = texts && (texts.log[`${type}/${entry.case}`] ?? texts.log[type]);
  if (!sentence) return entry.text;
  const known = facts.known && texts.log[`${type}/${facts.known}`];
  return [sentence, ...(known ? [known] : [])]
    .map((one) => fillFacts(one, facts, view, texts))
    .join(" ");
}

/** @param {Problem} problem @param {View | null} view @param {any} variant @returns {string} */
export function describeRefusal(problem, view, variant) {
  const texts = view && own(variant, problem.facts, view);
  if (!texts) return problem.text;
  const { ruling, code, facts = {} } = problem;
  const sentence = ruling
    ? (texts.refused[`${ruling}/${facts.case}`] ?? texts.refused[ruling])
    : (texts.errors[`${code}/${facts.what}`] ?? texts.errors[code]);
  return sentence
    ? fillFacts(sentence, facts, view, texts)
    : (texts.rulings?.[ruling ?? ""]?.text ?? problem.text);
}

/** @param {string} sentence @param {Record<string, any>} facts @param {View} view @param {any} texts */
function fillFacts(sentence, facts, view, { say, small }) {
  const spoken = Object.entries(facts).map(([key, value]) => [
    key,
    value == null ? "" : word(key, value, facts, view),
  ]);
  return inPlaces(
    sentence,
    small,
    { ...Object.fromEntries(spoken), where: whereabouts(facts, say) },
    facts,
    Object.keys(facts).filter(mine(facts, view)),
  ).join("");
}

/**
 * Where the copies of a title lie, as far as that can be told.
 * @param {Record<string, any>} facts
 * @param {Record<string, string>} say
 */
const whereabouts = (facts, say) =>
  joinNames(
    family()
      .placeFacts.filter((place) => facts[place])
      .map((place) =>
        (say[`where/${place}`] ?? "").replace(
          "{number}",
          say[`number/${facts[place]}`] ?? String(facts[place]),
        ),
      ),
  );

/**
 * A seat's name; of who isn't here any more, the last that the log knows.
 * @param {View} view
 * @param {string} seat
 * @returns {string}
 */
const lastNameOf = (view, seat) =>
  nameOf(view, seat) ||
  (view.log.findLast(({ facts }) => facts?.seat === seat && facts.name)?.facts.name ?? seat);

/** @param {string} key @param {any} value @param {Record<string, any>} facts @param {View} view */
function word(key, value, facts, view) {
  const own = family().formatFact(key, value, facts, view);
  if (own !== undefined) return own;
  if (isSeat(key)) return lastNameOf(view, value);
  if (key === "seats")
    return joinNames(
      value.map((/** @type {string} */ seat) =>
        seat === view.you?.seat ? t("seat.you") : lastNameOf(view, seat),
      ),
    );
  if (CARDS.includes(key)) return title(value);
  if (key === "titles") return joinNames(value.map(title));
  return String(value);
}
