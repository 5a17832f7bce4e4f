"""Every game command that would be accepted now: what ``you.may`` lists.

A family lists each command's choices by asking its own rules; nothing is tried. This module
must not know a rule.
"""

from collections.abc import Callable, Iterable
from typing import Any

from companion.rules.core import nopes
from companion.rules.core.commands import Hold, Pass, PlayNope, Release, Said
from companion.rules.core.model import Table
from companion.rules.core.referee import step_of

Choices = Callable[[Any, str], Iterable[Said]]


def legal_commands(table: Table, room: int = 1) -> tuple[Any, ...]:
    """Every acceptable game command of every seat, one for each card, target and cell.

    Each names its seat (``as``) and has no ``id``; what may be left out is left out. ``room``:
    how many events the log still takes.
    """
    game = table.game
    if game is None or game.winner is not None or room <= 0:
        return ()
    play = table.family.play
    found: list[Said] = []
    for kind, may in play.machine.steps[step_of(table, game)].items():
        choices = play.choices[kind]
        for seat in may.who.seats(table, game):
            found += choices(table, seat)
    return tuple(found)


def bare(kind: type[Said]) -> Choices:
    """A command that says nothing more."""

    def choices(table: Table, seat: str) -> Iterable[Said]:
        return (kind(seat=seat),)

    return choices


def windowed(kind: Any, may: Callable[[Table, str], bool] = lambda _table, _seat: True) -> Choices:
    """A command that names the window it means, where the seat may say it."""

    def choices(table: Table, seat: str) -> Iterable[Said]:
        window = table.playing().window
        return (
            () if window is None or not may(table, seat) else (kind(seat=seat, window=window.id),)
        )

    return choices


IN_A_WINDOW: dict[type[Said], Choices] = {
    PlayNope: windowed(PlayNope, nopes.may_nope),
    Pass: windowed(Pass, nopes.may_pass),
    Hold: windowed(Hold, nopes.may_hold),
    Release: windowed(Release, nopes.may_release),
}
