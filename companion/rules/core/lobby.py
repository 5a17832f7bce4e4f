"""The moves of the table itself, such as taking a seat, changing options or starting a rematch."""

from collections.abc import Collection
from typing import Literal

from msgspec import UNSET, structs

from companion.rules.core import commands, undo
from companion.rules.core import table_events as events
from companion.rules.core.commands import DecisionInputs
from companion.rules.core.moves import TableMove, event_resolver
from companion.rules.core.state import HOST_AWAY_MS, Table, TableContext, at_seat
from companion.rules.core.types import ALWAYS, Events
from companion.rules.text.names import look_alike
from companion.rules.text.rulings import Forbidden, Refused
from companion.rules.variants import house_rules

ANY_TIME = {"nope_seconds", "remind_seconds", "spectators", "take_back", "signs"}
"""The options that can be changed in every phase. All other options can be changed only in the
lobby."""

# how somebody without a seat can join (``joining_status``), or "waiting" if they wait for a seat
Door = Literal["open", "next", "locked", "full", "waiting"]


def joining_status(table: Table) -> Door:
    """Return how somebody without a seat can join: now (``open``), in the next game (``next``), or
    not at all (``locked``, ``full``)."""
    if table.options.locked:
        return "locked"
    if len(table.remaining_seats) + len(table.waiting) >= table.variant.players.most:
        return "full"
    return "open" if table.game is None else "next"


def may_watch(table: Table, seat: str | None) -> bool:
    """Return True if this seat may watch the table. For a spectator, ``seat`` is None.

    A player who has left may watch until their device has published the secret of its deck.
    """
    is_seated = at_seat(table.seats, seat) is not None
    return table.options.spectators or is_seated or seat in table.seats_with_closed_decks


def check_watching(table: Table, seat: str | None) -> None:
    """Raise ``Forbidden`` if this seat may not watch the table. For a spectator, ``seat`` is None.

    The error's ``door`` says how the sender can join instead (see ``joining_status``). For a
    newcomer who already waits for the next game, ``door`` is ``waiting``.
    """
    if not may_watch(table, seat):
        way_in = "waiting" if table.find_waiting(seat) else joining_status(table)
        raise Forbidden("spectators-watch", case="closed", door=way_in)


def may_sign(table: Table) -> bool:
    """Return True if reactions (``sign`` on the wire) are allowed at this table.

    Players and spectators may send them alike, unless the host has switched them off.
    """
    return table.options.signs


def may_check(table: Table, seat: str | None, to: str) -> bool:
    """Return True if ``seat`` may send a ``camera`` sign to the seat ``to``.

    With this sign, a player notifies another player: "I am checking if I can see your cards". This
    is possible during the setup, when the players set up their cameras.
    """
    return table.phase == "setup" and seat != to and {seat, to} <= {s.seat for s in table.seats}


def next_seat_id(table: Table) -> str:
    """Return the id for a new seat.

    The id contains the version of the event that takes or reserves the seat, so no id is used
    twice.
    """
    return f"s{table.version + 1}"


def host_only_refusal(table: Table) -> Refused:
    """Return the refusal of a command that only the host may send (ruling host-only)."""
    if table.host is None:
        return Refused("host-only", case="nobody")
    return Refused("host-only", host=table.host)


def unready_seats(table: Table) -> tuple[str, ...]:
    """Return the seats that are still preparing, in order of play (ruling everyone-ready)."""
    return tuple(seat.seat for seat in table.in_order if table.setup and not seat.ready)


def _check_name(table: Table, name: str, ignored_seat: str | None = None) -> None:
    """Refuse a name that looks like the name of a seat or of a waiting newcomer.

    The name of ``ignored_seat`` is not compared.
    """
    taken_names = [(seat.seat, seat.name) for seat in table.seats]
    taken_names += [(waiter.seat, waiter.name) for waiter in table.waiting]
    for seat, other in taken_names:
        if seat != ignored_seat and look_alike(other, name):
            raise Refused("unique-names", name=name, seat=seat)


def _check_newcomer(table: Table, name: str, others: int, *, locked: bool) -> None:
    """Refuse a newcomer if the table is locked or full, or the name is taken.

    ``others`` is the number of people who have a seat or wait for a seat.
    """
    if locked:
        raise Refused("seats-in-the-lobby", case="locked")
    if others >= table.variant.players.most:
        raise Refused("player-count", case="full", most=table.variant.players.most)
    _check_name(table, name)


def _check_absent_names(table: Table, name: str, here: Collection[str]) -> None:
    """Refuse a name that looks like the name of a disconnected seat.

    The newcomer may be that seat's player on another device. That player needs a link to the old
    seat and not a new seat. So the refusal names the disconnected seat. Its case is
    ``away``, or ``away-host`` if the host, who could make that link, is disconnected, too.
    """
    case = "away" if table.host in here else "away-host"
    for seat in table.seats:
        is_away = seat.panel and not seat.robot and not seat.gone and seat.seat not in here
        if is_away and look_alike(seat.name, name):
            raise Refused("unique-names", case=case, name=name, seat=seat.seat)


def _take_seat(
    context: TableContext[commands.AddSeat | commands.SeatRobot | commands.TakeSeat],
) -> Events:
    """Seat a newcomer with a panel, a player without one, or a robot.

    If the table has no host, the new seat becomes the host.
    """
    table = context.table
    command = context.command
    panel = not isinstance(command, commands.AddSeat)
    if isinstance(command, commands.TakeSeat):
        _check_absent_names(table, command.name, context.inputs.here)
    _check_newcomer(table, command.name, len(table.seats), locked=panel and table.options.locked)
    seat = next_seat_id(table)
    robot = command.robot if isinstance(command, commands.SeatRobot) else None
    seat_taken = events.SeatTaken(seat=seat, name=command.name, panel=panel, robot=robot)
    return (seat_taken,) if table.host else (seat_taken, events.HostChanged(seat=seat))


def _ask_place(context: TableContext[commands.AskPlace]) -> Events:
    table = context.table
    name = context.command.name
    _check_absent_names(table, name, context.inputs.here)
    others = len(table.remaining_seats) + len(table.waiting)
    _check_newcomer(table, name, others, locked=table.options.locked)
    return (events.PlaceAsked(seat=context.seat, name=name),)


def _seat_waiting_players(table: Table) -> Events:
    """Return the events that give seats to the waiting people, as long as seats are free."""
    free = max(0, table.variant.players.most - len(table.remaining_seats))
    return tuple(
        events.SeatTaken(seat=waiter.seat, name=waiter.name, panel=True)
        for waiter in table.waiting[:free]
    )


def _play_again(context: TableContext[commands.ClaimSeat | commands.ReturnSeat]) -> Events:
    """Let a person play at the seat again; at a table without a host, that seat becomes host."""
    is_claim = isinstance(context.command, commands.ClaimSeat)
    event = (
        events.SeatClaimed(seat=context.seat)
        if is_claim
        else events.SeatReturned(seat=context.seat)
    )
    if context.table.host or context.table.seat(context.seat).gone:
        return (event,)
    return event, events.HostChanged(seat=context.seat)


def _rename(context: TableContext[commands.Rename]) -> Events:
    _check_name(context.table, context.command.name, ignored_seat=context.seat)
    old_name = context.table.seat(context.seat).name
    return (events.SeatRenamed(seat=context.seat, name=context.command.name, was=old_name),)


def _choose_emblem(context: TableContext[commands.ChooseEmblem]) -> Events:
    """Change the seat's emblem. Refuse one that another seat has (ruling unique-names)."""
    emblem = context.command.emblem
    owner = next((seat.seat for seat in context.table.seats if seat.emblem == emblem), None)
    if owner == context.seat:
        return ()
    if owner is not None:
        raise Refused("unique-names", case="emblem", seat=owner)
    return (events.EmblemChosen(seat=context.seat, emblem=emblem),)


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


def _replace_house_rules(context: TableContext[commands.HouseRules]) -> Events:
    """Replace the table's house rules (ruling house-rules).

    The new rules change the variant that the table was created with; earlier house rules are
    dropped.
    """
    table = context.table
    base = table.base or table.variant
    players = base.players.nearest_number(len(table.seats))
    changed = house_rules.validate(base, table.family, context.command.rules or {}, players)
    return (
        events.HouseRulesChanged(
            name=changed.name,
            field_changes=changed.changes,
            players=players,
            digest=house_rules.apply(base, changed.changes, players).digest,
        ),
    )


def _prepare(context: TableContext[commands.Prepare]) -> Events:
    table = context.table
    players = table.variant.players
    if not players.least <= len(table.seats) <= players.most:
        count = len(table.seats)
        raise Refused("player-count", least=players.least, most=players.most, count=count)
    return (events.Prepared(),)


def _begin_game(context: TableContext[commands.Begin]) -> Events:
    table = context.table
    waiting = unready_seats(table)
    if waiting:
        raise Refused("everyone-ready", case="waiting", seats=waiting)
    order = tuple(seat.seat for seat in table.in_order)
    by_lot = context.command.first == "lot"
    first = order[context.inputs.lot % len(order)] if by_lot else context.command.first
    return table.family.begin_game(table, first, by_lot, context.inputs)


def _remove_player(context: TableContext[commands.Leave | commands.RemoveSeat]) -> Events:
    """Remove a player who leaves, or whom the host removes (ruling leaving)."""
    table = context.table
    command = context.command
    seat = command.removed_seat if isinstance(command, commands.RemoveSeat) else context.seat
    waiter = table.find_waiting(seat)
    if waiter is not None:
        return (events.PlaceGivenUp(seat=seat, name=waiter.name),)
    if table.seat(seat).gone:
        raise Refused("leaving", case="gone", seat=seat)
    by = context.seat if seat != context.seat else None
    removed: Events = (events.SeatRemoved(seat=seat, name=table.seat(seat).name, by=by),)
    if table.host == seat:
        removed += (events.HostChanged(seat=next_host(table, seat, context.inputs)),)
    game = table.game
    if game is None:
        too_few = len(table.seats) - 1 < table.variant.players.least
        if not (table.setup and too_few):
            return removed
        return *removed, events.ReturnedToLobby(), *_seat_waiting_players(table)
    if game.winner is not None or not game.player(seat).alive:
        return removed
    if game.window is not None:
        assert game.played is not None
        pending = {"by": game.played.by, "card": game.played.card}
        raise Refused("leaving", case=game.refusal_case("window"), seat=seat, **pending)
    return (*removed, *table.family.events_when_out(table, seat, "left"))


def next_host(table: Table, leaver: str, inputs: DecisionInputs) -> str | None:
    """Return the seat that becomes host after ``leaver``, or None if no person with a panel is
    left.

    Connected seats come first, then living players, then the order of play.
    """
    people = [s for s in table.in_order if s.panel and not s.robot]
    candidates = [s.seat for s in people if not s.gone and s.seat != leaver]
    living = table.game.living if table.game else tuple(candidates)
    ranked = sorted(candidates, key=lambda seat: (seat not in inputs.here, seat not in living))
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
    if len(table.remaining_seats) + len(seated) < table.variant.players.least:
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
    TableMove(commands.ChooseEmblem, ALWAYS[:2], "seats-in-the-lobby", _choose_emblem),
    TableMove(commands.RemoveSeat, ALWAYS, "leaving", _remove_player, host_only=True),
    TableMove(commands.HouseRules, ("lobby", "setup"), "house-rules", _replace_house_rules,
              host_only=True),
    TableMove(commands.Prepare, ("lobby",), None, _prepare, host_only=True),
    TableMove(commands.ToLobby, ("setup", "roll_call"), "seats-in-the-lobby",
              lambda context: (events.ReturnedToLobby(), *_seat_waiting_players(context.table)),
              host_only=True),
    TableMove(commands.SayReady, ("setup",), "everyone-ready", event_resolver(events.ReadySaid)),
    TableMove(commands.Begin, ("setup",), None, _begin_game, host_only=True),
    TableMove(commands.Leave, ALWAYS, "leaving", _remove_player),
    TableMove(commands.PassHost, ALWAYS, "host-only", _pass_host, host_only=True),
    TableMove(commands.ClaimHost, ALWAYS, "host-is-gone", _claim_host),
    TableMove(commands.EndGame, ("roll_call", "play"), "end-the-game",
              lambda context: (events.GameEnded(), *_seat_waiting_players(context.table)),
              host_only=True),
    *undo.MOVES,
    TableMove(commands.Rematch, ("over",), "last-one-standing", _rematch, host_only=True),
)  # fmt: skip


def table_moves(set_options: type[commands.SetOptions], *own: TableMove) -> tuple[TableMove, ...]:
    """Return the table moves of a family: the common moves, the move for its command
    ``set_options``, and its ``own`` moves."""
    options: TableMove = TableMove(set_options, ALWAYS, "host-only", _set_options, host_only=True)
    return *MOVES, options, *own
