"""Redis as the message bus between processes: publish and subscribe, without storing anything.

The bus has three threads. The sender publishes the messages in the outbox. The receiver gets the
messages of the tables that this process follows; only this thread changes its subscriptions. The
third thread publishes a *heartbeat* every second, on a channel to which only this process
subscribes. A heartbeat wakes the receiver, which then updates its subscriptions. If no heartbeat
arrives for some seconds, the connections are dead even if the network reports no error, and they
are replaced.
"""

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

HEARTBEAT_SECONDS = 1.0  # seconds between two heartbeats
DEAF_SECONDS = 3.0  # after this time without a heartbeat, the receiver connects again
TIMEOUT = 2.0  # seconds to connect, and to wait for an answer
PAUSE = 0.3  # seconds between two attempts to connect
MOST_WAITING = 10_000  # maximum number of messages in the outbox; the oldest are dropped
TROUBLE = (RedisError, OSError)

UNREADABLE = (
    "its address can't be read: write it as redis://name:password@host:port/0, with @, / and :"
    " in a password as %40, %2F and %3A"
)
PUBLISH = b"*3\r\n$7\r\nPUBLISH\r\n$%d\r\n%b\r\n$%d\r\n%b\r\n"  # the command in Redis' protocol

MessageHandler = Callable[[str, bytes], None]
"""Called with a table's code and a message."""


class Unusable(Exception):
    """Raised if there is no usable Redis at a URL. The message contains no password."""


def wait_for_redis(url: str) -> None:
    """Wait until Redis answers at this URL. Raise ``Unusable`` if Redis doesn't answer."""
    where = _host_and_port(url)
    try:
        with connect(url) as client:
            client.ping()
    except AuthenticationError as error:
        raise Unusable(f"{where} wants another name or password") from error
    except TimeoutError as error:
        raise Unusable(f"{where} says nothing") from error
    except ConnectionError as error:
        # Use the operating system's reason, without the library's text around it.
        why = getattr(error.__cause__ or error.__context__, "strerror", None)
        why = why or "the connection was closed"
        raise Unusable(f"nobody answers at {where} as Redis does ({why})") from error
    except RedisError as error:
        raise Unusable(f"{where} says: {error}") from error
    except (TypeError, ValueError) as error:  # the URL has an option that the library doesn't know
        raise Unusable(UNREADABLE) from error


def _host_and_port(url: str) -> str:
    """Return the host and port of a URL. Raise ``Unusable`` if it isn't a valid URL for Redis."""
    try:
        parts = urlsplit(url)
        host = parts.hostname
        port = parts.port
    except ValueError as error:
        raise Unusable(UNREADABLE) from error
    if parts.scheme not in ("redis", "rediss"):
        raise Unusable("its address has to begin with redis:// or, over TLS, with rediss://")
    # If a password has an unquoted @, / or ?, the end of the password would be shown as the host.
    rest = parts.netloc.rpartition("@")[0] + parts.path + parts.query + parts.fragment
    if not host or "@" in rest:
        raise Unusable(UNREADABLE)
    return f"{host}:{port or 6379}"


def connect(url: str) -> Any:
    """Return a client for this URL. It connects when it is first used, and doesn't retry."""
    return Redis.from_url(
        url, socket_timeout=TIMEOUT, socket_connect_timeout=TIMEOUT, retry=Retry(NoBackoff(), 0),
        protocol=2,  # this version of Redis' protocol is 20 % faster than version 3
    )  # fmt: skip


class Bus:
    """Publishes and receives messages by table, for ``companion.service.peers.messages``."""

    def __init__(self, url: str) -> None:
        self.lag = 0.0  # seconds that the last heartbeat took to arrive
        self._redis = connect(url)
        self._name = ""
        self._own = f"beat {token_hex(6)}"  # the channel for this process' heartbeats
        self._followed: Counter[str] = Counter()  # number of callers that follow each table
        self._outbox: deque[bytes] = deque(maxlen=MOST_WAITING)
        self._bell = threading.Lock()  # released to wake the sender; faster than an Event
        self._bell.acquire()
        self._closed = False
        self._end = threading.Event()  # ends the threads' pauses
        self._stale = False  # True if the sender should reconnect
        self._receiving_since: float | None = None  # None while the receiver is disconnected
        self._threads = [
            threading.Thread(target=run, name=f"bus {run.__name__}", daemon=True)
            for run in (self._send, self._receive_loop, self._heartbeat_loop)
        ]

    def start(
        self, name: str, on_message: MessageHandler, on_subscribed: Callable[[str], None]
    ) -> None:
        """Connect in the background.

        ``name`` is the database's epoch, which becomes part of each channel's name.
        ``on_subscribed`` is called with a table's code once its messages are received.
        """
        self._name = name
        self._on_message = on_message
        self._on_subscribed = on_subscribed
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Send the outbox, and wait for all threads to end, but not longer than ``TIMEOUT``."""
        self._closed = True
        self._end.set()
        self._send_heartbeat()  # wakes the sender, and through Redis the receiver
        give_up = time.monotonic() + TIMEOUT
        for thread in self._threads:
            if thread.is_alive():
                thread.join(max(0.0, give_up - time.monotonic()))

    def follow(self, code: str) -> None:
        self._followed[code] += 1
        if self._followed[code] == 1:
            self._send_heartbeat()

    def leave(self, code: str) -> None:
        self._followed[code] -= 1
        if self._followed[code] <= 0:
            del self._followed[code]

    def seconds_connected(self) -> float:
        """Return for how many seconds messages were received without a break; 0 if disconnected."""
        since = self._receiving_since
        return 0.0 if since is None else time.monotonic() - since

    def _channel(self, code: str) -> str:
        return f"companion:{self._name}:{code}"

    def _heartbeat_loop(self) -> None:
        while not self._closed:
            self._send_heartbeat()
            self._end.wait(HEARTBEAT_SECONDS)

    def _send_heartbeat(self) -> None:
        self.publish(self._own, b"%d" % time.monotonic_ns())

    def publish(self, code: str, message: bytes) -> None:
        """Put a message into the outbox. Never waits."""
        name = self._channel(code).encode()
        self._outbox.append(PUBLISH % (len(name), name, len(message), message))
        self._wake_sender()

    def _wake_sender(self) -> None:
        """Wake the sender."""
        if self._bell.locked():
            with suppress(RuntimeError):  # another thread has just released it
                self._bell.release()

    def _send(self) -> None:
        # Keep a single connection, because the pool stops after creating a hundred connections.
        connection = self._redis.connection_pool.make_connection()
        while not self._closed:
            # lost messages do no harm, since peers also read the event log
            with suppress(*TROUBLE):
                self._send_loop(connection)
            self._end.wait(PAUSE)

    def _send_loop(self, connection: Any) -> None:
        """Send the messages in the outbox until the connection fails. Redis sends no replies."""
        try:
            connection.connect()
            connection.send_command("CLIENT", "REPLY", "OFF")
            # these messages were queued before the connection was made, so they are outdated
            self._outbox.clear()
            self._stale = False
            while self._outbox or not (self._closed or self._stale):
                if messages := [self._outbox.popleft() for _ in range(len(self._outbox))]:
                    connection.send_packed_command(messages, check_health=False)
                self._bell.acquire()
        finally:
            connection.disconnect()

    def _receive_loop(self) -> None:
        while not self._closed:
            with suppress(*TROUBLE), self._redis.pubsub() as pubsub:
                self._receive(pubsub)
            self._receiving_since = None
            # Make the sender reconnect, too. It gets no replies, so it can't notice the loss
            # itself.
            self._stale = True
            self._wake_sender()
            self._end.wait(PAUSE)

    def _receive(self, pubsub: Any) -> None:
        """Receive messages until no heartbeat has arrived for ``DEAF_SECONDS``."""
        subscribed: set[str] = set()
        pubsub.subscribe(self._channel(self._own))
        alive = time.monotonic()
        while not self._closed and time.monotonic() < alive + DEAF_SECONDS:
            self._update_subscriptions(pubsub, subscribed)
            message = pubsub.get_message(timeout=HEARTBEAT_SECONDS)
            if message is None:
                continue
            kind = message["type"]
            code = message["channel"].decode().rpartition(":")[2]
            if code == self._own and kind == "message":
                alive = time.monotonic()
                self.lag = (time.monotonic_ns() - int(message["data"])) / 1e9
                if self._receiving_since is None and not self._followed.keys() - subscribed:
                    self._receiving_since = alive
            elif kind == "message":
                self._on_message(code, message["data"])
            elif kind == "subscribe" and code != self._own:
                self._on_subscribed(code)

    def _update_subscriptions(self, pubsub: Any, subscribed: set[str]) -> None:
        if new := self._followed.keys() - subscribed:
            pubsub.subscribe(*(self._channel(code) for code in new))
            subscribed |= new
        if old := subscribed - self._followed.keys():
            pubsub.unsubscribe(*(self._channel(code) for code in old))
            subscribed -= old
