"""Tests that old logs still give the messages that version 0.3 sent, for every viewer.

``tests/data/wire_record.json`` has half a hash for each log and moment: of the public view,
of every
seat's private part with its allowed commands, and of the log's entry. To add the hashes of a new
log, run ``python -m tests.rules.test_wire_record``; it never changes existing ones.
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
    """The record of one stored log, a short hash for each moment (a command's events have one)."""
    variant = families.decode_variant(json.dumps(log["variant"]).encode())
    table = families.new_table(log["table"], variant, roll_call=True)  # as it was by default
    hashes = []
    for at, together in groupby(log["events"], lambda stored: stored[0]):
        lines = []
        for _, body in together:
            event = msgspec.convert(body, Event)
            before = table
            table = evolve(table, event)
            lines.append(_line_as_then(log_entry(before, event, table, at)))
        may = sorted(legal_commands(table), key=lambda said: str(said.seat))
        of_seat = {seat: list(said) for seat, said in groupby(may, lambda said: str(said.seat))}
        seats = [seat.seat for seat in table.in_order]
        views = [
            _as_then(public_view(_forgetting(table), at)),
            [(_you_as_then(table, s), of_seat.get(s, [])) for s in seats],
        ]
        hashes.append(sha256(msgspec.json.encode([views, lines], order="sorted")).hexdigest()[:16])
    return hashes


def _as_then(view: dict[str, Any]) -> dict[str, Any]:
    """Return the view without keys added since, where they have the values of these logs: cards on
    the table, and a host who alone undoes."""
    for seat in view["seats"]:
        if seat["deck"] == {"kind": "table"}:
            del seat["deck"]
    if view["asked"]:
        del view["asked"]["version"]
    for later in ("asked", "house"):
        if view[later] is None:
            del view[later]
    _as_before(view["options"])
    return view


def _forgetting(table: Any) -> Any:
    """The table as when what was undone did not count in the odds."""
    if table.game is None:
        return table
    players = tuple(replace(player, remembered=()) for player in table.game.players)
    return replace(table, game=replace(table.game, players=players))


def _you_as_then(table: Any, seat: str) -> dict[str, Any]:
    """The seat's own part as when an open deck did not end what could be taken back."""
    return private_view(replace(_forgetting(table), dealt=()), seat)


def _line_as_then(line: dict[str, Any]) -> dict[str, Any]:
    """Return the line without the facts added since about an undone command."""
    facts = line["facts"]
    line.pop("case", None)
    _as_before(facts.get("options", {}))
    if line["type"] == "undone":
        since = ("known", "target", "cell", "card", "place")
        line["facts"] = {key: fact for key, fact in facts.items() if key not in since}
    return line


def _as_before(options: dict[str, Any]) -> None:
    for key, value in {"take_back": "host", "signs": True}.items():
        if options.get(key) == value:
            del options[key]


LOG_FILES = sorted(LOGS.glob("*.json"))


@pytest.mark.parametrize("path", LOG_FILES, ids=lambda path: path.stem)
def test_a_stored_log_shows_what_it_showed(path: Path) -> None:
    recorded = json.loads(RECORD.read_text())[path.stem]
    found = record_views(json.loads(path.read_text()))
    different = [
        n for n, pair in enumerate(zip(recorded, found, strict=True), 1) if len({*pair}) > 1
    ]
    assert not different, f"first at moment {different[0]}"


if __name__ == "__main__":
    known = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    new = {
        p.stem: record_views(json.loads(p.read_text())) for p in LOG_FILES if p.stem not in known
    }
    RECORD.write_text(json.dumps(known | new, separators=(",", ":")) + "\n")
