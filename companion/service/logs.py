"""One line on stderr for each accepted command and each refusal; no secrets, no noise. A line is a
JSON object. Names, cells and cards don't stand in it."""

import io
import logging
import os
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from companion.service import codec

log = logging.getLogger("companion")


def _now() -> int:
    return time.time_ns() // 1_000_000


def set_up() -> None:
    """Lines go to stderr, and only this program's; libraries are heard when they fail."""
    global _out
    _out = _Unhurried()
    log.handlers[:] = [_out]
    log.setLevel(logging.INFO)
    log.propagate = False


class _Unhurried(logging.Handler):
    """Writes to stderr and waits for nobody: what its reader has no room for is left out. A log
    that somebody stopped reading (a pager, a terminal after Ctrl-S) would else stop every game."""

    def __init__(self) -> None:
        super().__init__()
        self._out = _own_stderr()
        self._lost = 0

    def emit(self, record: logging.LogRecord) -> None:
        self.say(self.format(record).encode(errors="replace"))

    def say(self, said: bytes) -> None:
        if self._lost:
            told = {"at": _now(), "what": "left_out", "lines": self._lost}
            self._lost = 0 if self._wrote(b"\n%s\n" % codec.encode(told)) else self._lost
        if self._lost or not self._wrote(said + b"\n"):
            self._lost += 1

    def _wrote(self, data: bytes) -> bool:
        try:
            return self._out.write(data) == len(data)
        except OSError:  # nobody reads any more, or the disk is full
            return False


_out: _Unhurried | None = None  # where lines go without the library's ado, once it is set up


def _own_stderr() -> io.FileIO:
    """stderr without waiting, where it is a pipe or a terminal that can be opened once more. What
    is opened again has its own state: whoever else writes there waits as ever."""
    number = sys.stderr.fileno()
    if stat.S_ISFIFO(os.fstat(number).st_mode) or os.isatty(number):
        with suppress(OSError):
            flags = os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY
            number = os.open(f"/dev/fd/{number}", flags)
    return io.FileIO(number, "w", closefd=False)


def line(what: str, **facts: object) -> None:
    """Writes one line; facts that are ``None`` are left out."""
    told = {key: value for key, value in facts.items() if value is not None}
    said = codec.encode({"at": _now(), "what": what, **told})
    if _out is None:
        log.info(said.decode())
    else:
        _out.say(said)


def bug(what: str) -> None:
    """Writes the traceback of an exception that nobody expected."""
    log.exception(codec.encode({"at": _now(), "what": what}).decode())


@contextmanager
def log_bugs(what: str) -> Iterator[None]:
    """A fault in here is told as a ``bug``, and keeps nothing else from going on."""
    try:
        yield
    except Exception:
        bug(what)


MOST_LINES = 120  # how many lines one address may bring about in a minute by what it is refused
_MINUTE = 60


class Refusals:
    """Which refusals of an address have a line: so many a minute; the rest is counted."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._lines: dict[str, int] = {}

    def allows_line(self, address: str) -> bool:
        """Counts one; what a minute left out is told with the first one of the next."""
        if time.monotonic() > self._began + _MINUTE:
            counted = self._lines
            self._lines = {}
            self._began = time.monotonic()
            for one, lines in counted.items():
                if lines >= MOST_LINES:
                    line("left_out", address=one, lines=lines - MOST_LINES + 1)
        self._lines[address] = self._lines.get(address, 0) + 1
        if self._lines[address] == MOST_LINES:
            line("too_many", address=address)
        return self._lines[address] < MOST_LINES


refusals = Refusals()
