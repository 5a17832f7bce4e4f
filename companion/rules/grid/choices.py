"""What can be chosen on the draw grid: every way to say each of the game's commands.

What is listed is asked of the rules, not tried: a property test holds both together. This
module must not know a rule of its own.
"""

from collections.abc import Iterator

from companion.rules.core.choices import IN_A_WINDOW, Choices, bare, of_each
from companion.rules.core.commands import Said
from companion.rules.grid import commands, now, places
from companion.rules.grid.deduction import DrewHidden, TurnedUp
from companion.rules.grid.effects import EFFECTS
from companion.rules.grid.model import Table


@of_each
def _call_next(table: Table, seat: str) -> Iterator[Said]:
    yield commands.CallNext(seat=seat, next=table.playing().after(seat))


@of_each
def _instruct(table: Table, seat: str) -> Iterator[Said]:
    game = table.playing()
    if game.turn is not None:
        for cell in places.filled(game.player(game.turn.seat).grid):
            yield commands.Instruct(seat=seat, cell=cell)


@of_each
def _play(table: Table, seat: str) -> Iterator[Said]:
    game = table.playing()
    player = game.player(seat)
    for card in table.variant.cards:
        if card.effect in EFFECTS and now.may_leave_hand(player, card.id):
            yield from EFFECTS[card.effect].choices(game, seat, card.id)


@of_each
def _draw(table: Table, seat: str) -> Iterator[Said]:
    turn = table.playing().turn
    if turn is not None and turn.told is not None:
        yield commands.Draw(seat=seat, cell=turn.told)


@of_each
def _look(table: Table, seat: str) -> Iterator[Said]:
    for cell in places.filled(table.playing().player(seat).grid):
        yield commands.Look(seat=seat, cell=cell)


@of_each
def _reveal(table: Table, seat: str) -> Iterator[Said]:
    player = table.playing().player(seat)
    for card in table.variant.cards:
        if player.known.allows(TurnedUp(card=card.id)):
            yield commands.Reveal(seat=seat, card=card.id)


@of_each
def _report(table: Table, seat: str) -> Iterator[Said]:
    player, kitten = table.playing().player(seat), table.variant.kitten
    face = places.at(player.grid, now.told(table))
    hidden = face == places.DOWN
    if player.known.allows(DrewHidden()) if hidden else face != kitten:
        yield commands.Report(seat=seat, outcome="safe")
    if player.known.allows(TurnedUp(card=kitten)) if hidden else face == kitten:
        yield commands.Report(seat=seat, outcome="kitten")


@of_each
def _defuse(table: Table, seat: str) -> Iterator[Said]:
    if now.may_leave_hand(table.playing().player(seat), table.variant.defuse):
        yield commands.Defuse(seat=seat)


CHOICES: dict[type[Said], Choices] = {
    **IN_A_WINDOW,
    commands.CallNext: _call_next,
    commands.SkipRollCall: bare(commands.SkipRollCall),
    commands.Instruct: _instruct,
    commands.PlayCard: _play,
    commands.Draw: _draw,
    commands.Look: _look,
    commands.Shuffled: bare(commands.Shuffled),
    commands.Reveal: _reveal,
    commands.Report: _report,
    commands.Defuse: _defuse,
    commands.Explode: bare(commands.Explode),
}
