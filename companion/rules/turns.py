"""What follows by itself when a turn ends or a player goes out.

This module must not know what brought it about.
"""

from typing import Literal

from msgspec.structs import replace

from companion.rules import events
from companion.rules.events import Event
from companion.rules.model import Game


def next_turn(game: Game) -> events.TurnBegan:
    """The next living player in the chain is up (ruling turn-ends)."""
    assert game.turn is not None
    seat = game.after(game.turn.seat)
    return events.TurnBegan(seat=seat, instructor=game.before(seat), number=game.turn.number + 1)


def first_turn(game: Game, first: str) -> events.TurnBegan:
    """The first player is up; the player before them tells (ruling told-by-previous)."""
    return events.TurnBegan(seat=first, instructor=game.before(first), number=1)


def next_caller(game: Game, caller: str) -> str | None:
    """Who calls after ``caller``; ``None`` once everyone has called (ruling roll-call)."""
    order, following = game.order, game.after(caller)
    return following if order.index(following) > order.index(caller) else None


def going_out(game: Game, seat: str, out: Literal["kitten", "left"]) -> tuple[Event, ...]:
    """A player goes out: the chain closes up, and whatever waited for them goes on."""
    went = events.WentOut(seat=seat, out=out)
    players = tuple(replace(p, out=out) if p.seat == seat else p for p in game.players)
    rest = replace(game, players=players)
    if len(rest.living) == 1:
        return went, events.GameWon(seat=rest.living[0])
    return went, *_goes_on(rest, seat)


def _goes_on(game: Game, seat: str) -> tuple[Event, ...]:
    """What the game does next without ``seat``, who is out (ruling leaving)."""
    if game.turn is None:
        return _calls_on(game, seat)
    if game.turn.seat == seat:
        return (next_turn(game),)
    if game.turn.step == "reveal" and game.played and game.played.target == seat:
        return (events.FavorOver(seat=game.played.by),)
    return ()


def _calls_on(game: Game, seat: str) -> tuple[Event, ...]:
    first = game.after(seat) if game.first == seat else game.first
    caller = next_caller(game, seat) if game.caller == seat else game.caller
    if (caller, first) == (game.caller, game.first):
        return ()
    changed = events.CallerChanged(caller=caller, first=first)
    return (changed,) if caller is not None else (changed, first_turn(game, first))
