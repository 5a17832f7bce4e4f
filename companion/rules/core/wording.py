"""Facts into sentences: refusals, errors and the log, from a variant's texts; what may stand in one
says docs/translating.md. A table keeps the variant it began with, for ever: a sentence that came
later is done without. The server speaks about everybody, in words for all. The panel's ``text.js``
does the same, and speaks to its own seat."""

import re
import string
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from companion.rules.core.events import Event
from companion.rules.core.family import Facts
from companion.rules.core.model import Deck, Seat, Table, Waiting
from companion.rules.core.rulings import SEATS, Refused
from companion.rules.core.variant import Texts

_CARDS = {"card", "kitten", "nope"}


def refusal(table: Table, refused: Refused) -> str:
    return _fill_from_table(
        refusal_template(table.variant.words, refused), refused.facts, table, table
    )


def refusal_template(words: Texts, refused: Refused) -> str:
    """The sentence for a refusal: of its case, of its ruling, else the ruling itself."""
    if refused.ruling is None:
        return words.errors.get(f"{refused.code}/{refused.case}") or words.errors[refused.code]
    return (
        words.refused.get(f"{refused.ruling}/{refused.case}")
        or words.refused.get(refused.ruling)
        or (words.rulings[refused.ruling].text if refused.ruling in words.rulings else "")
    )


def error(say: Mapping[str, str], code: str, **facts: str) -> str:
    """What the service says for an error that no ruling is behind; ``say``: the errors' texts."""
    sentence = say.get(f"{code}/{facts.get('what')}") or say.get(code, code)
    return sentence.format_map(defaultdict(str, facts))


def describe_event(event: Event, facts: Facts, before: Table, after: Table) -> str:
    """What the log says of an event with these facts; cells are spoken as they were before it."""
    sentences = after.variant.words.log
    kind = str(event.__struct_config__.tag)
    case = event.sentence_case
    told = [(sentences.get(f"{kind}/{case}") if case else None) or sentences.get(kind, kind)]
    if "known" in facts:
        told.append(sentences.get(f"{kind}/{facts['known']}", ""))
    return " ".join([_fill_from_table(one, facts, before, after) for one in told if one])


def _fill_from_table(sentence: str, facts: Facts, before: Table, after: Table) -> str:
    spoken = placeholders(sentence)
    words = {key: _word(key, facts, before, after) for key in spoken & facts.keys()}
    if len(words) < len(spoken):
        words |= after.family.views.more_words(facts, after)
    return fill(sentence, after.variant.words.small, words, facts)


def _word(key: str, facts: Facts, before: Table, after: Table) -> str:
    """A fact as it is spoken: a seat's name, a card's title, what the family says of its own."""
    texts = after.variant.words
    value = facts[key]
    if value is None:
        return ""
    if key in SEATS:
        return _name(after, value)
    if key == "seats":
        return join_words(texts, [_name(after, seat) for seat in value])
    if key in _CARDS and value in after.variant.by_title:
        return title(after, value)
    if key == "titles":
        return join_words(texts, [title(after, card) for card in value])
    own = after.family.views.word(key, facts, before)
    return str(value) if own is None else own


def _name(table: Table, seat: str) -> str:
    people: tuple[Seat | Waiting | Deck, ...] = (*table.waiting, *table.seats, *table.dealt)
    for one in people:
        if one.seat == seat:
            return one.name
    return seat


def title(table: Table, card: str) -> str:
    text = table.variant.words.cards.get(card)
    return text.title if text else table.variant.words.elsewhere.get(card, card)


def join_words(texts: Texts, words: Sequence[str]) -> str:
    if len(words) < 2:
        return "".join(words)
    back = any(map(_runs_back, (texts.say["and"], *words)))
    words = [_isolated(word, back) for word in words]
    most = ", ".join(words[:-1])
    last = words[-1]
    return fill(texts.say["and"], texts.small, {"most": most, "last": last})


_RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_ISOLATE = "\u2068"
_END = "\u2069"


def _runs_back(text: str) -> bool:
    """Returns True if some of the text runs from right to left."""
    return not text.isascii() and bool(_RIGHT_TO_LEFT.search(text))


def _isolated(word: str, back: bool) -> str:
    """The word so that it turns round nothing that stands around it; ``back``: what it stands in
    runs from right to left. What holds isolated names already stays as it is."""
    if not word or _ISOLATE in word or not (back or _runs_back(word)):
        return word
    return f"{_ISOLATE}{word}{_END}"


Small = Mapping[str, Mapping[str, str]]  # word → its other form → the letters that ask for that

_SENTENCE = string.Formatter()
_STAR = re.compile(r"(?:(\w+) )?\*")


def places(sentence: str) -> Iterator[tuple[str, str | None]]:
    """Each place's fact and the small word before it; ValueError for a brace without partner."""
    for _, first, second, _ in _SENTENCE.parse(sentence):
        if "{" in (second or ""):
            raise ValueError("a place in a place")
        if first is not None:
            yield (second, first) if second and "|" not in second else (first, None)


@lru_cache(maxsize=4096)
def placeholders(sentence: str) -> frozenset[str]:
    return frozenset(fact for fact, _ in places(sentence))


def fill(sentence: str, small: Small, words: Mapping[str, str], facts: Facts | None = None) -> str:
    """The sentence with its facts' words, isolated where anything runs from right to left;
    ``facts`` say how many there are."""
    said = ""
    back = _runs_back(sentence)
    for text, fact, one, other in _parts(sentence):
        said += text
        if fact is not None:
            many = one is not other and _number((facts or {}).get(fact)) != 1
            said += _fill_form(other if many else one, small, words.get(fact, ""), back)
    return said


_Form = tuple[str, tuple[tuple[str | None, str], ...]]
"""A form taken apart: a text, and for each star the small word before it and the text after it."""


@lru_cache(maxsize=4096)
def _parts(sentence: str) -> tuple[tuple[str, str | None, _Form, _Form], ...]:
    """Each text of a sentence, the fact after it, and in which form for one and for others."""
    return tuple(
        (text, *_place(first, second or "")) for text, first, second, _ in _SENTENCE.parse(sentence)
    )


def _place(first: str | None, second: str) -> tuple[str | None, _Form, _Form]:
    if "|" in second:
        one, _, other = second.partition("|")
        return first, _form(one), _form(other)
    form = _form(f"{first} *" if second else "*")
    return second or first, form, form


def _form(form: str) -> _Form:
    text, *rest = _STAR.split(form)
    return text, tuple(zip(rest[::2], rest[1::2], strict=True))


def _fill_form(form: _Form, small: Small, word: str, back: bool) -> str:
    text, stars = form
    said = _isolated(word, back)
    for before, after in stars:
        text += (f"{suit_small_word(small, before, word)} {said}" if before else said) + after
    return text


def suit_small_word(small: Small, word: str, following: str) -> str:
    """The form of a small word before another word; accents and capitals don't count."""
    first = unicodedata.normalize("NFKD", following.lstrip(_ISOLATE))[:1].lower()
    forms = small.get(word, {}).items()
    return next((other for other, letters in forms if first and first in letters), word)


def _number(fact: object) -> int:
    """How many it is, or how many are in the list; a seat is none, being spoken about."""
    if isinstance(fact, list | tuple):
        return len(fact)
    return fact if isinstance(fact, int) else 0
