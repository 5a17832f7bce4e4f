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
speaks to its own seat. This module must not know a word of any language.
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

    def placed(first: str, second: str) -> str:
        if not second:
            return words.get(first, "")
        if "|" in second:
            one, _, other = second.partition("|")
            form = one if _number((facts or {}).get(first)) == 1 else other
            return _starred(form, small, words.get(first, ""))
        word = words.get(second, "")
        return f"{suited(small, first, word)} {word}"

    return "".join(
        text if first is None else text + placed(first, second or "")
        for text, first, second, _ in _parts(sentence)
    )


@lru_cache(maxsize=4096)
def _parts(sentence: str) -> tuple[Any, ...]:
    """The sentence's parts as the formatter has them; each is spoken again and again."""
    return tuple(_SENTENCE.parse(sentence))


def _starred(form: str, small: Small, word: str) -> str:
    """A form with the fact's word for its star."""

    def said(star: re.Match[str]) -> str:
        return f"{suited(small, star[1], word)} {word}" if star[1] else word

    return _STAR.sub(said, form)


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
