"""The rules of what can be said while a card waits: Nope, pass, hold, release.

This module must not know what the card does.
"""

from typing import Any

from companion.rules import commands, events, now, windows
from companion.rules.commands import Moment
from companion.rules.events import Event
from companion.rules.model import HOLD_MS, Played, Table
from companion.rules.rule import Rule
from companion.rules.rulings import Refused, Stale


def asks_current_window(table: Table, said: Any) -> None:
    """A word meant for one window must not hit another (ruling in-time)."""
    window = table.game.window if table.game else None
    if window is None or window.id != said.window:
        raise Stale("in-time", case="window", window=said.window)


def _asks_window(table: Table, said: Any, moment: Moment) -> None:
    window = now.window(table)
    if window.held_by is None and moment.now > window.closes_at + moment.grace_ms:
        late = moment.now - window.closes_at
        raise Refused("in-time", late_ms=late, seconds=window.seconds)


def _asks_could_nope(table: Table, said: Any, moment: Moment) -> None:
    _asks_window(table, said, moment)
    if now.played(table).top == said.seat:
        raise Refused("not-your-own", seat=said.seat)
    now.leaves_hand(table, now.player(table, said.seat), table.variant.nope)


def _nope(table: Table, said: commands.PlayNope, moment: Moment) -> tuple[Event, ...]:
    played, nope = now.played(table), table.variant.nope
    assert said.seat is not None
    closes_at = windows.closes_at(table, said.seat, nope, moment)
    noped = Played(
        card=played.card,
        by=played.by,
        target=played.target,
        cell=played.cell,
        nopes=(*played.nopes, said.seat),
    )
    event = events.NopePlayed(
        seat=said.seat,
        card=played.card,
        by=played.by,
        counts=noped.counts,
        nope=nope,
        seconds=table.options.nope_seconds,
        closes_at=closes_at,
    )
    return (event,) if closes_at is not None else (event, *windows.closing(table, noped))


def _asks_pass(table: Table, said: commands.Pass, moment: Moment) -> None:
    _asks_could_nope(table, said, moment)
    if said.seat in now.window(table).passed:
        raise Refused("everyone-passed", case="twice", seat=said.seat)


def _pass(table: Table, said: commands.Pass, moment: Moment) -> tuple[Event, ...]:
    played = now.played(table)
    assert said.seat is not None
    passed = {*now.window(table).passed, said.seat}
    event = events.Passed(seat=said.seat)
    if set(windows.could_nope(table, played.top)) <= passed:
        return event, *windows.closing(table, played)
    return (event,)


def _asks_hold(table: Table, said: commands.Hold, moment: Moment) -> None:
    _asks_window(table, said, moment)
    window = now.window(table)
    if window.held_by is not None:
        raise Refused("hold", case="held", by=window.held_by)
    if said.seat in window.held:
        raise Refused("hold", case="once", seat=said.seat)


def _hold(table: Table, said: commands.Hold, moment: Moment) -> tuple[Event, ...]:
    assert said.seat is not None
    left = max(0, now.window(table).closes_at - moment.now)
    return (events.Held(seat=said.seat, left_ms=left, until=moment.now + HOLD_MS),)


def _asks_release(table: Table, said: commands.Release, moment: Moment) -> None:
    if now.window(table).held_by is None:
        raise Refused("hold", case="not-held")


def _release(table: Table, said: commands.Release, moment: Moment) -> tuple[Event, ...]:
    closes_at = moment.now + now.window(table).left_ms
    return (events.Released(seat=said.seat, closes_at=closes_at),)


NOPE_RULES: dict[type[commands.Said], Rule] = {
    commands.PlayNope: Rule(_asks_could_nope, _nope),
    commands.Pass: Rule(_asks_pass, _pass),
    commands.Hold: Rule(_asks_hold, _hold),
    commands.Release: Rule(_asks_release, _release),
}
