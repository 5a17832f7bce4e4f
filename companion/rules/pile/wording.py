"""How combos, their cards and the pile's places are spoken."""

from typing import Any

from companion.rules.core.family import Facts
from companion.rules.core.wording import listed, title
from companion.rules.pile.model import Table
from companion.rules.pile.variant import KINDS


def word(key: str, value: Any, facts: Facts, before: Table) -> str | None:
    """A combo, its cards, the card that it asks for, or a place, as it was before the event."""
    texts = before.variant.words
    match key:
        case "card" | "kind" if value in KINDS:
            return texts.say[f"kind/{value}"]
        case "cards":
            return listed(texts, [title(before, card) for card in value])
        case "name" if "kind" in facts:
            return title(before, value)
        case "place":
            return _place(before, value)
        case _:
            return None


def _place(table: Table, place: int) -> str:
    say = table.variant.words.say
    if place == 1:
        return say["place/top"]
    if table.game is not None and place == table.game.pile:
        return say["place/bottom"]
    return say["place/other"].format(number=place)
