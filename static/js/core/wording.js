/**
 * Turns events and refusals into sentences in the viewer's language, with the variant's texts. If
 * the table already uses that language, the server's sentence is shown unchanged, unless it names
 * the viewer, who is addressed as "you". The values of a sentence's placeholders are called its
 * *facts*. They are inserted in the same way as on the server (`fill_sentence`).
 * @import { Entry, Problem, View } from "./types.js"
 */
import { getCardTitle } from "./deck.js";
import { getFamily } from "./family.js";
import { getSeatName } from "./moves.js";
import { getLanguage, fillSentence, joinNames, t } from "./text.js";

/** Names of the facts that are seats, in all families of games. */
const SEATS = ["seat", "target", "by", "next", "right", "first", "host", "holder", "turn"];
/** Names of the facts that are cards. */
const CARDS = ["card", "kitten", "nope"];

/** Returns true if the fact with this name is a seat. @param {string} key */
const isSeatFact = (key) => SEATS.includes(key) || getFamily().seatFacts.includes(key);

/**
 * Returns a function that takes a fact's name and returns true if the fact is the viewer's seat.
 * @param {Record<string, any> | undefined} facts
 * @param {View} view
 */
const createViewerTest = (facts, view) => (/** @type {string} */ key) =>
  !!view.you && isSeatFact(key) && facts?.[key] === view.you.seat;

/**
 * Returns the variant's texts in the viewer's language. Returns undefined if the server's sentence
 * can be shown unchanged, or if the variant has no texts in that language.
 * @param {any} variant
 * @param {Record<string, any> | undefined} facts
 * @param {View} view
 */
const selectTexts = (variant, facts, view) =>
  variant &&
  (variant.language !== getLanguage() ||
    Object.keys(facts ?? {}).some(createViewerTest(facts, view)) ||
    facts?.seats?.includes(view.you?.seat))
    ? variant.texts?.[getLanguage()]
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
  const texts = selectTexts(variant, facts, view);
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
  const texts = view && selectTexts(variant, problem.facts, view);
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
 * Returns one of the variant's sentences with its placeholders replaced by the facts as text.
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
  return fillSentence(
    sentence,
    small,
    { ...Object.fromEntries(words), where: describeWhereabouts(facts, say) },
    facts,
    Object.keys(facts).filter(createViewerTest(facts, view)),
  ).join("");
}

/**
 * Describes where everybody knows the copies of a card to be: "two on the discard pile and one
 * certainly in the hand".
 * @param {Record<string, any>} facts
 * @param {Record<string, string>} say
 */
const describeWhereabouts = (facts, say) =>
  joinNames(
    getFamily()
      .placeFacts.filter((place) => facts[place])
      .map((place) =>
        (say[`where/${place}`] ?? "").replace(
          "{number}",
          say[`number/${facts[place]}`] ?? String(facts[place]),
        ),
      ),
  );

/**
 * Returns the name of a seat's player. If the seat no longer exists, returns its last name in the
 * log.
 * @param {View} view
 * @param {string} seat
 * @returns {string}
 */
const findLastName = (view, seat) =>
  getSeatName(view, seat) ||
  (view.log.findLast(({ facts }) => facts?.seat === seat && facts.name)?.facts.name ?? seat);

/**
 * Returns a fact as text, such as the name of a seat's player or a card's title.
 * @param {string} key
 * @param {any} value
 * @param {Record<string, any>} facts
 * @param {View} view
 */
function formatFact(key, value, facts, view) {
  const familyText = getFamily().formatFact(key, value, facts, view);
  if (familyText !== undefined) return familyText;
  if (isSeatFact(key)) return findLastName(view, value);
  if (key === "seats")
    return joinNames(
      value.map((/** @type {string} */ seat) =>
        seat === view.you?.seat ? t("seat.you") : findLastName(view, seat),
      ),
    );
  if (CARDS.includes(key)) return getCardTitle(value);
  if (key === "titles") return joinNames(value.map(getCardTitle));
  return String(value);
}

/**
 * Types of events that the line below the stage skips, because the now-line (the sentence about the
 * next action) already says the same.
 */
const QUIET = ["passed", "turn_began", "step_began", "window_opened", "ready_said"];

/**
 * Returns the newest entry that has a text and isn't of one of the skipped types, or undefined if
 * there is none.
 * @param {View} view
 * @returns {Entry | undefined}
 */
export const findNewestEntry = (view) =>
  view.log.findLast(
    ({ type, text }) => !QUIET.includes(type) && !getFamily().quietEvents.includes(type) && text,
  );
