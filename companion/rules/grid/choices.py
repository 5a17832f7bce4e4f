"""What can be chosen on the draw grid: every way to say each of the game's commands.

This module must not know a rule of its own.
"""

from collections.abc import Iterator

from companion.rules.core.choices import Choices, bare, tried, windowed
from companion.rules.core.commands import Hold, Pass, PlayNope, Release, Said
from companion.rules.grid import commands, places
from companion.rules.grid.effects import EFFECTS
from companion.rules.grid.model import Table


def _call_next(table: Table, seat: str) -> Iterator[Said]:
    yield commands.CallNext(seat=seat, next=table.playing().after(seat))


def _instruct(table: Table, seat: str) -> Iterator[Said]:
    game = table.playing()
    if game.turn is not None:
        for cell in places.filled(game.player(game.turn.seat).grid):
            yield commands.Instruct(seat=seat, cell=cell)


def _play(table: Table, seat: str) -> Iterator[Said]:
    for card in table.variant.cards:
        if card.effect in EFFECTS:
            yield from EFFECTS[card.effect].choices(table.playing(), seat, card.id)


def _draw(table: Table, seat: str) -> Iterator[Said]:
    turn = table.playing().turn
    if turn is not None and turn.told is not None:
        yield commands.Draw(seat=seat, cell=turn.told)


def _look(table: Table, seat: str) -> Iterator[Said]:
    for cell in places.filled(table.playing().player(seat).grid):
        yield commands.Look(seat=seat, cell=cell)


def _reveal(table: Table, seat: str) -> Iterator[Said]:
    for card in table.variant.cards:
        yield commands.Reveal(seat=seat, card=card.id)


def _report(table: Table, seat: str) -> Iterator[Said]:
    yield commands.Report(seat=seat, outcome="safe")
    yield commands.Report(seat=seat, outcome="kitten")


_WAYS: dict[type[Said], Choices] = {
    commands.CallNext: _call_next,
    commands.SkipRollCall: bare(commands.SkipRollCall),
    commands.Instruct: _instruct,
    commands.PlayCard: _play,
    commands.Draw: _draw,
    PlayNope: windowed(PlayNope),
    Pass: windowed(Pass),
    Hold: windowed(Hold),
    Release: windowed(Release),
    commands.Look: _look,
    commands.Shuffled: bare(commands.Shuffled),
    commands.Reveal: _reveal,
    commands.Report: _report,
    commands.Defuse: bare(commands.Defuse),
    commands.Explode: bare(commands.Explode),
}

CHOICES = {kind: tried(ways) for kind, ways in _WAYS.items()}
