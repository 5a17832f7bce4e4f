"""The running robots, and the worker process in which they run.

The worker gets a ``Post`` for each running robot: the robot's seat at a table, and a token that
opens the seat. The token is valid while the robot runs, and is never stored, so nobody who reads
the database can open a robot's seat.

The server starts the worker with the first robot, and restarts the worker when it ends. The worker
connects to this server like any other client, and inherits no file or lock from the server. When
the server ends, the worker's input is closed, and so the worker ends, too.
"""

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from msgspec import Struct

import companion
from companion.adapters.child_process import ChildProcess
from companion.service import codec
from companion.service.addresses import OWN_MACHINE
from companion.service.clock import Timers
from companion.service.errors import Fault, Share
from companion.service.logs import line
from companion.service.requests import hash_secret, new_secret
from companion.settings import child_environment

COMMAND = (sys.executable, "-P", "-m", "companion.robots.worker")
READY = b"ready"  # the first line that a worker prints
ITS_OWN = ("COMPANION_ROBOT_PACE", "PYTHONHOME", "PYTHONPATH", "LD_LIBRARY_PATH")
"""Environment variables that the worker gets from the server: the robots' pace, and paths to
libraries."""

PAUSE = 1.0  # seconds before the first restart; doubled for each further restart
LONGEST_PAUSE = 30.0
HEALTHY_AFTER_MS = 60_000  # a worker that ran this long resets the pause

_IN_HEX = re.compile("[0-9a-f]{64}")


class Post(Struct, frozen=True):
    """A running robot, with everything that the worker needs to play its seat."""

    table: str
    seat: str
    token: str  # the worker acts for the seat with this token
    temper: str
    key: str  # the key from which the robot derives its decks
    secret: str | None = None  # secret of the deck that the robot took over from a player, if any


class Reservation:
    """Capacity that is reserved for robots until their seats are stored and they are started."""

    def __init__(self, address: str, robots: int, code: str = "") -> None:
        self.address = address
        self.robots = robots  # number of robots that still have to be started
        self.code = code  # empty while the table has no code yet


class Posts:
    """The running robots of one process, and the address that requested each robot.

    There are at most ``limit`` robots. Without ``workers``, the robots are only recorded and don't
    play.
    """

    def __init__(self, limit: int = 0, workers: "WorkerProcess | None" = None) -> None:
        self.limit = limit
        self._workers = workers
        self._share = Share.quarter_of("robots", limit)
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
        """Return how many robots can still be started at the table with this code.

        Capacity that is reserved for robots at other tables isn't available.
        """
        reserved = sum(
            reservation.robots
            for reservation in list(self._reserved)
            if reservation.code != code or not code
        )
        return max(0, self.limit - len(self) - reserved)

    def count_held(self, address: str, code: str | None = None) -> int:
        """Return how many running robots this address has at the table with this code, or at all
        tables if ``code`` is None."""
        posts = list(self._addresses.items())
        return sum(by == address and code in (None, table) for (table, _), by in posts)

    def may_have_more(self, address: str, wanted: int, code: str = "") -> bool:
        """Return True if the address may have ``wanted`` more robots.

        Robots that are reserved for the address count, too, except those for the table with this
        code. A client on the server's own machine isn't limited to a share.
        """
        if address == OWN_MACHINE:
            return True
        return self._share.allows_address(address, self._claimants(code), wanted)

    def _claimants(self, code: str = "") -> list[str]:
        """Return the address of each running or reserved robot.

        Robots that are reserved for the table with this code are left out.
        """
        reserved = [
            reservation.address
            for reservation in list(self._reserved)
            if reservation.code != code or not code
            for _ in range(reservation.robots)
        ]
        return [*list(self._addresses.values()), *reserved]

    def reserve(self, reservation: "Reservation") -> None:
        """Reserve capacity for robots that will be started soon. ``release`` ends the reservation.

        Raise ``Fault``: forbidden if the server runs no robots, busy if it can't start that many,
        rate_limited if the address would exceed its share.
        """
        if not self.limit:
            raise Fault("forbidden", what="robots")
        with self._lock:
            self._reserved.discard(reservation)
            if reservation.address != OWN_MACHINE:
                self._share.check_address(
                    reservation.address, self._claimants(), reservation.robots
                )
            if self.free < reservation.robots or (self._workers and self._workers.failing):
                raise Fault("busy", what="robots")
            self._reserved.add(reservation)

    def release(self, reservation: "Reservation") -> None:
        with self._lock:
            self._reserved.discard(reservation)

    def tables_with_robots(self) -> set[str]:
        """Return the codes of the tables whose robots are running here."""
        return {code for code, _ in list(self._posts)}

    def seats_with_robots(self, code: str) -> set[str]:
        """Return the seats of a table whose robots are running here."""
        if not self._posts:
            return set()
        return {seat for table, seat in list(self._posts) if table == code}

    def find_seat(self, hashed: str) -> tuple[str, str] | None:
        """Return the table's code and the seat that the robot's token with this hash opens, or
        None."""
        return self._tokens.get(hashed)

    def start_robot(
        self, code: str, seat: str, temper: str, key: str, secret: str | None, address: str
    ) -> None:
        """Start a robot at a seat, unless the limit or the address' share is reached.

        Raise ``ValueError`` if the key or the secret is malformed.
        """
        if not all(_IN_HEX.fullmatch(digits) for digits in (key, secret) if digits is not None):
            raise ValueError("no 64 hexadecimal digits")
        with self._lock:
            if not self._free(code) or not self.may_have_more(address, 1, code):
                return
            for reservation in self._reserved:
                if reservation.code == code and reservation.robots:
                    reservation.robots -= 1
                    break
            token = new_secret()
            self._posts[code, seat] = Post(code, seat, token, temper, key, secret)
            self._addresses[code, seat] = address
            self._tokens[hash_secret(token)] = code, seat
            self._update_worker()

    def stop_robots(self, code: str, seats: Iterable[str]) -> None:
        """Stop the robots at these seats of a table."""
        if not seats:
            return
        with self._lock:
            for seat in seats:
                if post := self._posts.pop((code, seat), None):
                    del self._addresses[code, seat]
                    del self._tokens[hash_secret(post.token)]
            self._update_worker()

    def stop_robots_without_player(self, code: str) -> None:
        """Stop the robots of a table, except those that have taken over a player's seat."""
        posts = list(self._posts.values())
        self.stop_robots(code, [p.seat for p in posts if p.table == code and p.secret is None])

    def _update_worker(self) -> None:
        if self._workers:
            self._workers.set_posts(tuple(self._posts.values()))


class WorkerProcess:
    """The worker process, in which all robots run."""

    def __init__(self, timers: Timers, command: Sequence[str] = COMMAND) -> None:
        self.failing = False  # True if the worker has ended or could not be started
        self._timers = timers
        self._command = tuple(command)
        self._url = ""
        self._thread_started = False
        self._posts: Sequence[Post] = ()  # the robots that the worker should run
        self._changed = threading.Event()
        self._worker: ChildProcess | None = None  # None while it isn't running
        self._program: subprocess.Popen[bytes] | None = None  # the worker that was started last
        self._pause = PAUSE
        self._closed = threading.Event()

    def set_server_url(self, url: str) -> None:
        self._url = url
        self._changed.set()

    def set_posts(self, posts: Sequence[Post]) -> None:
        """Set the robots that the worker should run. Never blocks."""
        self._posts = posts
        if posts and not self._thread_started:
            self._thread_started = True
            self._timers.start("workers", self._send_posts)
        self._changed.set()

    def close(self) -> None:
        self._closed.set()
        self._changed.set()
        self._drop_worker()
        if self._program is not None:
            with suppress(OSError):
                self._program.terminate()

    def _send_posts(self) -> None:
        """Send the worker its list of robots when it changes, and start the worker if necessary."""
        while not self._closed.is_set():
            self._changed.wait()
            self._changed.clear()
            if self._closed.is_set() or not self._url:
                continue
            try:
                worker = self._worker or self._start_worker()
                worker.send(codec.encode({"url": self._url, "posts": self._posts}) + b"\n")
            except OSError as error:
                self._drop_worker()
                self._back_off(f"The robots' process can't be reached: {error}")

    def _start_worker(self) -> ChildProcess:
        worker = self._worker = ChildProcess(self._command, _environment())
        self._program = worker.program
        self._timers.start("hears workers", partial(self._read_output, worker))
        return worker

    def _read_output(self, worker: ChildProcess) -> None:
        """Log each line that the worker prints. When the worker ends, arrange for a restart."""
        began = self._timers.clock.own()
        rest = b""
        while data := worker.receive():
            *lines, rest = (rest + data).split(b"\n")
            for text in lines:
                text = text.removesuffix(b"\r")
                if text == READY:
                    self.failing = False
                else:
                    line("robots", text=text.decode(errors="replace")[:500])
        with suppress(subprocess.TimeoutExpired, OSError):
            worker.program.wait(5)
        if self._worker is worker:
            self._drop_worker()
        if self._closed.is_set():
            return
        if self._timers.clock.own() > began + HEALTHY_AFTER_MS:
            self._pause = PAUSE
        self._back_off(f"The robots' process has ended with {worker.program.returncode}.")

    def _back_off(self, why: str) -> None:
        """Log why the worker isn't running, and wait before the restart. Each further restart waits
        longer."""
        line("robots", text=why)
        self.failing = True
        pause = self._pause
        self._pause = min(LONGEST_PAUSE, 2 * self._pause)
        self._closed.wait(pause)
        self._changed.set()

    def _drop_worker(self) -> None:
        worker = self._worker
        self._worker = None
        if worker is not None:
            worker.close()


def _environment() -> dict[str, str]:
    """Return the worker's environment, in which Python finds this package."""
    variables = child_environment(*ITS_OWN)
    here = str(Path(companion.__file__).parent.parent)
    python_path = os.pathsep.join(filter(None, (here, variables.get("PYTHONPATH"))))
    return {**variables, "PYTHONPATH": python_path}
