"""What a table's clients were shown and answered, held against the log when all is over.

The log is the truth: whatever anybody saw at a version is what a fresh process draws from the
log up to that version, so all saw the same. Each answer stands in the log's outcome as it was
given, nothing happened twice, and windows closed once and in time.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from companion.robots.view import Command, Json, View
from companion.rules import families
from companion.service import codec
from companion.service.log import Projection
from companion.service.views import Views
from tests.fleet.fleet import Fleet

Row = tuple[int, int, dict[str, Any]]
"""A version, when it came about in ms, and the event."""

LEAVES = {
    "play": "card_played",
    "combo": "combo_played",
    "nope": "nope_played",
    "pass": "passed",
    "hold": "held",
    "instruct": "instructed",
    "draw": "card_touched",
}
"""Command → the event that it comes to, for a seat's own words."""


class Record:
    """Of one table: every view that its clients were shown, every answer that they had."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.epochs: set[str] = set()
        self.views: dict[tuple[int, str | None], list[View]] = {}
        self.answers: dict[str, tuple[str, Command, Json]] = {}

    def saw(self, seat: str | None, view: View) -> None:
        """Somebody was shown a view."""
        self.epochs.add(view["epoch"])
        known = self.views.setdefault((view["version"], seat), [])
        if not any(_plain(view) == _plain(one) for one in known):
            known.append(view)

    def said(self, seat: str, command: Command, answer: Json) -> None:
        """Somebody was answered; the same again for the same command."""
        before = self.answers.setdefault(command["id"], (seat, command, answer))
        assert before[2] == answer, f"two answers to {command}: {before[2]}, {answer}"

    def check(self, fleet: Fleet) -> "Checked":
        """Holds all of it against the log; raises AssertionError where it isn't so."""
        log = _log(fleet, self.table)
        assert [version for version, _, _ in log] == [*range(1, len(log) + 1)], "gaps"
        assert len(self.epochs) == 1, self.epochs
        held = self._check_views(fleet)
        self._check_answers(fleet, log)
        return Checked(held, len(self.answers), check_windows(log))

    def _check_views(self, fleet: Fleet) -> int:
        """Everybody saw what the log tells; gives how many views were held against it."""
        held = 0
        (epoch,) = self.epochs
        wanted: dict[int, list[str | None]] = {}
        for version, seat in self.views:
            wanted.setdefault(version, []).append(seat)
        for version, drawn in _drawn(fleet, self.table, epoch):
            for seat in wanted.pop(version, ()):
                most, least = (msgspec.json.decode(views.of(seat)) for views in drawn)
                for seen in self.views[version, seat]:
                    held += 1
                    told = _with_may(most, least, seen)
                    assert _plain(seen) == _plain(told), unlike(seen, told)
        assert not wanted, f"shown, but not in the log: {wanted}"
        return held

    def _check_answers(self, fleet: Fleet, log: Sequence[Row]) -> None:
        """Whatever was accepted is kept as it was answered, and each thing happened once."""
        rows = fleet.ask("SELECT id, answer FROM answers WHERE code = :code", code=self.table)
        kept = {row.id: msgspec.json.decode(row.answer) for row in rows}
        assert kept == {id: a for id, (_, _, a) in self.answers.items() if a["ok"]}
        done = [(seat, said, a["version"]) for seat, said, a in self.answers.values() if a["ok"]]
        versions = [version for _, _, version in done]
        assert len(versions) == len({*versions}), "two commands with one effect"
        assert max(versions, default=0) <= len(log), "an acknowledged command is lost"
        said = Counter(
            (command.get("as", seat), LEAVES[command["type"]])
            for seat, command, _ in done
            if command["type"] in LEAVES
        )
        happened = Counter(
            (event.get("seat"), event["type"])
            for _, _, event in log
            if event["type"] in LEAVES.values()
        )
        assert happened == said, {"lost": said - happened, "twice": happened - said}


class Checked(msgspec.Struct, frozen=True):
    """How much was held against the log."""

    views: int = 0
    answers: int = 0
    windows: int = 0

    def __add__(self, other: "Checked") -> "Checked":
        return Checked(
            self.views + other.views, self.answers + other.answers, self.windows + other.windows
        )


def check_windows(log: Sequence[Row]) -> int:
    """No window closed before its time unless all had passed, and none twice; gives how many."""
    closes_at = None
    until = None
    closed = 0
    before: dict[str, Any] = {}
    for version, at, event in log:
        kind = event["type"]
        if kind == "held":
            until = event["until"]
        elif kind == "released":
            assert event["seat"] or until is None or at >= until, f"{version}: let go early"
            until = None
        elif kind == "window_closed":
            laid = before.get("closes_at", 0) is None  # nobody could Nope it
            assert laid or closes_at is not None, f"{version}: closed twice"
            early = not laid and before["type"] != "passed" and closes_at is not None
            assert not early or at >= (closes_at or 0), f"{version}: closed at {at}, {closes_at}"
            closes_at = None
            until = None
            closed = closed + 1
        if "closes_at" in event:
            closes_at = event["closes_at"]
        before = event
    return closed


def _with_may(most: View, least: View, seen: View) -> View:
    """What is told, with as much of ``you.may`` as was seen: what the host may say for a seat rests
    on whether its device is here (ruling own-deck), which no log tells."""
    if most["you"] is None or seen["you"] is None:
        return most
    sure = least["you"]["may"]
    shown = seen["you"]["may"]
    may = [command for command in most["you"]["may"] if command in sure or command in shown]
    return {**most, "you": {**most["you"], "may": may}}


def _plain(view: View) -> dict[str, Any]:
    """A view without what the hour alone changes."""
    window = view["window"] and {**view["window"], "left_ms": 0}
    return {**view, "now": 0, "window": window}


def unlike(seen: View, told: View) -> str:
    """Where two views differ."""
    one = _plain(seen)
    other = _plain(told)
    keys = [key for key in one.keys() | other.keys() if one.get(key) != other.get(key)]
    parts = "; ".join(f"{key}: {one.get(key)!r}, not {other.get(key)!r}" for key in keys)
    return f"{seen['table']} at {seen['version']}: shown {parts}"


def _log(fleet: Fleet, table: str) -> list[Row]:
    rows = fleet.ask(
        "SELECT version, at, body FROM events WHERE code = :code ORDER BY version", code=table
    )
    return [(row.version, row.at, msgspec.json.decode(row.body)) for row in rows]


def _drawn(fleet: Fleet, table: str, epoch: str) -> Iterator[tuple[int, tuple[Views, Views]]]:
    """Each version, and the views that a fresh process draws of it from the log alone: where
    nobody is here, and where all are."""
    (row,) = fleet.ask(
        "SELECT content FROM variants JOIN tables ON tables.variant = variants.digest"
        " WHERE code = :code",
        code=table,
    )
    journal = Projection(table, families.variant(row.content.encode()))
    events = fleet.ask(
        "SELECT at, body FROM events WHERE code = :code ORDER BY version", code=table
    )
    for at, body in events:
        journal.add(codec.event(journal.table.family, body), at)
        all_here = frozenset(seat.seat for seat in journal.table.seats)
        nobody = Views(journal, epoch, 0)
        yield journal.table.version, (nobody, Views(journal, epoch, 0, here=all_here))
