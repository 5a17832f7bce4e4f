"""Old logs still give the messages that version 0.3 sent, for every viewer.

``tests/data/wire_record.json`` has a short hash for each moment of each log. The hash covers the
public view, the private part and the legal commands of every seat, and the lines of the log. To add
the hashes of a new log, run ``python -m tests.rules.test_wire_record``. Existing hashes are never
changed.
"""

import json
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.rules import families
from companion.rules.core.events import evolve
from companion.rules.core.referee import legal_commands
from companion.rules.core.view import log_entry
from companion.rules.grid.events import Event
from tests.support.paths import DATA
from tests.support.public_view import private_view, public_view

LOGS = DATA / "logs"
RECORD = LOGS.with_name("wire_record.json")


def record_views(log: dict[str, Any]) -> list[str]:
    """Return a hash for each moment of a stored log. A moment has all events with the same time,
    such as those of one command."""
    variant = families.decode_variant(json.dumps(log["variant"]).encode())
    # by default, that version had a roll call
    table = families.new_table(log["table"], variant, roll_call=True)
    hashes = []
    for at, entries in groupby(log["events"], lambda stored: stored[0]):
        lines = []
        for _, body in entries:
            event = msgspec.convert(body, Event)
            before = table
            table = evolve(table, event)
            lines.append(_remove_later_facts(log_entry(before, event, table, at)))
        legal = sorted(legal_commands(table), key=lambda command: str(command.seat))
        of_seat = {
            seat: list(commands)
            for seat, commands in groupby(legal, lambda command: str(command.seat))
        }
        seats = [seat.seat for seat in table.in_order]
        views = [
            _remove_later_keys(public_view(_without_remembered(table), at)),
            [(_get_earlier_private_view(table, s), of_seat.get(s, [])) for s in seats],
        ]
        hashes.append(sha256(msgspec.json.encode([views, lines], order="sorted")).hexdigest()[:16])
    return hashes


def _remove_later_keys(view: dict[str, Any]) -> dict[str, Any]:
    """Remove the keys that later versions added to views, if their values are those of every older
    game."""
    for seat in view["seats"]:
        if seat["deck"] == {"kind": "table"}:
            del seat["deck"]
        seat.pop("boldest", None)
        del seat["emblem"]
    if view["asked"]:
        del view["asked"]["version"]
    for later_key in ("asked", "house"):
        if view[later_key] is None:
            del view[later_key]
    _remove_default_options(view["options"])
    return view


def _without_remembered(table: Any) -> Any:
    """Return the table without the cards that stayed known after an undo. Older versions didn't
    keep them."""
    if table.game is None:
        return table
    players = tuple(replace(player, remembered=()) for player in table.game.players)
    return replace(table, game=replace(table.game, players=players))


def _get_earlier_private_view(table: Any, seat: str) -> dict[str, Any]:
    """Return a seat's private view without decks on devices, because earlier versions allowed an
    undo even after a deck was opened."""
    return private_view(replace(_without_remembered(table), dealt=()), seat)


def _remove_later_facts(line: dict[str, Any]) -> dict[str, Any]:
    """Remove the placeholder values that later versions added to a line of the log."""
    facts = line["facts"]
    line.pop("case", None)
    _remove_default_options(facts.get("options", {}))
    if line["type"] == "undone":
        later_facts = ("known", "target", "cell", "card", "place")
        line["facts"] = {key: fact for key, fact in facts.items() if key not in later_facts}
    return line


def _remove_default_options(options: dict[str, Any]) -> None:
    for key, value in {"take_back": "host", "signs": True}.items():
        if options.get(key) == value:
            del options[key]


LOG_FILES = sorted(LOGS.glob("*.json"))


@pytest.mark.parametrize("path", LOG_FILES, ids=lambda path: path.stem)
def test_a_stored_log_gives_its_recorded_views(path: Path) -> None:
    recorded = json.loads(RECORD.read_text())[path.stem]
    actual = record_views(json.loads(path.read_text()))
    different = [
        n for n, pair in enumerate(zip(recorded, actual, strict=True), 1) if len({*pair}) > 1
    ]
    assert not different, f"first at moment {different[0]}"


def add_missing_hashes() -> None:
    """Record the hashes of each stored log that has none."""
    known = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    new = {
        path.stem: record_views(json.loads(path.read_text()))
        for path in sorted(LOGS.glob("*.json"))
        if path.stem not in known
    }
    RECORD.write_text(json.dumps(known | new, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    add_missing_hashes()
