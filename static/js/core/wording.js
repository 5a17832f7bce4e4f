/**
 * Renders events and refusals as sentences in the viewer's language, from the variant's texts. If the
 * table uses that language already, the server's sentence is used as it is, unless it names the viewer
 * ("You" in place of the name). Facts are filled in as the server's `phrases` does.
 * @import { Entry, Problem, View } from "./types.js"
 */
import { title } from "./deck.js";
import { family } from "./family.js";
import { nameOf } from "./moves.js";
import { currentLanguage, fill, joinNames, t } from "./text.js";

/** Facts whose value is a seat, in any game. */
const SEATS = ["seat", "target", "by", "next", "right", "first", "host", "holder", "turn"];
/** Facts whose value is a card. */
const CARDS = ["card", "kitten", "nope"];

/** Returns true if a fact's value is a seat. @param {string} key */
const isSeat = (key) => SEATS.includes(key) || family().seatFacts.includes(key);

/**
 * Returns a test that is true for a fact whose value is the viewer's seat.
 * @param {Record<string, any> | undefined} facts
 * @param {View} view
 */
const viewerTest = (facts, view) => (/** @type {string} */ key) =>
  !!view.you && isSeat(key) && facts?.[key] === view.you.seat;

/**
 * Returns the variant's texts in the viewer's language, or undefined if the server's sentence can be used.
 * @param {any} variant
 * @param {Record<string, any> | undefined} facts
 * @param {View} view
 */
const textsFor = (variant, facts, view) =>
  variant &&
  (variant.language !== currentLanguage() ||
    Object.keys(facts ?? {}).some(viewerTest(facts, view)) ||
    facts?.seats?.includes(view.you?.seat))
    ? variant.texts?.[currentLanguage()]
    : undefined;

/**
 * Returns an entry of the log as a sentence.
 * @param {Entry} entry
 * @param {View} view
 * @param {any} variant
 * @returns {string}
 */
export function describeEvent(entry, view, variant) {
  const { type, facts } = entry;
  const texts = textsFor(variant, facts, view);
  const sentence = texts && (texts.log[`${type}/${entry.case}`] ?? texts.log[type]);
  if (!sentence) return entry.text;
  const addition = facts.known && texts.log[`${type}/${facts.known}`];
  return [sentence, ...(addition ? [addition] : [])]
    .map((template) => fillFacts(template, facts, view, texts))
    .join(" ");
}

/**
 * Returns a refusal as a sentence.
 * @param {Problem} problem
 * @param {View | null} view
 * @param {any} variant
 * @returns {string}
 */
export function describeRefusal(problem, view, variant) {
  const texts = view && textsFor(variant, problem.facts, view);
  if (!texts) return problem.text;
  const { ruling, code, facts = {} } = problem;
  const sentence = ruling
    ? (texts.refused[`${ruling}/${facts.case}`] ?? texts.refused[ruling])
    : (texts.errors[`${code}/${facts.what}`] ?? texts.errors[code]);
  return sentence
    ? fillFacts(sentence, facts, view, texts)
    : (texts.rulings?.[ruling ?? ""]?.text ?? problem.text);
}

/**
 * Fills facts into a sentence of the variant.
 * @param {string} sentence
 * @param {Record<string, any>} facts
 * @param {View} view
 * @param {any} texts
 */
function fillFacts(sentence, facts, view, { say, small }) {
  const words = Object.entries(facts).map(([key, value]) => [
    key,
    value == null ? "" : formatFact(key, value, facts, view),
  ]);
  return fill(
    sentence,
    small,
    { ...Object.fromEntries(words), where: whereabouts(facts, say) },
    facts,
    Object.keys(facts).filter(viewerTest(facts, view)),
  ).join("");
}

/**
 * Returns where the copies of a card are, as far as everybody knows: "two on the discard
 * pile and one certainly in the hand".
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
 * Returns a seat's name; for a seat that no longer exists, the last name in the log.
 * @param {View} view
 * @param {string} seat
 * @returns {string}
 */
const lastNameOf = (view, seat) =>
  nameOf(view, seat) ||
  (view.log.findLast(({ facts }) => facts?.seat === seat && facts.name)?.facts.name ?? seat);

/**
 * Returns the text for a fact's value.
 * @param {string} key
 * @param {any} value
 * @param {Record<string, any>} facts
 * @param {View} view
 */
function formatFact(key, value, facts, view) {
  const familyText = family().formatFact(key, value, facts, view);
  if (familyText !== undefined) return familyText;
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
