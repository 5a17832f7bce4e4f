"""A real server as a process of its own, for those who play against it.

It is started as a user would start it and talked to over the wire only.
"""

import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from types import TracebackType


class NotReady(Exception):
    """The server did not come up; the message is what it said."""


class Server:
    """``python -m companion serve`` with these options; a context manager."""

    def __init__(
        self, *, port: int, database: str, settings: Mapping[str, str] | None = None
    ) -> None:
        self.url = ""
        self.process: subprocess.Popen[str]
        self._command = [sys.executable, "-m", "companion", "serve"]
        self._command += ["--port", str(port), "--database", database]
        self._environment = {**os.environ, **(settings or {})}
        # A file, not a pipe: nobody has to read along. Written at its end, wherever it is read.
        self._log = tempfile.TemporaryFile("a+")  # noqa: SIM115

    def __enter__(self) -> "Server":
        self.process = subprocess.Popen(
            self._command,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
            env=self._environment,
        )
        assert self.process.stdout is not None
        try:
            ready = self.process.stdout.readline()
        except BaseException:  # nobody is there any more who would end it
            self._end()
            raise
        if not ready.startswith("Ready: "):
            self._end()
            raise NotReady("\n".join([ready, *self.said]))
        self.url = ready.removeprefix("Ready: ").strip()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end()

    def _end(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()
        self._last_words = self._read()
        self._log.close()

    def _read(self) -> list[str]:
        self._log.seek(0)
        return self._log.read().splitlines()

    @property
    def said(self) -> list[str]:
        """Every line of its log so far."""
        return self._last_words if self._log.closed else self._read()

    @property
    def faults(self) -> list[str]:
        """The lines of its log that speak of an error."""
        signs = ("Traceback", "ERROR", "CRITICAL", '"error"')
        return [line for line in self.said if any(sign in line for sign in signs)]


def free_port(wished: int = 0) -> int:
    """The wished port if nobody uses it, else another one."""
    for port in (wished, 0):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise OSError("no port is free")
