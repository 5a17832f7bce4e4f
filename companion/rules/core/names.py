"""Which names are the same, and which comes first, by the Unicode Collation Algorithm with the
weights of Unicode 10, whatever Python runs it: the same order on every machine."""

import unicodedata
from collections.abc import Hashable
from functools import cache, lru_cache
from itertools import groupby

from pyuca.collator import Collator_10_0_0

from companion.rules.core.characters import without_joiners

_LETTER_MARKS = (7, 8)
"""Unicode's classes of marks that make another letter, as か and が are two (a nukta, a
kana's voicing); every other mark that has no first strength counts as an accent."""


@cache
def _collator() -> Collator_10_0_0:
    """The table of weights, read when the first name is compared (0.2 s, 12 MB)."""
    return Collator_10_0_0()


def _first_strength(text: str) -> tuple[int, ...]:
    """What is left of a text without case and accents."""
    weights: tuple[int, ...] = _collator().sort_key(text)
    return weights[: weights.index(0)]


@lru_cache(1024)
def same_name(name: str) -> Hashable:
    """Equal for names that differ only in case, accents, spacing or characters that nobody sees
    (ruling unique-names)."""
    letters = "".join(unicodedata.normalize("NFKD", without_joiners(name)).split())
    parts = groupby(letters, lambda mark: unicodedata.combining(mark) in _LETTER_MARKS)
    whole = ((own, "".join(part)) for own, part in parts)
    return tuple(part if own else _first_strength(part) for own, part in whole)


@lru_cache(1024)
def alphabetical(name: str) -> tuple[tuple[int, ...], str]:
    """Sorting key for names: case and accents do not count (ruling alphabetical-order). Names that
    are equal so far, as か and が, follow by accents, then case, then code points."""
    return tuple(_collator().sort_key(" ".join(name.split()))), name
