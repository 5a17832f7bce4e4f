"""Redis as the bus: what is said is published, and heard by whoever subscribed. Nothing is kept.
One thread speaks and one listens, each with a connection of its own; the listener alone touches its
subscriptions, and wakes to do so when it hears the beat of a third."""

import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from secrets import token_hex
from typing import Any
from urllib.parse import urlsplit

from redis import AuthenticationError, ConnectionError, Redis, RedisError, TimeoutError
from redis.backoff import NoBackoff
from redis.retry import Retry

BEAT_SECONDS = 1.0  # how often it says something to itself, to know whether it hears
DEAF_SECONDS = 3.0  # who has not heard its own voice for so long is deaf, and connects anew
TIMEOUT = 2.0
PAUSE = 0.3  # seconds between two attempts to connect
MOST_WAITING = 10_000  # so many messages wait at most; the oldest are lost
TROUBLE = (RedisError, OSError)

UNREADABLE = (
    "its address can't be read: write it as redis://name:password@host:port/0, with @, / and :"
    " in a password as %40, %2F and %3A"
)
PUBLISH = b"*3\r\n$7\r\nPUBLISH\r\n$%d\r\n%b\r\n$%d\r\n%b\r\n"  # a message, as Redis reads it

Heard = Callable[[str, bytes], None]


class Unusable(Exception):
    """Why there is no bus at an address, as the end of a sentence; without a password."""


def check(url: str) -> None:
    """Returns once the Redis at this URL has answered; raises ``Unusable``."""
    where = _place(url)
    try:
        with connect(url) as asked:
            asked.ping()
    except AuthenticationError as error:
        raise Unusable(f"{where} wants another name or password") from error
    except TimeoutError as error:
        raise Unusable(f"{where} says nothing") from error
    except ConnectionError as error:
        # What the system says, without the library's words around it.
        why = getattr(error.__cause__ or error.__context__, "strerror", None)
        why = why or "the connection was closed"
        raise Unusable(f"nobody answers at {where} as Redis does ({why})") from error
    except RedisError as error:
        raise Unusable(f"{where} says: {error}") from error
    except (TypeError, ValueError) as error:  # an option in it that there is none of
        raise Unusable(UNREADABLE) from error


def _place(url: str) -> str:
    try:
        parts = urlsplit(url)
        host = parts.hostname
        port = parts.port
    except ValueError as error:
        raise Unusable(UNREADABLE) from error
    if parts.scheme not in ("redis", "rediss"):
        raise Unusable("its address has to begin with redis:// or, over TLS, with rediss://")
    # What follows an unquoted @, / or ? of a password would be told as the host.
    told = parts.netloc.rpartition("@")[0] + parts.path + parts.query + parts.fragment
    if not host or "@" in told:
        raise Unusable(UNREADABLE)
    return f"{host}:{port or 6379}"


def connect(url: str) -> Any:
    """A client of the Redis at this URL, which connects when it is used and tries once."""
    return Redis.from_url(
        url, socket_timeout=TIMEOUT, socket_connect_timeout=TIMEOUT, retry=Retry(NoBackoff(), 0),
        protocol=2,  # a message is read in four fifths of the time
    )  # fmt: skip


class Bus:
    """Publishes and subscribes; see ``companion.service.peers``."""

    def __init__(self, url: str) -> None:
        self.lag = 0.0
        self._redis = connect(url)
        self._name = ""
        self._own = f"beat {token_hex(6)}"
        self._followed: Counter[str] = Counter()
        self._outbox: deque[bytes] = deque(maxlen=MOST_WAITING)
        self._bell = threading.Lock()  # an Event costs five times as much
        self._bell.acquire()
        self._closed = self._stale = False
        self._hears_since: float | None = None
        self._threads = [
            threading.Thread(target=run, name=f"bus {run.__name__}", daemon=True)
            for run in (self._send, self._receive_loop, self._live)
        ]

    def start(self, name: str, heard: Heard, followed: Callable[[str], None]) -> None:
        self._name = name
        self._heard = heard
        self._followed_now = followed
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        self._closed = True
        self._ring()
        self._threads[0].join(TIMEOUT)

    def follow(self, code: str) -> None:
        self._followed[code] += 1
        if self._followed[code] == 1:
            self._beat()

    def leave(self, code: str) -> None:
        self._followed[code] -= 1
        if self._followed[code] <= 0:
            del self._followed[code]

    def hears_for(self) -> float:
        """Seconds since when it hears; 0: it doesn't."""
        since = self._hears_since
        return 0.0 if since is None else time.monotonic() - since

    def _channel(self, code: str) -> str:
        return f"companion:{self._name}:{code}"

    def _live(self) -> None:
        while not self._closed:
            self._beat()
            time.sleep(BEAT_SECONDS)

    def _beat(self) -> None:
        self.publish(self._own, b"%d" % time.monotonic_ns())

    def publish(self, code: str, message: bytes) -> None:
        """Publishes it when the speaker gets to it; never waits."""
        name = self._channel(code).encode()
        self._outbox.append(PUBLISH % (len(name), name, len(message), message))
        self._ring()

    def _ring(self) -> None:
        if self._bell.locked():
            with suppress(RuntimeError):  # somebody else rang just now
                self._bell.release()

    def _send(self) -> None:
        line = self._redis.connection_pool.make_connection()  # it makes a hundred, and no more
        while not self._closed:
            with suppress(*TROUBLE):  # what can't be said is lost; the log knows
                self._send_loop(line)
            if not self._closed:
                time.sleep(PAUSE)

    def _send_loop(self, line: Any) -> None:
        """Sends what waits, as long as it can: nobody answers, so nothing is waited for."""
        try:
            line.connect()
            line.send_command("CLIENT", "REPLY", "OFF")
            self._outbox.clear()  # what nobody heard in time is nothing new any more
            self._stale = False
            while self._outbox or not (self._closed or self._stale):
                if said := [self._outbox.popleft() for _ in range(len(self._outbox))]:
                    line.send_packed_command(said, check_health=False)
                self._bell.acquire()
        finally:
            line.disconnect()

    def _receive_loop(self) -> None:
        while not self._closed:
            with suppress(*TROUBLE), self._redis.pubsub() as ears:
                self._listen_with(ears)
            self._hears_since = None
            # Whoever speaks is told nothing: that connection may be the dead one.
            self._stale = True
            self._ring()
            time.sleep(PAUSE)

    def _listen_with(self, ears: Any) -> None:
        subscribed: set[str] = set()
        ears.subscribe(self._channel(self._own))
        alive = time.monotonic()
        while not self._closed and time.monotonic() < alive + DEAF_SECONDS:
            self._update_subscriptions(ears, subscribed)
            message = ears.get_message(timeout=BEAT_SECONDS)
            if message is None:
                continue
            kind = message["type"]
            code = message["channel"].decode().rpartition(":")[2]
            if code == self._own and kind == "message":
                alive = time.monotonic()
                self.lag = (time.monotonic_ns() - int(message["data"])) / 1e9
                if self._hears_since is None and not self._followed.keys() - subscribed:
                    self._hears_since = alive
            elif kind == "message":
                self._heard(code, message["data"])
            elif kind == "subscribe" and code != self._own:
                self._followed_now(code)

    def _update_subscriptions(self, ears: Any, subscribed: set[str]) -> None:
        if new := self._followed.keys() - subscribed:
            ears.subscribe(*(self._channel(code) for code in new))
            subscribed |= new
        if old := subscribed - self._followed.keys():
            ears.unsubscribe(*(self._channel(code) for code in old))
            subscribed -= old
