"""Facts into sentences: refusals, errors and the log, from a variant's texts.

A table keeps the variant it began with, for ever: a sentence that came later than the
variant is done without.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from companion.rules.core.events import Happened
from companion.rules.core.family import Facts
from companion.rules.core.model import Seat, Table, Waiting
from companion.rules.core.phrases import asked, filled
from companion.rules.core.rulings import Refused
from companion.rules.core.texts import SEATS
from companion.rules.core.variant import Texts

_CARDS = {"card", "kitten", "nope"}


def refusal(table: Table, refused: Refused) -> str:
    """Why it is refused, in one friendly sentence."""
    return _filled(unfilled(table.variant.words, refused), refused.facts, table, table)


def unfilled(words: Texts, refused: Refused) -> str:
    """The sentence for a refusal: of its case, of its ruling, else the ruling itself."""
    if refused.ruling is None:
        return words.errors[refused.code]
    return (
        words.refused.get(f"{refused.ruling}/{refused.case}")
        or words.refused.get(refused.ruling)
        or (words.rulings[refused.ruling].text if refused.ruling in words.rulings else "")
    )


def error(say: Mapping[str, str], code: str, **facts: str) -> str:
    """What the service says for an error that no ruling is behind; ``say``: the errors' texts."""
    sentence = say.get(f"{code}/{facts.get('what')}") or say.get(code, code)
    return sentence.format_map(defaultdict(str, facts))


def happened(event: Happened, facts: Facts, before: Table, after: Table) -> str:
    """What the log says of an event with these facts; cells are spoken as they were before it."""
    sentences, kind = after.variant.words.log, str(event.__struct_config__.tag)
    case = event.case
    sentence = sentences.get(f"{kind}/{case}") if case else None
    return _filled(sentence or sentences.get(kind, kind), facts, before, after)


def _filled(sentence: str, facts: Facts, before: Table, after: Table) -> str:
    spoken = asked(sentence)
    words = {key: _word(key, facts[key], facts, before, after) for key in spoken & facts.keys()}
    if len(words) < len(spoken):
        words |= after.family.shown.more_words(facts, after)
    return filled(sentence, after.variant.words.small, words, facts)


def _word(key: str, value: Any, facts: Facts, before: Table, after: Table) -> str:
    """A fact as it is spoken: a seat's name, a card's title, what the family says of its own."""
    texts = after.variant.words
    if value is None:
        return ""
    if key in SEATS:
        return _name(after, value)
    if key == "seats":
        return listed(texts, [_name(after, seat) for seat in value])
    if key in _CARDS and value in after.variant.by_title:
        return title(after, value)
    if key == "titles":
        return listed(texts, [title(after, card) for card in value])
    own = after.family.shown.word(key, value, facts, before)
    return str(value) if own is None else own


def number(say: Mapping[str, str], number: int) -> str:
    """A number as it is spoken."""
    return say.get(f"number/{number}") or str(number)


def _name(table: Table, seat: str) -> str:
    people: tuple[Seat | Waiting, ...] = (*table.waiting, *table.seats)
    for one in people:
        if one.seat == seat:
            return one.name
    return seat


def title(table: Table, card: str) -> str:
    """A card's title."""
    text = table.variant.words.cards.get(card)
    return text.title if text else table.variant.words.elsewhere.get(card, card)


def listed(texts: Texts, words: Sequence[str]) -> str:
    """A list as it is spoken."""
    if len(words) < 2:
        return "".join(words)
    most, last = ", ".join(words[:-1]), words[-1]
    return filled(texts.say["and"], texts.small, {"most": most, "last": last})
