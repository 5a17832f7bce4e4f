"""What each event changes: ``evolve(table, event)`` is total over all stored events.

It never refuses and never decides anything: whatever follows from an event is an event
of its own. This module has the table's events; the game's are its family's. It must not
know what is allowed.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from companion.rules.core import events
from companion.rules.core.events import Happened
from companion.rules.core.model import Asked, Past, Seat, Table, Waiting, Window


def evolve(table: Any, event: Happened) -> Any:
    """The table after the event; its version has grown by one."""
    version = table.version + 1
    kind = type(event)
    if kind in _TABLE:
        changed = _TABLE[kind](table, event)
        # The end of a game can be taken back until the next word (ruling end-the-game).
        ended = table if kind is events.GameEnded else None
        if isinstance(event, events.SeatTaken) and table.waiter(event.seat):
            ended = table.ended  # who waited is seated by the end itself
        return replace(changed, version=version, ended=ended)
    play = table.family.play
    if kind in play.table_folds:
        return replace(play.table_folds[kind](table, event), version=version)
    game = table.game
    if game is None:  # only a damaged log holds this; a log is read for ever
        return replace(table, version=version)
    past, asked = table.past, table.asked
    if kind in play.said:
        seat = getattr(event, "seat", None)
        past, asked = (*past, Past(version=version, game=game, seat=seat, event=event)), None
    elif isinstance(event, events.TurnBegan) and event.number == 1:
        past = ()  # nothing is taken back further than the start of the play
    game = play.folds[kind](game, event, version)
    return replace(table, game=game, past=past, asked=asked, version=version)


_NO_ROBOT: dict[str, Any] = {"robot": None, "lent": False}


def _seats(table: Table, seat: str, **changes: Any) -> tuple[Seat, ...]:
    return tuple(replace(s, **changes) if s.seat == seat else s for s in table.seats)


def _seat_taken(table: Table, event: events.SeatTaken) -> Table:
    seat = Seat(seat=event.seat, name=event.name, panel=event.panel, robot=event.robot)
    return replace(table, seats=(*table.seats, seat), waiting=_others(table, event.seat))


def _others(table: Table, seat: str) -> tuple[Waiting, ...]:
    return tuple(one for one in table.waiting if one.seat != seat)


def _place_asked(table: Table, event: events.PlaceAsked) -> Table:
    waiter = Waiting(seat=event.seat, name=event.name)
    return replace(table, waiting=(*table.waiting, waiter))


def _place_given_up(table: Table, event: events.PlaceGivenUp) -> Table:
    return replace(table, waiting=_others(table, event.seat))


def _seat_renamed(table: Table, event: events.SeatRenamed) -> Table:
    return replace(table, seats=_seats(table, event.seat, name=event.name))


def _seat_removed(table: Table, event: events.SeatRemoved) -> Table:
    if table.game is not None:
        return replace(table, seats=_seats(table, event.seat, gone=True))
    return replace(table, seats=tuple(s for s in table.seats if s.seat != event.seat))


def _seat_claimed(table: Table, event: events.SeatClaimed) -> Table:
    return replace(table, seats=_seats(table, event.seat, panel=True, **_NO_ROBOT))


def _seat_lent(table: Table, event: events.SeatLent) -> Table:
    return replace(table, seats=_seats(table, event.seat, robot=event.robot, lent=True))


def _seat_returned(table: Table, event: events.SeatReturned) -> Table:
    return replace(table, seats=_seats(table, event.seat, **_NO_ROBOT))


def _options_changed(table: Table, event: events.OptionsChanged[Any]) -> Table:
    return replace(table, options=event.options, asked=None)


def _host_changed(table: Table, event: events.HostChanged) -> Table:
    return replace(table, host=event.seat)


def _unready(table: Table) -> tuple[Seat, ...]:
    """Who stays, for another game; a seat was lent to a robot for one."""
    return tuple(
        replace(seat, ready=False, **(_NO_ROBOT if seat.lent else {}))
        for seat in table.seats
        if not seat.gone
    )


def _prepared(table: Table, event: events.Prepared) -> Table:
    return replace(table, setup=True, seats=_unready(table))


def _returned_to_lobby(table: Table, event: events.ReturnedToLobby) -> Table:
    return replace(table, setup=False, game=None, past=(), asked=None, seats=_unready(table))


def _game_ended(table: Table, event: events.GameEnded) -> Table:
    return replace(table, setup=False, game=None, past=(), asked=None, seats=_unready(table))


def _ready_said(table: Table, event: events.ReadySaid) -> Table:
    return replace(table, seats=_seats(table, event.seat, ready=event.ready))


def _rematched(table: Table, event: events.Rematched) -> Table:
    return replace(
        table,
        setup=True,
        game=None,
        past=(),
        asked=None,
        seats=_unready(table),
        games=table.games + 1,
    )


def _back_asked(table: Table, event: events.BackAsked) -> Table:
    return replace(table, asked=Asked(id=table.version + 1, seat=event.seat, until=event.until))


def _back_agreed(table: Table, event: events.BackAgreed) -> Table:
    asked = table.asked
    agreed = asked and replace(asked, agreed=(*asked.agreed, event.seat))
    return replace(table, asked=agreed)


def _back_lapsed(table: Table, event: events.BackLapsed) -> Table:
    return replace(table, asked=None)


def _undone(table: Table, event: events.Undone) -> Table:
    if table.ended is not None:
        table = replace(table.ended, version=table.version, past=table.undoable)
    if not table.past or table.game is None:
        return table
    now, game = table.game, table.past[-1].game
    game = table.family.play.keeps(now, game)
    window = game.window
    if window is not None and event.closes_at is not None:
        seconds = table.options.nope_seconds
        window = Window(id=table.version + 1, seconds=seconds, closes_at=event.closes_at)
    back = {*game.living}
    return replace(
        table,
        game=replace(game, window=window),
        past=table.past[:-1],
        asked=None,
        seats=tuple(replace(s, gone=s.gone and s.seat not in back) for s in table.seats),
    )


_TABLE: dict[type, Callable[[Table, Any], Table]] = {
    events.SeatTaken: _seat_taken,
    events.PlaceAsked: _place_asked,
    events.PlaceGivenUp: _place_given_up,
    events.SeatRenamed: _seat_renamed,
    events.SeatRemoved: _seat_removed,
    events.SeatClaimed: _seat_claimed,
    events.SeatLent: _seat_lent,
    events.SeatReturned: _seat_returned,
    events.OptionsChanged: _options_changed,
    events.HostChanged: _host_changed,
    events.Prepared: _prepared,
    events.ReturnedToLobby: _returned_to_lobby,
    events.ReadySaid: _ready_said,
    events.GameEnded: _game_ended,
    events.Rematched: _rematched,
    events.BackAsked: _back_asked,
    events.BackAgreed: _back_agreed,
    events.BackLapsed: _back_lapsed,
    events.Undone: _undone,
}
