"""The server's log: one line on stderr for each accepted command and each refusal.

Each line is a JSON object. It contains no secrets, and no names, cells or cards.
"""

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
    """Write the log to stderr. Libraries log only errors."""
    global _out
    _out = _NonBlockingHandler()
    log.handlers[:] = [_out]
    log.setLevel(logging.INFO)
    log.propagate = False


class _NonBlockingHandler(logging.Handler):
    """Writes to stderr without blocking, and drops lines that the reader can't take.

    A blocking write would stop every game if the reader has stopped (a pager, or a terminal after
    Ctrl-S).
    """

    def __init__(self) -> None:
        super().__init__()
        self._out = _own_stderr()
        self._lost = 0

    def emit(self, record: logging.LogRecord) -> None:
        self.write_line(self.format(record).encode(errors="replace"))

    def write_line(self, text: bytes) -> None:
        """Write a line, or drop it if the reader can't take it.

        If lines were dropped before, first write a line that counts them.
        """
        if self._lost:
            notice = {"at": _now(), "what": "left_out", "lines": self._lost}
            self._lost = 0 if self._write(b"\n%s\n" % codec.encode(notice)) else self._lost
        if self._lost or not self._write(text + b"\n"):
            self._lost += 1

    def _write(self, data: bytes) -> bool:
        """Write data. Return True if all of it was written."""
        try:
            return self._out.write(data) == len(data)
        except OSError:  # the reader has closed the pipe, or the disk is full
            return False


# Set by ``set_up``. Once it is set, lines bypass the logging module.
_out: _NonBlockingHandler | None = None


def _own_stderr() -> io.FileIO:
    """Return stderr as a non-blocking file, if it is a pipe or terminal that can be reopened.

    The reopened file has its own flags, so other writers to stderr keep blocking.
    """
    number = sys.stderr.fileno()
    # Windows can't reopen a stream
    if sys.platform != "win32" and (stat.S_ISFIFO(os.fstat(number).st_mode) or os.isatty(number)):
        with suppress(OSError):
            flags = os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY
            number = os.open(f"/dev/fd/{number}", flags)
    return io.FileIO(number, "w", closefd=False)


def line(what: str, **facts: object) -> None:
    """Write one line to the log, with ``facts`` as its fields. Leave out fields that are None."""
    given = {key: value for key, value in facts.items() if value is not None}
    text = codec.encode({"at": _now(), "what": what, **given})
    if _out is None:
        log.info(text.decode())
    else:
        _out.write_line(text)


def bug(what: str) -> None:
    """Write the traceback of an unexpected exception to the log."""
    log.exception(codec.encode({"at": _now(), "what": what}).decode())


@contextmanager
def log_bugs(what: str) -> Iterator[None]:
    """Log an exception in the block as a ``bug``, and continue after the block."""
    try:
        yield
    except Exception:
        bug(what)


MOST_LINES = 120  # maximum number of log lines per minute about the refused requests of one address
_MINUTE = 60


class Refusals:
    """Limits the log lines about refused requests for each address, and counts the rest."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._lines: dict[str, int] = {}

    def allows_line(self, address: str) -> bool:
        """Count a refusal. Return True if it should be logged.

        The first refusal of the next minute also logs how many lines were left out.
        """
        if time.monotonic() > self._began + _MINUTE:
            counted = self._lines
            self._lines = {}
            self._began = time.monotonic()
            for other, lines in counted.items():
                if lines >= MOST_LINES:
                    line("left_out", address=other, lines=lines - MOST_LINES + 1)
        self._lines[address] = self._lines.get(address, 0) + 1
        if self._lines[address] == MOST_LINES:
            line("too_many", address=address)
        return self._lines[address] < MOST_LINES


refusals = Refusals()
