"""Messages with placeholders such as ``{seat}``, to be replaced with names and numbers."""

import re
import string
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

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

    A word gets the marks if it contains right-to-left text, or if the text around it does
    (``right_to_left``). A word that already contains the marks stays unchanged.
    """
    if not word or _ISOLATE in word or not (right_to_left or _has_right_to_left(word)):
        return word
    return f"{_ISOLATE}{word}{_END}"


Facts = Mapping[str, Any]  # the values of a message's placeholders, by name, as in JSON
# Articles and prepositions that change before certain letters: ``{"a": {"an": "aeiou"}}`` replaces
# "a" with "an" before a vowel.
Small = Mapping[str, Mapping[str, str]]


_SENTENCE = string.Formatter()


_STAR = re.compile(r"(?:(\w+) )?\*")


def parse_placeholders(sentence: str) -> Iterator[tuple[str, str | None]]:
    """Yield the name of each placeholder, with the article or preposition in it, or None.

    For example, ``{a:card}`` yields ``("card", "a")``, and ``{card}`` yields ``("card", None)``.
    Raises ``ValueError`` for braces that are nested or don't match.
    """
    for _, first, second, _ in _SENTENCE.parse(sentence):
        if "{" in (second or ""):
            raise ValueError("a place in a place")
        if first is not None:
            yield (second, first) if second and "|" not in second else (first, None)


@lru_cache(maxsize=4096)
def placeholder_facts(sentence: str) -> frozenset[str]:
    """Return the names of the message's placeholders, such as ``seat``."""
    return frozenset(fact for fact, _ in parse_placeholders(sentence))


def fill_sentence(
    sentence: str, small: Small, words: Mapping[str, str], facts: Facts | None = None
) -> str:
    """Return the sentence with its placeholders replaced by texts.

    ``words`` maps a placeholder's name to its text. ``facts`` maps the name to the value, which
    decides between the singular and the plural form. If the sentence or an inserted text runs from
    right to left, the inserted texts get isolating marks.
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
"""A parsed form of a placeholder, such as ``in a * here``, whose star stands for a text. The tuple
has the text before the first star (``in``), and a pair for each star: the article or preposition
before the star (``a``, or None), and the text after the star (``here``)."""


@lru_cache(maxsize=4096)
def _parse(sentence: str) -> tuple[tuple[str, str | None, _Form, _Form], ...]:
    """Split a sentence into tuples: a text, the name of the placeholder after the text, and the
    placeholder's singular and plural forms."""
    return tuple(
        (text, *_parse_placeholder(first, second or ""))
        for text, first, second, _ in _SENTENCE.parse(sentence)
    )


def _parse_placeholder(first: str | None, second: str) -> tuple[str | None, _Form, _Form]:
    """Return a placeholder's name, its singular form and its plural form.

    ``first`` and ``second`` are the parts before and after the placeholder's colon.
    """
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
        before = f"{choose_article_form(small, small_word, word)} " if small_word else ""
        text += before + isolated + following
    return text


def choose_article_form(small: Small, word: str, following: str) -> str:
    """Return the form that an article or preposition (such as "a" or "an") has before
    ``following``.

    The function ignores accents and case.
    """
    first = unicodedata.normalize("NFKD", following.lstrip(_ISOLATE))[:1].lower()
    forms = small.get(word, {}).items()
    return next((other for other, letters in forms if first and first in letters), word)


def _number(fact: object) -> int:
    """Return a placeholder's value if it is a number, or its length if it is a list. Return 0 for
    any other value, such as a seat."""
    if isinstance(fact, list | tuple):
        return len(fact)
    return fact if isinstance(fact, int) else 0
