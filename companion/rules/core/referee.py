"""The referee: what a command leads to, or why it is refused.

``decide`` and ``legal_commands`` read the same machine and the same rules, so the buttons on
a panel can't disagree with the referee. This module must not know how a state is stored,
shown or sent, nor what is played.
"""

from collections.abc import Collection
from typing import Any

from companion.rules.core import clock, commands, lobby, nopes, undo
from companion.rules.core.commands import Moment, Said, Word
from companion.rules.core.events import Happened
from companion.rules.core.model import Game, Table
from companion.rules.core.roles import HOST
from companion.rules.core.rulings import Forbidden, Refused, Stale

_FOR_ONE_WINDOW = (commands.PlayNope, commands.Pass, commands.Hold, commands.Release)


def decide(
    table: Table, heard: Said, *, sender: str | None, moment: Moment
) -> tuple[Happened, ...]:
    """The events that ``heard`` leads to, for the service to store and then ``evolve``.

    ``sender`` is the seat of the connection, ``None`` for a spectator. Seats that the
    command names must exist. Raises ``Refused`` or its kinds; nothing changes then.
    """
    if isinstance(heard, commands.Tick):
        return clock.tick(table, moment)
    if isinstance(heard, commands.Resume):
        return clock.resume(table, moment)
    seat = _speaker(table, heard, sender)
    for_another = sender == table.host and seat != sender
    word: Word[Any] = Word(seat, heard, moment, sender if for_another else None)
    if moment.room <= 0 and not isinstance(heard, commands.Leave):
        raise Refused("log-full")
    if heard.version is not None and heard.version != table.version:
        raise Stale(None, case="version", version=table.version)
    line = lobby.line_of(table, type(heard))
    if line is not None:
        return lobby.decide_table(table, line, word, host=sender == table.host)
    if isinstance(heard, commands.Undo):
        return undo.decide_undo(table, word)
    check(table, word)
    return table.family.play.rules[type(heard)].leads_to(table, word)


def _speaker(table: Table, heard: Said, sender: str | None) -> str:
    """Whose word it is: the sender's own, or as the host any seat's (ruling host-acts-for)."""
    if isinstance(heard, commands.TakeSeat | commands.AskPlace):
        return lobby.next_seat(table)
    if isinstance(heard, commands.ClaimSeat | commands.ReturnSeat):
        return str(heard.seat)
    if table.waiter(sender) and isinstance(heard, commands.Leave) and heard.seat in (None, sender):
        return str(sender)
    line = lobby.line_of(table, type(heard))
    late = line is not None and line.left
    if sender is None or table.waiter(sender) or not (late or _sits(table, sender)):
        raise Forbidden("spectators-watch")
    seat = heard.seat or sender
    if seat != sender and isinstance(heard, table.family.play.machine.own):
        raise Forbidden("private-notes", case="own")
    if seat != sender and line is not None and line.own:
        raise Forbidden(line.ruling, case="own", seat=seat)
    if seat != sender and sender != table.host:
        raise Forbidden("host-acts-for", seat=seat)
    if seat != table.host and _is_the_hosts(table, type(heard)):
        raise lobby.only_the_host(table)
    return seat


def _sits(table: Table, seat: str) -> bool:
    """Whether the seat is one of the table's, and its player hasn't left."""
    return any(found.seat == seat and not found.gone for found in table.seats)


def left_to_device(table: Table, kind: type[Said], seat: str, here: Collection[str]) -> bool:
    """Whether a device that keeps the seat's cards and is here alone says it (ruling own-deck)."""
    of_cards = table.family.play.machine.of_cards
    return kind in of_cards and seat in here and table.deck(seat) is not None


def _is_the_hosts(table: Table, kind: type[Said]) -> bool:
    """Whether the game knows this command as the host's, whoever it is said for."""
    if lobby.line_of(table, kind) is not None:
        return False
    return kind is commands.Undo or table.family.play.machine.who(kind) is HOST


def step_of(table: Table, game: Game) -> str:
    """The machine's step: the turn's, or before the first turn the phase."""
    return game.turn.step if game.turn else table.phase


def check(table: Table, word: Word[Any]) -> None:
    """Refuses a game command by phase, life, role, step and its own rule."""
    game, kind, machine = table.game, type(word.said), table.family.play.machine
    if machine.step_first and kind in _FOR_ONE_WINDOW and game is not None and game.window:
        nopes.asks_current_window(table, word.said)
    if game is None or game.winner is not None:
        raise _not_playing(table)
    who, step = machine.who(kind), step_of(table, game)
    if who is not HOST and word.seat not in game.living:
        raise Refused("out-is-out", seat=word.seat)
    if word.host is not None and left_to_device(table, kind, word.seat, word.moment.here):
        raise Refused(machine.of_cards[kind], case="here", seat=word.seat)
    if step in machine.alone and kind not in machine.steps[step]:
        raise Refused(machine.alone[step], case="going-on", **_facts(table, game))
    if machine.step_first:
        _check_step(table, game, word)
    elif kind in _FOR_ONE_WINDOW:
        nopes.asks_current_window(table, word.said)
    if word.seat not in who.seats(table, game):
        raise Refused(who.ruling, case="who", seat=word.seat, **_facts(table, game))
    if not machine.step_first:
        _check_step(table, game, word)
    table.family.play.rules[kind].asks(table, word)


def _check_step(table: Table, game: Game, word: Word[Any]) -> None:
    machine, step, kind = table.family.play.machine, step_of(table, game), type(word.said)
    if not machine.legal(step, kind):
        case = "nothing" if kind in _FOR_ONE_WINDOW else step
        raise Refused(machine.ruling(step, kind), case=case, **_facts(table, game))


def _facts(table: Table, game: Game) -> dict[str, Any]:
    """Whose turn it is and what waits, for the sentence that refuses."""
    turn, played, window = game.turn, game.played, game.window
    found: dict[str, Any] = {"turn": turn.seat} if turn else {}
    if played is not None:
        found |= {"card": played.card, "by": played.by, "target": played.target}
    if window is not None and window.held_by is not None:
        found["holder"] = window.held_by
    return found | table.family.play.facts(game)


def _not_playing(table: Table) -> Refused:
    """There is no game on: what has to come first, or who has won."""
    if table.game is not None:
        return Refused("last-one-standing", case="over", seat=table.game.winner)
    waiting = lobby.not_ready(table)
    return Refused("everyone-ready", case="waiting" if waiting else table.phase, seats=waiting)
