"""The families of games by name: the only module that knows all of them."""

from functools import partial
from hashlib import sha256
from typing import Any
from weakref import WeakValueDictionary

import msgspec
from msgspec import Struct

from companion.rules.core import loading
from companion.rules.core.family import Family
from companion.rules.core.model import Table
from companion.rules.core.variant import Variant
from companion.rules.grid.family import GRID
from companion.rules.pile.family import PILE

FAMILIES: dict[str, Family] = {family.id: family for family in (GRID, PILE)}


def of(variant: Variant) -> Family:
    return FAMILIES[variant.family]


def new_table(code: str, variant: Variant, **options: Any) -> Table:
    family = of(variant)
    chosen = family.options(**{"nope_seconds": variant.window.seconds, **options})
    table: Table = family.table(family=family, code=code, variant=variant, options=chosen)
    return table


load = partial(loading.load, families=FAMILIES)
load_all = partial(loading.load_all, families=FAMILIES)


class _Family(Struct):
    family: str = loading.OWN


_in_use: WeakValueDictionary[bytes, Variant] = WeakValueDictionary()
"""The variants of stored documents, as long as any table has them."""


def variant(document: bytes) -> Any:
    """The variant of a stored document: the same thing for all tables that keep the same one."""
    key = sha256(document).digest()
    found = _in_use.get(key)
    if found is None:
        family = FAMILIES[msgspec.json.decode(document, type=_Family).family]
        found = _in_use[key] = msgspec.json.decode(document, type=family.variant)
    return found
