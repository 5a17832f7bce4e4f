"""The table's own machine: seats, options, the host's role, from the lobby to a rematch.

``PHASES`` says who may say what in which phase. This module must not know how a game
is played.
"""

from collections.abc import Callable
from typing import Any, Literal

from msgspec import UNSET, Struct, structs

from companion.rules import chain, commands, events, turns
from companion.rules.commands import Moment
from companion.rules.events import Event
from companion.rules.model import HOST_AWAY_MS, Options, Phase, Table
from companion.rules.rulings import Forbidden, Refused

ALWAYS: tuple[Phase, ...] = ("lobby", "setup", "roll_call", "play", "over")

ANY_TIME = {"nope_seconds", "remind_seconds", "spectators"}
"""The options that change nothing in the game: they may change while it runs."""


class Line(Struct, frozen=True):
    """Where a command is in order, and the ruling which refuses it elsewhere."""

    phases: tuple[Phase, ...]
    ruling: str
    host: bool = False


PHASES: dict[type[commands.Said], Line] = {
    commands.AddSeat: Line(("lobby",), "seats-in-the-lobby", host=True),
    commands.TakeSeat: Line(("lobby",), "seats-in-the-lobby"),
    commands.AskPlace: Line(("setup", "roll_call", "play", "over"), "seats-in-the-lobby"),
    commands.ClaimSeat: Line(ALWAYS, "seats-in-the-lobby"),
    commands.Rename: Line(("lobby",), "seats-in-the-lobby"),
    commands.RemoveSeat: Line(ALWAYS, "leaving", host=True),
    commands.SetOptions: Line(ALWAYS, "host-only", host=True),
    commands.Prepare: Line(("lobby",), "prepare-in-order", host=True),
    commands.ToLobby: Line(("setup", "roll_call"), "seats-in-the-lobby", host=True),
    commands.SayReady: Line(("setup",), "everyone-ready"),
    commands.Begin: Line(("setup",), "prepare-in-order", host=True),
    commands.Leave: Line(ALWAYS, "leaving"),
    commands.PassHost: Line(ALWAYS, "host-only", host=True),
    commands.ClaimHost: Line(ALWAYS, "host-is-gone"),
    commands.EndGame: Line(("roll_call", "play"), "end-the-game", host=True),
    commands.Rematch: Line(("over",), "last-one-standing", host=True),
}


Door = Literal["open", "next", "locked", "full", "waiting"]


def door(table: Table) -> Door:
    """What somebody without a seat finds: a seat now, one in the next game, or none."""
    if table.options.locked:
        return "locked"
    if len(table.stay) + len(table.waiting) >= table.variant.players.most:
        return "full"
    return "open" if table.phase == "lobby" else "next"


def check_watching(table: Table, seat: str | None) -> None:
    """Refuses whoever has no seat where nobody watches, and says whether they can have one."""
    seated = any(found.seat == seat for found in table.seats)
    if not seated and not table.options.spectators:
        found = "waiting" if table.waiter(seat) else door(table)
        raise Forbidden("spectators-watch", case="closed", door=found)


def decide_table(
    table: Table, command: Any, *, sender: str | None, moment: Moment
) -> tuple[Event, ...]:
    """What a table command leads to; raises ``Refused``."""
    line = PHASES[type(command)]
    if line.host and sender != table.host:
        raise only_the_host(table)
    if table.phase not in line.phases:
        raise Refused(line.ruling, case="begun" if table.game else table.phase)
    return _RULES[type(command)](table, command, moment)


def only_the_host(table: Table) -> Refused:
    """Whose it is to say, if the table has a host (ruling host-only)."""
    if table.host is None:
        return Refused("host-only", case="nobody")
    return Refused("host-only", host=table.host)


def not_ready(table: Table) -> tuple[str, ...]:
    """Who still prepares, in order of play (ruling everyone-ready)."""
    return tuple(seat.seat for seat in table.in_order if table.setup and not seat.ready)


def _check_name(table: Table, name: str, but: str | None = None) -> None:
    taken = [(seat.seat, seat.name) for seat in table.seats]
    taken += [(waiter.seat, waiter.name) for waiter in table.waiting]
    for seat, other in taken:
        if seat != but and chain.same_name(other) == chain.same_name(name):
            raise Refused("unique-names", name=name, seat=seat)


def _check_room(table: Table) -> None:
    if len(table.seats) >= table.variant.players.most:
        raise Refused("player-count", case="full", most=table.variant.players.most)


def _add_seat(table: Table, command: commands.AddSeat, moment: Moment) -> tuple[Event, ...]:
    _check_room(table)
    _check_name(table, command.name)
    return (events.SeatTaken(seat=_next_seat(table), name=command.name, panel=False),)


def _next_seat(table: Table) -> str:
    """A seat's id is never used again: every seat taken is an event, so versions tell apart."""
    return f"s{table.version + 1}"


def _take_seat(table: Table, command: commands.TakeSeat, moment: Moment) -> tuple[Event, ...]:
    if table.options.locked:
        raise Refused("seats-in-the-lobby", case="locked")
    _check_room(table)
    _check_name(table, command.name)
    seat = _next_seat(table)
    taken = events.SeatTaken(seat=seat, name=command.name, panel=True)
    return (taken,) if table.host else (taken, events.HostChanged(seat=seat))


def _ask_place(table: Table, command: commands.AskPlace, moment: Moment) -> tuple[Event, ...]:
    if door(table) == "locked":
        raise Refused("seats-in-the-lobby", case="locked")
    if door(table) == "full":
        raise Refused("player-count", case="full", most=table.variant.players.most)
    _check_name(table, command.name)
    return (events.PlaceAsked(seat=_next_seat(table), name=command.name),)


def _seated(table: Table) -> tuple[Event, ...]:
    """Who waited sits down, as far as there is room."""
    free = max(0, table.variant.players.most - len(table.stay))
    return tuple(
        events.SeatTaken(seat=one.seat, name=one.name, panel=True) for one in table.waiting[:free]
    )


def _claim_seat(table: Table, command: commands.ClaimSeat, moment: Moment) -> tuple[Event, ...]:
    assert command.seat is not None
    claimed = events.SeatClaimed(seat=command.seat)
    if table.host or table.seat(command.seat).gone:
        return (claimed,)
    return claimed, events.HostChanged(seat=command.seat)


def _rename(table: Table, command: commands.Rename, moment: Moment) -> tuple[Event, ...]:
    assert command.seat is not None
    _check_name(table, command.name, but=command.seat)
    return (events.SeatRenamed(seat=command.seat, name=command.name),)


def _set_options(table: Table, command: commands.SetOptions, moment: Moment) -> tuple[Event, ...]:
    given = {
        name: value
        for name in Options.__struct_fields__
        if (value := getattr(command, name)) is not UNSET
    }
    if table.phase != "lobby" and given.keys() - ANY_TIME:
        raise Refused("seats-in-the-lobby", case="options")
    window = table.variant.window
    seconds = given.get("nope_seconds", window.seconds)
    if not window.least <= seconds <= window.most:
        raise Refused("in-time", case="seconds", least=window.least, most=window.most)
    options = structs.replace(table.options, **given)
    return (events.OptionsChanged(options=options),)


def _prepare(table: Table, command: commands.Prepare, moment: Moment) -> tuple[Event, ...]:
    players = table.variant.players
    if not players.least <= len(table.seats) <= players.most:
        count = len(table.seats)
        raise Refused("player-count", least=players.least, most=players.most, count=count)
    return (events.Prepared(),)


def _to_lobby(table: Table, command: commands.ToLobby, moment: Moment) -> tuple[Event, ...]:
    return events.ReturnedToLobby(), *_seated(table)


def _ready(table: Table, command: commands.SayReady, moment: Moment) -> tuple[Event, ...]:
    assert command.seat is not None
    return (events.ReadySaid(seat=command.seat, ready=command.ready),)


def _begin(table: Table, command: commands.Begin, moment: Moment) -> tuple[Event, ...]:
    waiting = not_ready(table)
    if waiting:
        raise Refused("everyone-ready", case="waiting", seats=waiting)
    order = tuple(seat.seat for seat in table.in_order)
    first = order[moment.lot % len(order)] if command.first == "lot" else command.first
    caller = order[0] if table.options.roll_call else None
    began = events.GameBegan(order=order, first=first, caller=caller)
    if caller is not None:
        return (began,)
    turn = events.TurnBegan(seat=first, instructor=chain.before(order, order, first), number=1)
    return began, turn


def _remove_seat(table: Table, command: commands.RemoveSeat, moment: Moment) -> tuple[Event, ...]:
    return _goes(table, command.gone, moment)


def _leave(table: Table, command: commands.Leave, moment: Moment) -> tuple[Event, ...]:
    assert command.seat is not None
    return _goes(table, command.seat, moment)


def _goes(table: Table, seat: str, moment: Moment) -> tuple[Event, ...]:
    """Ruling leaving, for whoever goes or is removed."""
    waiter = table.waiter(seat)
    if waiter is not None:
        return (events.PlaceGivenUp(seat=seat, name=waiter.name),)
    if table.seat(seat).gone:
        raise Refused("leaving", case="gone", seat=seat)
    removed: tuple[Event, ...] = (events.SeatRemoved(seat=seat),)
    if table.host == seat:
        removed += (events.HostChanged(seat=_heir(table, seat, moment)),)
    game = table.game
    if game is None:
        few = len(table.seats) - 1 < table.variant.players.least
        if not (table.setup and few):
            return removed
        return *removed, events.ReturnedToLobby(), *_seated(table)
    if game.winner is not None or not game.player(seat).alive:
        return removed
    if game.window is not None:
        assert game.played is not None
        waits = {"by": game.played.by, "card": game.played.card}
        raise Refused("leaving", case="window", seat=seat, **waits)
    return (*removed, *turns.going_out(game, seat, "left"))


def _heir(table: Table, leaver: str, moment: Moment) -> str | None:
    """Who gets the host's role: the first living seat with a panel that is here, else any."""
    stay = [s.seat for s in table.in_order if s.panel and not s.gone and s.seat != leaver]
    living = table.game.living if table.game else tuple(stay)
    ranked = sorted(stay, key=lambda seat: (seat not in moment.here, seat not in living))
    return ranked[0] if ranked else None


def _pass_host(table: Table, command: commands.PassHost, moment: Moment) -> tuple[Event, ...]:
    seat = table.seat(command.to)
    if not seat.panel or seat.gone:
        raise Refused("host-only", case="no-panel", seat=seat.seat)
    return (events.HostChanged(seat=seat.seat),)


def _claim_host(table: Table, command: commands.ClaimHost, moment: Moment) -> tuple[Event, ...]:
    if table.host is not None and (
        command.seat == table.host or moment.host_away_ms < HOST_AWAY_MS
    ):
        raise Refused("host-is-gone", host=table.host, away_ms=moment.host_away_ms)
    return (events.HostChanged(seat=command.seat),)


def _end_game(table: Table, command: commands.EndGame, moment: Moment) -> tuple[Event, ...]:
    return events.GameEnded(), *_seated(table)


def _rematch(table: Table, command: commands.Rematch, moment: Moment) -> tuple[Event, ...]:
    seated = _seated(table)
    if len(table.stay) + len(seated) < table.variant.players.least:
        return events.Rematched(), events.ReturnedToLobby(), *seated
    return events.Rematched(), *seated


_RULES: dict[type[commands.Said], Callable[[Table, Any, Moment], tuple[Event, ...]]] = {
    commands.AddSeat: _add_seat,
    commands.TakeSeat: _take_seat,
    commands.AskPlace: _ask_place,
    commands.ClaimSeat: _claim_seat,
    commands.Rename: _rename,
    commands.RemoveSeat: _remove_seat,
    commands.SetOptions: _set_options,
    commands.Prepare: _prepare,
    commands.ToLobby: _to_lobby,
    commands.SayReady: _ready,
    commands.Begin: _begin,
    commands.Leave: _leave,
    commands.PassHost: _pass_host,
    commands.ClaimHost: _claim_host,
    commands.EndGame: _end_game,
    commands.Rematch: _rematch,
}
