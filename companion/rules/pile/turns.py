"""What follows by itself when a turn ends or a player goes out."""

from companion.rules.core.commands import Moment
from companion.rules.core.events import Events
from companion.rules.core.model import Out
from companion.rules.pile import events
from companion.rules.pile.draw_events import GameWon, WentOut
from companion.rules.pile.model import Game, Table

ATTACK = 2
"""How many turns an Attack makes (ruling attack)."""


def begins(table: Table, first: str, moment: Moment) -> Events:
    """The cards are dealt, and the first turn begins at once; nothing is left to chance."""
    order = tuple(seat.seat for seat in table.in_order)
    began = events.GameBegan(order=order, first=first)
    return began, events.TurnBegan(seat=first, number=1, owed=1)


def next_turn(game: Game) -> events.TurnBegan:
    """The same player's next turn if they owe more, else the next player's (turn-ends)."""
    turn = game.current
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
    turn = game.current
    return events.TurnBegan(seat=game.after(turn.seat), number=turn.number + 1, owed=1)


def attacked(game: Game, seat: str, stacks: bool) -> events.TurnBegan:
    """This player is attacked (ruling attack); if it ``stacks``, they get what an attacked
    player still owes as well, the present turn included (attack-stacks)."""
    turn = game.current
    handed_on = turn.owed if stacks and turn.attacked else 0
    return events.TurnBegan(
        seat=seat, number=turn.number + 1, owed=ATTACK + handed_on, attacked=True
    )


def after(game: Game) -> str:
    """The player after the one whose turn it is."""
    return game.after(game.current.seat)


def going_out(table: Table, seat: str, out: Out) -> Events:
    """A player goes out: whatever waited for them goes on."""
    went = WentOut(seat=seat, out=out)
    rest = table.playing().with_player(seat, out=out)
    if len(rest.living) == 1:
        return went, GameWon(seat=rest.living[0])
    if rest.current.seat == seat:
        return went, next_player(rest)
    if rest.played is not None and rest.played.target == seat:
        return went, events.EffectOver(seat=rest.played.by)
    return (went,)
