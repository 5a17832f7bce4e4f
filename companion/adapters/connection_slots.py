"""Connection slots: how many connections a server has, and which one is closed when it is full.

Every new connection takes a slot. At first the slot is *passing*: the connection may be a single
HTTP request, a slow client, or a WebSocket that hasn't chosen its table. When all slots are taken,
the passing connection that was least recently active is closed, so that the server can always
answer a new one.

Once a client is admitted to a table, its slot is *kept*. The server limits the number of kept
slots, and spectators can have at most three quarters of them; the rest is reserved for seats. When
this limit is reached, a seat that was connected within the last day still gets a kept slot. The
server then closes the connection of a spectator, of a new seat, or of an address that holds more
slots than the newcomer's address. The slots of a whole range of IPv6 addresses count, too.
"""

import logging
import socket
import sys
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable
from contextlib import suppress
from enum import IntEnum
from typing import NamedTuple

log = logging.getLogger("companion")

PASSING = 16
"""Number of slots in addition to the limit of kept slots.

Even when all other slots are kept, these are free for new connections, such as a returning player
or a monitor that requests the server's health.
"""

SPARE_FILES = 128  # open files that the process needs for other purposes
SELECTABLE = 512  # sockets that one thread can wait for on Windows, however many are open
SPARE_SOCKETS = 32  # sockets that the process needs on Windows for other purposes
WAITING = 512  # limit of connections that wait to be accepted
REQUEST_SECONDS = 10  # time limit for a request's headers and body together
# pause after a connection couldn't be accepted because the process had too many open files
RETRY_SECONDS = 0.2

LAST_DATA = 52  # offset of tcpi_last_data_recv (ms since the last data) in Linux' struct tcp_info

Slot = Callable[[], None]
"""A slot. It is represented by the function that closes its connection."""


class Rank(IntEnum):
    """The ranks of clients. When the server is full, the client with the lowest rank loses its slot
    first."""

    WATCHES = 0
    NEW_SEAT = 1
    KNOWN_SEAT = 2  # a seat that was connected within the last day
    ROBOT = 3  # a robot of this server


Ranges = tuple[tuple[str, int], ...]
"""The address of a client and the wider ranges that contain it, from the narrowest, each with a
factor. A range may hold as many times the slots of one address as its factor says."""


class Holder(NamedTuple):
    """The client that keeps a slot."""

    rank: Rank
    ranges: Ranges = (("", 1),)  # all connections from one range are counted together


def raise_file_limit(connections: int) -> int:
    """Raise the process' limit of open files, and return how many connections the new limit allows.

    The result is ``connections``, or fewer if the system's limit is too low. Windows limits the
    sockets that a thread can wait for, instead of the open files.
    """
    if sys.platform == "win32":
        return min(connections, SELECTABLE - PASSING - SPARE_SOCKETS)
    else:  # noqa: RET505 - mypy understands only this form
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
            soft = hard
        except (OSError, ValueError):  # some systems don't accept "unlimited"
            pass
        if soft == resource.RLIM_INFINITY or soft >= connections + SPARE_FILES:
            return connections
        room = max(soft // 4, soft - SPARE_FILES)
        log.info('{"what":"limited","files":%d,"connections":%d}', soft, room)
        return room


class ConnectionSlots:
    """All slots of a server.

    Admitted clients can keep at most ``limit`` slots, and a quarter of these is reserved for seats.
    In addition there are ``passing`` slots, so that new connections always find a slot.
    """

    def __init__(self, limit: int, passing: int = PASSING) -> None:
        self.limit = limit
        self.all = limit + passing
        # ordered from the least recently active
        self._passing: OrderedDict[Slot, None] = OrderedDict()
        self._kept: dict[Slot, Holder] = {}  # ordered from the oldest
        self._held: Counter[str] = Counter()  # number of kept slots of each range of addresses
        self._watching = 0  # number of slots kept by spectators
        self._lock = threading.Lock()  # never held while a connection is closed

    def __len__(self) -> int:
        return len(self._passing) + len(self._kept)

    def take(self, close: Slot) -> Slot | None:
        """Take a slot for a new connection and return the slot, which is the function ``close``.

        If the server is full, close the least recently active passing connection. If there is no
        passing connection, return None: the caller must then refuse the new connection.
        """
        with self._lock:
            full = len(self) >= self.all
            evicted = self._pop_oldest() if full else None
            if full and evicted is None:
                return None
            self._passing[close] = None
        if evicted is not None:
            evicted()
        return close

    def evict_oldest(self) -> None:
        """Close the passing connection that was least recently active.

        If there is no passing connection, do nothing.
        """
        with self._lock:
            evicted = self._pop_oldest()
        if evicted is not None:
            evicted()

    def _pop_oldest(self) -> Slot | None:
        return self._passing.popitem(last=False)[0] if self._passing else None

    def mark_active(self, slot: Slot) -> None:
        """Mark a passing connection as the most recently active one, because it sends a request."""
        with self._lock:
            if slot in self._passing:
                self._passing.move_to_end(slot)

    def keep(self, slot: Slot | None, holder: Holder) -> None:
        """Keep the slot of a client that was admitted to a table.

        If no slot is free for the client's rank, close another connection. If no other connection
        may be closed, the client's slot remains a passing slot.
        """
        evicted = None
        with self._lock:
            if slot is None or slot not in self._passing:
                return
            if len(self._kept) >= self.limit:
                evicted = self._find_evictable(holder)
                if evicted is None:
                    return
                self._remove(evicted)
            elif holder.rank is Rank.WATCHES and self._watching >= self._watching_limit:
                return
            del self._passing[slot]
            self._kept[slot] = holder
            self._held.update(range_ for range_, _ in holder.ranges)
            self._watching += holder.rank is Rank.WATCHES
        if evicted is not None:
            evicted()

    @property
    def _watching_limit(self) -> int:
        return self.limit - max(1, self.limit // 4)

    def _find_evictable(self, newcomer: Holder) -> Slot | None:
        """Return the kept slot that has to be freed for a newcomer, or None.

        Only a seat that was connected recently can replace a kept slot. For any other newcomer,
        return None.

        Choose the slot with the lowest rank. Among equal ranks, choose a slot whose address, or a
        range that contains it, holds the most slots compared with the newcomer's. Among equal
        slots, choose the newest. The slot of another recently connected seat is chosen only if that
        difference is more than one slot.
        """
        if newcomer.rank is not Rank.KNOWN_SEAT:
            return None
        own_load = self._get_load(newcomer.ranges)
        widest = newcomer.ranges[-1]
        evictable: Slot | None = None
        lowest: tuple[int, float] = newcomer.rank, -1
        for slot, holder in self._kept.items():
            if holder.rank > lowest[0]:
                continue
            if holder.ranges[-1] == widest:
                difference = self._compare_neighbours(newcomer.ranges, holder.ranges)
            else:
                difference = own_load - self._get_load(holder.ranges)
            claim = holder.rank, difference
            if claim < lowest or (evictable is not None and claim == lowest):
                evictable = slot
                lowest = claim
        return evictable

    def _compare_neighbours(self, ranges: Ranges, others: Ranges) -> float:
        """Return the load of an address without its neighbour's load. A range that contains both
        addresses doesn't count."""
        shared = set(ranges) & set(others)
        own_load = self._get_load([range_ for range_ in ranges if range_ not in shared])
        return own_load - self._get_load([range_ for range_ in others if range_ not in shared])

    def _get_load(self, ranges: Iterable[tuple[str, int]]) -> float:
        """Return the slots that the fullest of these ranges holds, divided by its factor."""
        load = 0.0
        for range_, factor in ranges:
            held = self._held[range_] / factor
            if held > load:
                load = held
        return load

    def leave(self, slot: Slot | None) -> None:
        """Free the slot of a connection that was closed."""
        if slot is not None:
            with self._lock:
                self._passing.pop(slot, None)
                self._remove(slot)

    def _remove(self, slot: Slot) -> None:
        holder = self._kept.pop(slot, None)
        if holder is None:
            return
        self._watching -= holder.rank is Rank.WATCHES
        for range_, _ in holder.ranges:
            self._held[range_] -= 1
            if not self._held[range_]:
                del self._held[range_]


def ms_since_last_data(connection: socket.socket) -> int:
    """Return the ms since the operating system last received data on a connection.

    If a request is unanswered, this is the time for which the request has waited, even if this
    process was busy and hasn't read it yet. Return 0 on systems that don't provide this value.
    """
    info = b""
    if sys.platform == "linux":
        with suppress(OSError):  # the connection was closed
            info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, LAST_DATA + 4)
    return int.from_bytes(info[LAST_DATA:], sys.byteorder)
