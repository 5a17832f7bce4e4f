"""Tests for messages between processes over Redis, also while Redis is unavailable."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from redis.connection import Connection

import companion.service.peers.redis as adapter
from companion.service.peers.messages import PeerPresence, Peers, RemoteSeat, TableDeleted
from companion.service.peers.redis import MOST_WAITING, Bus
from tests.guarantees.proxy import Proxy
from tests.support.servers.engines import Redis
from tests.support.servers.server import wait_until
from tests.support.timed import limit_seconds

pytestmark = pytest.mark.redis


class Listener:
    """A bus that records the messages it receives."""

    def __init__(self, url: str, name: str = "log") -> None:
        self.bus = Bus(url)
        self.received = list[tuple[str, bytes]]()
        self.followed = list[str]()
        received = self.received
        self.bus.start(
            name, lambda code, message: received.append((code, message)), self.followed.append
        )


@contextmanager
def open_two_buses(redis: Redis, *names: str) -> Iterator[tuple[Listener, Listener]]:
    here, there = (Listener(redis.url, name) for name in names or ("log", "log"))
    yield here, there
    here.bus.close()
    there.bus.close()


def message_arrives(here: Listener, there: Listener, code: str = "AAAAAA") -> bool:
    """Send a message and return True if it arrives within a second."""
    message = b"%d" % time.monotonic_ns()
    here.bus.publish(code, message)
    deadline = time.monotonic() + 1
    while time.monotonic() < deadline:
        if (code, message) in there.received:
            return True
        time.sleep(0.01)
    return False


def test_messages_about_a_table_reach_its_subscribers_in_order(redis: Redis) -> None:
    with open_two_buses(redis) as (here, there):
        there.bus.follow("AAAAAA")
        wait_until(lambda: message_arrives(here, there))
        there.received.clear()
        for number in range(500):
            here.bus.publish("AAAAAA", b"%d" % number)
            here.bus.publish("BBBBBB", b"not for them")
        wait_until(lambda: len(there.received) >= 500)
        assert there.received == [("AAAAAA", b"%d" % number) for number in range(500)]
        there.bus.leave("AAAAAA")
        wait_until(lambda: not message_arrives(here, there))


def test_a_peer_on_another_log_is_ignored(redis: Redis) -> None:
    with open_two_buses(redis, "log", "another") as (here, there):
        here.bus.follow("AAAAAA")
        there.bus.follow("AAAAAA")
        wait_until(lambda: message_arrives(here, here) and message_arrives(there, there))
        assert {message for _, message in here.received}.isdisjoint(
            message for _, message in there.received
        )


def test_the_bus_reconnects_when_redis_returns(redis: Redis) -> None:
    with open_two_buses(redis) as (here, there):
        there.bus.follow("AAAAAA")
        wait_until(lambda: message_arrives(here, there))
        redis.stop()
        wait_until(lambda: there.bus.seconds_connected() == 0)
        there.followed.clear()
        redis.start()
        wait_until(lambda: "AAAAAA" in there.followed and message_arrives(here, there), 30)
        wait_until(lambda: there.bus.seconds_connected() > 0, 30)


def test_the_bus_reconnects_after_thousands_of_failed_attempts(
    redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The library's own connection pool gives up after a hundred connections."""
    monkeypatch.setattr(adapter, "PAUSE", 0.001)
    with open_two_buses(redis) as (here, there):
        there.bus.follow("AAAAAA")
        wait_until(lambda: message_arrives(here, there))
        attempts = [0]
        connect = Connection.connect

        def count_and_connect(connection: Connection) -> None:
            attempts[0] += 1
            connect(connection)

        monkeypatch.setattr(Connection, "connect", count_and_connect)
        redis.stop()
        wait_until(lambda: attempts[0] > 3000, 30)
        redis.start()
        wait_until(lambda: message_arrives(here, there), 30)


def test_a_silent_redis_is_noticed_and_blocks_nobody(redis: Redis) -> None:
    with open_two_buses(redis) as (here, there):
        there.bus.follow("AAAAAA")
        wait_until(lambda: message_arrives(here, there))
        with redis.pause():
            for _ in range(2 * MOST_WAITING):
                here.bus.publish("AAAAAA", b"lost")
            wait_until(
                lambda: there.bus.seconds_connected() == here.bus.seconds_connected() == 0, 30
            )
        wait_until(lambda: message_arrives(here, there), 30)


def test_a_bus_that_is_closed_has_no_thread_left(redis: Redis) -> None:
    """A thread that still sleeps would wake up in a later test, which may use another clock."""
    others = {*threading.enumerate()}
    with open_two_buses(redis) as (here, there):
        there.bus.follow("AAAAAA")
        wait_until(lambda: message_arrives(here, there))
        here.bus.publish("AAAAAA", b"the last word")
        here.bus.close()
        wait_until(lambda: ("AAAAAA", b"the last word") in there.received)
    assert {*threading.enumerate()} <= others


def test_closing_a_bus_waits_for_a_silent_redis_no_longer_than_its_timeout(redis: Redis) -> None:
    here = Listener(redis.url)
    wait_until(lambda: here.bus.seconds_connected() > 0)
    with redis.pause(), limit_seconds(adapter.TIMEOUT + 1):
        here.bus.close()


def test_dead_connections_are_replaced(redis: Redis) -> None:
    proxy = Proxy(redis.port)
    here = Listener(redis.url)
    there = Listener(f"redis://127.0.0.1:{proxy.port}/0")
    for listener in (here, there):
        listener.bus.follow("AAAAAA")
    wait_until(lambda: message_arrives(here, there) and message_arrives(there, here))
    proxy.forget()
    wait_until(lambda: there.bus.seconds_connected() == 0)
    wait_until(lambda: message_arrives(here, there) and message_arrives(there, here), 30)
    wait_until(lambda: there.bus.seconds_connected() > 0)
    for listener in (here, there):
        listener.bus.close()
    proxy.close()


@pytest.mark.timed
def test_subscribing_does_not_wait_for_a_silent_redis(redis: Redis) -> None:
    with open_two_buses(redis) as (here, there):
        there.bus.follow("AAAAAA")
        wait_until(lambda: message_arrives(here, there))
        with redis.pause():
            wait_until(lambda: there.bus.seconds_connected() == 0, 30)
            for number in range(40):
                with limit_seconds(0.1):
                    there.bus.follow(f"B{number:05}")
                time.sleep(0.1)
        wait_until(lambda: message_arrives(here, there, "B00039"), 30)


def start_peers(redis: Redis) -> Peers:
    peers = Peers(Bus(redis.url))
    peers.start("log", lambda _code: None)
    return peers


def collect_messages(peers: Peers, kind: Any, read_message: Callable[[Any], Any]) -> list[Any]:
    """Return a list to which each received message of this kind is added."""
    received: list[Any] = []
    peers.on(kind, lambda code, message: received.append((code, read_message(message))))
    return received


def test_an_error_at_one_table_does_not_stop_the_messages_about_the_next(redis: Redis) -> None:
    here = Peers(Bus(redis.url))
    there = Peers(Bus(redis.url))
    followed = list[str]()
    received = list[str]()

    def follow_and_fail(code: str) -> None:
        followed.append(code)
        raise RuntimeError("on purpose")

    here.start("log", follow_and_fail)
    there.start("log", lambda _code: None)
    here.on(TableDeleted, lambda code, _message: received.append(code))

    def delete_and_check(code: str) -> bool:
        # Messages are lost until both processes are connected, so send the message again and again.
        there.publish(code, TableDeleted(by=there.me))
        return code in received

    for code in ("AAAAAA", "BBBBBB"):
        here.follow(code)
        wait_until(lambda code=code: code in followed)
        wait_until(lambda code=code: delete_and_check(code))
    here.close()
    there.close()


def test_a_process_ignores_its_own_and_malformed_messages(redis: Redis) -> None:
    here = start_peers(redis)
    there = start_peers(redis)
    received = collect_messages(there, PeerPresence, lambda peer: peer.seats)
    echoes = collect_messages(here, PeerPresence, bool)
    for peer in (here, there):
        peer.follow("AAAAAA")

    def publish_presence() -> bool:
        here.publish(
            "AAAAAA", PeerPresence(by=here.me, seats={"s1": RemoteSeat(5, 40)}, watching=0)
        )
        return bool(received)

    wait_until(publish_presence)
    assert received[0] == ("AAAAAA", {"s1": RemoteSeat(5, 40)}) and not echoes
    stranger = Listener(redis.url)
    for nonsense in (
        b"",
        b"{",
        b"[]",
        b'{"what":"later","by":"x"}',
        b'{"what":"there","by":"x"}',
        b"\xff",
    ):
        stranger.bus.publish("AAAAAA", nonsense)
    deletions = collect_messages(there, TableDeleted, lambda peer: peer.by)

    def publish_deletion() -> bool:
        here.publish("AAAAAA", TableDeleted(by=here.me))
        return bool(deletions)

    wait_until(publish_deletion)
    assert all(seats == {"s1": RemoteSeat(5, 40)} for _, seats in received)
    stranger.bus.close()
    here.close()
    there.close()
