"""The referee: what a command leads to, or why it is refused.

``LEGAL`` is the game's whole machine: in which step who may say what. ``OTHERWISE``
names the ruling which refuses a command in any other step. ``decide`` and
``legal_commands`` read the same tables and the same rules, so the buttons on a panel
can't disagree with the referee. This module must not know how a state is stored,
shown or sent.
"""

from typing import Any

from msgspec.structs import replace

from companion.rules import commands, lobby, nopes, play, windows
from companion.rules.commands import Heard, Moment, Said
from companion.rules.events import Event
from companion.rules.model import Game, Table
from companion.rules.roles import (
    ALIVE,
    CALLER,
    HOLDER,
    HOST,
    INSTRUCTOR,
    TARGET,
    TURN_PLAYER,
    Who,
)
from companion.rules.rulings import Forbidden, Refused, Stale

LEGAL: dict[str, dict[type[Said], Who]] = {
    "roll_call": {commands.CallNext: CALLER, commands.SkipRollCall: HOST},
    "tell": {commands.Instruct: INSTRUCTOR},
    "act": {commands.PlayCard: TURN_PLAYER, commands.Draw: TURN_PLAYER},
    "window": {
        commands.PlayNope: ALIVE,
        commands.Pass: ALIVE,
        commands.Hold: ALIVE,
        commands.Release: HOLDER,
    },
    "look": {commands.Look: TURN_PLAYER},
    "shuffle": {commands.Shuffled: TURN_PLAYER},
    "reveal": {commands.Reveal: TARGET},
    "report": {commands.Report: TURN_PLAYER},
    "kitten": {commands.Defuse: TURN_PLAYER, commands.Explode: TURN_PLAYER},
}

_TOO_LATE = {"report": "no-play-after-draw", "kitten": "no-play-after-draw"}

OTHERWISE: dict[type[Said], dict[str, str]] = {
    commands.CallNext: {"": "roll-call"},
    commands.SkipRollCall: {"": "roll-call"},
    commands.Instruct: {"": "told-once"},
    commands.PlayCard: {"tell": "wait-to-be-told", **_TOO_LATE, "": "one-thing-at-a-time"},
    commands.Draw: {"tell": "wait-to-be-told", "": "one-thing-at-a-time"},
    commands.Look: {"": "look-at-one"},
    commands.Shuffled: {"": "shuffle-needs-a-new-word"},
    commands.Reveal: {"": "favor-turns-one-up"},
    commands.Report: {"": "draw-what-you-were-told", "kitten": "show-the-kitten"},
    commands.Defuse: {"": "defuse-only-a-kitten"},
    commands.Explode: {"": "defuse-or-out"},
}

ANY_STEP: dict[type[Said], Who] = {commands.MakeNote: ALIVE, commands.Undo: HOST}

_WHO = {command: who for row in LEGAL.values() for command, who in row.items()} | ANY_STEP
_FOR_ONE_WINDOW = (commands.PlayNope, commands.Pass, commands.Hold, commands.Release)
_INTERNAL = (commands.TakeSeat, commands.AskPlace, commands.ClaimSeat)


def decide(table: Table, heard: Heard, *, sender: str | None, moment: Moment) -> tuple[Event, ...]:
    """The events that ``heard`` leads to, for the service to store and then ``evolve``.

    ``sender`` is the seat of the connection, ``None`` for a spectator. Seats that the
    command names must exist. Raises ``Refused`` or its kinds; nothing changes then.
    """
    if isinstance(heard, commands.Tick):
        return windows.tick(table, moment)
    if isinstance(heard, commands.Resume):
        return windows.resume(table, moment)
    said: Any = heard
    if not isinstance(heard, _INTERNAL):
        said = replace(heard, seat=_speaker(table, heard, sender))
    if moment.room <= 0 and not isinstance(said, commands.Leave):
        raise Refused("log-full")
    if said.version is not None and said.version != table.version:
        raise Stale(None, case="version", version=table.version)
    if type(said) in lobby.PHASES:
        return lobby.decide_table(table, said, sender=sender, moment=moment)
    _check(table, said, moment)
    return play.RULES[type(said)].leads_to(table, said, moment)


def _speaker(table: Table, heard: Heard, sender: str | None) -> str:
    """Whose word it is: the sender's own, or as the host any seat's (ruling host-acts-for)."""
    if table.waiter(sender) and isinstance(heard, commands.Leave) and heard.seat in (None, sender):
        return str(sender)
    if sender is None or table.waiter(sender) or table.seat(sender).gone:
        raise Forbidden("spectators-watch")
    seat = heard.seat or sender
    if seat != sender and isinstance(heard, commands.MakeNote):
        raise Forbidden("private-notes", case="own")
    if seat != sender and sender != table.host:
        raise Forbidden("host-acts-for", seat=seat)
    if isinstance(heard, commands.Undo | commands.SkipRollCall) and seat != table.host:
        raise lobby.only_the_host(table)
    return seat


def _step(table: Table, game: Game) -> str:
    return game.turn.step if game.turn else table.phase


def _check(table: Table, said: Any, moment: Moment) -> None:
    """Refuses a game command by phase, life, role, step and its own rule, in this order."""
    kind = type(said)
    if kind is commands.Undo:
        return _check_undo(table, said, moment)
    game = table.game
    if game is None or game.winner is not None:
        raise _not_playing(table)
    if _WHO[kind] is not HOST and not game.player(said.seat).alive:
        raise Refused("out-is-out", seat=said.seat)
    step = _step(table, game)
    if step == "roll_call" and kind not in LEGAL[step]:
        raise Refused("roll-call", case="going-on", turn=game.caller)
    if kind in _FOR_ONE_WINDOW:
        nopes.asks_current_window(table, said)
    who = _WHO[kind]
    if said.seat not in who.seats(table, game):
        raise Refused(who.ruling, case="who", seat=said.seat, **_facts(game))
    if kind not in LEGAL[step] and kind not in ANY_STEP:
        ruling = OTHERWISE[kind].get(step, OTHERWISE[kind][""])
        raise Refused(ruling, case=step, **_facts(game))
    play.RULES[kind].asks(table, said, moment)


def _check_undo(table: Table, said: Any, moment: Moment) -> None:
    if table.phase not in ("play", "over") and table.ended is None:
        raise Refused("undo", case="nothing")
    play.RULES[commands.Undo].asks(table, said, moment)


def _not_playing(table: Table) -> Refused:
    """There is no game on: what has to come first, or who has won."""
    if table.game is not None:
        return Refused("last-one-standing", case="over", seat=table.game.winner)
    waiting = lobby.not_ready(table)
    return Refused("everyone-ready", case="waiting" if waiting else table.phase, seats=waiting)


def _facts(game: Game) -> dict[str, Any]:
    """Whose turn it is and what waits, for the sentence that refuses."""
    turn, played, window = game.turn, game.played, game.window
    if turn is None:
        return {"turn": game.caller}
    facts: dict[str, Any] = {"turn": turn.seat, "instructor": game.before(turn.seat)}
    if turn.told is not None:
        facts["told"] = turn.told
    if played is not None:
        facts |= {"card": played.card, "by": played.by, "target": played.target}
    if window is not None and window.held_by is not None:
        facts["holder"] = window.held_by
    return facts


def is_accepted(table: Table, said: Any, moment: Moment) -> bool:
    """Whether a game command, ``as`` given, would be accepted from its seat or the host."""
    try:
        _check(table, said, moment)
    except Refused:
        return False
    return True
