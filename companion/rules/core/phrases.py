"""A fact's place in a sentence: the fact, a small word that suits it, or one of two forms.

=====================  =======================================================================
``{seat}``             the fact
``{a:seat}``           the small word ``a`` and the fact; the word takes its other form before
                       certain letters: *a Bruno*, *ad Anna*; *a Skip*, *an Attack*
``{seats:is|are}``     the first form for one (a number 1, a list of one), else the second
``{seat:You|*} …``     the first form is said to that seat, the second about it
=====================  =======================================================================

A star in a form is the fact; a small word before it suits it, too: ``{seat:a te|a *}``. The
server speaks about everybody, in words for all. The panel's ``text.js`` does the same, and
speaks to its own seat.
"""

import re
import string
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

Small = Mapping[str, Mapping[str, str]]
"""Small word → its other form → the letters before which that one is said."""

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
def asked(sentence: str) -> frozenset[str]:
    """The facts that a sentence speaks of."""
    return frozenset(fact for fact, _ in places(sentence))


def filled(
    sentence: str, small: Small, words: Mapping[str, str], facts: Mapping[str, Any] | None = None
) -> str:
    """The sentence with its facts' words; ``facts`` say how many there are."""
    said = ""
    for text, fact, one, other in _parts(sentence):
        said += text
        if fact is not None:
            many = one is not other and _number((facts or {}).get(fact)) != 1
            said += _starred(other if many else one, small, words.get(fact, ""))
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


def _starred(form: _Form, small: Small, word: str) -> str:
    """A form with the fact's word for its stars."""
    text, stars = form
    for before, after in stars:
        text += (f"{suited(small, before, word)} {word}" if before else word) + after
    return text


def suited(small: Small, word: str, following: str) -> str:
    """The form of a small word before another word; accents and capitals don't count."""
    first = unicodedata.normalize("NFKD", following)[:1].lower()
    forms = small.get(word, {}).items()
    return next((other for other, letters in forms if first and first in letters), word)


def _number(fact: Any) -> int:
    """How many it is, or how many are in the list; a seat is none, being spoken about."""
    if isinstance(fact, list | tuple):
        return len(fact)
    return fact if isinstance(fact, int) else 0
