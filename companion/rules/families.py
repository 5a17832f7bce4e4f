"""The registry of game families. Only this module lists all families."""

from functools import partial
from hashlib import sha256
from typing import Any
from weakref import WeakValueDictionary

import msgspec
from msgspec import Struct

from companion.rules.core.family import Family
from companion.rules.core.state import Table
from companion.rules.grid.family import GRID
from companion.rules.pile.family import PILE
from companion.rules.variants import loading
from companion.rules.variants.variant import Variant

FAMILIES: dict[str, Family] = {family.id: family for family in (GRID, PILE)}


def find_family(variant: Variant) -> Family:
    """Return the variant's family."""
    return FAMILIES[variant.family]


def new_table(code: str, variant: Variant, **options: Any) -> Table:
    """Return an empty table. ``options`` replace the default options."""
    family = find_family(variant)
    all_options = family.options(**{"nope_seconds": variant.window.seconds, **options})
    table: Table = family.table(family=family, code=code, variant=variant, options=all_options)
    return table


load = partial(loading.load, families=FAMILIES)
load_all = partial(loading.load_all, families=FAMILIES)


class _Family(Struct):
    family: str = loading.DEFAULT_FAMILY


_in_use: WeakValueDictionary[bytes, Variant] = WeakValueDictionary()
"""Decoded variants by the hash of their JSON document. An entry disappears when no table uses the
variant any more."""


def decode_variant(document: bytes) -> Any:
    """Decode a stored variant. Tables with the same document share one object."""
    key = sha256(document).digest()
    decoded = _in_use.get(key)
    if decoded is None:
        family = FAMILIES[msgspec.json.decode(document, type=_Family).family]
        decoded = _in_use[key] = msgspec.json.decode(document, type=family.variant)
    return decoded
