"""Messages for refusals, errors and the log, filled in from a variant's texts.

docs/translating.md describes the placeholders. A table keeps the variant that it was created with,
so a message that was added to the files later may be missing. That is why every look-up has a
fallback. The server writes about players in the third person. The panel's ``text.js`` fills in the
same messages and addresses its own player as *you*.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from companion.rules.core.state import Deck, Seat, Table, Waiting
from companion.rules.core.types import Event
from companion.rules.text.rulings import SEATS, Refused
from companion.rules.text.sentences import (
    Facts,
    _has_right_to_left,
    _isolate,
    fill_sentence,
    placeholder_facts,
)
from companion.rules.variants.variant import Texts

_CARDS = {"card", "kitten", "nope"}


def render_refusal(table: Table, refused: Refused) -> str:
    """Return the message for a refusal, with the placeholders filled in."""
    return _fill_from_table(
        refusal_template(table.variant.words, refused), refused.facts, table, table
    )


def refusal_template(words: Texts, refused: Refused) -> str:
    """Return the message for a refusal, with its placeholders not yet filled in.

    This is the message for the refusal's case if there is one, otherwise the message for the
    ruling, otherwise the ruling's text in the help.
    """
    if refused.ruling is None:
        return words.errors.get(f"{refused.code}/{refused.case}") or words.errors[refused.code]
    return (
        words.refused.get(f"{refused.ruling}/{refused.case}")
        or words.refused.get(refused.ruling)
        or (words.rulings[refused.ruling].text if refused.ruling in words.rulings else "")
    )


def render_error(say: Mapping[str, str], code: str, **facts: str) -> str:
    """Return the message for an error that doesn't cite a ruling.

    ``say`` maps an error code, or ``code/what`` for a special case, to a message.
    """
    sentence = say.get(f"{code}/{facts.get('what')}") or say.get(code, code)
    return sentence.format_map(defaultdict(str, facts))


def describe_event(event: Event, facts: Facts, before: Table, after: Table) -> str:
    """Return the log's message for an event.

    If the message names a cell of a grid, it describes the cell as it was before the event.
    """
    sentences = after.variant.words.log
    kind = str(event.__struct_config__.tag)
    case = event.sentence_case
    parts = [(sentences.get(f"{kind}/{case}") if case else None) or sentences.get(kind, kind)]
    if "known" in facts:
        parts.append(sentences.get(f"{kind}/{facts['known']}", ""))
    return " ".join([_fill_from_table(part, facts, before, after) for part in parts if part])


def _fill_from_table(sentence: str, facts: Facts, before: Table, after: Table) -> str:
    keys = placeholder_facts(sentence)
    words = {key: _describe_fact(key, facts, before, after) for key in keys & facts.keys()}
    if len(words) < len(keys):
        words |= after.family.views.derived_words(facts, after)
    return fill_sentence(sentence, after.variant.words.small, words, facts)


def _describe_fact(key: str, facts: Facts, before: Table, after: Table) -> str:
    """Return the text for a placeholder, such as a seat's name or a card's title."""
    texts = after.variant.words
    value = facts[key]
    if value is None:
        return ""
    if key in SEATS:
        return _seat_name(after, value)
    if key == "seats":
        return join_words(texts, [_seat_name(after, seat) for seat in value])
    if key in _CARDS and value in after.variant.by_title:
        return card_title(after, value)
    if key == "titles":
        return join_words(texts, [card_title(after, card) for card in value])
    text = after.family.views.describe_fact(key, facts, before)
    return str(value) if text is None else text


def _seat_name(table: Table, seat: str) -> str:
    people: tuple[Seat | Waiting | Deck, ...] = (*table.waiting, *table.seats, *table.dealt)
    for person in people:
        if person.seat == seat:
            return person.name
    return seat


def card_title(table: Table, card: str) -> str:
    """Return the card's title, even if the card belongs to another game.

    An unknown id is returned unchanged.
    """
    text = table.variant.words.cards.get(card)
    return text.title if text else table.variant.words.elsewhere.get(card, card)


def join_words(texts: Texts, words: Sequence[str]) -> str:
    """Join words into a list such as *Ann, Ben and Cleo*."""
    if len(words) < 2:
        return "".join(words)
    right_to_left = any(map(_has_right_to_left, (texts.say["and"], *words)))
    words = [_isolate(word, right_to_left) for word in words]
    all_but_last = ", ".join(words[:-1])
    last = words[-1]
    return fill_sentence(texts.say["and"], texts.small, {"most": all_but_last, "last": last})
