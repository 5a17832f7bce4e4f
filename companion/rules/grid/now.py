"""What must be there when a rule is asked, and what every card that is shown must agree with.

A rule is asked only in its step, so these are certain; the assertions say so. This
module must not know any command.
"""

from companion.rules.core.rulings import Refused
from companion.rules.grid import deduction
from companion.rules.grid.model import Played, Player, Table, Turn
from companion.rules.grid.places import Cell
from companion.rules.grid.reasons import why_not


def turn(table: Table) -> Turn:
    """The turn that is on."""
    found = table.playing().turn
    assert found is not None
    return found


def player(table: Table, seat: str) -> Player:
    """The player at this seat."""
    return table.playing().player(seat)


def played(table: Table) -> Played:
    """The card that waits."""
    found = table.playing().played
    assert found is not None
    return found


def told(table: Table) -> Cell:
    """The cell that the turn player was told."""
    found = turn(table).told
    assert found is not None
    return found


def agrees(player: Player, seen: deduction.Observation) -> None:
    """Refuses what no deal of the cards agrees with (rulings deck-count, possible-report)."""
    if player.known.allows(seen):
        return
    case, facts = why_not(player.known, seen)
    ruling = "deck-count" if case == "all_open" else "possible-report"
    raise Refused(ruling, case=case, seat=player.seat, **facts)


def may_leave_hand(player: Player, card: str) -> bool:
    """Whether the card can come from this hand (ruling from-hand)."""
    return player.hand > 0 and card in player.known.in_hand


def leaves_hand(player: Player, card: str, forced: bool = False) -> None:
    """Refuses a card that can't come from this hand (ruling from-hand)."""
    if player.hand == 0:
        raise Refused("from-hand", seat=player.seat, card=card)
    agrees(player, deduction.Left(card=card, forced=forced))
