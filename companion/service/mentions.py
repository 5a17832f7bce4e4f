"""The seats that a command names must be the table's: what a client made up is not found.

This module must not know what the command leads to.
"""

from collections.abc import Callable

from companion.rules.core.commands import Said
from companion.service.errors import Fault

_NAMED = {
    "seat": "as", "gone": "seat", "to": "seat", "target": "target", "next": "next",
    "first": "first",
}  # fmt: skip
"""The fields of commands which name a seat, and the wire's keys for them."""


Find = Callable[[str], str | None]


def check(said: Said, sender: str, seated: Find, placed: Find) -> None:
    """Raises ``Fault`` (not_found) with the place of a seat which isn't there.

    ``seated`` finds a seat of the table, ``placed`` one that has asked for a place too.
    """
    for field, key in _NAMED.items():
        seat = getattr(said, field, None)
        if seat in (None, sender) or (field == "first" and seat == "lot"):
            continue
        known = placed(seat) if field == "gone" else seated(seat)
        if known is None:
            raise Fault("not_found", what="seat", at=f"$.{key}", seat=seat)
