"""The referee: what a command leads to, or why it is refused; and what would be accepted now. Both
read the same rows, so the buttons on a panel can't disagree with the referee."""

from collections.abc import Collection, Iterable

from companion.rules.core import commands, lobby, undo, windows
from companion.rules.core.commands import Command, DecisionInputs
from companion.rules.core.events import Events
from companion.rules.core.game import Game
from companion.rules.core.model import Table
from companion.rules.core.moves import EVERY_STEP, HOST, AnyMove, CommandContext, Move, TableMove
from companion.rules.core.rulings import Forbidden, Refused, Stale


def decide(table: Table, command: Command, *, sender: str | None, inputs: DecisionInputs) -> Events:
    """The events that ``command`` leads to, for the service to store and then ``evolve``.
    ``sender`` is the seat of the connection, ``None`` for a spectator. Seats that the command names
    must exist. Raises ``Refused`` or its kinds; nothing changes then."""
    kind = type(command)
    if kind is commands.Tick:
        return tick(table, inputs)
    if kind is commands.Resume:
        return resume(table, inputs)
    move = table.family.moves[kind]
    seat = _speaker(table, command, sender, move)
    host = sender if sender == table.host and seat != sender else None
    word = CommandContext(table, table.game, seat, command, inputs, host)
    if inputs.room <= 0 and kind is not commands.Leave:
        raise Refused("log-full")
    if command.version is not None and command.version != table.version:
        raise Stale(None, case="version", version=table.version)
    if isinstance(move, TableMove):
        _check_phase(table, move, host=sender == table.host)
    else:
        _check(word, move)
    return move.resolve(word)


def _speaker(table: Table, command: Command, sender: str | None, move: AnyMove) -> str:
    """Whose word it is: the sender's own, or as the host any seat's (ruling host-acts-for)."""
    if isinstance(command, (commands.TakeSeat, commands.AskPlace)):
        return lobby.next_seat(table)
    if isinstance(command, (commands.ClaimSeat, commands.ReturnSeat)):
        return str(command.seat)
    own = command.seat in (None, sender)
    waits = table.waiter(sender)
    if waits and own and isinstance(command, commands.Leave):
        return waits.seat
    late = isinstance(move, TableMove) and move.after_leaving
    sits = any(one.seat == sender and not one.gone for one in table.seats)
    if sender is None or waits or not (late or sits):
        raise Forbidden("spectators-watch")
    seat = command.seat or sender
    if seat != sender and move.own_seat_only:
        if isinstance(move, TableMove):
            raise Forbidden(move.refused_by, case="own", seat=seat)
        raise Forbidden("private-notes", case="own")
    if seat != sender and sender != table.host:
        raise Forbidden("host-acts-for", seat=seat)
    if seat != table.host and move.by is HOST:
        raise lobby.only_the_host(table)
    return seat


def _check_device_keeps_deck(
    table: Table, move: AnyMove | None, seat: str, here: Collection[str]
) -> bool:
    """Return True if only the seat's own device may say this (ruling own-deck): it is connected
    and has the deck."""
    of_cards = isinstance(move, Move) and bool(move.device_ruling)
    return of_cards and seat in here and table.keeps_deck(seat)


def is_allowed(
    table: Table, legal: Iterable[Command], sender: str, here: Collection[str]
) -> tuple[Command, ...]:
    """Those of the legal commands which this seat can say while these seats are ``here``: its own;
    the host also what others would say, but what their devices say themselves."""
    host = sender == table.host
    moves = table.family.moves

    def others(command: Command) -> bool:
        return host and not _check_device_keeps_deck(
            table, moves.get(type(command)), str(command.seat), here
        )

    return tuple([said for said in legal if said.seat == sender or others(said)])


def _check_phase(table: Table, move: TableMove, *, host: bool) -> None:
    if move.host_only and not host:
        raise lobby.only_the_host(table)
    if table.phase not in move.during:
        ruling = move.refused_by or table.family.preparation_ruling
        raise Refused(ruling, case="begun" if table.game else table.phase)


def step_of(table: Table, game: Game) -> str:
    """The machine's step: the turn's, or before the first turn the phase."""
    return game.turn.step if game.turn else table.phase


def _check(context: CommandContext[Table, Game | None, Command], move: Move) -> None:
    """Refuses a game command by phase, life, role, step and by what its row asks."""
    table = context.table
    game = context.game
    machine = context.table.family.machine
    windowed = move.during == windows.STEP
    if windowed and machine.step_first and game is not None and game.winner is None:
        windows.check_current(table, game, context.command)
    if game is None or game.winner is not None:
        raise _not_playing(table)
    if move.by is not HOST and context.seat not in game.living:
        raise Refused("out-is-out", seat=context.seat)
    if context.host is not None and _check_device_keeps_deck(
        table, move, context.seat, context.inputs.here
    ):
        raise Refused(move.device_ruling, case="here", seat=context.seat)
    step = step_of(table, game)
    if step in machine.alone and move.during != step:
        raise Refused(machine.alone[step], case="going-on", **game.facts)
    if machine.step_first:
        _check_step(context, game, move, step)
    elif windowed:
        windows.check_current(table, game, context.command)
    if context.seat not in move.by.seats(table, game):
        raise Refused(move.by.ruling, case="who", seat=context.seat, **game.facts)
    if not machine.step_first:
        _check_step(context, game, move, step)
    if move.validate is not None:
        move.validate(context)


def _check_step(
    context: CommandContext[Table, Game | None, Command], game: Game, move: Move, step: str
) -> None:
    if move.during in (step, EVERY_STEP):
        return
    if move.during == windows.STEP:
        raise windows.nothing_open(context.table, game, context.command)
    raise Refused(move.ruling_against(step), case=step, **game.facts)


def _not_playing(table: Table) -> Refused:
    """There is no game on: what has to come first, or who has won."""
    if table.game is not None:
        return Refused("last-one-standing", case="over", seat=table.game.winner)
    waiting = lobby.not_ready(table)
    return Refused("everyone-ready", case="waiting" if waiting else table.phase, seats=waiting)


def legal_commands(table: Table, room: int = 1) -> tuple[Command, ...]:
    """Every acceptable game command of every seat, one for each card, target and cell. Each names
    its seat (``as``) and has no ``id``; what may be left out is left out. ``room``: how many events
    the log still takes."""
    game = table.game
    if game is None or game.winner is not None or room <= 0:
        return ()
    step = step_of(table, game)
    found = list[Command]()
    if step == windows.STEP:
        return windows.window_choices(table, game)
    for move in table.family.machine.steps[step]:
        for seat in move.by.seats(table, game):
            if move.choices is None:
                found.append(move.command(seat=seat))
            else:
                found += move.choices(table, game, seat)
    return tuple(found)


def due(table: Table) -> int | None:
    """When the clock has something to do here, in ms since the epoch."""
    ends = (windows.due(table), table.asked.until if table.asked else None)
    return min((end for end in ends if end is not None), default=None)


def tick(table: Table, inputs: DecisionInputs) -> Events:
    """What the clock brings about at ``moment``: nothing before its time, and a request lapses
    before a window ends, so that the end does not come of an old question."""
    return undo.expire_request(table, inputs) or windows.tick(table, inputs)


def resume(table: Table, inputs: DecisionInputs) -> Events:
    """What a restart brings about, after which the clock may say another time."""
    return *undo.expire_request(table, inputs), *windows.resume(table, inputs)
