"""What follows by itself when a turn ends or a player goes out.

This module must not know what brought it about.
"""

from msgspec.structs import replace

from companion.rules.core.commands import Moment
from companion.rules.core.events import GameWon, Happened, Out, WentOut
from companion.rules.pile import events
from companion.rules.pile.model import Game, Table, Turn

ATTACK = 2
"""How many turns an Attack makes (ruling attack)."""


def begins(table: Table, first: str, moment: Moment) -> tuple[Happened, ...]:
    """The cards are dealt, and the first turn begins at once; nothing is left to chance."""
    order = tuple(seat.seat for seat in table.in_order)
    began = events.GameBegan(order=order, first=first)
    return began, events.TurnBegan(seat=first, number=1, owed=1)


def next_turn(game: Game) -> events.TurnBegan:
    """The same player's next turn if they owe more, else the next player's (turn-ends)."""
    turn = _turn(game)
    if turn.owed == 1:
        return next_player(game)
    return events.TurnBegan(
        seat=turn.seat,
        number=turn.number + 1,
        owed=turn.owed - 1,
        attacked=turn.attacked,
        again=True,
    )


def next_player(game: Game) -> events.TurnBegan:
    """The next living player is up for one turn, whatever was owed (debt-dies-with-you)."""
    turn = _turn(game)
    return events.TurnBegan(seat=game.after(turn.seat), number=turn.number + 1, owed=1)


def attacked(game: Game, seat: str, stacks: bool) -> events.TurnBegan:
    """This player is attacked (ruling attack); if it ``stacks``, they get what an attacked
    player still owes as well, the present turn included (attack-stacks)."""
    turn = _turn(game)
    handed_on = turn.owed if stacks and turn.attacked else 0
    return events.TurnBegan(
        seat=seat, number=turn.number + 1, owed=ATTACK + handed_on, attacked=True
    )


def after(game: Game) -> str:
    """The player after the one whose turn it is."""
    return game.after(_turn(game).seat)


def going_out(game: Game, seat: str, out: Out) -> tuple[Happened, ...]:
    """A player goes out: whatever waited for them goes on."""
    went = WentOut(seat=seat, out=out)
    players = tuple(replace(p, out=out) if p.seat == seat else p for p in game.players)
    rest = replace(game, players=players)
    if len(rest.living) == 1:
        return went, GameWon(seat=rest.living[0])
    if _turn(game).seat == seat:
        return went, next_player(rest)
    if game.played is not None and game.played.target == seat:
        return went, events.EffectOver(seat=game.played.by)
    return (went,)


def _turn(game: Game) -> Turn:
    assert game.turn is not None
    return game.turn
