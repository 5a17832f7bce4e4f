"""What follows by itself when a turn ends or a player goes out."""

from companion.rules.core import chain
from companion.rules.core.commands import Moment
from companion.rules.core.events import Events
from companion.rules.core.model import Out
from companion.rules.grid import events
from companion.rules.grid.model import Game, Table
from companion.rules.grid.table_events import CallerChanged, GameBegan


def next_turn(game: Game) -> events.TurnBegan:
    """The same player's next turn if they owe more, else the next player's (turn-ends)."""
    turn = game.current
    if turn.owed > 1:
        return _turn(game, turn.seat, turn.number + 1, turn.owed - 1)
    return next_player(game)


def next_player(game: Game, owed: int = 1) -> events.TurnBegan:
    """The next living player in the chain is up, whatever was owed before."""
    turn = game.current
    return _turn(game, game.after(turn.seat), turn.number + 1, owed)


def first_turn(game: Game, first: str) -> events.TurnBegan:
    """This player is up first; the player before them tells (ruling told-by-previous)."""
    return _turn(game, first, 1)


def _turn(game: Game, seat: str, number: int, owed: int = 1) -> events.TurnBegan:
    return events.TurnBegan(seat=seat, instructor=game.before(seat), number=number, owed=owed)


def begins(table: Table, first: str, moment: Moment) -> Events:
    """The cards are dealt: the roll call, or the first turn at once."""
    order = tuple(seat.seat for seat in table.in_order)
    caller = order[0] if table.options.roll_call else None
    began = GameBegan(order=order, first=first, caller=caller, salt=moment.salt)
    if caller is not None:
        return (began,)
    instructor = chain.before(order, order, first)
    return began, events.TurnBegan(seat=first, instructor=instructor, number=1)


def next_caller(game: Game, caller: str) -> str | None:
    """Who calls after ``caller``; ``None`` once everyone has called (ruling roll-call)."""
    order, following = game.order, game.after(caller)
    return following if order.index(following) > order.index(caller) else None


def going_out(table: Table, seat: str, out: Out) -> Events:
    """A player goes out: the chain closes up, and whatever waited for them goes on."""
    went = events.WentOut(seat=seat, out=out)
    rest = table.playing().with_player(seat, out=out)
    if len(rest.living) == 1:
        return went, events.GameWon(seat=rest.living[0])
    return went, *_goes_on(rest, seat)


def _goes_on(game: Game, seat: str) -> Events:
    """What the game does next without ``seat``, who is out (ruling leaving)."""
    if game.turn is None:
        return _calls_on(game, seat)
    if game.turn.seat == seat:
        return (next_player(game),)
    if game.turn.step == "reveal" and game.played and game.played.target == seat:
        return (events.FavorOver(seat=game.played.by),)
    return ()


def _calls_on(game: Game, seat: str) -> Events:
    first = game.after(seat) if game.first == seat else game.first
    caller = next_caller(game, seat) if game.caller == seat else game.caller
    if (caller, first) == (game.caller, game.first):
        return ()
    changed = CallerChanged(caller=caller, first=first)
    return (changed,) if caller is not None else (changed, first_turn(game, first))
