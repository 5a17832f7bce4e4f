"""The rules of what can be said while a card waits: Nope, pass, hold, release.

This module must not know what the card does.
"""

from typing import Any

from companion.rules.core import commands, events, windows
from companion.rules.core.commands import Word
from companion.rules.core.events import Happened
from companion.rules.core.machine import CLOSED, May
from companion.rules.core.model import HOLD_MS, Played, Table, Window
from companion.rules.core.roles import ALIVE, HOLDER
from companion.rules.core.rule import Rule
from companion.rules.core.rulings import Refused, Stale


def asks_current_window(table: Table, said: Any) -> None:
    """A word meant for one window must not hit another (ruling in-time)."""
    window = table.game.window if table.game else None
    if window is None or window.id != said.window:
        raise Stale("in-time", case="window", window=said.window)


def _window(table: Table) -> Window:
    """The window that is open: these rules are asked in no other step."""
    found = table.playing().window
    assert found is not None
    return found


def _played(table: Table) -> Played:
    """What waits for it."""
    found = table.playing().played
    assert found is not None
    return found


def _asks_window(table: Table, word: Word[Any]) -> None:
    window = _window(table)
    if window.held_by is None and word.moment.now > window.closes_at + word.moment.grace_ms:
        late = word.moment.now - window.closes_at
        raise Refused("in-time", late_ms=late, seconds=window.seconds)


def _asks_could_nope(table: Table, word: Word[Any]) -> None:
    _asks_window(table, word)
    if _played(table).top == word.seat:
        raise Refused("not-your-own", seat=word.seat)
    table.family.play.leaves_hand(table, word.seat, table.variant.nope)


def able_to_nope(table: Table) -> tuple[str, ...]:
    """The seats that could Nope what waits."""
    return windows.could_nope(table, _played(table).top)


def able_to_pass(table: Table) -> tuple[str, ...]:
    """The seats that could Nope and have not passed."""
    passed = _window(table).passed
    return tuple([seat for seat in able_to_nope(table) if seat not in passed])


def able_to_hold(table: Table) -> tuple[str, ...]:
    """While the clock runs, the seats that have not held it yet."""
    window = _window(table)
    if window.held_by is not None:
        return ()
    return tuple([seat for seat in table.playing().living if seat not in window.held])


def able_to_release(table: Table) -> tuple[str, ...]:
    """While somebody holds the clock, everybody; whose word it is, the machine knows."""
    return () if _window(table).held_by is None else table.playing().living


def _nope(table: Table, word: Word[commands.PlayNope]) -> tuple[Happened, ...]:
    played, nope = _played(table), table.variant.nope
    event = events.NopePlayed(
        seat=word.seat,
        card=played.card,
        by=played.by,
        counts=not played.counts,
        nope=nope,
        seconds=table.options.nope_seconds,
        closes_at=None,
    )
    return windows.laid(table, event, word.moment, table.variant.card(nope).nopeable)


def _asks_pass(table: Table, word: Word[commands.Pass]) -> None:
    _asks_could_nope(table, word)
    if word.seat in _window(table).passed:
        raise Refused("everyone-passed", case="twice", seat=word.seat)


def _pass(table: Table, word: Word[commands.Pass]) -> tuple[Happened, ...]:
    played = _played(table)
    passed = {*_window(table).passed, word.seat}
    event = events.Passed(seat=word.seat)
    if set(windows.could_nope(table, played.top)) <= passed:
        return event, *windows.closing(table, played)
    return (event,)


def _asks_hold(table: Table, word: Word[commands.Hold]) -> None:
    _asks_window(table, word)
    window = _window(table)
    if window.held_by is not None:
        raise Refused("hold", case="held", by=window.held_by)
    if word.seat in window.held:
        raise Refused("hold", case="once", seat=word.seat)


def _hold(table: Table, word: Word[commands.Hold]) -> tuple[Happened, ...]:
    left = max(0, _window(table).closes_at - word.moment.now)
    return (events.Held(seat=word.seat, left_ms=left, until=word.moment.now + HOLD_MS),)


def _asks_release(table: Table, word: Word[commands.Release]) -> None:
    if _window(table).held_by is None:
        raise Refused("hold", case="not-held")


def _release(table: Table, word: Word[commands.Release]) -> tuple[Happened, ...]:
    closes_at = word.moment.now + _window(table).left_ms
    return (events.Released(seat=word.seat, closes_at=closes_at),)


NOPE_RULES: dict[type[commands.Said], Rule] = {
    commands.PlayNope: Rule(_asks_could_nope, _nope),
    commands.Pass: Rule(_asks_pass, _pass),
    commands.Hold: Rule(_asks_hold, _hold),
    commands.Release: Rule(_asks_release, _release),
}

WINDOW: dict[type[commands.Said], May] = {
    commands.PlayNope: May(ALIVE, ("window", CLOSED)),
    commands.Pass: May(ALIVE, ("window", CLOSED)),
    commands.Hold: May(ALIVE, ("window",)),
    commands.Release: May(HOLDER, ("window",)),
}
"""The step of every family's machine in which a window is open."""
