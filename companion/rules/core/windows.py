"""Nope windows: who could Nope, what opens one, what closes it and what follows.

This module must not know who sent what.
"""

from typing import Any

from msgspec.structs import replace

from companion.rules.core import events
from companion.rules.core.commands import Moment
from companion.rules.core.events import Happened
from companion.rules.core.model import HOLD_MS, Played, Table

LEAST_MS = 3_000
"""What an open window has left at least when the server starts again."""


def could_nope(table: Table, top: str) -> tuple[str, ...]:
    """The living seats that could Nope a card of ``top``'s (rulings anyone-alive, from-hand)."""
    may_hold, nope = table.family.play.may_hold, table.variant.nope
    return tuple(
        player.seat
        for player in table.playing().players
        if player.alive and player.seat != top and player.hand > 0
        and may_hold(table, player, nope)
    )  # fmt: skip


def laid(table: Table, event: Any, moment: Moment, nopeable: bool = True) -> tuple[Happened, ...]:
    """The event by which a card was laid: a window opens, or what its end brings follows at once.

    Who could Nope (ruling nobody-could) is asked with the card on the table: it may have been
    the last Nope. The event comes without ``closes_at``.
    """
    fold = table.family.play.folds[type(event)]
    after = replace(table, game=fold(table.game, event, table.version + 1))
    played = after.playing().played
    assert played is not None
    if nopeable and could_nope(after, played.top):
        return (replace(event, closes_at=moment.now + event.seconds * 1000),)
    return event, *closing(after, played)


def closing(table: Table, played: Played) -> tuple[Happened, ...]:
    """The window closes: the card takes effect or is lost (ruling nope-cancels)."""
    closed = events.WindowClosed(seat=played.by, card=played.card, counts=played.counts)
    if not played.counts:
        return (closed,)
    return closed, *table.family.play.takes_effect(table, played)


def due(table: Table) -> int | None:
    """When the clock has something to do here, in ms: the window's end or that of its hold."""
    if table.game is None or table.game.window is None:
        return None
    window = table.game.window
    return window.closes_at - window.left_ms if window.held_by else window.closes_at


def tick(table: Table, moment: Moment) -> tuple[Happened, ...]:
    """What the clock brings about at ``moment``: nothing before its time."""
    game, when = table.game, due(table)
    if when is None or game is None or game.window is None or game.played is None:
        return ()
    if game.window.held_by:
        if moment.now < when:
            return ()
        return (events.Released(seat=None, closes_at=moment.now + game.window.left_ms),)
    return closing(table, game.played) if moment.now >= when + moment.grace_ms else ()


def resume(table: Table, moment: Moment) -> tuple[Happened, ...]:
    """After a restart an open window has the time left that it had, or the least.

    More than its full time it never has: the clock may have been set back meanwhile.
    """
    window = table.game.window if table.game else None
    if window is None:
        return ()
    held = window.held_by is not None
    full = window.left_ms if held else window.seconds * 1000
    least, most = moment.now + LEAST_MS, moment.now + full + (HOLD_MS if held else 0)
    if least <= window.closes_at <= most:
        return ()
    closes_at = least if window.closes_at < least else max(least, moment.now + full)
    if held:
        return (events.Released(seat=None, closes_at=closes_at),)
    return (events.WindowExtended(closes_at=closes_at),)
