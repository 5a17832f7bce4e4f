"""The order of play: alphabetical, closed into a ring of the living.

This module must not know what a turn is.
"""

import unicodedata
from collections.abc import Collection, Sequence


def _plain(name: str) -> str:
    """The name without accents and case."""
    parts = unicodedata.normalize("NFKD", name.casefold())
    return "".join(c for c in parts if not unicodedata.combining(c))


def same_name(name: str) -> str:
    """Equal for names that differ only in case, accents or spacing (ruling unique-names)."""
    return "".join(_plain(name).split())


def alphabetical(name: str) -> tuple[str, str]:
    """Sorting key for names: case and accents do not count (ruling alphabetical-order)."""
    return " ".join(_plain(name).split()), name


def after(order: Sequence[str], living: Collection[str], seat: str) -> str:
    """The next living seat after ``seat`` in the ring; ``seat`` itself when alone."""
    start = order.index(seat)
    ring = [*order[start + 1 :], *order[: start + 1]]
    return next(other for other in ring if other in living or other == seat)


def before(order: Sequence[str], living: Collection[str], seat: str) -> str:
    """The living seat before ``seat`` in the ring; ``seat`` itself when alone."""
    return after(order[::-1], living, seat)
