"""What one viewer sees, built field by field from the state: everybody the public part and the
public log, one seat alone ``you``. What only a family's games have, that family shows."""

from collections import defaultdict
from collections.abc import Callable, Mapping

import msgspec
from msgspec import Struct

from companion.rules.core import names, undo, wording
from companion.rules.core.events import Event
from companion.rules.core.family import Json, Part, Parts
from companion.rules.core.game import Player, Window, after
from companion.rules.core.house_rules import HouseRuleChanges
from companion.rules.core.model import Options, Seat, Table, UndoRequest, Waiting
from companion.rules.core.moves import Phase
from companion.rules.core.table_events import Undone
from companion.rules.core.windows import could_nope


def pick_fields(of: Struct, keys: str) -> Json:
    return {key: getattr(of, key) for key in keys.split()}


def table_part(table: Table) -> Part:
    asked = table.asked
    waits_for = undo.waits_for(table, asked) if asked else ()
    last = undo.undo_point(table) if asked else None
    options = table.options, len(table.seats)
    at = table.variant.id, table.games, table.phase
    known = *at, *options, table.host, table.waiting, table.house
    return Part(_table, (*known, asked, waits_for, last.version if last else None))


def _table(
    variant: str, games: int, phase: Phase, options: Options, players: int, host: str | None,
    waiting: tuple[Waiting, ...], house: HouseRuleChanges | None, asked: UndoRequest | None,
    waits_for: tuple[str, ...], version: int | None,
) -> Json:  # fmt: skip
    request = {**pick_fields(asked, "id seat until"), "version": version} if asked else None
    return {
        "variant": variant,
        "game": games,
        "phase": phase,
        "options": msgspec.to_builtins(options.held_by(players)),
        "host": host,
        "waiting": msgspec.to_builtins(waiting),
        "house": msgspec.to_builtins(house),
        "asked": request and {**request, "waits_for": waits_for},
    }


def window_part(table: Table, now: int) -> Part:
    """The window that is open; ``now`` in ms since the epoch."""
    game = table.game
    if game is None or game.window is None or game.played is None:
        return Part(_window, (None, 0, ()))
    window = game.window
    left = window.left_ms if window.held_by else max(0, window.closes_at - now)
    return Part(_window, (window, left, could_nope(table, game.played.top)))


def _window(window: Window | None, left: int, may_nope: tuple[str, ...]) -> Json:
    if window is None:
        return {"window": None}
    shown = pick_fields(window, "id closes_at seconds held_by")
    more = {"left_ms": left, "may_nope": may_nope, "passed": window.passed}
    return {"window": shown | more}


def public(table: Table, now: int) -> Parts:
    """The public view without its seats, in parts that change together, at a time in ms."""
    whole = table_part(table)
    window = window_part(table, now)
    return {"table": whole, "game": table.family.views.game(table), "window": window}


def seats(table: Table, show: Callable[..., Json], *more: object) -> Parts:
    """Each seat as ``show`` shows it to everyone: of the seat, its player, whether there are odds
    and the game is over, all seats in order of play, the living ones, and ``more``."""
    game = table.game
    players: Mapping[str, Player] = game.by_seat if game else {}
    rest = table.options.odds, game is not None and game.winner is not None
    order, living = (game.order, game.living) if game else ((), ())
    shown = {
        seat.seat: Part(show, (seat, players.get(seat.seat), *rest, order, living, *more))
        for seat in table.in_order
    }
    twins = look_alikes(table) if table.phase == "lobby" else {}
    return shown | {seat: _beside(shown[seat], twin) for seat, twin in twins.items()}


def look_alikes(table: Table) -> Mapping[str, str]:
    """Each seat whose name looks like an earlier seat's, and that seat (ruling unique-names): no
    name is given so, but versions before that ruling gave some."""
    found = dict[str, str]()
    for number, seat in enumerate(table.seats):
        for earlier in table.seats[:number]:
            if names.alike(seat.name, earlier.name):
                found.setdefault(seat.seat, earlier.seat)
    return found


def _beside(shown: Part, twin: str) -> Part:
    return Part(_with_twin, (twin, shown.show, *shown.inputs))


def _with_twin(twin: str, show: Callable[..., Json], *inputs: object) -> Json:
    return {**show(*inputs), "alike": twin}


def own(table: Table, show: Callable[..., Json], *more: object) -> Parts:
    """What each seat alone is shown: as ``show`` shows it, of its player and ``more``."""
    players: Mapping[str, Player] = table.game.by_seat if table.game else {}
    return {seat.seat: Part(show, (players.get(seat.seat), *more)) for seat in table.seats}


def person(seat: Seat, player: Player | None) -> Json:
    shown = {
        **pick_fields(seat, "seat name panel ready"),
        "alive": player is None or player.out is None,
        "out": player.out if player else None,
        "hand": player.hand if player else 0,
    }
    return {**shown, "robot": seat.robot} if seat.robot else shown


def next_of(player: Player | None, order: tuple[str, ...], living: tuple[str, ...]) -> str | None:
    return after(order, living, player.seat) if player and player.out is None else None


def may_take_back(table: Table) -> Mapping[str | None, dict[str, int]]:
    """By seat the version that it can take back or ask to, and the request that it can agree to."""
    may = defaultdict[str | None, dict[str, int]](dict)
    asked = table.asked
    last = undo.undo_point(table)
    if last is not None:
        may[table.host]["undo"] = last.version
        if asked is None and table.options.take_back == "agreement":
            may[last.seat]["ask_back"] = last.version
    if asked is not None:
        for seat in table.seats:
            if undo.may_agree(table, seat.seat):
                may[seat.seat]["agree"] = asked.id
    return may


def only_for(event: Event) -> str | None:
    """The seat in whose log alone the event stands; ``None``: in everybody's."""
    return str(getattr(event, "seat", None)) if event.private else None


def entry(before: Table, event: Event, after: Table, at: int) -> Json:
    """The event as a line of the log; ``at`` in ms since the epoch. Its facts are the event's own,
    and for a card that lies somewhere its ``place``, so that it can be spoken in any language; its
    ``case`` says which of its type's sentences it is. What is taken back also tells what stays
    known of it."""
    facts = msgspec.to_builtins(event)
    kind = facts.pop("type")
    if isinstance(event, Undone) and before.undoable:
        taken_back = before.undoable[-1].event
        facts |= before.family.views.stays(taken_back) if taken_back else {}
        before = after  # the cards lie as they did
    if place := after.family.views.place(facts, before):
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
