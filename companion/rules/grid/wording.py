"""How places, and what lies where, are spoken on the draw grid."""

from collections.abc import Mapping
from typing import Any

from companion.rules.core.family import Facts
from companion.rules.core.wording import listed, number
from companion.rules.grid import places
from companion.rules.grid.model import Table
from companion.rules.grid.places import Cell, Grid


def spoken(say: Mapping[str, str], held: Grid, cell: Cell, theirs: bool = False) -> str:
    """Where a card lies, as its owner sees it (ruling as-the-drawer-sees-it).

    ``theirs`` speaks about the owner instead of to them. An empty cell is counted out.
    """
    if places.at(held, cell) is None:
        return say["empty-cell"].format(row=cell[0] + 1, column=cell[1] + 1)
    place = places.place(held, cell)
    return say["cell"].format(row=_row(say, place), place=_in_row(say, place, theirs))


def _row(say: Mapping[str, str], place: places.Place) -> str:
    if place.rows == 1:
        return say["rows/one"]
    if place.row == 0:
        return say["rows/top"]
    if place.row == place.rows - 1:
        return say["rows/bottom"]
    return say["rows/middle"] if place.rows == 3 else say["rows/other"].format(number=place.row + 1)


def _in_row(say: Mapping[str, str], place: places.Place, theirs: bool) -> str:
    """The place among the cards still in the row, from the nearer end."""
    if place.count == 1:
        return say["place/only"]
    from_left, from_right = place.index, place.count - 1 - place.index
    if from_left == from_right:
        return say["place/middle"]
    side = "left" if from_left < from_right else "right"
    number = min(from_left, from_right) + 1
    ordinal = say.get(f"ordinal/{number}", say["ordinal/other"]).format(number=number)
    return say[f"place/{side}-theirs" if theirs else f"place/{side}"].format(ordinal=ordinal)


def lain(facts: Facts, table: Table) -> places.Place | None:
    """Where the card at a fact's cell lies in its owner's grid, if there is one."""
    owner, cell, game = facts.get("target") or facts.get("seat"), facts.get("cell"), table.game
    if cell is None or game is None or owner not in game.order:
        return None
    held = game.player(str(owner)).grid
    return places.place(held, tuple(cell)) if places.at(held, tuple(cell)) else None


def word(key: str, value: Any, facts: Facts, before: Table) -> str | None:
    """A cell as it is spoken, as it was before the event."""
    if key not in ("cell", "told"):
        return None
    owner = facts.get({"cell": "target", "told": "turn"}[key]) or facts.get("seat")
    game = before.game
    held = game.player(str(owner)).grid if game and owner in game.order else ()
    return spoken(before.variant.words.say, held, tuple(value), theirs=True)


def more_words(facts: Facts, table: Table) -> dict[str, str]:
    """Where the copies of a title lie, as far as that can be told."""
    texts = table.variant.words
    counted = {place: facts.get(place, 0) for place in ("discard", "up", "hand", "down")}
    where = [
        sentence.format(number=number(texts.say, count))
        for place, count in counted.items()
        if count and (sentence := texts.say.get(f"where/{place}"))
    ]
    return {"where": listed(texts, where)}
