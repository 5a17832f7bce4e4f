"""Every game command that would be accepted now: what ``you.may`` lists.

A family lists each command's choices by asking its own rules; nothing is tried. This module
must not know a rule.
"""

from collections.abc import Callable, Collection, Iterable
from typing import Any

from companion.rules.core import nopes
from companion.rules.core.commands import Hold, Pass, PlayNope, Release, Said
from companion.rules.core.model import Table
from companion.rules.core.referee import left_to_device, step_of

Choices = Callable[[Any, tuple[str, ...]], Iterable[Said]]
"""What these seats, which may say a command now, can say with it."""


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
        found += play.choices[kind](table, may.who.seats(table, game))
    return tuple(found)


def sayable(
    table: Table, legal: Iterable[Any], sender: str, here: Collection[str]
) -> tuple[Any, ...]:
    """Those of the legal commands which this seat can say while these seats are ``here``.

    Its own; the host also what others would say, but what their devices say themselves.
    """
    host = sender == table.host
    return tuple(
        said
        for said in legal
        if said.seat == sender or (host and not left_to_device(table, type(said), said.seat, here))
    )


def of_each(choices: Callable[[Any, str], Iterable[Said]]) -> Choices:
    """What each seat can say, whatever the others can."""
    return lambda table, seats: [said for seat in seats for said in choices(table, seat)]


def bare(kind: type[Said]) -> Choices:
    """A command that says nothing more."""
    return lambda _table, seats: [kind(seat=seat) for seat in seats]


def windowed(kind: Any, able: Callable[[Table], tuple[str, ...]]) -> Choices:
    """A command that names the window it means, of those who are able to say it."""

    def choices(table: Table, seats: tuple[str, ...]) -> Iterable[Said]:
        window = table.playing().window
        if window is None:
            return ()
        return [kind(seat=seat, window=window.id) for seat in able(table) if seat in seats]

    return choices


IN_A_WINDOW: dict[type[Said], Choices] = {
    PlayNope: windowed(PlayNope, nopes.able_to_nope),
    Pass: windowed(Pass, nopes.able_to_pass),
    Hold: windowed(Hold, nopes.able_to_hold),
    Release: windowed(Release, nopes.able_to_release),
}
