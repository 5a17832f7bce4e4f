"""Builds the view of a table that clients receive.

Everybody gets the public part and the public log. Only the client of a seat gets the seat's part
``you``. Each family adds the parts for its own games.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping

import msgspec
from msgspec import Struct

from companion.rules.core import undo, wording
from companion.rules.core.family import Part, Parts
from companion.rules.core.options import Options
from companion.rules.core.state import (
    Player,
    Seat,
    Table,
    UndoRequest,
    Waiting,
    Window,
    next_living,
)
from companion.rules.core.table_events import Undone
from companion.rules.core.types import Event, Json, Phase
from companion.rules.core.windows import could_nope
from companion.rules.text import names
from companion.rules.variants.form import HouseRuleChanges


def pick_fields(record: Struct, keys: str) -> Json:
    """Return some of the record's fields. ``keys`` names them, separated by spaces."""
    return {key: getattr(record, key) for key in keys.split()}


def table_part(table: Table) -> Part:
    """Return the part about the table itself, such as its variant, phase, options and host."""
    asked = table.asked
    waits_for = undo.seats_to_agree(table, asked) if asked else ()
    undo_point = undo.undo_point(table) if asked else None
    inputs = (
        table.variant.id,
        table.games,
        table.phase,
        table.options,
        len(table.seats),
        table.host,
        table.waiting,
        table.house,
        asked,
        waits_for,
        undo_point.version if undo_point else None,
    )
    return Part(_show_table, inputs)


def _show_table(
    variant: str, games: int, phase: Phase, options: Options, players: int, host: str | None,
    waiting: tuple[Waiting, ...], house: HouseRuleChanges | None, asked: UndoRequest | None,
    waits_for: tuple[str, ...], version: int | None,
) -> Json:  # fmt: skip
    request = {**pick_fields(asked, "id seat until"), "version": version} if asked else None
    return {
        "variant": variant,
        "game": games,
        "phase": phase,
        "options": msgspec.to_builtins(options.resolve_for(players)),
        "host": host,
        "waiting": msgspec.to_builtins(waiting),
        "house": msgspec.to_builtins(house),
        "asked": request and {**request, "waits_for": waits_for},
    }


def window_part(table: Table, now: int) -> Part:
    """Return the part about the open window, if any; ``now`` is in ms since the epoch."""
    game = table.game
    if game is None or game.window is None or game.played is None:
        return Part(_show_window, (None, 0, ()))
    window = game.window
    left_ms = window.left_ms if window.held_by else max(0, window.closes_at - now)
    return Part(_show_window, (window, left_ms, could_nope(table, game.played.seat_of_top_card)))


def _show_window(window: Window | None, left_ms: int, may_nope: tuple[str, ...]) -> Json:
    if window is None:
        return {"window": None}
    fields = pick_fields(window, "id closes_at seconds held_by")
    more = {"left_ms": left_ms, "may_nope": may_nope, "passed": window.passed}
    return {"window": fields | more}


def public_parts(table: Table, now: int) -> Parts:
    """Return the parts of the public view, without the seats; ``now`` is in ms since the epoch."""
    table_view = table_part(table)
    window = window_part(table, now)
    return {"table": table_view, "game": table.family.views.game(table), "window": window}


def seat_parts(table: Table, show: Callable[..., Json], *more: object) -> Parts:
    """Return the public view's part about each seat, by seat id.

    The function ``show`` builds the part of one seat. Its arguments are:

    - the seat, and the seat's player or None
    - True if the panel shows odds, and True if the game is over
    - all seats in the order in which turns pass, and the living seats
    - the further arguments ``more``, which each family chooses
    """
    game = table.game
    players: Mapping[str, Player] = game.by_seat if game else {}
    flags = table.options.odds, game is not None and game.winner is not None
    order, living = (game.turn_order, game.living) if game else ((), ())
    parts = {
        seat.seat: Part(show, (seat, players.get(seat.seat), *flags, order, living, *more))
        for seat in table.in_order
    }
    twins = look_alikes(table) if table.phase == "lobby" else {}
    return parts | {seat: _add_twin(parts[seat], twin) for seat, twin in twins.items()}


def look_alikes(table: Table) -> Mapping[str, str]:
    """Map each seat whose name looks like an earlier seat's name to that earlier seat.

    The rules refuse such names today (ruling unique-names), but old logs contain them.
    """
    twins = dict[str, str]()
    for number, seat in enumerate(table.seats):
        for earlier in table.seats[:number]:
            if names.look_alike(seat.name, earlier.name):
                twins.setdefault(seat.seat, earlier.seat)
    return twins


def _add_twin(part: Part, twin: str) -> Part:
    return Part(_show_with_twin, (twin, part.show, *part.inputs))


def _show_with_twin(twin: str, show: Callable[..., Json], *inputs: object) -> Json:
    return {**show(*inputs), "alike": twin}


def own_parts(table: Table, show: Callable[..., Json], *more: object) -> Parts:
    """Return the private part of each seat's view, by seat id.

    The function ``show`` builds the part of one seat. Its arguments are the seat's player or None,
    and the further arguments ``more``, which each family chooses.
    """
    players: Mapping[str, Player] = table.game.by_seat if table.game else {}
    return {seat.seat: Part(show, (players.get(seat.seat), *more)) for seat in table.seats}


def seat_fields(seat: Seat, player: Player | None) -> Json:
    """Return the fields of a seat that do not depend on the family."""
    fields = {
        **pick_fields(seat, "seat name panel ready emblem"),
        "alive": player is None or player.out is None,
        "out": player.out if player else None,
        "hand": player.hand if player else 0,
    }
    if player and player.auto_pass:
        fields["auto_pass"] = True
    return {**fields, "robot": seat.robot} if seat.robot else fields


def next_after(
    player: Player | None, order: tuple[str, ...], living: tuple[str, ...]
) -> str | None:
    """Return the next living seat after this player, or None if the player is out."""
    return next_living(order, living, player.seat) if player and player.out is None else None


def undo_rights(table: Table) -> Mapping[str | None, dict[str, int]]:
    """Return the commands ``undo``, ``ask_back`` and ``agree`` that each seat can send now.

    The value of ``undo`` or ``ask_back`` is the version of the event that the command would undo.
    The value of ``agree`` is the id of the open request.
    """
    may = defaultdict[str | None, dict[str, int]](dict)
    asked = table.asked
    undo_point = undo.undo_point(table)
    if undo_point is not None:
        may[table.host]["undo"] = undo_point.version
        if asked is None and table.options.take_back == "agreement":
            may[undo_point.seat]["ask_back"] = undo_point.version
    if asked is not None:
        for seat in table.seats:
            if undo.may_agree(table, seat.seat):
                may[seat.seat]["agree"] = asked.id
    return may


def only_viewer(event: Event) -> str | None:
    """Return the only seat that may see the event in the log, or None for a public event."""
    return str(getattr(event, "seat", None)) if event.private else None


def log_entry(before: Table, event: Event, after: Table, at: int) -> Json:
    """Return an event's entry in the log; ``at`` is in ms since the epoch.

    In the entry, ``facts`` are the event's fields. If the event describes a card in a grid,
    ``facts`` also has the card's ``place``. A panel can use these values to fill in a message in
    any language. ``case`` selects the message if the event's type has several messages. For an
    undo, ``facts`` also has what everybody still knows about the cards of the undone command.
    """
    facts = msgspec.to_builtins(event)
    kind = facts.pop("type")
    if isinstance(event, Undone) and before.undo_points:
        undone = before.undo_points[-1].event
        facts |= before.family.views.facts_after_undo(undone) if undone else {}
        # An event's cell is usually described by the grid as it was before the event. For an undo,
        # use the grid that the undo has restored.
        before = after
    if place := after.family.views.find_place(facts, before):
        facts["place"] = place
    line = {
        "version": after.version,
        "at": at,
        "type": kind,
        "seat": facts.get("seat"),
        "facts": facts,
        "text": wording.describe_event(event, facts, before, after),
    }
    return {**line, "case": case} if (case := event.sentence_case) else line
