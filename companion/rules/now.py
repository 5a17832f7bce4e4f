"""What must be there when a rule is asked, and what every card that is shown must agree with.

A rule is asked only in its step, so these are certain; the assertions say so. This
module must not know any command.
"""

from companion.rules import deduction
from companion.rules.grid import Cell
from companion.rules.model import Game, Played, Player, Table, Turn, Window
from companion.rules.reasons import why_not
from companion.rules.rulings import Refused


def game(table: Table) -> Game:
    """The game that is on."""
    assert table.game is not None
    return table.game


def turn(table: Table) -> Turn:
    """The turn that is on."""
    found = game(table).turn
    assert found is not None
    return found


def player(table: Table, seat: str | None) -> Player:
    """The player at this seat."""
    assert seat is not None
    return game(table).player(seat)


def played(table: Table) -> Played:
    """The card that waits."""
    found = game(table).played
    assert found is not None
    return found


def window(table: Table) -> Window:
    """The window that is open."""
    found = game(table).window
    assert found is not None
    return found


def told(table: Table) -> Cell:
    """The cell that the turn player was told."""
    found = turn(table).told
    assert found is not None
    return found


def agrees(table: Table, player: Player, seen: deduction.Observation) -> None:
    """Refuses what no deal of the cards agrees with (rulings deck-count, possible-report)."""
    known = table.variant.known(player.seen)
    if known.allows(seen):
        return
    case, facts = why_not(known, seen)
    ruling = "deck-count" if case == "all_open" else "possible-report"
    raise Refused(ruling, case=case, seat=player.seat, **facts)


def leaves_hand(table: Table, player: Player, card: str, forced: bool = False) -> None:
    """Refuses a card that can't come from this hand (ruling from-hand)."""
    if player.hand == 0:
        raise Refused("from-hand", seat=player.seat, card=card)
    agrees(table, player, deduction.Left(card=card, forced=forced))
