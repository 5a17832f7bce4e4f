"""The families of games by name: the only module that knows the robots of all of them."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from companion.robots.grid.device import sit as sit_at_grids
from companion.robots.pile.player import sit as sit_round_a_pile
from companion.robots.wire.head import Sits


class Family(NamedTuple):
    """How a family's robots sit down; ``joined``: whether a person can play with them, which
    they can't where all would hold cards of the robots' pile."""

    sit: Sits
    joined: bool


FAMILIES = {
    "grid": Family(sit_at_grids, joined=True),
    "pile": Family(sit_round_a_pile, joined=False),
}
FIRST = "grid"
"""The family of a variant that names none."""


def of(variant: Mapping[str, Any]) -> Family:
    """The family of a variant on the wire."""
    return FAMILIES[variant.get("family", FIRST)]
