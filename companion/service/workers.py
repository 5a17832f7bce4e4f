"""The robots at work, each with a post: a seat at a table, and a token that opens it; and the
process in which they play.

A post's token is good as long as its robot is at work, and nobody keeps it: whoever reads the store
can't open a robot's seat. The process is started when there is a first post, and again when it
ends. It speaks to this server as any client does. It holds no file or lock of ours, and ends with
us however we end: what it hears us by is closed then."""

import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from msgspec import Struct

import companion
from companion.service import codec
from companion.service.clock import Timers
from companion.service.errors import Fault, Share
from companion.service.logs import line
from companion.service.requests import hash_secret, new_secret
from companion.settings import child_environment

COMMAND = (sys.executable, "-P", "-m", "companion.robots.worker")
READY = b"ready"  # what it says first
ITS_OWN = ("COMPANION_ROBOT_PACE", "PYTHONHOME", "PYTHONPATH", "LD_LIBRARY_PATH")
"""Variables that it is told beside any program's: its pace, and where Python lies."""

# seconds until it is started again, the first time and at most
PAUSE = 1.0
LONGEST_PAUSE = 30.0
HEALTHY_AFTER_MS = 60_000  # who lived for so many ms has not failed, whatever it ended of

_IN_HEX = re.compile("[0-9a-f]{64}")


class Post(Struct, frozen=True):
    """A robot's seat, the token that opens it, its temper, and the key of its decks. ``secret``:
    that of a deck which it took over from a player."""

    table: str
    seat: str
    token: str
    temper: str
    key: str
    secret: str | None = None


class Reservation:
    """Posts that are kept for a table's robots while the table is being stored."""

    def __init__(self, address: str, robots: int, code: str = "") -> None:
        self.address = address
        self.robots = robots  # of them those that don't sit yet
        self.code = code  # empty: the table has none yet


class Posts:
    """Those that are filled, at most ``limit``; 0: none. Each belongs to the address that asked.
    ``workers``: whoever lets the robots play; without them none does."""

    def __init__(self, limit: int = 0, workers: "Process | None" = None) -> None:
        self.limit = limit
        self._workers = workers
        self._share = Share.of("robots", limit)
        self._posts: dict[tuple[str, str], Post] = {}
        self._addresses: dict[tuple[str, str], str] = {}
        self._tokens: dict[str, tuple[str, str]] = {}
        self._reserved: set[Reservation] = set()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._posts)

    @property
    def free(self) -> int:
        return self._free()

    def _free(self, code: str = "") -> int:
        """How many posts are free, as the table with this code finds it: its own are reserved."""
        reserved = sum(one.robots for one in list(self._reserved) if one.code != code or not code)
        return max(0, self.limit - len(self) - reserved)

    def count_held(self, address: str, code: str | None = None) -> int:
        posts = list(self._addresses.items())
        return sum(by == address and code in (None, table) for (table, _), by in posts)

    def shares(self, address: str, wanted: int, code: str = "") -> bool:
        """Return True if the address may have this many more, beside what it has reserved
        elsewhere than at the table with this code."""
        return self._share.takes(self._taken(address, code), wanted)

    def _taken(self, address: str, code: str = "") -> int:
        reserved = [one for one in list(self._reserved) if one.address == address]
        elsewhere = sum(one.robots for one in reserved if one.code != code or not code)
        return self.count_held(address) + elsewhere

    def reserve(self, reservation: "Reservation") -> None:
        """Keep posts for robots that sit down at a table a moment later, until they do or
        ``release`` is called. Raises ``Fault`` when they can't be had just now, or none at all."""
        if not self.limit:
            raise Fault("forbidden", what="robots")
        with self._lock:
            self._reserved.discard(reservation)
            self._share.check(self._taken(reservation.address), reservation.robots)
            if self.free < reservation.robots or (self._workers and self._workers.failing):
                raise Fault("busy", what="robots")
            self._reserved.add(reservation)

    def release(self, reservation: "Reservation") -> None:
        with self._lock:
            self._reserved.discard(reservation)

    def stored_tables(self) -> set[str]:
        return {code for code, _ in list(self._posts)}

    def at(self, code: str) -> set[str]:
        if not self._posts:
            return set()
        return {seat for table, seat in list(self._posts) if table == code}

    def opens(self, hashed: str) -> tuple[str, str] | None:
        """The table's code and the seat which the token with this hash opens."""
        return self._tokens.get(hashed)

    def sit(
        self, code: str, seat: str, temper: str, key: str, secret: str | None, address: str
    ) -> None:
        """A robot sits down, if one is free for this address; raises ``ValueError``."""
        if not all(_IN_HEX.fullmatch(one) for one in (key, secret) if one is not None):
            raise ValueError("no 64 hexadecimal digits")
        with self._lock:
            if not self._free(code) or not self.shares(address, 1, code):
                return
            for reservation in self._reserved:
                if reservation.code == code and reservation.robots:
                    reservation.robots -= 1
                    break
            token = new_secret()
            self._posts[code, seat] = Post(code, seat, token, temper, key, secret)
            self._addresses[code, seat] = address
            self._tokens[hash_secret(token)] = code, seat
            self._want()

    def rise(self, code: str, seats: Iterable[str]) -> None:
        if not seats:
            return
        with self._lock:
            for seat in seats:
                if post := self._posts.pop((code, seat), None):
                    del self._addresses[code, seat]
                    del self._tokens[hash_secret(post.token)]
            self._want()

    def give_way(self, code: str) -> None:
        """The robots of a table get up, but for those that play on for somebody."""
        posts = list(self._posts.values())
        self.rise(code, [p.seat for p in posts if p.table == code and p.secret is None])

    def _want(self) -> None:
        if self._workers:
            self._workers.want(tuple(self._posts.values()))


class Process:
    """One process for all robots; ``failing``: it has ended, or could not be started."""

    def __init__(self, timers: Timers, command: Sequence[str] = COMMAND) -> None:
        self.failing = False
        self._timers = timers
        self._command = tuple(command)
        self._url = ""
        self._kept = False
        self._wanted: Sequence[Post] = ()
        self._changed = threading.Event()
        self._heard_by: socket.socket | None = None
        self._program: subprocess.Popen[bytes] | None = None
        self._pause = PAUSE
        self._closed = threading.Event()

    def serve_at(self, url: str) -> None:
        self._url = url
        self._changed.set()

    def want(self, posts: Sequence[Post]) -> None:
        """From now on these are to be filled, and no others; never waits."""
        self._wanted = posts
        if posts and not self._kept:
            self._kept = True
            self._timers.start("workers", self._keep)
        self._changed.set()

    def close(self) -> None:
        self._closed.set()
        self._changed.set()
        self._hang_up()
        if self._program is not None:
            with suppress(OSError):
                self._program.terminate()

    def _keep(self) -> None:
        while not self._closed.is_set():
            self._changed.wait()
            self._changed.clear()
            if self._closed.is_set() or not self._url:
                continue
            try:
                ours = self._heard_by or self._start_program()
                ours.sendall(codec.encode({"url": self._url, "posts": self._wanted}) + b"\n")
            except OSError as error:
                self._hang_up()
                self._back_off(f"The robots' process can't be reached: {error}")

    def _start_program(self) -> socket.socket:
        # Not a pipe: reading a socket lets others have their turn.
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                self._program = subprocess.Popen(
                    self._command, env=_environment(), stdin=theirs.fileno(),
                    stdout=theirs.fileno(), stderr=subprocess.DEVNULL,
                )  # fmt: skip
        except BaseException:
            ours.close()
            raise
        self._heard_by = ours
        self._timers.start("hears workers", partial(self._listen, ours, self._program))
        return ours

    def _listen(self, ours: socket.socket, program: "subprocess.Popen[bytes]") -> None:
        """Until it ends; what it says is a line in the log."""
        began = self._timers.clock.own()
        rest = b""
        while data := _receive(ours):
            *lines, rest = (rest + data).split(b"\n")
            for said in lines:
                if said == READY:
                    self.failing = False
                else:
                    line("robots", text=said.decode(errors="replace")[:500])
        with suppress(subprocess.TimeoutExpired, OSError):
            program.wait(5)
        if self._heard_by is ours:
            self._hang_up()
        if self._closed.is_set():
            return
        if self._timers.clock.own() > began + HEALTHY_AFTER_MS:
            self._pause = PAUSE
        self._back_off(f"The robots' process has ended with {program.returncode}.")

    def _back_off(self, why: str) -> None:
        """It is tried again after a while, each time a longer one."""
        line("robots", text=why)
        self.failing = True
        pause = self._pause
        self._pause = min(LONGEST_PAUSE, 2 * self._pause)
        self._closed.wait(pause)
        self._changed.set()

    def _hang_up(self) -> None:
        ours = self._heard_by
        self._heard_by = None
        if ours is not None:
            with suppress(OSError):
                ours.shutdown(socket.SHUT_RDWR)
            ours.close()


def _receive(ours: socket.socket) -> bytes:
    try:
        return ours.recv(4096)
    except OSError:
        return b""


def _environment() -> dict[str, str]:
    told = child_environment(*ITS_OWN)
    here = str(Path(companion.__file__).parent.parent)
    return {**told, "PYTHONPATH": os.pathsep.join(filter(None, (here, told.get("PYTHONPATH"))))}
