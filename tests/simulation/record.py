"""A record of all messages, views and answers of a world, and the checks on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from companion.rules import families
from companion.rules.core.events import WindowClosed
from companion.rules.core.state import Table
from companion.rules.core.types import Event
from companion.rules.core.windows import could_nope
from companion.service import codec
from companion.service.table.log import Projection
from companion.service.table.views import Views
from companion.storage.statements import Statement
from tests.simulation.hub import Machine
from tests.simulation.link import Link
from tests.simulation.store import Database

if TYPE_CHECKING:
    from tests.simulation.panel import Panel

APART_MS = 1_000
"""Largest difference in ms between the clocks of two processes, which a slow database can cause.

If two connections are requested at different processes within this time, either may count as the
newer one.
"""


class Broken(AssertionError):
    """Raised if a required property doesn't hold."""


def require(holds: Any, *why: object) -> None:
    """Raise ``Broken`` with this explanation unless the condition holds."""
    if not holds:
        raise Broken(" ".join(map(str, why)))


NOTICED_MS = 3_000
"""Time in ms within which a process notices that the database has lost events."""

Shown = dict[tuple[int, str], dict[str, Any]]
"""Views by version and seat."""


class Lost(NamedTuple):
    """A loss of a table's newest events by the database."""

    views: Shown  # views of lost versions that clients have shown
    kept: int  # the newest version that the database kept
    knew: list[Machine]  # machines of the processes that had read later versions
    at: int  # time of the loss in ms

    def shows_lost_events(self, version: int, sent: int, by: str) -> bool:
        """Return True if a view may show lost events.

        The view has this version, and process ``by`` sent it at ``sent``. A process that knows the
        lost events may send them until it notices the loss and starts a new epoch.
        """
        knew = any(one.name == by for one in self.knew)
        return version > self.kept and (sent <= self.at or knew)

    def is_noticed(self, now: int) -> bool:
        """Return True if the processes that knew the lost events have had time to notice
        the loss."""
        return any(
            one.alive and not one.frozen and now > max(self.at, one.since) + NOTICED_MS
            for one in self.knew
        )


class Record:
    """The record of all tables in a world."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.requested: dict[tuple[str, str], list[int]] = {}
        """Times in ms at which connections were requested, by seat."""
        self.handed_on: set[tuple[str, str]] = set()
        """Seats that were moved to another device or lent to a robot."""
        self.received: dict[tuple[str, str], list[tuple[int, str, bytes]]] = {}
        """Events that were sent, by seat: the time in ms, the name and the payload of each."""
        self.answers: dict[str, tuple[str, dict[str, Any]]] = {}
        self.receivers: dict[str, set[str]] = {}
        # Ids of commands that cause no event if they change nothing. Then no answer is stored.
        self.may_change_nothing = set[str]()
        """Processes that received a command, by the command's id."""
        self._lost: dict[tuple[str, str], Lost] = {}
        self._shown: dict[tuple[str, str], Shown] = {}
        self._committed_ids: set[str] = set()
        self.windows = self.views = 0

    # --- checks while the world runs -----------------------------------------------------

    def record_event(self, link: Link, event: str, payload: bytes, clock_set: bool) -> None:
        """Record and check an event that a process sends to a client."""
        self.received.setdefault(link.seat, []).append((self._database.hub.now, event, payload))
        if event == "answer":
            self._check_committed(link.seat[0], payload)
        elif (
            event == "superseded"
            and not clock_set
            and link.seat in self.requested.keys() - self.handed_on
        ):
            newest = max(self.requested[link.seat])
            apart = (
                sum(abs(one - link.requested_at) < APART_MS for one in self.requested[link.seat])
                > 1
            )
            require(
                newest > link.requested_at or apart,
                "the newest connection is sent away:",
                link.seat,
            )

    def _check_committed(self, code: str, payload: bytes) -> None:
        answer = msgspec.json.decode(payload)
        if answer["ok"] and not self._database.loss_count:
            require(
                answer["version"] <= self._get_newest_version(code),
                "answered before it was committed",
                code,
            )

    def check_commit(self, changes: Sequence[Statement]) -> None:
        """Check that committed statements repeat no command and leave no gap in the versions."""
        rows = [(sql.split("(")[0].split()[-1], row) for sql, more in changes for row in more]
        for id in [str(row[1]) for table, row in rows if table == "answers"]:
            require(
                id not in self._committed_ids or id in self._database.lost_commands,
                "happened twice:",
                id,
            )
            self._committed_ids.add(id)
        for code in sorted({str(row[0]) for table, row in rows if table == "events"}):
            ((count, newest),) = self._database.query_sql(
                "SELECT count(*), coalesce(max(version), 0) FROM events WHERE code = :code",
                code=code,
            )
            require(count == newest, "versions with holes at", code, f"{count} up to {newest}")

    def record_command(self, link: Link, command: dict[str, Any]) -> None:
        """Record which process receives a command."""
        self.receivers.setdefault(command["id"], set()).add(link.process)

    def record_answer(self, panel: Panel, command: dict[str, Any], answer: dict[str, Any]) -> None:
        """Record the answer that a client received."""
        self.answers[command["id"]] = panel.seated.table, answer
        if command["type"] == "auto_pass":
            self.may_change_nothing.add(command["id"])

    def check_view(self, panel: Panel) -> None:
        """Check that the view equals all views of the same version and seat."""
        view = panel.view
        link = panel.link
        shown = self._shown.setdefault((view["table"], view["epoch"]), {})
        key = (view["version"], panel.seated.seat)
        plain = _without_changing_parts(view)
        lost = self._lost.get((view["table"], view["epoch"]))
        if (
            lost
            and link
            and lost.shows_lost_events(view["version"], link.client.sent, link.process)
        ):
            shown = lost.views
        if shown.setdefault(key, plain) != plain:
            require(False, "two views of one version:", key, describe_difference(shown[key], plain))
        if lost and lost.views.get(key, plain) != plain and lost.is_noticed(self._database.hub.now):
            require(
                False, "two views of one version:", key, describe_difference(lost.views[key], plain)
            )

    def record_loss(self, knowing: Callable[[str, int], list[Machine]]) -> None:
        """Record that the database has lost its newest events.

        ``knowing(code, version)`` returns the machines that have read later versions of the table.
        """
        for (code, epoch), shown in self._shown.items():
            newest = self._get_newest_version(code)
            views = {key: shown.pop(key) for key in [*shown] if key[0] > newest}
            knew = knowing(code, newest)
            if views or knew:
                self._lost[code, epoch] = Lost(views, newest, knew, self._database.hub.now)

    # --- checks at the end ---------------------------------------------------------------

    def check_against_log(self) -> None:
        """Compare all recorded answers and views with the log."""
        for id, (code, answer) in self.answers.items():
            stored = self._database.query_sql(
                "SELECT answer FROM answers WHERE code = :code AND id = :id", code=code, id=id
            )
            if not answer["ok"]:
                # only the process that refused a command remembers the refusal
                is_sent_once = len(self.receivers[id]) == 1
                require(
                    not stored or not is_sent_once, "refused to its client, but it happened", id
                )
            elif not stored and id in self.may_change_nothing:
                continue
            elif id not in self._database.lost_commands:
                require(stored, "acknowledged, but lost:", answer, id)
                require(msgspec.json.decode(stored[0][0]) == answer, "two answers:", id)
        for code, content in self._database.query_sql(
            "SELECT code, content FROM tables JOIN variants ON variant = digest ORDER BY code"
        ):
            self._check_log(code, content)

    def replay_log(self, code: str) -> Projection:
        """Replay a table's log. Returns the resulting projection, which holds the table as it is
        after the last event."""
        ((content,),) = self._database.query_sql(
            "SELECT content FROM tables JOIN variants ON variant = digest WHERE code = :code",
            code=code,
        )
        journal = Projection(code, families.decode_variant(content.encode()))
        for at, body in self._read_events(code):
            journal.add(codec.event(journal.table.family, body), at)
        return journal

    def _read_events(self, code: str) -> Sequence[Any]:
        return self._database.query_sql(
            "SELECT at, body FROM events WHERE code = :code ORDER BY version", code=code
        )

    def _check_log(self, code: str, content: str) -> None:
        """Check the views that clients showed in the log's last epoch, and the times at which
        windows closed. A new epoch begins each time the database loses events."""
        own_epoch = self._database.query_sql(
            "SELECT value FROM meta WHERE key = 'epoch ' || :code", code=code
        )
        epoch = "world" + (own_epoch[0][0] if own_epoch else "")
        journal = Projection(code, families.decode_variant(content.encode()))
        wanted: dict[int, list[str]] = {}
        shown = self._shown.get((code, epoch), {})
        lost = self._lost.get((code, epoch))
        if lost and lost.is_noticed(self._database.hub.now):
            shown = {**lost.views, **shown}
        for version, seat in shown:
            wanted.setdefault(version, []).append(seat)
        for at, body in self._read_events(code):
            before = journal.table
            event = codec.event(journal.table.family, body)
            self._check_window(before, event, at)
            journal.add(event, at)
            seats = wanted.pop(journal.table.version, ())
            views = Views(journal, epoch, 0) if seats else None
            for seat in seats if views else ():
                plain = _without_changing_parts(msgspec.json.decode(views.view_of(seat or None)))
                view = shown[journal.table.version, seat]
                self.views += 1
                require(
                    view == plain,
                    "shown otherwise than the log has it:",
                    describe_difference(view, plain),
                )
        require(self._database.loss_count or not wanted, "shown, but not in the log:", wanted)

    def _check_window(self, before: Table, event: Event, at: int) -> None:
        if not isinstance(event, WindowClosed):
            return
        game = before.game
        require(game is not None, "a window closed without a game", before.code)
        self.windows += 1
        window = game.window
        if window is None:
            require(
                not could_nope(before, game.played.seat_of_top_card), "closed twice:", before.code
            )
            return
        passed = {*could_nope(before, game.played.seat_of_top_card)} <= {*window.passed}
        require(passed or at >= window.closes_at, "closed early:", before.code, before.version, at)

    def _get_newest_version(self, code: str) -> int:
        ((newest,),) = self._database.query_sql(
            "SELECT coalesce(max(version), 0) FROM events WHERE code = :code", code=code
        )
        return int(newest)


def _without_changing_parts(view: dict[str, Any]) -> dict[str, Any]:
    """Return a view without the parts that change independently of events."""
    window = view["window"] and {**view["window"], "left_ms": 0}
    you = view["you"] and {**view["you"], "may": 0}
    return {**view, "now": 0, "window": window, "you": you}


def describe_difference(actual: dict[str, Any], expected: dict[str, Any]) -> str:
    """Describe the differences between two views."""
    return "; ".join(
        f"{key}: {actual.get(key)!r}, not {expected.get(key)!r}"
        for key in sorted({*actual, *expected})
        if actual.get(key) != expected.get(key)
    )
