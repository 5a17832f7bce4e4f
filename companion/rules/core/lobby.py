"""The table's own machine: seats, options, the host's role, from the lobby to a rematch."""

from collections.abc import Collection
from typing import Literal

from msgspec import UNSET, structs

from companion.rules.core import commands, house_rules, undo
from companion.rules.core import table_events as events
from companion.rules.core.commands import DecisionInputs
from companion.rules.core.events import Events
from companion.rules.core.game import at_seat
from companion.rules.core.model import HOST_AWAY_MS, Table, TableContext
from companion.rules.core.moves import ALWAYS, TableMove, emits
from companion.rules.core.names import alike
from companion.rules.core.rulings import Forbidden, Refused

ANY_TIME = {"nope_seconds", "remind_seconds", "spectators", "take_back", "signs"}
"""The options that change nothing in the game: they may change while it runs."""

Door = Literal["open", "next", "locked", "full", "waiting"]


def door(table: Table) -> Door:
    """What somebody without a seat finds: a seat now, one in the next game, or none."""
    if table.options.locked:
        return "locked"
    if len(table.stay) + len(table.waiting) >= table.variant.players.most:
        return "full"
    return "open" if table.game is None else "next"


def watches(table: Table, seat: str | None) -> bool:
    """Whether this seat, or somebody without one, may look on; who left, until they opened."""
    sits = at_seat(table.seats, seat) is not None
    return table.options.spectators or sits or seat in table.seats_with_closed_decks


def check_watching(table: Table, seat: str | None) -> None:
    """Refuses whoever has no seat where nobody watches, and says whether they can have one."""
    if not watches(table, seat):
        found = "waiting" if table.waiter(seat) else door(table)
        raise Forbidden("spectators-watch", case="closed", door=found)


def may_sign(table: Table, seat: str | None) -> bool:
    """Whether this seat, or somebody without one, may send a sign: those who can only watch."""
    plays = table.game.living if table.game else tuple(one.seat for one in table.seats)
    return table.options.signs and seat not in plays


def may_check(table: Table, seat: str | None, to: str) -> bool:
    """Whether this seat may tell that one that it looks at its cards in the call: in the setup."""
    return table.phase == "setup" and seat != to and {seat, to} <= {one.seat for one in table.seats}


def next_seat(table: Table) -> str:
    """A seat's id is never used again: every seat taken is an event, so versions tell apart."""
    return f"s{table.version + 1}"


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
        if seat != but and alike(other, name):
            raise Refused("unique-names", name=name, seat=seat)


def _check_newcomer(table: Table, name: str, others: int, *, locked: bool) -> None:
    """The door is open, ``others`` leave room for one more, and the name is free."""
    if locked:
        raise Refused("seats-in-the-lobby", case="locked")
    if others >= table.variant.players.most:
        raise Refused("player-count", case="full", most=table.variant.players.most)
    _check_name(table, name)


def _take_seat(
    context: TableContext[commands.AddSeat | commands.SeatRobot | commands.TakeSeat],
) -> Events:
    """The host seats a player without a panel or a robot, or somebody comes with a panel."""
    table = context.table
    said = context.command
    panel = not isinstance(said, commands.AddSeat)
    _check_newcomer(table, said.name, len(table.seats), locked=panel and table.options.locked)
    seat = next_seat(table)
    robot = said.robot if isinstance(said, commands.SeatRobot) else None
    taken = events.SeatTaken(seat=seat, name=said.name, panel=panel, robot=robot)
    return (taken,) if table.host else (taken, events.HostChanged(seat=seat))


def _check_own_name(table: Table, name: str, here: Collection[str]) -> None:
    """Refuse the name of a seat that nobody is connected to: its player may have lost the device,
    and a second seat would be no way back to the first."""
    for seat in table.seats:
        lost = seat.panel and not seat.robot and not seat.gone and seat.seat not in here
        if lost and alike(seat.name, name):
            raise Refused("unique-names", case="away", name=name, seat=seat.seat)


def _ask_place(context: TableContext[commands.AskPlace]) -> Events:
    table = context.table
    name = context.command.name
    _check_own_name(table, name, context.inputs.here)
    others = len(table.stay) + len(table.waiting)
    _check_newcomer(table, name, others, locked=table.options.locked)
    return (events.PlaceAsked(seat=context.seat, name=name),)


def _seat_waiting_players(table: Table) -> Events:
    """Who waited sits down, as far as there is room."""
    free = max(0, table.variant.players.most - len(table.stay))
    return tuple(
        events.SeatTaken(seat=one.seat, name=one.name, panel=True) for one in table.waiting[:free]
    )


def _play_again(context: TableContext[commands.ClaimSeat | commands.ReturnSeat]) -> Events:
    """Somebody plays at this seat again, who is the host where there was none."""
    claims = isinstance(context.command, commands.ClaimSeat)
    event = (
        events.SeatClaimed(seat=context.seat) if claims else events.SeatReturned(seat=context.seat)
    )
    if context.table.host or context.table.seat(context.seat).gone:
        return (event,)
    return event, events.HostChanged(seat=context.seat)


def _rename(context: TableContext[commands.Rename]) -> Events:
    _check_name(context.table, context.command.name, but=context.seat)
    was = context.table.seat(context.seat).name
    return (events.SeatRenamed(seat=context.seat, name=context.command.name, was=was),)


def _set_options(context: TableContext[commands.SetOptions]) -> Events:
    table = context.table
    given = {
        name: value
        for name in table.options.__struct_fields__
        if (value := getattr(context.command, name)) is not UNSET
    }
    if table.phase != "lobby" and given.keys() - ANY_TIME:
        raise Refused("seats-in-the-lobby", case="options")
    window = table.variant.window
    seconds = given.get("nope_seconds", window.seconds)
    if not window.least <= seconds <= window.most:
        raise Refused("in-time", case="seconds", least=window.least, most=window.most)
    options = structs.replace(table.options, **given)
    return (events.OptionsChanged(options=options),)


def _house_rules(context: TableContext[commands.HouseRules]) -> Events:
    """Ruling house-rules: laid on the variant that the table was made with."""
    table = context.table
    base = table.base or table.variant
    players = base.players.next_to(len(table.seats))
    made = house_rules.validate(base, table.family, context.command.rules or {}, players)
    return (
        events.HouseRulesChanged(
            name=made.name,
            made=made.changes,
            players=players,
            digest=house_rules.apply(base, made.changes, players).digest,
        ),
    )


def _prepare(context: TableContext[commands.Prepare]) -> Events:
    table = context.table
    players = table.variant.players
    if not players.least <= len(table.seats) <= players.most:
        count = len(table.seats)
        raise Refused("player-count", least=players.least, most=players.most, count=count)
    return (events.Prepared(),)


def _begin(context: TableContext[commands.Begin]) -> Events:
    table = context.table
    waiting = not_ready(table)
    if waiting:
        raise Refused("everyone-ready", case="waiting", seats=waiting)
    order = tuple(seat.seat for seat in table.in_order)
    first = (
        order[context.inputs.lot % len(order)]
        if context.command.first == "lot"
        else context.command.first
    )
    return table.family.begin_game(table, first, context.inputs)


def _leave(context: TableContext[commands.Leave | commands.RemoveSeat]) -> Events:
    """Ruling leaving, for whoever goes or is removed."""
    table = context.table
    said = context.command
    seat = said.gone if isinstance(said, commands.RemoveSeat) else context.seat
    waiter = table.waiter(seat)
    if waiter is not None:
        return (events.PlaceGivenUp(seat=seat, name=waiter.name),)
    if table.seat(seat).gone:
        raise Refused("leaving", case="gone", seat=seat)
    by = context.seat if seat != context.seat else None
    removed: Events = (events.SeatRemoved(seat=seat, name=table.seat(seat).name, by=by),)
    if table.host == seat:
        removed += (events.HostChanged(seat=heir(table, seat, context.inputs)),)
    game = table.game
    if game is None:
        few = len(table.seats) - 1 < table.variant.players.least
        if not (table.setup and few):
            return removed
        return *removed, events.ReturnedToLobby(), *_seat_waiting_players(table)
    if game.winner is not None or not game.player(seat).alive:
        return removed
    if game.window is not None:
        assert game.played is not None
        waits = {"by": game.played.by, "card": game.played.card}
        raise Refused("leaving", case="window", seat=seat, **waits)
    return (*removed, *table.family.events_when_out(table, seat, "left"))


def heir(table: Table, leaver: str, inputs: DecisionInputs) -> str | None:
    """Who gets the host's role: the first living person with a panel who is here, else any."""
    people = [s for s in table.in_order if s.panel and not s.robot]
    stay = [s.seat for s in people if not s.gone and s.seat != leaver]
    living = table.game.living if table.game else tuple(stay)
    ranked = sorted(stay, key=lambda seat: (seat not in inputs.here, seat not in living))
    return ranked[0] if ranked else None


def _pass_host(context: TableContext[commands.PassHost]) -> Events:
    seat = context.table.seat(context.command.to)
    if seat.robot:
        raise Refused("host-only", case="robot", seat=seat.seat)
    if not seat.panel or seat.gone:
        raise Refused("host-only", case="no-panel", seat=seat.seat)
    return (events.HostChanged(seat=seat.seat),)


def _claim_host(context: TableContext[commands.ClaimHost]) -> Events:
    table = context.table
    if table.seat(context.seat).robot:
        raise Refused("host-only", case="robot", seat=context.seat)
    if table.host is not None and (
        context.seat == table.host or context.inputs.host_away_ms < HOST_AWAY_MS
    ):
        raise Refused("host-is-gone", host=table.host, away_ms=context.inputs.host_away_ms)
    return (events.HostChanged(seat=context.seat),)


def _rematch(context: TableContext[commands.Rematch]) -> Events:
    table = context.table
    seated = _seat_waiting_players(table)
    if len(table.stay) + len(seated) < table.variant.players.least:
        return events.Rematched(), events.ReturnedToLobby(), *seated
    return events.Rematched(), *seated


MOVES: tuple[TableMove, ...] = (
    TableMove(commands.AddSeat, ALWAYS[:2], "seats-in-the-lobby", _take_seat, host_only=True),
    TableMove(commands.SeatRobot, ALWAYS[:2], "seats-in-the-lobby", _take_seat, host_only=True),
    TableMove(commands.TakeSeat, ALWAYS[:2], "seats-in-the-lobby", _take_seat),
    TableMove(commands.AskPlace, ALWAYS[1:], "seats-in-the-lobby", _ask_place),
    TableMove(commands.ClaimSeat, ALWAYS, "seats-in-the-lobby", _play_again),
    TableMove(commands.ReturnSeat, ALWAYS, "seats-in-the-lobby", _play_again),
    TableMove(commands.Rename, ("lobby",), "seats-in-the-lobby", _rename),
    TableMove(commands.RemoveSeat, ALWAYS, "leaving", _leave, host_only=True),
    TableMove(commands.HouseRules, ("lobby", "setup"), "house-rules", _house_rules, host_only=True),
    TableMove(commands.Prepare, ("lobby",), None, _prepare, host_only=True),
    TableMove(commands.ToLobby, ("setup", "roll_call"), "seats-in-the-lobby",
              lambda context: (events.ReturnedToLobby(), *_seat_waiting_players(context.table)),
              host_only=True),
    TableMove(commands.SayReady, ("setup",), "everyone-ready", emits(events.ReadySaid)),
    TableMove(commands.Begin, ("setup",), None, _begin, host_only=True),
    TableMove(commands.Leave, ALWAYS, "leaving", _leave),
    TableMove(commands.PassHost, ALWAYS, "host-only", _pass_host, host_only=True),
    TableMove(commands.ClaimHost, ALWAYS, "host-is-gone", _claim_host),
    TableMove(commands.EndGame, ("roll_call", "play"), "end-the-game",
              lambda context: (events.GameEnded(), *_seat_waiting_players(context.table)),
              host_only=True),
    *undo.MOVES,
    TableMove(commands.Rematch, ("over",), "last-one-standing", _rematch, host_only=True),
)  # fmt: skip


def moves(set_options: type[commands.SetOptions], *own: TableMove) -> tuple[TableMove, ...]:
    """The rows of a family's table: everybody's, its own command for options, its ``own``."""
    options: TableMove = TableMove(set_options, ALWAYS, "host-only", _set_options, host_only=True)
    return *MOVES, options, *own
