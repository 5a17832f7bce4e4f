"""What one viewer sees: built field by field from the state, nothing ever taken out.

Everybody sees the public part and the public log; ``you`` is for one seat alone. This
module must not know how views are encoded or sent.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

import msgspec

from companion.rules import deduction, events, wording
from companion.rules.events import Event
from companion.rules.grid import DOWN, Cell, Grid, face_down, laid
from companion.rules.model import Game, Player, Seat, Table
from companion.rules.variant import Variant
from companion.rules.windows import could_nope

Notes = tuple[tuple[Cell, str], ...]

PRIVATE = (events.NoteMade,)
"""Events that only the seat which brought them about may see (ruling private-notes)."""


def public_view(table: Table, now: int) -> dict[str, Any]:
    """The view's part that is the same for everyone; ``now`` in ms since the epoch.

    The service adds what it alone knows: ``epoch``, ``log`` and ``you``.
    """
    head = {"table": table.code, "version": table.version, "now": now}
    seats = [seat_view(table, seat) for seat in table.in_order]
    return {**head, **but_seats(table, now), "seats": seats}


def but_seats(table: Table, now: int) -> dict[str, Any]:
    """What of the public view may change, without its seats."""
    game = table.game
    return {
        "variant": table.variant.id,
        "game": table.games,
        "phase": table.phase,
        "options": msgspec.to_builtins(table.options),
        "host": table.host,
        "waiting": msgspec.to_builtins(table.waiting),
        "roll_call": {"caller": game.caller} if game and game.caller else None,
        "turn": _turn(table, game) if game else None,
        "played": _played(game) if game else None,
        "window": _window(table, game, now) if game else None,
        "winner": game.winner if game else None,
    }


def seat_view(table: Table, seat: Seat) -> dict[str, Any]:
    """One seat as everyone sees it."""
    player = table.game.player(seat.seat) if table.game else None
    shown = {
        "seat": seat.seat,
        "name": seat.name,
        "panel": seat.panel,
        "ready": seat.ready,
        "alive": player.alive if player else True,
        "out": player.out if player else None,
        "hand": player.hand if player else 0,
        "discard": player.discard if player else (),
        "grid": player.grid if player else _no_cards(table),
        "next": table.game.after(seat.seat) if table.game and player and player.alive else None,
    }
    if table.options.odds and player and player.alive:
        shown["odds"] = odds(table.variant.known(player.seen), player.grid)
    if table.options.odds and player and table.phase == "over":
        shown["survival"] = survival(table.variant, player)
    return shown


def seat_rests_on(table: Table, seat: Seat) -> tuple[Any, ...]:
    """All that ``seat_view`` asks for: while it is the same, so is the view of the seat."""
    game = table.game
    player = game.player(seat.seat) if game else None
    after = game.after(seat.seat) if game and player and player.alive else None
    return seat, player, after, table.options, table.phase


def _no_cards(table: Table) -> Any:
    return laid(table.variant.rows, table.variant.columns, None)


def _turn(table: Table, game: Game) -> dict[str, Any] | None:
    turn = game.turn
    if turn is None:
        return None
    held = game.player(turn.seat).grid
    return {
        "number": turn.number,
        "seat": turn.seat,
        "instructor": game.before(turn.seat),
        "step": turn.step,
        "told": turn.told,
        "say": wording.spoken(table.variant.words.say, held, turn.told) if turn.told else None,
    }


def _played(game: Game) -> dict[str, Any] | None:
    played = game.played
    if played is None:
        return None
    return {
        "card": played.card,
        "by": played.by,
        "target": played.target,
        "cell": played.cell,
        "nopes": played.nopes,
        "counts": played.counts,
    }


def _window(table: Table, game: Game, now: int) -> dict[str, Any] | None:
    window, played = game.window, game.played
    if window is None or played is None:
        return None
    left = window.left_ms if window.held_by else max(0, window.closes_at - now)
    return {
        "id": window.id,
        "closes_at": window.closes_at,
        "seconds": window.seconds,
        "held_by": window.held_by,
        "left_ms": left,
        "may_nope": could_nope(table, played.top),
        "passed": window.passed,
    }


def odds(known: deduction.Knowledge, grid: Grid, notes: Notes = ()) -> dict[str, Any]:
    """What a grid's face-down cells and the hand may hold, as chances from 0 to 1.

    ``cells``: ``"row,column"`` → title → chance; ``holds``: title → chance that the hand
    holds one or more; ``placed``: the Kitten lies where its owner chose, so the cells are
    an even guess. With the owner's ``notes`` it is what they know themselves.
    """
    noted = dict(notes)
    even, holds = _chances(known.with_notes(tuple(noted.values())))
    cells = {
        f"{row},{column}": {noted[row, column]: 1.0} if (row, column) in noted else even
        for row, column in face_down(grid)
    }
    return {"cells": cells, "holds": holds, "placed": known.placed}


def survival(variant: Variant, player: Player) -> float:
    """The chance, from 0 to 1, that somebody with this history gets as far as they did.

    That is, that none of their draws but a last deadly one was a Kitten without a Defuse.
    """
    draws = player.touched[:-1] if player.out == "kitten" else player.touched
    chance = 1.0
    for count, face in draws:
        known = variant.known(player.seen[:count])
        even, holds = _chances(known)
        kitten = even[variant.kitten] if face == DOWN else float(face == variant.kitten)
        chance *= 1 - kitten * (1 - holds[variant.defuse])
    return round(chance, 6)


@lru_cache(maxsize=4096)
def _chances(known: deduction.Knowledge) -> tuple[dict[str, float], dict[str, float]]:
    """The odds of any one face-down cell and of the hand; views come often, news seldom."""
    return _rounded(known.cell()), _rounded(known.holds())


def _rounded(exact: Mapping[str, Fraction]) -> dict[str, float]:
    return {title: round(float(chance), 6) for title, chance in exact.items()}


def you(table: Table, seat: str) -> dict[str, Any]:
    """The viewer's own part without ``may``, which is the service's to choose from."""
    game = table.game
    mine: dict[str, Any] = {"seat": seat, "host": seat == table.host, "notes": []}
    if game is not None and seat in game.order:
        player = game.player(seat)
        mine["notes"] = [{"cell": cell, "card": card} for cell, card in player.notes]
        if table.options.odds and player.alive:
            known = table.variant.known(player.seen)
            mine["odds"] = odds(known, player.grid, player.notes)
    back = _back(table)
    if seat == table.host and back is not None:
        mine["undo"] = back
    return mine


def only_for(event: Event) -> str | None:
    """The seat in whose log alone the event stands; ``None``: in everybody's."""
    return event.seat if isinstance(event, PRIVATE) else None


def _back(table: Table) -> int | None:
    """The version that would be taken back next."""
    back = table.undoable if table.phase in ("play", "over") or table.ended else ()
    return back[-1].version if back else None


def you_rests_on(table: Table, seat: str) -> tuple[Any, ...]:
    """All that ``you`` asks for: while it is the same, so is the viewer's own part."""
    game = table.game
    player = game.player(seat) if game and seat in game.order else None
    host = seat == table.host
    return player, table.options, host, _back(table) if host else None


def may_see(event: Event, seat: str | None) -> bool:
    """Whether the event stands in this viewer's log."""
    return only_for(event) in (None, seat)


def entry(before: Table, event: Event, after: Table, at: int) -> dict[str, Any]:
    """The event as a line of the log; ``at`` in ms since the epoch.

    Its facts are the event's own, and for a cell its ``place``, so that it can be spoken in
    any language.
    """
    facts = msgspec.to_builtins(event)
    kind = facts.pop("type")
    if place := wording.lain(facts, before):
        facts["place"] = place
    return {
        "version": after.version,
        "at": at,
        "type": kind,
        "seat": facts.get("seat"),
        "facts": facts,
        "text": wording.happened(kind, facts, before, after),
    }
