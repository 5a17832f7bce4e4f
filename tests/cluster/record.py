"""Compare everything that a table's clients received with the log, after the game.

The log is the truth. A view at a version must be what a new process renders from the log up to that
version, so all clients saw the same. Every answer must agree with the log, no command may take
effect twice, and every window must close once and not too early.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from companion.robots.view import Command, Json, View
from companion.rules import families
from companion.service import codec
from companion.service.table.log import Projection
from companion.service.table.views import Views
from tests.cluster.fleet import Fleet

Row = tuple[int, int, dict[str, Any]]
"""A version, its time in ms, and its event."""

EVENTS_BY_COMMAND = {
    "play": "card_played",
    "combo": "combo_played",
    "nope": "nope_played",
    "pass": "passed",
    "hold": "held",
    "instruct": "instructed",
    "draw": "card_touched",
}
"""For each command, the type of the event that it causes."""


class Record:
    """All views and answers that the clients of one table received."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.epochs: set[str] = set()
        self.views: dict[tuple[int, str | None], list[View]] = {}
        self.answers: dict[str, tuple[str, Command, Json]] = {}

    def record_view(self, seat: str | None, view: View) -> None:
        """Record a view that a client received."""
        self.epochs.add(view["epoch"])
        known_views = self.views.setdefault((view["version"], seat), [])
        if not any(_without_time(view) == _without_time(known_view) for known_view in known_views):
            known_views.append(view)

    def record_answer(self, seat: str, command: Command, answer: Json) -> None:
        """Record an answer. A repeated command must get the same answer again."""
        before = self.answers.setdefault(command["id"], (seat, command, answer))
        assert before[2] == answer, f"two answers to {command}: {before[2]}, {answer}"

    def check(self, fleet: Fleet) -> "CheckCounts":
        """Compare all views and answers with the log. Raises AssertionError if they disagree."""
        log = _read_log(fleet, self.table)
        assert [version for version, _, _ in log] == [*range(1, len(log) + 1)], "gaps"
        assert len(self.epochs) == 1, self.epochs
        count = self._check_views(fleet)
        self._check_answers(fleet, log)
        return CheckCounts(count, len(self.answers), check_windows(log))

    def _check_views(self, fleet: Fleet) -> int:
        """Compare every received view with the log. Returns the number of views."""
        count = 0
        (epoch,) = self.epochs
        wanted: dict[int, list[str | None]] = {}
        for version, seat in self.views:
            wanted.setdefault(version, []).append(seat)
        for version, drawn in _render_versions(fleet, self.table, epoch):
            for seat in wanted.pop(version, ()):
                fullest, smallest = (msgspec.json.decode(views.view_of(seat)) for views in drawn)
                for received in self.views[version, seat]:
                    count += 1
                    expected = _get_expected_view(fullest, smallest, received)
                    assert _without_time(received) == _without_time(expected), describe_differences(
                        received, expected
                    )
        assert not wanted, f"shown, but not in the log: {wanted}"
        return count

    def _check_answers(self, fleet: Fleet, log: Sequence[Row]) -> None:
        """Check that every accepted command is stored with its answer and took effect once."""
        rows = fleet.query_database(
            "SELECT id, answer FROM answers WHERE code = :code", code=self.table
        )
        stored = {row.id: msgspec.json.decode(row.answer) for row in rows}
        assert stored == {id: a for id, (_, _, a) in self.answers.items() if a["ok"]}
        done = [(seat, sent, a["version"]) for seat, sent, a in self.answers.values() if a["ok"]]
        versions = [version for _, _, version in done]
        assert len(versions) == len({*versions}), "two commands with one effect"
        assert max(versions, default=0) <= len(log), "an acknowledged command is lost"
        sent = Counter(
            (command.get("as", seat), EVENTS_BY_COMMAND[command["type"]])
            for seat, command, _ in done
            if command["type"] in EVENTS_BY_COMMAND
        )
        happened = Counter(
            (event.get("seat"), event["type"])
            for _, _, event in log
            if event["type"] in EVENTS_BY_COMMAND.values()
        )
        # a player who passes automatically also passes without a command
        ahead = {
            (command["as"], "passed") for _, command, _ in done if command["type"] == "auto_pass"
        }
        twice = {one: n for one, n in (happened - sent).items() if one not in ahead}
        assert not (sent - happened) and not twice, {"lost": sent - happened, "twice": twice}


class CheckCounts(msgspec.Struct, frozen=True):
    """The number of views and answers compared with the log."""

    views: int = 0
    answers: int = 0
    windows: int = 0

    def __add__(self, other: "CheckCounts") -> "CheckCounts":
        return CheckCounts(
            self.views + other.views, self.answers + other.answers, self.windows + other.windows
        )


def check_windows(log: Sequence[Row]) -> int:
    """Check that no window closed twice, or early although somebody hadn't passed.

    Return the number of windows.
    """
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
            unnopable = before.get("closes_at", 0) is None  # nobody can Nope in this window
            assert unnopable or closes_at is not None, f"{version}: closed twice"
            early = not unnopable and before["type"] != "passed" and closes_at is not None
            assert not early or at >= (closes_at or 0), f"{version}: closed at {at}, {closes_at}"
            closes_at = None
            until = None
            closed = closed + 1
        if "closes_at" in event:
            closes_at = event["closes_at"]
        before = event
    return closed


def _get_expected_view(fullest: View, smallest: View, received: View) -> View:
    """Return the view with which a received view is compared.

    ``fullest`` is the view while no device is connected, ``smallest`` the view while all devices
    are. They differ only in the host's legal commands (``you.may``), some of which depend on
    whether a seat's device is connected (ruling own-deck). The log doesn't say when devices were
    connected. So these commands may be in the received view or not: the expected view has all
    commands of ``smallest``, and those other commands of ``fullest`` that were received.
    """
    if fullest["you"] is None or received["you"] is None:
        return fullest
    certain_commands = smallest["you"]["may"]
    received_commands = received["you"]["may"]
    may = [
        command
        for command in fullest["you"]["may"]
        if command in certain_commands or command in received_commands
    ]
    return {**fullest, "you": {**fullest["you"], "may": may}}


def _without_time(view: View) -> dict[str, Any]:
    """Return the view without the fields that change with the clock."""
    window = view["window"] and {**view["window"], "left_ms": 0}
    return {**view, "now": 0, "window": window}


def describe_differences(received: View, expected: View) -> str:
    """Describe the differences between two views."""
    received_fields = _without_time(received)
    expected_fields = _without_time(expected)
    keys = [
        key
        for key in received_fields.keys() | expected_fields.keys()
        if received_fields.get(key) != expected_fields.get(key)
    ]
    parts = "; ".join(
        f"{key}: {received_fields.get(key)!r}, not {expected_fields.get(key)!r}" for key in keys
    )
    return f"{received['table']} at {received['version']}: shown {parts}"


def _read_log(fleet: Fleet, table: str) -> list[Row]:
    rows = fleet.query_database(
        "SELECT version, at, body FROM events WHERE code = :code ORDER BY version", code=table
    )
    return [(row.version, row.at, msgspec.json.decode(row.body)) for row in rows]


def _render_versions(
    fleet: Fleet, table: str, epoch: str
) -> Iterator[tuple[int, tuple[Views, Views]]]:
    """Render the views of every version from the log alone, as a new process does.

    Yields each version with two sets of views: with nobody connected, and with everybody.
    """
    (row,) = fleet.query_database(
        "SELECT content FROM variants JOIN tables ON tables.variant = variants.digest"
        " WHERE code = :code",
        code=table,
    )
    projection = Projection(table, families.decode_variant(row.content.encode()))
    events = fleet.query_database(
        "SELECT at, body FROM events WHERE code = :code ORDER BY version", code=table
    )
    for at, body in events:
        projection.add(codec.event(projection.table.family, body), at)
        all_here = frozenset(seat.seat for seat in projection.table.seats)
        nobody = Views(projection, epoch, 0)
        yield projection.table.version, (nobody, Views(projection, epoch, 0, here=all_here))
