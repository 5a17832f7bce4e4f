"""The table service without a wire: order, once-only, what is shown when, and what is forgotten."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import msgspec
import pytest

from companion.rules import families
from companion.rules.core.commands import TakeSeat
from companion.rules.grid.family import GRID
from companion.service import codec
from companion.service.errors import Answer, Denied, Fault
from companion.service.requests import KeyedRequest
from companion.service.table.presence import Viewer
from companion.service.tables import Seated, Tables
from companion.settings import default_variants
from companion.storage.database import Busy
from companion.storage.store import Store
from tests.support.servers.server import wait_until


class Listeners:
    """An audience that writes down what it is to send."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, str, Any]] = []
        self.closed: list[str] = []
        self.trip_ms = 0

    def send(self, sid: str, event: str, payload: Any) -> None:
        self.heard.append((sid, event, payload))

    def close(self, sid: str) -> None:
        self.closed.append(sid)

    def round_trip(self, sid: str) -> int:
        return self.trip_ms

    def on_subscribed(self, code: str) -> None:
        pass

    def introduce(self) -> None:
        pass

    def views(self, sid: str) -> list[Any]:
        return [
            msgspec.json.decode(payload)
            for to, event, payload in list(self.heard)
            if (to, event) == (sid, "view")
        ]


class Seats:
    """Some seats at a table, each connected as its own seat's id."""

    def __init__(self, tables: Tables, listeners: Listeners) -> None:
        self.tables = tables
        self.listeners = listeners

    def seat(self, *names: str, **options: Any) -> list[Seated]:
        made = [self.tables.create(KeyedRequest(), names[0], None, options)]
        made += [
            self.tables.join(KeyedRequest(), made[0].table, TakeSeat(name=name))
            for name in names[1:]
        ]
        for one in made:
            self.enter(one)
        return made

    def enter(self, seated: Seated) -> None:
        with self.tables.at(seated.table) as live:
            live.enter(Viewer(seated.seat, seated.seat, since=self.tables.clock.now()))

    def say(self, seated: Seated, type: str, **more: Any) -> Answer:
        content = {"id": str(uuid4()), "type": type, **more}
        with self.tables.at(seated.table) as live:
            said = codec.command(content, live.table.family)
            return live.answer_command(seated.seat, seated.seat, said)[0]

    def play(self, made: list[Seated]) -> int:
        """From the lobby to a Skip of the host's; gives its window."""
        host = made[0]
        self.say(host, "prepare")
        for one in made:
            self.say(one, "ready", ready=True)
        self.say(host, "begin", first=host.seat)
        teller = next(v for v in self.listeners.views(host.seat)[::-1])["turn"]["instructor"]
        self.say(host, "instruct", **{"as": teller, "cell": [0, 0]})
        played = self.say(host, "play", card="skip")
        assert played.ok, played
        return played.version


class Service(Seats):
    """Tables on a store, with some seats at one of them."""

    def __init__(self, file: Path, awake: int = 200) -> None:
        self.store = Store(f"sqlite:///{file}")
        self.store.open()
        variants = families.load_all(default_variants())
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


def test_nothing_is_shown_or_answered_before_it_is_committed(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = service.seat("Ana", "Ben")
    seen: list[int] = []
    write = service.store.write

    def watch(*changes: Any) -> None:
        before = len(service.listeners.heard)
        write(*changes)
        seen.append(len(service.listeners.heard) - before)

    monkeypatch.setattr(service.store, "write", watch)
    before = len(service.listeners.heard)
    assert service.say(made[0], "prepare").ok
    assert seen == [0]
    assert len(service.listeners.heard) == before + 2


def test_an_event_that_the_store_refuses_has_not_happened(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = service.seat("Ana", "Ben")
    said = codec.command({"id": str(uuid4()), "type": "prepare"}, GRID)
    heard = len(service.listeners.heard)

    def full(*_changes: Any) -> None:
        raise Busy("disk full")

    monkeypatch.setattr(service.store, "write", full)
    with service.tables.at(made[0].table) as live:
        answer, _ = live.answer_command(made[0].seat, made[0].seat, said)
    assert answer.error and answer.error.code == "busy"
    assert len(service.listeners.heard) == heard
    monkeypatch.undo()
    with service.tables.at(made[0].table) as live:
        answer, again = live.answer_command(made[0].seat, made[0].seat, said)
    assert answer.ok and not again


def test_commands_at_one_table_happen_one_after_the_other(service: Service) -> None:
    made = service.seat("Ana", "Ben")
    answers: list[Answer] = []

    def rename(number: int) -> None:
        one = made[number % 2]
        answers.append(service.say(one, "rename", name=f"{one.seat} {number}"))

    threads = [threading.Thread(target=rename, args=(number,)) for number in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    versions = sorted(answer.version for answer in answers)
    assert versions == list(range(versions[0], versions[0] + 40))
    shown = [view["version"] for view in service.listeners.views(made[0].seat)]
    assert shown == sorted(shown) and len(set(shown[1:])) == len(shown[1:])


def test_of_two_nopes_at_once_one_wins_and_the_other_is_stale(service: Service) -> None:
    made = service.seat("Ana", "Ben", "Cleo")
    window = service.play(made)
    answers: list[Answer] = []
    gate = threading.Barrier(2)

    def nope(one: Seated) -> None:
        gate.wait()
        answers.append(service.say(one, "nope", window=window))

    threads = [threading.Thread(target=nope, args=(one,)) for one in made[1:]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    codes = sorted(answer.error.code if answer.error else "ok" for answer in answers)
    assert codes == ["ok", "stale"]


def test_replaying_the_log_gives_the_state(service: Service) -> None:
    made = service.seat("Ana", "Ben")
    service.play(made)
    service.say(made[1], "note", cell=[0, 1], card="skip")
    with service.tables.at(made[0].table) as live:
        before = live.log.projection
        live.log.use(None)
        assert live.ensure_loaded()
        after = live.log.projection
        assert after is not before
        assert after.table == before.table and after.lines.newest == before.lines.newest
        for seat in (made[0].seat, made[1].seat, None):
            assert [*after.lines.visible_to(seat)] == [*before.lines.visible_to(seat)]


def test_a_command_is_decided_again_after_a_peers_commit(service: Service, tmp_path: Path) -> None:
    made = service.seat("Ana", "Ben")
    other = Service(tmp_path / "log.sqlite3")
    assert other.say(made[0], "rename", name="Anabel").ok
    other.close()
    assert service.say(made[0], "prepare").ok
    names = [seat["name"] for seat in service.listeners.views(made[0].seat)[-1]["seats"]]
    assert names == ["Anabel", "Ben"]


def test_the_window_waits_for_a_slow_connection_but_not_longer(service: Service) -> None:
    service.listeners.trip_ms = 5000
    made = service.seat("Ana", "Ben", nope_seconds=3)
    window = service.play(made)
    closes_at = service.listeners.views(made[0].seat)[-1]["window"]["closes_at"]
    while service.tables.clock.now() < closes_at + 150:
        time.sleep(0.01)
    assert service.say(made[1], "nope", window=window).ok


def test_a_fast_connection_has_no_grace(service: Service) -> None:
    made = service.seat("Ana", "Ben", nope_seconds=3)
    window = service.play(made)
    closes_at = service.listeners.views(made[0].seat)[-1]["window"]["closes_at"]
    while service.tables.clock.now() < closes_at + 150:
        time.sleep(0.01)
    late = service.say(made[1], "nope", window=window)
    assert late.error and late.error.code == "stale"


def test_tables_that_nobody_watches_are_forgotten_and_found_again(tmp_path: Path) -> None:
    service = Service(tmp_path / "log.sqlite3", awake=3)
    kept = service.seat("Ana", "Ben")[0]
    others = [service.tables.create(KeyedRequest(), "Cleo", None, {}) for _ in range(6)]
    for one in others:
        assert service.tables.find_seat_by_token(one.table, one.token) == one.seat
    assert len(service.tables.live) <= 5
    assert service.say(kept, "prepare").ok
    assert service.tables.find_seat_by_token(others[0].table, others[0].token) == others[0].seat
    service.close()


def test_unknown_codes_leave_nothing_behind(service: Service) -> None:
    for code in ("AAAAAA", "CCCCCC"):
        with pytest.raises(Fault, match="not_found"), service.tables.at(code):
            pass
    assert len(service.tables.live) == 0


def test_a_host_who_is_away_long_enough_loses_the_role(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = service.seat("Ana", "Ben")
    with service.tables.at(made[0].table) as live:
        live.publisher.leave(made[0].seat)
    early = service.say(made[1], "claim_host")
    assert early.error and early.error.ruling == "host-is-gone"
    later = service.tables.clock.now() + 61_000
    monkeypatch.setattr(service.tables.clock, "now", lambda: later)
    assert service.say(made[1], "claim_host").ok
    assert service.listeners.views(made[1].seat)[-1]["host"] == made[1].seat


def test_a_newcomer_during_a_short_absence_learns_that_all_are_back(
    service: Service,
) -> None:
    made = service.seat("Ana", "Ben")
    with service.tables.at(made[0].table) as live:
        wait_until(lambda: service.tables.clock.now() > live.presence.next)
        live.enter(
            Viewer("watches", None)
        )  # all are notified, so nobody is notified again for a moment
        live.publisher.leave("watches")
        live.publisher.leave(made[1].seat)
        live.enter(Viewer("comes again", None))
        live.enter(Viewer(made[1].seat, made[1].seat))

    def notify_presence() -> Any:
        heard = list(service.listeners.heard)
        mine = [what for to, event, what in heard if (to, event) == ("comes again", "presence")]
        return mine[-1]["seats"]

    wait_until(lambda: set(notify_presence().values()) == {"here"})


def test_a_claim_is_good_for_a_quarter_of_an_hour(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = service.seat("Ana", "Ben")
    claim = service.tables.create_claim(KeyedRequest(), made[0].table, made[1].seat, made[1].seat)
    assert claim.expires_at == pytest.approx(service.tables.clock.now() + 900_000, abs=5_000)
    monkeypatch.setattr(service.tables.clock, "now", lambda: claim.expires_at + 1)
    with pytest.raises(Fault, match="not_found"):
        service.tables.use_claim(KeyedRequest(), claim.claim)
    monkeypatch.undo()
    assert service.tables.use_claim(KeyedRequest(), claim.claim).seat == made[1].seat
    assert service.listeners.closed == [made[1].seat]
    with pytest.raises(Fault, match="unauthenticated"):
        service.tables.find_seat_by_token(made[1].table, made[1].token)


def test_a_full_or_locked_table_takes_nobody(service: Service) -> None:
    table = service.seat(*"abcdefghij")[0].table
    with pytest.raises(Denied) as full:
        service.tables.join(KeyedRequest(), table, TakeSeat(name="k"))
    assert full.value.error.ruling == "player-count"
    locked = service.seat("Ana", locked=True)[0].table
    with pytest.raises(Denied) as shut:
        service.tables.join(KeyedRequest(), locked, TakeSeat(name="Ben"))
    assert shut.value.error.ruling == "seats-in-the-lobby"


def test_106_a_view_requested_during_an_absence_is_followed_by_the_return(
    service: Service,
) -> None:
    """A patch contains the changes since the whole view that a host had requested in between."""
    ana, ben = service.seat("Ana", "Ben")
    service.say(ana, "prepare")
    service.say(ben, "deck", kind="device", commit="0" * 64)
    for one in (ana, ben):
        service.say(one, "ready", ready=True)
    service.say(ana, "begin", first=ben.seat)
    now = service.tables.clock.now()
    with service.tables.at(ana.table) as live:
        live.enter(Viewer("panel", ana.seat, patches="keys", since=now))
    service.say(ana, "instruct", cell=[0, 0])
    draws = {"type": "draw", "as": ben.seat, "cell": [0, 0]}
    with service.tables.at(ana.table) as live:
        live.presence.leave(ben.seat)  # nobody was notified yet
        shown = msgspec.json.decode(bytes(live.publisher.view_or_head(ana.seat, None)))
        assert draws in shown["you"]["may"]
        service.listeners.heard.clear()
        live.presence.enter(Viewer(ben.seat, ben.seat, since=now + 1))
        live.publisher.send_presence()
    assert service.say(ben, "draw", cell=[0, 0]).ok
    told = [
        what for to, event, what in service.listeners.heard if (to, event) == ("panel", "patch")
    ]
    for patch in map(msgspec.json.decode, told):
        shown["you"] |= patch.get("you", {}) | patch.get("keys", {}).get("you", {})
    with service.tables.at(ana.table) as live:
        fresh = msgspec.json.decode(bytes(live.publisher.view(ana.seat)))
    assert shown["you"]["may"] == fresh["you"]["may"]
