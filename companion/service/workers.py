"""The robots' process: told which posts to fill, started when first one is, and again when it ends.

It speaks to this server as any client does, and knows nothing else of it. It holds no file or lock
of ours, and ends with us however we end: what it hears us by is closed then. This module must not
know why a robot is wanted.
"""

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import companion
from companion.service import codec
from companion.service.crew import Post
from companion.service.environment import handed_on
from companion.service.logs import line

COMMAND = (sys.executable, "-P", "-m", "companion.robots.crew")

READY = b"ready"
"""What it says first."""

ITS_OWN = ("COMPANION_ROBOT_PACE", "PYTHONHOME", "PYTHONPATH", "LD_LIBRARY_PATH")
"""Variables that it is told beside any program's: its pace, and where Python lies."""

PAUSE, LONGEST_PAUSE = 1.0, 30.0
"""Seconds after which it is started again, the first time and at most."""

LIVED = 60.0
"""Who lived for so many seconds has not failed, whatever it ended of."""


class Process:
    """One process for all robots; ``failing``: it has ended, or could not be started."""

    def __init__(self, command: Sequence[str] = COMMAND) -> None:
        self.failing = False
        self._command = tuple(command)
        self._url = ""
        self._wanted: Sequence[Post] = ()
        self._changed = threading.Event()
        self._keeper: threading.Thread | None = None
        self._heard_by: socket.socket | None = None
        self._program: subprocess.Popen[bytes] | None = None
        self._pause, self._closed = PAUSE, False

    def serve_at(self, url: str) -> None:
        """The server listens here."""
        self._url = url
        self._changed.set()

    def want(self, posts: Sequence[Post]) -> None:
        """From now on these are to be filled, and no others; never waits."""
        self._wanted = posts
        if self._keeper is None and posts:
            self._keeper = threading.Thread(target=self._keep, name="workers", daemon=True)
            self._keeper.start()
        self._changed.set()

    def close(self) -> None:
        """Ends the process."""
        self._closed = True
        self._changed.set()
        self._hang_up()
        if self._program is not None:
            with suppress(OSError):
                self._program.terminate()

    def _keep(self) -> None:
        while not self._closed:
            self._changed.wait()
            self._changed.clear()
            if self._closed or not self._url:
                continue
            try:
                self._say({"url": self._url, "posts": self._wanted})
            except OSError as error:
                self._hang_up()
                self._failed(f"The robots' process can't be reached: {error}")

    def _say(self, said: object) -> None:
        ours = self._heard_by or self._started()
        ours.sendall(codec.encode(said) + b"\n")

    def _started(self) -> socket.socket:
        # Not a pipe: reading a socket lets others have their turn.
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                self._program = subprocess.Popen(
                    self._command,
                    env=_environment(),
                    stdin=theirs.fileno(),
                    stdout=theirs.fileno(),
                    stderr=subprocess.DEVNULL,
                )
        except BaseException:
            ours.close()
            raise
        self._heard_by = ours
        listening = threading.Thread(
            target=self._listen, args=(ours, self._program), name="hears workers", daemon=True
        )
        listening.start()
        return ours

    def _listen(self, ours: socket.socket, program: "subprocess.Popen[bytes]") -> None:
        """Until it ends; what it says is a line in the log."""
        began, rest = time.monotonic(), b""
        while data := _read(ours):
            *lines, rest = (rest + data).split(b"\n")
            for said in lines:
                if said == READY:
                    self.failing = False
                    continue
                line("robots", text=said.decode(errors="replace")[:500])
        with suppress(subprocess.TimeoutExpired, OSError):
            program.wait(5)
        if self._heard_by is ours:
            self._hang_up()
        if self._closed:
            return
        if time.monotonic() > began + LIVED:
            self._pause = PAUSE
        self._failed(f"The robots' process has ended with {program.returncode}.")

    def _failed(self, why: str) -> None:
        """It is tried again after a while, each time a longer one."""
        line("robots", text=why)
        self.failing = True
        pause, self._pause = self._pause, min(LONGEST_PAUSE, 2 * self._pause)
        time.sleep(pause)
        self._changed.set()

    def _hang_up(self) -> None:
        ours, self._heard_by = self._heard_by, None
        if ours is not None:
            with suppress(OSError):
                ours.shutdown(socket.SHUT_RDWR)
            ours.close()


def _read(ours: socket.socket) -> bytes:
    try:
        return ours.recv(4096)
    except OSError:
        return b""


def _environment() -> dict[str, str]:
    """Where this program lies, and none of its secrets."""
    told = handed_on(*ITS_OWN)
    here = str(Path(companion.__file__).parent.parent)
    return {**told, "PYTHONPATH": os.pathsep.join(filter(None, (here, told.get("PYTHONPATH"))))}
