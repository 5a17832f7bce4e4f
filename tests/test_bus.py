"""Messages between processes that serve the same tables, over a Redis that comes and goes."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from redis.connection import Connection

import companion.adapters.redis as adapter
from companion.adapters.redis import MOST_WAITING, Bus
from companion.service.peers import PeerPresence, Peers, RemoteSeat, TableDeleted
from tests.fleet.engines import Redis
from tests.promises.proxy import Proxy
from tests.server import wait_until
from tests.timed import within

pytestmark = pytest.mark.redis


class Ears:
    """One process's end of the bus, and the messages it received."""

    def __init__(self, url: str, name: str = "log") -> None:
        self.bus = Bus(url)
        self.heard = list[tuple[str, bytes]]()
        self.followed = list[str]()
        heard = self.heard
        self.bus.start(name, lambda code, said: heard.append((code, said)), self.followed.append)


@contextmanager
def two(redis: Redis, *names: str) -> Iterator[tuple[Ears, Ears]]:
    here, there = (Ears(redis.url, name) for name in names or ("log", "log"))
    yield here, there
    here.bus.close()
    there.bus.close()


def arrives(here: Ears, there: Ears, code: str = "AAAAAA") -> bool:
    """Return True if a message arrives, which is so as soon as both ends are connected."""
    said = b"%d" % time.monotonic_ns()
    here.bus.publish(code, said)
    deadline = time.monotonic() + 1
    while time.monotonic() < deadline:
        if (code, said) in there.heard:
            return True
        time.sleep(0.01)
    return False


def test_messages_about_a_table_reach_its_subscribers_in_order(redis: Redis) -> None:
    with two(redis) as (here, there):
        there.bus.follow("AAAAAA")
        wait_until(lambda: arrives(here, there), 20)
        there.heard.clear()
        for number in range(500):
            here.bus.publish("AAAAAA", b"%d" % number)
            here.bus.publish("BBBBBB", b"not for them")
        wait_until(lambda: len(there.heard) >= 500, 20)
        assert there.heard == [("AAAAAA", b"%d" % number) for number in range(500)]
        there.bus.leave("AAAAAA")
        wait_until(lambda: not arrives(here, there), 20)


def test_a_peer_on_another_log_is_ignored(redis: Redis) -> None:
    with two(redis, "log", "another") as (here, there):
        here.bus.follow("AAAAAA")
        there.bus.follow("AAAAAA")
        wait_until(lambda: arrives(here, here) and arrives(there, there), 20)
        assert {said for _, said in here.heard}.isdisjoint(said for _, said in there.heard)


def test_a_redis_that_was_gone_is_heard_again_by_itself(redis: Redis) -> None:
    with two(redis) as (here, there):
        there.bus.follow("AAAAAA")
        wait_until(lambda: arrives(here, there), 20)
        redis.stop()
        wait_until(lambda: there.bus.hears_for() == 0, 20)
        there.followed.clear()
        redis.start()
        wait_until(lambda: "AAAAAA" in there.followed and arrives(here, there), 30)
        wait_until(lambda: there.bus.hears_for() > 0, 30)


def test_however_often_it_was_not_there_a_redis_is_heard_again(
    redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The library's pool makes a hundred connections and no more."""
    monkeypatch.setattr(adapter, "PAUSE", 0.001)
    with two(redis) as (here, there):
        there.bus.follow("AAAAAA")
        wait_until(lambda: arrives(here, there), 20)
        tried = [0]
        connect = Connection.connect

        def count_messages(line: Connection) -> None:
            tried[0] += 1
            connect(line)

        monkeypatch.setattr(Connection, "connect", count_messages)
        redis.stop()
        wait_until(lambda: tried[0] > 3000, 30)
        redis.start()
        wait_until(lambda: arrives(here, there), 30)


def test_a_silent_redis_is_noticed_and_blocks_nobody(redis: Redis) -> None:
    with two(redis) as (here, there):
        there.bus.follow("AAAAAA")
        wait_until(lambda: arrives(here, there), 20)
        with redis.silent():
            for _ in range(2 * MOST_WAITING):
                here.bus.publish("AAAAAA", b"lost")
            wait_until(lambda: there.bus.hears_for() == here.bus.hears_for() == 0, 30)
        wait_until(lambda: arrives(here, there), 30)


def test_dead_connections_are_replaced(redis: Redis) -> None:
    proxy = Proxy(redis.port)
    here = Ears(redis.url)
    there = Ears(f"redis://127.0.0.1:{proxy.port}/0")
    for one in (here, there):
        one.bus.follow("AAAAAA")
    wait_until(lambda: arrives(here, there) and arrives(there, here), 20)
    proxy.forget()
    wait_until(lambda: there.bus.hears_for() == 0, 20)
    wait_until(lambda: arrives(here, there) and arrives(there, here), 30)
    wait_until(lambda: there.bus.hears_for() > 0, 20)
    for one in (here, there):
        one.bus.close()
    proxy.close()


@pytest.mark.timed
def test_subscribing_does_not_wait_for_a_silent_redis(redis: Redis) -> None:
    with two(redis) as (here, there):
        there.bus.follow("AAAAAA")
        wait_until(lambda: arrives(here, there), 20)
        with redis.silent():
            wait_until(lambda: there.bus.hears_for() == 0, 30)
            for number in range(40):
                with within(0.1):
                    there.bus.follow(f"B{number:05}")
                time.sleep(0.1)
        wait_until(lambda: arrives(here, there, "B00039"), 30)


def fellows(redis: Redis) -> Peers:
    made = Peers(Bus(redis.url))
    made.start("log", lambda _code: None)
    return made


def heard_by(one: Peers, kind: Any, of: Callable[[Any], Any]) -> list[Any]:
    """Return the messages of this kind received so far; the list keeps growing."""
    heard: list[Any] = []
    one.on(kind, lambda code, message: heard.append((code, of(message))))
    return heard


def test_trouble_with_one_table_keeps_nobody_from_hearing_of_the_next(redis: Redis) -> None:
    here = Peers(Bus(redis.url))
    there = Peers(Bus(redis.url))
    followed = list[str]()
    heard = list[str]()

    def follow(code: str) -> None:
        followed.append(code)
        raise RuntimeError("on purpose")

    here.start("log", follow)
    there.start("log", lambda _code: None)
    here.on(TableDeleted, lambda code, _message: heard.append(code))

    def is_notified(code: str) -> bool:
        # A process that isn't connected yet notifies nobody.
        there.publish(code, TableDeleted(by=there.me))
        return code in heard

    for code in ("AAAAAA", "BBBBBB"):
        here.follow(code)
        wait_until(lambda code=code: code in followed, 20)
        wait_until(lambda code=code: is_notified(code), 20)
    here.close()
    there.close()


def test_a_process_ignores_its_own_and_malformed_messages(redis: Redis) -> None:
    here = fellows(redis)
    there = fellows(redis)
    heard = heard_by(there, PeerPresence, lambda one: one.seats)
    own = heard_by(here, PeerPresence, bool)
    for one in (here, there):
        one.follow("AAAAAA")

    def is_notified() -> bool:
        here.publish(
            "AAAAAA", PeerPresence(by=here.me, seats={"s1": RemoteSeat(5, 40)}, watching=0)
        )
        return bool(heard)

    wait_until(is_notified, 20)
    assert heard[0] == ("AAAAAA", {"s1": RemoteSeat(5, 40)}) and not own
    stranger = Ears(redis.url)
    for nonsense in (
        b"",
        b"{",
        b"[]",
        b'{"what":"later","by":"x"}',
        b'{"what":"there","by":"x"}',
        b"\xff",
    ):
        stranger.bus.publish("AAAAAA", nonsense)
    gone = heard_by(there, TableDeleted, lambda one: one.by)

    def over() -> bool:
        here.publish("AAAAAA", TableDeleted(by=here.me))
        return bool(gone)

    wait_until(over, 20)
    assert all(seats == {"s1": RemoteSeat(5, 40)} for _, seats in heard)
    stranger.bus.close()
    here.close()
    there.close()
