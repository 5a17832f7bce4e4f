"""Comparison of names: equal names, names that look alike, and alphabetical order.

The comparison uses the Unicode Collation Algorithm with the weights of Unicode 10, and Unicode's
table of confusable characters (UTS #39). So the results are the same on every machine.
"""

import json
import unicodedata
from collections import defaultdict
from collections.abc import Hashable, Iterator
from functools import cache, lru_cache
from importlib.resources import files
from itertools import groupby

from pyuca.collator import Collator_10_0_0

from companion.rules.text.characters import without_joiners

_LETTER_MARKS = (7, 8)
"""Unicode's combining classes of the marks that turn a letter into a different letter: the nukta,
and the voicing mark that distinguishes が from か. All other marks count as accents."""


@cache
def _load_collator() -> Collator_10_0_0:
    """Load the table of collation weights on first use, which takes 0.2 s and 12 MB."""
    return Collator_10_0_0()


def _primary_weights(text: str) -> tuple[int, ...]:
    """Return the text's primary weights, which ignore case and accents."""
    weights: tuple[int, ...] = _load_collator().sort_key(text)
    return weights[: weights.index(0)]


@lru_cache(1024)
def name_key(name: str) -> Hashable:
    """Return a key that is equal for names that differ only in case, accents, spacing or invisible
    characters (ruling unique-names)."""
    characters = "".join(unicodedata.normalize("NFKD", without_joiners(name)).split())
    groups = groupby(characters, lambda char: unicodedata.combining(char) in _LETTER_MARKS)
    parts = ((are_marks, "".join(group)) for are_marks, group in groups)
    return tuple(part if are_marks else _primary_weights(part) for are_marks, part in parts)


_AROUND = "\u200e"  # confusable_homoglyphs puts this mark before and after right-to-left characters


@cache
def _load_shapes() -> dict[str, str]:
    """Map each confusable character to the character or characters that stand for its shape.

    The package confusable_homoglyphs lists pairs of similar characters. Characters that are linked
    by such pairs form a group with the same shape, and the first character of the group stands for
    it. A character that looks like several letters (m like rn) maps to those letters. The table is
    loaded on first use, which takes 0.1 s and 1 MB.
    """
    table = json.loads(files("confusable_homoglyphs").joinpath("confusables.json").read_bytes())
    pairs = defaultdict[str, list[str]](list)
    sequences = dict[str, str]()
    for key, entries in table.items():
        char = key.strip(_AROUND)
        for similar in (entry["c"].strip(_AROUND) for entry in entries):
            if len(similar) == len(char) == 1:
                pairs[char].append(similar)
            elif len(char) == 1:
                sequences[char] = similar
    shapes = dict[str, str]()
    for first in sorted(pairs):
        stack = [] if first in shapes else [first]
        while stack:
            char = stack.pop()
            shapes[char] = first
            stack += (similar for similar in pairs[char] if similar not in shapes)
    for char, sequence in sequences.items():
        shapes[char] = "".join(shapes.get(part, part) for part in sequence)
    return shapes


def _split_letters(text: str) -> Iterator[str]:
    """Yield the text's letters and accents separately.

    A mark that makes a different letter stays with its letter, as in й, which is a different letter
    from и.
    """
    for char in unicodedata.normalize("NFC", without_joiners(text)):
        letter, *marks = list(unicodedata.normalize("NFD", char))
        if marks and name_key(char) != name_key(letter):
            yield char
        else:
            yield from (letter, *marks)


def _skeleton(text: str) -> str:
    """Return the text with each character replaced by its shape, as in UTS #39. Accents stay."""
    return "".join(
        char if unicodedata.combining(char) else _load_shapes().get(char, char)
        for char in _split_letters(text)
        if not char.isspace()
    )


@lru_cache(1024)
def look_keys(name: str) -> frozenset[Hashable]:
    """Return keys that describe how a name looks (ruling unique-names).

    Two names look the same to most people if they have a key in common. The keys cover the name as
    written (Ian and lan), in lower case (Ana and the Cyrillic Аna, Irmak and ırmak), and in upper
    case (Bob and B0b).
    """
    small = name.casefold()
    capital = name.upper()
    return frozenset(
        (name_key(name), _skeleton(name), name_key(_skeleton(small)), _skeleton(capital))
    )


def look_alike(one: str, other: str) -> bool:
    """Return True if one name can be mistaken for the other (ruling unique-names)."""
    return not look_keys(one).isdisjoint(look_keys(other))


@lru_cache(1024)
def alphabetical_key(name: str) -> tuple[tuple[int, ...], str]:
    """Return a sorting key for names that ignores case and accents (ruling alphabetical-order).

    Names that differ only in case and accents are sorted by accents, then by case, then by code
    points.
    """
    return tuple(_load_collator().sort_key(" ".join(name.split()))), name
