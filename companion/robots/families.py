"""The families of games by name: the only module that knows the robots of all of them."""

from collections.abc import Mapping
from random import Random
from typing import Any

from companion.robots.grid.player import sit as sit_at_grids
from companion.robots.wire.head import Seating, Sits

FAMILIES: dict[str, Sits] = {"grid": sit_at_grids}
FIRST = "grid"
"""The family of a variant that names none."""


def sit(variant: Mapping[str, Any], chance: Random) -> Seating:
    """Heads for one table of this variant; KeyError for a family that no robot plays."""
    return FAMILIES[variant.get("family", FIRST)](variant, chance)
