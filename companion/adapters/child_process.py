"""Child processes whose output can be awaited while other threads run.

With eventlet, reading from a pipe blocks all threads, but reading from a socket doesn't. So a child
writes to a socket. On Windows, a child's output can't be a socket. There the child writes to a
file, which this process reads at short intervals.
"""

import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

HANDS_OVER_SOCKETS = sys.platform != "win32"
"""True if a child can have a socket as its input and output. Only Windows can't."""

LOOK_SECONDS = 0.1  # pause in seconds between two reads of a child's output file
PIECE_BYTES = 4096


class ChildProcess:
    """A running program.

    ``stdin`` and ``stderr`` are passed to ``subprocess.Popen``. If ``stdin`` is None, the program
    reads what is passed to ``send``. Raises ``OSError`` if the program can't be started.
    """

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str], *,
        stdin: int | None = None, stderr: int = subprocess.DEVNULL, without_terminal: bool = False,
    ) -> None:  # fmt: skip
        start = self._start_with_socket if HANDS_OVER_SOCKETS else self._start_with_file
        self._closed = False
        self.program = start(
            command, environment, stdin=stdin, stderr=stderr, without_terminal=without_terminal
        )

    def _start_with_socket(
        self, command: Sequence[str], environment: Mapping[str, str], *,
        stdin: int | None, stderr: int, without_terminal: bool,
    ) -> "subprocess.Popen[bytes]":  # fmt: skip
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                program = subprocess.Popen(
                    command, env=environment, stdin=theirs.fileno() if stdin is None else stdin,
                    stdout=theirs.fileno(), stderr=stderr, start_new_session=without_terminal,
                )  # fmt: skip
        except BaseException:
            ours.close()
            raise
        self._socket = ours
        return program

    def _start_with_file(
        self, command: Sequence[str], environment: Mapping[str, str], *,
        stdin: int | None, stderr: int, without_terminal: bool,
    ) -> "subprocess.Popen[bytes]":  # fmt: skip
        # Windows can't delete an open file, and the file with the output is open until the program
        # has ended.
        self._folder = TemporaryDirectory(ignore_cleanup_errors=True)
        path = Path(self._folder.name, "output")
        try:
            self._output = path.open("wb", buffering=0)
            try:
                program = subprocess.Popen(
                    command, env=environment, stdin=subprocess.PIPE if stdin is None else stdin,
                    stdout=self._output, stderr=stderr, bufsize=0,
                    creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0) * without_terminal,
                )  # fmt: skip
                self._file = path.open("rb", buffering=0)
            except BaseException:
                self._output.close()
                raise
        except BaseException:
            self._folder.cleanup()
            raise
        return program

    def send(self, data: bytes) -> None:
        """Send data to the program's input. Raises ``OSError`` if the program has ended."""
        if HANDS_OVER_SOCKETS:
            self._socket.sendall(data)
        elif self.program.stdin is not None:
            self.program.stdin.write(data)

    def receive(self, seconds: float | None = None) -> bytes | None:
        """Return output of the program, b"" if it has ended, or None if there was none in time."""
        try:
            return self._receive(seconds) if HANDS_OVER_SOCKETS else self._read(seconds)
        except TimeoutError:
            return None
        # Another thread called ``close`` in the meantime. Eventlet raises EOFError for it.
        except (OSError, ValueError, EOFError):
            return b""

    def _receive(self, seconds: float | None) -> bytes:
        self._socket.settimeout(seconds)
        return self._socket.recv(PIECE_BYTES)

    def _read(self, seconds: float | None) -> bytes:
        until = None if seconds is None else time.monotonic() + seconds
        while not self._closed:
            has_ended = self.program.poll() is not None
            data = self._file.read(PIECE_BYTES)
            if data or has_ended:
                return data or b""
            if until is not None and time.monotonic() > until:
                raise TimeoutError
            time.sleep(LOOK_SECONDS)
        return b""

    def drop_output(self) -> None:
        """Drop what the program prints from now on. Returns when the program has ended."""
        if HANDS_OVER_SOCKETS:
            while self.receive():
                pass
            return
        while not self._closed and self.program.poll() is None:
            self._empty_file()
            time.sleep(LOOK_SECONDS)

    def _empty_file(self) -> None:
        """Empty the file, so that it doesn't grow for as long as the program runs.

        The program and this process share the file's position. After the reset, the program goes on
        writing at the beginning.
        """
        with suppress(OSError, ValueError):  # another thread called ``close`` in the meantime
            self._output.seek(0)
            self._output.truncate(0)

    def close(self) -> None:
        """Close the program's input and this end of its output. Can be called twice."""
        if self._closed:
            return
        self._closed = True
        if self.program.stdin is not None:
            with suppress(OSError):
                self.program.stdin.close()
        if HANDS_OVER_SOCKETS:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)
            self._socket.close()
        else:
            self._file.close()
            self._output.close()
            self._folder.cleanup()
