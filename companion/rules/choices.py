"""Every game command that would be accepted now: what ``you.may`` lists.

Each legal command's choices are listed here and held against the referee, so that
what is listed is accepted. This module must not know a rule of its own.
"""

from collections.abc import Callable, Iterator
from typing import Any

from companion.rules import commands, grid
from companion.rules.commands import Moment, Said
from companion.rules.effects import EFFECTS
from companion.rules.model import Game, Table
from companion.rules.referee import LEGAL, is_accepted

_IN_TIME = Moment(now=0)
"""A window that is in the state is open; whether a word comes in time is the clock's matter."""


def legal_commands(table: Table, room: int = 1) -> tuple[Any, ...]:
    """Every acceptable game command of every seat, one for each card, target and cell.

    Each names its seat (``as``) and has no ``id``; ``cells`` is left out. ``room``: how many
    events the log still takes.
    """
    game = table.game
    if game is None or game.winner is not None or room <= 0:
        return ()
    step = game.turn.step if game.turn else table.phase
    return tuple(
        said
        for kind, who in LEGAL[step].items()
        for seat in who.seats(table, game)
        for said in _CHOICES[kind](table, game, seat)
        if is_accepted(table, said, _IN_TIME)
    )


def _bare(kind: type[Said]) -> Callable[[Table, Game, str], Iterator[Said]]:
    def choices(table: Table, game: Game, seat: str) -> Iterator[Said]:
        yield kind(seat=seat)

    return choices


def _windowed(kind: Any) -> Callable[[Table, Game, str], Iterator[Said]]:
    def choices(table: Table, game: Game, seat: str) -> Iterator[Said]:
        if game.window is not None:
            yield kind(seat=seat, window=game.window.id)

    return choices


def _call_next(table: Table, game: Game, seat: str) -> Iterator[Said]:
    yield commands.CallNext(seat=seat, next=game.after(seat))


def _instruct(table: Table, game: Game, seat: str) -> Iterator[Said]:
    if game.turn is not None:
        for cell in grid.filled(game.player(game.turn.seat).grid):
            yield commands.Instruct(seat=seat, cell=cell)


def _play(table: Table, game: Game, seat: str) -> Iterator[Said]:
    for card in table.variant.cards:
        if card.effect in EFFECTS:
            yield from EFFECTS[card.effect].choices(game, seat, card.id)


def _draw(table: Table, game: Game, seat: str) -> Iterator[Said]:
    if game.turn is not None and game.turn.told is not None:
        yield commands.Draw(seat=seat, cell=game.turn.told)


def _look(table: Table, game: Game, seat: str) -> Iterator[Said]:
    for cell in grid.filled(game.player(seat).grid):
        yield commands.Look(seat=seat, cell=cell)


def _reveal(table: Table, game: Game, seat: str) -> Iterator[Said]:
    for card in table.variant.cards:
        yield commands.Reveal(seat=seat, card=card.id)


def _report(table: Table, game: Game, seat: str) -> Iterator[Said]:
    yield commands.Report(seat=seat, outcome="safe")
    yield commands.Report(seat=seat, outcome="kitten")


_CHOICES: dict[type[Said], Callable[[Table, Game, str], Iterator[Said]]] = {
    commands.CallNext: _call_next,
    commands.SkipRollCall: _bare(commands.SkipRollCall),
    commands.Instruct: _instruct,
    commands.PlayCard: _play,
    commands.Draw: _draw,
    commands.PlayNope: _windowed(commands.PlayNope),
    commands.Pass: _windowed(commands.Pass),
    commands.Hold: _windowed(commands.Hold),
    commands.Release: _windowed(commands.Release),
    commands.Look: _look,
    commands.Shuffled: _bare(commands.Shuffled),
    commands.Reveal: _reveal,
    commands.Report: _report,
    commands.Defuse: _bare(commands.Defuse),
    commands.Explode: _bare(commands.Explode),
}
