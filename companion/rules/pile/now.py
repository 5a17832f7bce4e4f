"""What must be there when a rule is asked, and what every report must agree with.

A rule is asked only in its step, so these are certain; the assertions say so. This
module must not know any command.
"""

from companion.rules.core.rulings import Refused
from companion.rules.pile.model import Played, Player, Table, Turn
from companion.rules.pile.observations import Laid, Observation
from companion.rules.pile.reasons import ruling, why_not


def turn(table: Table) -> Turn:
    """The turn that is on."""
    found = table.playing().turn
    assert found is not None
    return found


def player(table: Table, seat: str) -> Player:
    """The player at this seat."""
    return table.playing().player(seat)


def played(table: Table) -> Played:
    """What waits to be carried out."""
    found = table.playing().played
    assert found is not None
    return found


def target(table: Table) -> str:
    """At whom it is aimed."""
    found = played(table).target
    assert found is not None
    return found


def a_title(table: Table, card: str) -> None:
    """Refuses a title that this game doesn't have (ruling cards-of-this-game)."""
    variant = table.variant
    if card not in variant.by_title:
        against = variant.elsewhere.get(card, "cards-of-this-game")
        raise Refused(against, card=card, titles=tuple(variant.by_title))


def agrees(table: Table, seat: str, seen: Observation) -> None:
    """Refuses what no deal of the cards agrees with (rulings possible-report, card-count …)."""
    known = table.playing().known
    if known.allows(seen):
        return
    reason, facts = why_not(known, seen)
    named = ruling(reason)
    if named == "kitten-count":
        facts |= {"kittens": known.kittens, "count": known.pile}
    elif named == "cards-of-this-game":
        facts["titles"] = known.titles
    raise Refused(named, case=reason, seat=seat, **facts)


def leaves_hand(table: Table, seat: str, *cards: str) -> None:
    """Refuses cards that can't all come from this hand (ruling from-hand)."""
    agrees(table, seat, Laid(seat, cards))
