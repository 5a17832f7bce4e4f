"""The places that there are for connections, and who gives his up when all are taken. Whoever sits
at a table keeps his place, and so do those who watch, as long as a quarter of all is left for
seats. Everybody else only passes through, with a question or a long breath: the one who came first
goes first, so that a newcomer is always heard.

When all places to keep are taken, a seat that was here before still gets one: that of a spectator
or of a new seat, else one of an address that holds more places than its own."""

import logging
import socket
import sys
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable
from enum import IntEnum
from typing import NamedTuple

log = logging.getLogger("companion")

PASSING = 16
"""So many more than there are to keep are for who passes through: a seat that comes back is
heard, and so is a question after the server's health, when all others are kept."""

SPARE_FILES = 128  # so many of those that a process may have open are for no connections
WAITING = 512  # how many may wait to be accepted
REQUEST_SECONDS = 10  # for so long a request may come in: its headers and its body together
BREATH_SECONDS = 0.2  # after this it is tried again to accept somebody for whom there was no file

LAST_DATA = 52  # where Linux' tcp_info tells how many ms ago data came last (tcpi_last_data_recv)

Slot = Callable[[], None]  # one connection's: what ends the connection if it has to give it up


class Rank(IntEnum):
    """What a client's connection is for: where there is no room, the lower rank leaves first."""

    WATCHES = 0
    NEW_SEAT = 1
    KNOWN_SEAT = 2  # one that was connected within the last day
    ROBOT = 3  # of this server


class Holder(NamedTuple):
    """The client that keeps a place, and the address at which it counts."""

    rank: Rank
    address: str = ""


def room_for(connections: int) -> int:
    """How many there is room for, once this process may have as many files open as it can."""
    try:
        import resource
    except ImportError:  # Windows has none, and no such limit
        return connections
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        soft = hard
    except (OSError, ValueError):  # some systems take no "unlimited"
        pass
    if soft == resource.RLIM_INFINITY or soft >= connections + SPARE_FILES:
        return connections
    room = max(soft // 4, soft - SPARE_FILES)
    log.info('{"what":"limited","files":%d,"connections":%d}', soft, room)
    return room


class ConnectionSlots:
    """So many places to keep, a quarter of which is for seats alone, and some to pass through."""

    def __init__(self, most: int, passing: int = PASSING) -> None:
        self.most = most
        self.all = most + passing
        self._passing: OrderedDict[Slot, None] = OrderedDict()
        self._kept: dict[Slot, Holder] = {}  # the earliest first
        self._watching = 0  # of those kept
        self._lock = threading.Lock()  # of one process's threads; who gives up is told without it

    def __len__(self) -> int:
        return len(self._passing) + len(self._kept)

    def take(self, give_up: Slot) -> Slot | None:
        """A place for a newcomer, if need be that of who passes through; else none."""
        with self._lock:
            full = len(self) >= self.all
            leaves = self._first() if full else None
            if full and leaves is None:
                return None
            self._passing[give_up] = None
        if leaves is not None:
            leaves()
        return give_up

    def clear(self) -> None:
        """Takes the place of who has passed through for longest, if there is anybody."""
        with self._lock:
            leaves = self._first()
        if leaves is not None:
            leaves()

    def _first(self) -> Slot | None:
        return self._passing.popitem(last=False)[0] if self._passing else None

    def ask(self, place: Slot) -> None:
        """Whoever passes through asks something new, and is the last to go."""
        with self._lock:
            if place in self._passing:
                self._passing.move_to_end(place)

    def keep(self, place: Slot | None, holder: Holder) -> None:
        """The place is kept from now on, if there is one to keep or somebody leaves it one."""
        leaves = None
        with self._lock:
            if place is None or place not in self._passing:
                return
            if len(self._kept) >= self.most:
                leaves = self._least(holder)
                if leaves is None:
                    return
                self._drop(leaves)
            elif holder.rank is Rank.WATCHES and self._watching >= self._most_watching:
                return
            del self._passing[place]
            self._kept[place] = holder
            self._watching += holder.rank is Rank.WATCHES
        if leaves is not None:
            leaves()

    @property
    def _most_watching(self) -> int:
        return self.most - max(1, self.most // 4)

    def _least(self, comer: Holder) -> Slot | None:
        """The kept place that a known seat gets when all are taken; ``None``: nobody has less claim
        to one. The lowest rank leaves, there the address that holds the most, and of its places the
        latest. A known seat leaves only if its address has at least two more than the comer's."""
        if comer.rank is not Rank.KNOWN_SEAT:
            return None
        held = Counter(holder.address for holder in self._kept.values())
        least: Slot | None = None
        claim: tuple[int, int] = comer.rank, -held[comer.address] - 1
        for place, holder in self._kept.items():
            its = holder.rank, -held[holder.address]
            if its < claim or (least is not None and its == claim):
                least = place
                claim = its
        return least

    def leave(self, place: Slot | None) -> None:
        if place is not None:
            with self._lock:
                self._passing.pop(place, None)
                self._drop(place)

    def _drop(self, place: Slot) -> None:
        holder = self._kept.pop(place, None)
        self._watching -= holder is not None and holder.rank is Rank.WATCHES


def silent_ms(connection: socket.socket) -> int:
    """For how many ms nothing came over a connection, as the system knows it, whatever this process
    did; 0 where it doesn't say. Of a request without an answer: for how long it has waited."""
    if not hasattr(socket, "TCP_INFO") or sys.platform != "linux":
        return 0
    try:
        known = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, LAST_DATA + 4)
    except OSError:  # it was closed
        return 0
    return int.from_bytes(known[LAST_DATA:], sys.byteorder)
