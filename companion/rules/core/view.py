"""What one viewer sees: built field by field from the state, nothing ever taken out.

Everybody sees the public part and the public log; ``you`` is for one seat alone. What only a
family's games have, that family shows.
"""

import msgspec

from companion.rules.core import undo, wording
from companion.rules.core.events import Happened
from companion.rules.core.family import Json, SectionOf
from companion.rules.core.game import Game, Player
from companion.rules.core.model import Seat, Table
from companion.rules.core.table_events import Undone
from companion.rules.core.windows import could_nope


def public_view(table: Table, now: int) -> Json:
    """The view's part that is the same for everyone; ``now`` in ms since the epoch.

    The service adds what it alone knows: ``epoch``, ``log`` and ``you``.
    """
    shown = table.family.shown
    view = {"table": table.code, "version": table.version, "now": now}
    for section in shown.sections:
        view |= section.show(table, now)
    return {**view, "seats": [shown.seat(table, seat) for seat in table.in_order]}


def _table_view(table: Table, now: int) -> Json:
    """What is shown of the table itself, whatever is played at it."""
    return {
        "variant": table.variant.id,
        "game": table.games,
        "phase": table.phase,
        "options": msgspec.to_builtins(table.options),
        "host": table.host,
        "waiting": msgspec.to_builtins(table.waiting),
        "asked": _asked(table),
    }


def _table_rests_on(table: Table, now: int) -> tuple[object, ...]:
    known = table.games, table.phase, table.options, table.host, table.waiting
    return *known, table.asked, table.asked and table.game


def _asked(table: Table) -> Json | None:
    """What somebody asks to take back, and who has yet to agree (ruling by-agreement)."""
    asked = table.asked
    if asked is None:
        return None
    waits_for = undo.waits_for(table, asked)
    return {"id": asked.id, "seat": asked.seat, "until": asked.until, "waits_for": waits_for}


def person_view(seat: Seat, player: Player | None) -> Json:
    """What is shown of a seat and its player, whatever they play."""
    shown = {
        "seat": seat.seat,
        "name": seat.name,
        "panel": seat.panel,
        "ready": seat.ready,
        "alive": player.alive if player else True,
        "out": player.out if player else None,
        "hand": player.hand if player else 0,
    }
    return {**shown, "robot": seat.robot} if seat.robot else shown


def next_of(game: Game | None, player: Player | None) -> str | None:
    """Who comes after this player; ``None`` for who is out."""
    return game.after(player.seat) if game and player and player.alive else None


def _window_view(table: Table, now: int) -> Json:
    game = table.game
    if game is None or game.window is None or game.played is None:
        return {"window": None}
    window = game.window
    left = window.left_ms if window.held_by else max(0, window.closes_at - now)
    shown = {
        "id": window.id,
        "closes_at": window.closes_at,
        "seconds": window.seconds,
        "held_by": window.held_by,
        "left_ms": left,
        "may_nope": could_nope(table, game.played.top),
        "passed": window.passed,
    }
    return {"window": shown}


def _window_rests_on(table: Table, now: int) -> tuple[object, ...] | None:
    game = table.game
    return (now, game) if game and game.window else None


TABLE = SectionOf(_table_view, _table_rests_on)
"""The table itself, whatever is played at it."""

WINDOW = SectionOf(_window_view, _window_rests_on)
"""The window that is open."""


def person_rests_on(table: Table, seat: Seat) -> tuple[object, ...]:
    """What a seat's view asks for in any family: while it is the same, so is that part."""
    game = table.game
    if game is None:
        return seat, table.options
    return seat, game.by_seat.get(seat.seat), game.living, game.winner, table.options


def people_rest_on(table: Table) -> tuple[object, ...]:
    """What no seat's view changes without, where it rests on its own player alone."""
    game = table.game
    of_game = game and (game.players, game.winner)
    return table.seats, table.setup, of_game, table.options


def you(table: Table, seat: str) -> Json:
    """The viewer's own part without ``may``, which is the service's to choose from."""
    return {**own(table, seat), **may_take_back(table, seat)}


def own(table: Table, seat: str) -> Json:
    """The viewer's own part without what may be said or taken back just now."""
    return {"seat": seat, "host": seat == table.host, **table.family.shown.you(table, seat)}


def own_rests_on(table: Table, seat: str) -> tuple[object, ...]:
    """All that ``own`` asks for: while it is the same, so is what that gives."""
    return table.family.shown.you_rests_on(table, seat), table.options, seat == table.host


def may_take_back(table: Table, seat: str) -> dict[str, int]:
    """The version that a seat can take back or ask to, and the request that it can agree to."""
    host = seat == table.host
    if not host and table.asked is None and table.options.take_back != "agreement":
        return {}
    last, may = undo.back(table), {}
    if last is not None and host:
        may["undo"] = last.version
    if last is not None and undo.may_ask(table, seat):
        may["ask_back"] = last.version
    if table.asked is not None and undo.may_agree(table, seat):
        may["agree"] = table.asked.id
    return may


def only_for(event: Happened) -> str | None:
    """The seat in whose log alone the event stands; ``None``: in everybody's."""
    return str(getattr(event, "seat", None)) if event.private else None


def may_see(event: Happened, seat: str | None) -> bool:
    """Whether the event stands in this viewer's log."""
    return only_for(event) in (None, seat)


def entry(before: Table, event: Happened, after: Table, at: int) -> Json:
    """The event as a line of the log; ``at`` in ms since the epoch.

    Its facts are the event's own, and for a card that lies somewhere its ``place``, so that it
    can be spoken in any language; its ``case`` says which of its type's sentences it is. What is
    taken back also tells what stays known of it.
    """
    facts = msgspec.to_builtins(event)
    kind = facts.pop("type")
    if isinstance(event, Undone) and before.undoable:
        taken_back = before.undoable[-1].event
        facts |= taken_back.known if taken_back else {}
        before = after  # the cards lie as they did
    if place := after.family.shown.place(facts, before):
        facts["place"] = place
    line = {
        "version": after.version,
        "at": at,
        "type": kind,
        "seat": facts.get("seat"),
        "facts": facts,
        "text": wording.happened(event, facts, before, after),
    }
    return {**line, "case": event.case} if event.case else line
