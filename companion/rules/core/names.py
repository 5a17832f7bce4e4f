"""Which names are the same, which look alike, and which comes first, the same on every machine: by
the Unicode Collation Algorithm with the weights of Unicode 10, and by Unicode's table of confusable
characters (UTS #39)."""

import json
import unicodedata
from collections import defaultdict
from collections.abc import Hashable, Iterator
from functools import cache, lru_cache
from importlib.resources import files
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


_AROUND = "\u200e"  # stands around right-to-left characters in the library's table


@cache
def _shapes() -> dict[str, str]:
    """Each confusable character and the characters that stand for its shape, from the table that
    the library bundles, read when the first name is compared (0.1 s, 1 MB).

    The table pairs characters both ways. Those that reach each other are one shape, named by the
    first of them; some look like several letters (m like rn)."""
    table = json.loads(files("confusable_homoglyphs").joinpath("confusables.json").read_bytes())
    pairs = defaultdict[str, list[str]](list)
    several = dict[str, str]()
    for written, others in table.items():
        shape = written.strip(_AROUND)
        for other in (one["c"].strip(_AROUND) for one in others):
            if len(other) == len(shape) == 1:
                pairs[shape].append(other)
            elif len(shape) == 1:
                several[shape] = other
    named = dict[str, str]()
    for first in sorted(pairs):
        found = [] if first in named else [first]
        while found:
            one = found.pop()
            named[one] = first
            found += (other for other in pairs[one] if other not in named)
    for one, shape in several.items():
        named[one] = "".join(named.get(part, part) for part in shape)
    return named


def _letters(text: str) -> Iterator[str]:
    """Each letter without its accents, and these; one that its mark makes another (и, й) stays."""
    for one in unicodedata.normalize("NFC", without_joiners(text)):
        first, *marks = list(unicodedata.normalize("NFD", one))
        if marks and same_name(one) != same_name(first):
            yield one
        else:
            yield from (first, *marks)


def _skeleton(text: str) -> str:
    """The text with one character for each shape, as UTS #39 compares names; marks stay."""
    return "".join(
        one if unicodedata.combining(one) else _shapes().get(one, one)
        for one in _letters(text)
        if not one.isspace()
    )


@lru_cache(1024)
def looks(name: str) -> frozenset[Hashable]:
    """The looks of a name; two names that have one in common look the same to most people
    (ruling unique-names): as they are written (Ian and lan), written small (Ana and the Cyrillic
    Аna, Irmak and ırmak) or in capitals (Bob and B0b)."""
    small = name.casefold()
    capital = name.upper()
    return frozenset(
        (same_name(name), _skeleton(name), same_name(_skeleton(small)), _skeleton(capital))
    )


def alike(one: str, other: str) -> bool:
    """Returns True if one name can be taken for the other (ruling unique-names)."""
    return not looks(one).isdisjoint(looks(other))


@lru_cache(1024)
def alphabetical(name: str) -> tuple[tuple[int, ...], str]:
    """Sorting key for names: case and accents do not count (ruling alphabetical-order). Names that
    are equal so far, as か and が, follow by accents, then case, then code points."""
    return tuple(_collator().sort_key(" ".join(name.split()))), name
