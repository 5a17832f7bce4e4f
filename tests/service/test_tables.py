"""Tests for the table service without a web server."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import msgspec
import pytest

from companion.rules.core.commands import TakeSeat
from companion.rules.grid.family import GRID
from companion.service import codec
from companion.service.errors import Answer, Denied, Fault
from companion.service.requests import KeyedRequest
from companion.service.table.presence import Viewer
from companion.service.tables import Seated, Tables
from companion.storage.database import Busy
from companion.storage.store import Store
from tests.support.own_variants import load_all_own
from tests.support.servers.server import wait_until


class Listeners:
    """Stands in for the connections of all clients. It records the messages instead of sending
    them."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, str, Any]] = []
        self.closed: list[str] = []
        self.trip_ms = 0

    def send(self, sid: str, event: str, payload: Any) -> None:
        self.sent.append((sid, event, payload))

    def close(self, sid: str) -> None:
        self.closed.append(sid)

    def round_trip(self, sid: str) -> int:
        return self.trip_ms

    def on_subscribed(self, code: str) -> None:
        pass

    def announce_replays(self) -> None:
        pass

    def views(self, sid: str) -> list[Any]:
        return [
            msgspec.json.decode(payload)
            for to, event, payload in list(self.sent)
            if (to, event) == (sid, "view")
        ]


class Seats:
    """Take and connect seats, and send their commands. A seat's id is also its connection's id."""

    def __init__(self, tables: Tables, listeners: Listeners) -> None:
        self.tables = tables
        self.listeners = listeners

    def take_seats(self, *names: str, **options: Any) -> list[Seated]:
        seated = [self.tables.create(KeyedRequest(), names[0], None, options)]
        seated += [
            self.tables.join(KeyedRequest(), seated[0].table, TakeSeat(name=name))
            for name in names[1:]
        ]
        for one in seated:
            self.enter(one)
        return seated

    def enter(self, seated: Seated) -> None:
        with self.tables.at(seated.table) as live:
            live.enter(Viewer(seated.seat, seated.seat, since=self.tables.clock.now()))

    def send_command(self, seated: Seated, type: str, **more: Any) -> Answer:
        content = {"id": str(uuid4()), "type": type, **more}
        with self.tables.at(seated.table) as live:
            command = codec.command(content, live.table.family)
            return live.answer_command(seated.seat, seated.seat, command)[0]

    def play_skip(self, seated: list[Seated]) -> int:
        """Begin a game in which the host plays a Skip. Return the id of its Nope window."""
        host = seated[0]
        self.send_command(host, "prepare")
        for one in seated:
            self.send_command(one, "ready", ready=True)
        self.send_command(host, "begin", first=host.seat)
        instructor = next(v for v in self.listeners.views(host.seat)[::-1])["turn"]["instructor"]
        self.send_command(host, "instruct", **{"as": instructor, "cell": [0, 0]})
        played = self.send_command(host, "play", card="skip")
        assert played.ok, played
        return played.version


class Service(Seats):
    """A table service with its own store."""

    def __init__(self, file: Path, awake: int = 200) -> None:
        self.store = Store(f"sqlite:///{file}")
        self.store.open()
        variants = load_all_own()
        super().__init__(Tables(self.store, variants, awake), Listeners())
        self.tables.open(self.listeners)

    def close(self) -> None:
        self.tables.close()
        self.store.close()


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    running = Service(tmp_path / "log.sqlite3")
    yield running
    running.close()


def test_no_event_is_sent_before_it_is_committed(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    seated = service.take_seats("Ana", "Ben")
    seen: list[int] = []
    write = service.store.write

    def watch(*changes: Any) -> None:
        before = len(service.listeners.sent)
        write(*changes)
        seen.append(len(service.listeners.sent) - before)

    monkeypatch.setattr(service.store, "write", watch)
    before = len(service.listeners.sent)
    assert service.send_command(seated[0], "prepare").ok
    assert seen == [0]
    assert len(service.listeners.sent) == before + 2


def test_a_command_that_cannot_be_stored_has_no_effect_and_can_be_repeated(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    seated = service.take_seats("Ana", "Ben")
    command = codec.command({"id": str(uuid4()), "type": "prepare"}, GRID)
    sent_before = len(service.listeners.sent)

    def fail(*_changes: Any) -> None:
        raise Busy("disk full")

    monkeypatch.setattr(service.store, "write", fail)
    with service.tables.at(seated[0].table) as live:
        answer, _ = live.answer_command(seated[0].seat, seated[0].seat, command)
    assert answer.error and answer.error.code == "busy"
    assert len(service.listeners.sent) == sent_before
    monkeypatch.undo()
    with service.tables.at(seated[0].table) as live:
        answer, again = live.answer_command(seated[0].seat, seated[0].seat, command)
    assert answer.ok and not again


def test_simultaneous_commands_at_one_table_get_consecutive_versions(service: Service) -> None:
    seated = service.take_seats("Ana", "Ben")
    answers: list[Answer] = []

    def rename(number: int) -> None:
        one = seated[number % 2]
        answers.append(service.send_command(one, "rename", name=f"{one.seat} {number}"))

    threads = [threading.Thread(target=rename, args=(number,)) for number in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    versions = sorted(answer.version for answer in answers)
    assert versions == list(range(versions[0], versions[0] + 40))
    shown = [view["version"] for view in service.listeners.views(seated[0].seat)]
    assert shown == sorted(shown) and len(set(shown[1:])) == len(shown[1:])


def test_of_two_simultaneous_nopes_one_counts_and_the_other_is_stale(service: Service) -> None:
    seated = service.take_seats("Ana", "Ben", "Cleo")
    window = service.play_skip(seated)
    answers: list[Answer] = []
    gate = threading.Barrier(2)

    def nope(one: Seated) -> None:
        gate.wait()
        answers.append(service.send_command(one, "nope", window=window))

    threads = [threading.Thread(target=nope, args=(one,)) for one in seated[1:]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    codes = sorted(answer.error.code if answer.error else "ok" for answer in answers)
    assert codes == ["ok", "stale"]


def test_replaying_the_log_gives_the_state(service: Service) -> None:
    seated = service.take_seats("Ana", "Ben")
    service.play_skip(seated)
    service.send_command(seated[1], "note", cell=[0, 1], card="skip")
    with service.tables.at(seated[0].table) as live:
        before = live.log.projection
        live.log.set_projection(None)
        assert live.ensure_loaded()
        after = live.log.projection
        assert after is not before
        assert after.table == before.table and after.lines.newest == before.lines.newest
        for seat in (seated[0].seat, seated[1].seat, None):
            assert [*after.lines.visible_to(seat)] == [*before.lines.visible_to(seat)]


def test_a_command_is_decided_again_after_a_peers_commit(service: Service, tmp_path: Path) -> None:
    seated = service.take_seats("Ana", "Ben")
    other = Service(tmp_path / "log.sqlite3")
    assert other.send_command(seated[0], "rename", name="Anabel").ok
    other.close()
    assert service.send_command(seated[0], "prepare").ok
    names = [seat["name"] for seat in service.listeners.views(seated[0].seat)[-1]["seats"]]
    assert names == ["Anabel", "Ben"]


def test_the_window_waits_for_a_slow_connection(service: Service) -> None:
    service.listeners.trip_ms = 5000
    seated = service.take_seats("Ana", "Ben", nope_seconds=3)
    window = service.play_skip(seated)
    closes_at = service.listeners.views(seated[0].seat)[-1]["window"]["closes_at"]
    while service.tables.clock.now() < closes_at + 150:
        time.sleep(0.01)
    assert service.send_command(seated[1], "nope", window=window).ok


def test_a_fast_connection_has_no_grace(service: Service) -> None:
    seated = service.take_seats("Ana", "Ben", nope_seconds=3)
    window = service.play_skip(seated)
    closes_at = service.listeners.views(seated[0].seat)[-1]["window"]["closes_at"]
    while service.tables.clock.now() < closes_at + 150:
        time.sleep(0.01)
    late = service.send_command(seated[1], "nope", window=window)
    assert late.error and late.error.code == "stale"


def test_unwatched_tables_are_unloaded_and_loaded_again_when_needed(tmp_path: Path) -> None:
    service = Service(tmp_path / "log.sqlite3", awake=3)
    kept = service.take_seats("Ana", "Ben")[0]
    others = [service.tables.create(KeyedRequest(), "Cleo", None, {}) for _ in range(6)]
    for one in others:
        assert service.tables.find_seat_by_token(one.table, one.token) == one.seat
    assert len(service.tables.live) <= 5
    assert service.send_command(kept, "prepare").ok
    assert service.tables.find_seat_by_token(others[0].table, others[0].token) == others[0].seat
    service.close()


def test_requests_for_unknown_codes_load_no_table(service: Service) -> None:
    for code in ("AAAAAA", "CCCCCC"):
        with pytest.raises(Fault, match="not_found"), service.tables.at(code):
            pass
    assert len(service.tables.live) == 0


def test_no_presence_is_sent_while_a_table_cannot_be_loaded(service: Service) -> None:
    """It may have become due before the table was evicted and requested again."""
    live = service.tables.live.get_or_create("KXQF7H")
    assert not live.log.loaded and not live.publisher.send_presence()


def test_a_host_who_is_away_long_enough_loses_the_role(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    seated = service.take_seats("Ana", "Ben")
    with service.tables.at(seated[0].table) as live:
        live.publisher.leave(seated[0].seat)
    early = service.send_command(seated[1], "claim_host")
    assert early.error and early.error.ruling == "host-is-gone"
    later = service.tables.clock.now() + 61_000
    monkeypatch.setattr(service.tables.clock, "now", lambda: later)
    assert service.send_command(seated[1], "claim_host").ok
    assert service.listeners.views(seated[1].seat)[-1]["host"] == seated[1].seat


def test_a_client_that_connects_during_a_short_absence_is_told_of_the_return(
    service: Service,
) -> None:
    seated = service.take_seats("Ana", "Ben")
    with service.tables.at(seated[0].table) as live:
        wait_until(lambda: service.tables.clock.now() > live.presence.next)
        # The first ``enter`` sends the presence at once. Presence is rate-limited, so it is sent
        # with a delay after the changes below.
        live.enter(Viewer("watcher", None))
        live.publisher.leave("watcher")
        live.publisher.leave(seated[1].seat)
        live.enter(Viewer("newcomer", None))
        live.enter(Viewer(seated[1].seat, seated[1].seat))

    def get_presence() -> Any:
        sent = list(service.listeners.sent)
        mine = [content for to, event, content in sent if (to, event) == ("newcomer", "presence")]
        return mine[-1]["seats"]

    wait_until(lambda: set(get_presence().values()) == {"here"})


def test_a_claim_keeps_its_seat_if_a_table_is_created_in_the_same_commit(service: Service) -> None:
    seated = service.take_seats("Ana", "Ben")[1]
    claim = service.tables.create_claim(KeyedRequest(), seated.table, seated.seat, seated.seat)
    moved: list[Seated] = []
    calls = (
        lambda: service.tables.create(KeyedRequest(), "Dan", None, {}),
        lambda: moved.append(service.tables.use_claim(KeyedRequest(), claim.claim)),
    )
    threads = [threading.Thread(target=call) for call in calls]
    with service.store._turn:  # both writes wait here, the new table's first
        for number, thread in enumerate(threads, 1):
            thread.start()
            wait_until(lambda number=number: len(service.store._writes) == number)
    for thread in threads:
        thread.join()
    assert service.tables.find_seat_by_token(seated.table, moved[0].token) == seated.seat
    with pytest.raises(Fault):
        service.tables.find_seat_by_token(seated.table, seated.token)


def test_a_claim_expires_after_fifteen_minutes(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    seated = service.take_seats("Ana", "Ben")
    claim = service.tables.create_claim(
        KeyedRequest(), seated[0].table, seated[1].seat, seated[1].seat
    )
    assert claim.expires_at == pytest.approx(service.tables.clock.now() + 900_000, abs=5_000)
    monkeypatch.setattr(service.tables.clock, "now", lambda: claim.expires_at + 1)
    with pytest.raises(Fault, match="not_found"):
        service.tables.use_claim(KeyedRequest(), claim.claim)
    monkeypatch.undo()
    assert service.tables.use_claim(KeyedRequest(), claim.claim).seat == seated[1].seat
    assert service.listeners.closed == [seated[1].seat]
    with pytest.raises(Fault, match="unauthenticated"):
        service.tables.find_seat_by_token(seated[1].table, seated[1].token)


def test_nobody_can_join_a_full_or_locked_table(service: Service) -> None:
    table = service.take_seats(*"abcdefghij")[0].table
    with pytest.raises(Denied) as full:
        service.tables.join(KeyedRequest(), table, TakeSeat(name="k"))
    assert full.value.error.ruling == "player-count"
    locked = service.take_seats("Ana", locked=True)[0].table
    with pytest.raises(Denied) as shut:
        service.tables.join(KeyedRequest(), locked, TakeSeat(name="Ben"))
    assert shut.value.error.ruling == "seats-in-the-lobby"


def test_106_a_view_requested_during_an_absence_is_corrected_on_the_return(
    service: Service,
) -> None:
    """The host requests a view while a seat is absent, before any client was notified of the
    absence. When the seat returns, the host must get a correction."""
    ana, ben = service.take_seats("Ana", "Ben")
    service.send_command(ana, "prepare")
    service.send_command(ben, "deck", kind="device", commit="0" * 64)
    for one in (ana, ben):
        service.send_command(one, "ready", ready=True)
    service.send_command(ana, "begin", first=ben.seat)
    now = service.tables.clock.now()
    with service.tables.at(ana.table) as live:
        live.enter(Viewer("panel", ana.seat, patches="keys", since=now))
    service.send_command(ana, "instruct", cell=[0, 0])
    draws = {"type": "draw", "as": ben.seat, "cell": [0, 0]}
    with service.tables.at(ana.table) as live:
        live.presence.leave(ben.seat)  # no client is notified yet
        shown = msgspec.json.decode(bytes(live.publisher.view_or_head(ana.seat, None)))
        assert draws in shown["you"]["may"]
        service.listeners.sent.clear()
        live.presence.enter(Viewer(ben.seat, ben.seat, since=now + 1))
        live.publisher.send_presence()
    assert service.send_command(ben, "draw", cell=[0, 0]).ok
    patches = [
        content
        for to, event, content in service.listeners.sent
        if (to, event) == ("panel", "patch")
    ]
    for patch in map(msgspec.json.decode, patches):
        shown["you"] |= patch.get("you", {}) | patch.get("keys", {}).get("you", {})
    with service.tables.at(ana.table) as live:
        fresh = msgspec.json.decode(bytes(live.publisher.view(ana.seat)))
    assert shown["you"]["may"] == fresh["you"]["may"]
