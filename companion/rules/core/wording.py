"""Sentences for refusals, errors and the log, filled in from a variant's texts.

docs/translating.md describes the placeholders. A table keeps the variant that it was created with,
so sentences that were added to the files later may be missing; every look-up has a fallback. The
server writes about players in the third person. The panel's ``text.js`` fills in the same sentences
and addresses its own player as *you*.
"""

import re
import string
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from companion.rules.core.events import Event
from companion.rules.core.family import Facts
from companion.rules.core.model import Deck, Seat, Table, Waiting
from companion.rules.text.rulings import SEATS, Refused
from companion.rules.variants.variant import Texts

_CARDS = {"card", "kitten", "nope"}


def render_refusal(table: Table, refused: Refused) -> str:
    """Return the sentence for a refusal, filled in."""
    return _fill_from_table(
        refusal_template(table.variant.words, refused), refused.facts, table, table
    )


def refusal_template(words: Texts, refused: Refused) -> str:
    """Return the sentence for a refusal, with placeholders.

    Uses the sentence for the case if there is one, else that for the ruling, else the ruling's
    text.
    """
    if refused.ruling is None:
        return words.errors.get(f"{refused.code}/{refused.case}") or words.errors[refused.code]
    return (
        words.refused.get(f"{refused.ruling}/{refused.case}")
        or words.refused.get(refused.ruling)
        or (words.rulings[refused.ruling].text if refused.ruling in words.rulings else "")
    )


def render_error(say: Mapping[str, str], code: str, **facts: str) -> str:
    """Return the sentence for an error without a ruling; ``say`` has the sentences by code."""
    sentence = say.get(f"{code}/{facts.get('what')}") or say.get(code, code)
    return sentence.format_map(defaultdict(str, facts))


def describe_event(event: Event, facts: Facts, before: Table, after: Table) -> str:
    """Return the log's sentence for an event. Cells are described by their place before the
    event."""
    sentences = after.variant.words.log
    kind = str(event.__struct_config__.tag)
    case = event.sentence_case
    parts = [(sentences.get(f"{kind}/{case}") if case else None) or sentences.get(kind, kind)]
    if "known" in facts:
        parts.append(sentences.get(f"{kind}/{facts['known']}", ""))
    return " ".join([_fill_from_table(part, facts, before, after) for part in parts if part])


def _fill_from_table(sentence: str, facts: Facts, before: Table, after: Table) -> str:
    keys = placeholders(sentence)
    words = {key: _describe_fact(key, facts, before, after) for key in keys & facts.keys()}
    if len(words) < len(keys):
        words |= after.family.views.derived_words(facts, after)
    return fill(sentence, after.variant.words.small, words, facts)


def _describe_fact(key: str, facts: Facts, before: Table, after: Table) -> str:
    """Return the text for a fact: a seat's name, a card's title, or the family's own text."""
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
    """Return a card's title, also for a card of another game. An unknown id is returned
    unchanged."""
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
    return fill(texts.say["and"], texts.small, {"most": all_but_last, "last": last})


_RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_ISOLATE = "\u2068"
_END = "\u2069"


@lru_cache(maxsize=4096)
def _has_right_to_left(text: str) -> bool:
    """Return True if some of the text runs from right to left."""
    return not text.isascii() and bool(_RIGHT_TO_LEFT.search(text))


@lru_cache(maxsize=4096)
def _isolate(word: str, right_to_left: bool) -> str:
    """Return the word with Unicode's isolating marks, so that it can't reorder the text around it.

    A word gets the marks if it runs from right to left itself, or if the text around it does
    (``right_to_left``). A word that already contains them stays unchanged.
    """
    if not word or _ISOLATE in word or not (right_to_left or _has_right_to_left(word)):
        return word
    return f"{_ISOLATE}{word}{_END}"


Small = Mapping[str, Mapping[str, str]]  # small word -> its other form -> letters that require it

_SENTENCE = string.Formatter()
_STAR = re.compile(r"(?:(\w+) )?\*")


def parse_placeholders(sentence: str) -> Iterator[tuple[str, str | None]]:
    """Yield the fact of each placeholder, with the small word before it (or None).

    Raises ``ValueError`` for braces that are nested or don't match.
    """
    for _, first, second, _ in _SENTENCE.parse(sentence):
        if "{" in (second or ""):
            raise ValueError("a place in a place")
        if first is not None:
            yield (second, first) if second and "|" not in second else (first, None)


@lru_cache(maxsize=4096)
def placeholders(sentence: str) -> frozenset[str]:
    """Return the facts of a sentence's placeholders."""
    return frozenset(fact for fact, _ in parse_placeholders(sentence))


def fill(sentence: str, small: Small, words: Mapping[str, str], facts: Facts | None = None) -> str:
    """Return the sentence with its placeholders filled in.

    ``words`` has the text for each fact. ``facts`` has the values themselves, which decide between
    the form for one and the form for many. The inserted texts get isolating marks if any of them,
    or the sentence, runs from right to left.
    """
    filled = ""
    right_to_left = _has_right_to_left(sentence)
    for text, fact, singular, plural in _parse(sentence):
        filled += text
        if fact is not None:
            is_plural = singular is not plural and _number((facts or {}).get(fact)) != 1
            form = plural if is_plural else singular
            filled += _fill_form(form, small, words.get(fact, ""), right_to_left)
    return filled


_Form = tuple[str, tuple[tuple[str | None, str], ...]]
"""A parsed form: its text before the first star, and for each star the small word before it (or
None) and the text after it."""


@lru_cache(maxsize=4096)
def _parse(sentence: str) -> tuple[tuple[str, str | None, _Form, _Form], ...]:
    """Split a sentence into tuples of a text, the fact that follows it, and the fact's forms for
    one and for many."""
    return tuple(
        (text, *_parse_placeholder(first, second or ""))
        for text, first, second, _ in _SENTENCE.parse(sentence)
    )


def _parse_placeholder(first: str | None, second: str) -> tuple[str | None, _Form, _Form]:
    """Return a placeholder's fact and forms, given the parts before and after its colon."""
    if "|" in second:
        singular, _, plural = second.partition("|")
        return first, _parse_form(singular), _parse_form(plural)
    form = _parse_form(f"{first} *" if second else "*")
    return second or first, form, form


def _parse_form(form: str) -> _Form:
    text, *rest = _STAR.split(form)
    return text, tuple(zip(rest[::2], rest[1::2], strict=True))


def _fill_form(form: _Form, small: Small, word: str, right_to_left: bool) -> str:
    text, stars = form
    isolated = _isolate(word, right_to_left)
    for small_word, following in stars:
        before = f"{suit_small_word(small, small_word, word)} " if small_word else ""
        text += before + isolated + following
    return text


def suit_small_word(small: Small, word: str, following: str) -> str:
    """Return the form of a small word before the word ``following``, ignoring accents and case."""
    first = unicodedata.normalize("NFKD", following.lstrip(_ISOLATE))[:1].lower()
    forms = small.get(word, {}).items()
    return next((other for other, letters in forms if first and first in letters), word)


def _number(fact: object) -> int:
    """Return the number, or the length of the list; 0 for anything else, such as a seat."""
    if isinstance(fact, list | tuple):
        return len(fact)
    return fact if isinstance(fact, int) else 0
