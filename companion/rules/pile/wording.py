"""How combos, their cards and the pile's places are spoken.

This module must not know a sentence or a language of its own.
"""

from collections.abc import Mapping
from typing import Any

from companion.rules.core.events import Happened, NopePlayed
from companion.rules.core.wording import listed, title
from companion.rules.pile import events
from companion.rules.pile.model import Table
from companion.rules.pile.variant import KINDS


def lain(facts: Mapping[str, Any], table: Table) -> None:
    """An event's facts say by themselves where a card lay."""


def case(kind: str, facts: Mapping[str, Any]) -> str | None:
    """Which face of one of the family's events it was."""
    match kind:
        case "turn_began" if facts["again"]:
            return "again"
        case "turn_began":
            return "owed" if facts["owed"] > 1 else None
        case "combo_played" if facts["name"]:
            return "name"
        case "card_played" | "combo_played":
            return "target" if facts["target"] else None
        case "step_began":
            return str(facts["step"])
        case "answered":
            return "yes" if facts["has"] else "no"
        case "note_made":
            return None if facts["card"] else "nothing"
        case _:
            return None


def stays_known(event: Happened | None) -> dict[str, Any]:
    """What is known of ``target``'s cards, or of the pile, by what was taken back."""
    match event:
        case events.CardPlayed(seat=seat, card=card) | events.KittenDefused(seat=seat, card=card):
            return {"known": "held", "target": seat, "cards": (card,)}
        case events.ComboPlayed(seat=seat, cards=cards):
            return {"known": "held", "target": seat, "cards": tuple(dict.fromkeys(cards))}
        case NopePlayed(seat=seat, nope=nope):
            return {"known": "held", "target": seat, "cards": (nope,)}
        case events.Answered(seat=seat, card=card, has=has):
            return {"known": "held" if has else "lacked", "target": seat, "cards": (card,)}
        case events.CardGiven(seat=giver, target=taker):
            return {"known": "moved", "target": giver, "by": taker}
        case events.CardTaken(seat=taker, target=giver):
            return {"known": "moved", "target": giver, "by": taker}
        case events.Looked(seat=seat):
            return {"known": "looked", "by": seat}
        case events.CardDrawn():
            return {"known": "safe"}
        case events.KittenShown(kitten=kitten):
            return {"known": "seen", "kitten": kitten}
        case _:
            return {}


def word(key: str, value: Any, facts: Mapping[str, Any], before: Table) -> str | None:
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


def more_words(facts: Mapping[str, Any], table: Table) -> dict[str, str]:
    """Sentences about the pile have all their words from their facts."""
    return {}
