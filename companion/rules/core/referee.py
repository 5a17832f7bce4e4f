"""The referee: decides on commands, and lists the commands that are legal now.

Both functions read the same tables of moves, so the buttons on a panel can't disagree with the
referee.
"""

from collections.abc import Collection, Iterable

from companion.rules.core import commands, lobby, undo, windows
from companion.rules.core.commands import Command, DecisionInputs
from companion.rules.core.moves import EVERY_STEP, HOST, AnyMove, CommandContext, Move, TableMove
from companion.rules.core.state import Game, Table
from companion.rules.core.types import Events
from companion.rules.text.rulings import Forbidden, Refused, Stale


def decide(table: Table, command: Command, *, sender: str | None, inputs: DecisionInputs) -> Events:
    """Return the events that a command causes. The service stores and applies them.

    ``sender`` is the seat of the connection, or None for a spectator. The caller has checked that
    all seats in the command exist. Raises ``Refused`` or a subclass, and changes nothing.
    """
    kind = type(command)
    if kind is commands.Tick:
        return due_events(table, inputs)
    if kind is commands.Resume:
        return resume(table, inputs)
    move = table.family.moves[kind]
    seat = _find_acting_seat(table, command, sender, move)
    host = sender if sender == table.host and seat != sender else None
    context = CommandContext(table, table.game, seat, command, inputs, host)
    if inputs.room <= 0 and kind is not commands.Leave:
        raise Refused("log-full")
    if command.version is not None and command.version != table.version:
        raise Stale(None, case="version", version=table.version)
    if isinstance(move, TableMove):
        _check_phase(table, move, host=sender == table.host)
    else:
        _check_game_command(context, move)
    return move.resolve(context)


def _find_acting_seat(table: Table, command: Command, sender: str | None, move: AnyMove) -> str:
    """Return the seat that the command acts for: the sender's own seat, or any seat if the sender
    is the host (ruling host-acts-for).

    For a newcomer, return the id of a new seat. Raises ``Forbidden`` if the sender can't act for
    the seat.
    """
    if isinstance(command, (commands.TakeSeat, commands.AskPlace)):
        return lobby.next_seat_id(table)
    if isinstance(command, (commands.ClaimSeat, commands.ReturnSeat)):
        return str(command.seat)
    is_own = command.seat in (None, sender)
    waiter = table.find_waiting(sender)
    if waiter and is_own and isinstance(command, commands.Leave):
        return waiter.seat
    after_leaving = isinstance(move, TableMove) and move.after_leaving
    is_seated = any(seat.seat == sender and not seat.gone for seat in table.seats)
    if sender is None or waiter or not (after_leaving or is_seated):
        raise Forbidden("spectators-watch")
    seat = command.seat or sender
    if seat != sender and move.own_seat_only:
        ruling = move.refused_by if isinstance(move, TableMove) else move.own_seat_only
        raise Forbidden(ruling, case="own", seat=seat)
    if seat != sender and sender != table.host:
        raise Forbidden("host-acts-for", seat=seat)
    if seat != table.host and move.by is HOST:
        raise lobby.host_only_refusal(table)
    return seat


def _is_reserved_for_device(
    table: Table, move: AnyMove | None, seat: str, here: Collection[str]
) -> bool:
    """Return True if only the seat's own device may send this command (ruling own-deck).

    This is the case if the command touches a deck that the seat's device keeps, and the device is
    connected.
    """
    touches_deck = isinstance(move, Move) and bool(move.device_ruling)
    return touches_deck and seat in here and table.keeps_deck(seat)


def allowed_commands(
    table: Table, legal: Iterable[Command], sender: str, here: Collection[str]
) -> tuple[Command, ...]:
    """Return the legal commands that ``sender`` can send while the seats in ``here`` are connected.

    These are all commands for its own seat. The host can also act for other seats, except for
    commands that only their own devices may send.
    """
    is_host = sender == table.host
    moves = table.family.moves

    def can_act_for(command: Command) -> bool:
        return is_host and not _is_reserved_for_device(
            table, moves.get(type(command)), str(command.seat), here
        )

    return tuple([command for command in legal if command.seat == sender or can_act_for(command)])


def _check_phase(table: Table, move: TableMove, *, host: bool) -> None:
    """Refuse a command of the table if the sender's role or the phase doesn't allow it."""
    if move.host_only and not host:
        raise lobby.host_only_refusal(table)
    if table.phase not in move.during:
        ruling = move.refused_by or table.family.preparation_ruling
        raise Refused(ruling, case="begun" if table.game else table.phase)


def current_step(table: Table, game: Game) -> str:
    """Return the current step of the game. Before the first turn, that is the table's phase."""
    return game.turn.step if game.turn else table.phase


def _check_game_command(context: CommandContext[Table, Game | None, Command], move: Move) -> None:
    """Refuse an illegal command of the game: wrong phase, seat, role or step, or invalid
    arguments."""
    table = context.table
    game = context.game
    machine = context.table.family.machine
    windowed = move.during == windows.STEP
    if windowed and machine.step_first and game is not None and game.winner is None:
        windows.check_current(table, game, context.command)
    if game is None or game.winner is not None:
        raise _not_playing_refusal(table)
    if move.by is not HOST and context.seat not in game.living:
        raise Refused("out-is-out", seat=context.seat)
    if context.host is not None and _is_reserved_for_device(
        table, move, context.seat, context.inputs.here
    ):
        raise Refused(move.device_ruling, case="here", seat=context.seat)
    step = current_step(table, game)
    if step in machine.alone and move.during != step:
        raise Refused(machine.alone[step], case="going-on", **game.refusal_facts)
    if machine.step_first:
        _check_step(context, game, move, step)
    elif windowed:
        windows.check_current(table, game, context.command)
    if context.seat not in move.by.seats(table, game):
        raise Refused(move.by.ruling, case="who", seat=context.seat, **game.refusal_facts)
    if not machine.step_first:
        _check_step(context, game, move, step)
    if move.validate is not None:
        move.validate(context)


def _check_step(
    context: CommandContext[Table, Game | None, Command], game: Game, move: Move, step: str
) -> None:
    """Refuse a command of the game if it is illegal in the current step."""
    if move.during in (step, EVERY_STEP):
        return
    if move.during == windows.STEP:
        raise windows.no_window_refusal(context.table, game, context.command)
    raise Refused(move.ruling_against(step), case=game.refusal_case(step), **game.refusal_facts)


def _not_playing_refusal(table: Table) -> Refused:
    """Return the refusal of a game command while no game is running."""
    if table.game is not None:
        return Refused("last-one-standing", case="over", seat=table.game.winner)
    waiting = lobby.unready_seats(table)
    return Refused("everyone-ready", case="waiting" if waiting else table.phase, seats=waiting)


def legal_commands(table: Table, room: int = 1) -> tuple[Command, ...]:
    """Return every legal game command of every seat, one for each card, target and cell.

    Commands that are legal in every step, such as private notes, aren't listed. Each command has
    its ``seat``, but no ``id`` and no details that a player adds, such as the new cells after a
    Shuffle. ``room`` is the number of events that still fit into the log; once the log is full, no
    command is legal.
    """
    game = table.game
    if game is None or game.winner is not None or room <= 0:
        return ()
    step = current_step(table, game)
    if step == windows.STEP:
        return windows.window_choices(table, game)
    legal = list[Command]()
    for move in table.family.machine.steps[step]:
        for seat in move.by.seats(table, game):
            if move.choices is None:
                legal.append(move.command(seat=seat))
            else:
                legal += move.choices(table, game, seat)
    return tuple(legal)


def next_deadline(table: Table) -> int | None:
    """Return the next deadline of the table in ms since the epoch, or None if the table has no
    deadline.

    A deadline is the end of a window, of a hold, or of a request for an undo.
    """
    ends = (windows.window_deadline(table), table.asked.until if table.asked else None)
    return min((end for end in ends if end is not None), default=None)


def due_events(table: Table, inputs: DecisionInputs) -> Events:
    """Return the events that are due now, if any.

    If a request for an undo and a window are both due, the request expires first, so that a window
    never closes with an old request still open.
    """
    return undo.expire_request(table, inputs) or windows.due_events(table, inputs)


def resume(table: Table, inputs: DecisionInputs) -> Events:
    """Return the events that a restart of the server (or a jump of its clock) makes necessary."""
    return *undo.expire_request(table, inputs), *windows.resume(table, inputs)
