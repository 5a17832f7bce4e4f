"""The real server, recording its function calls per command; ``calls`` starts it.

    COUNTED=counted.json python -m tests.support.servers.counted serve …

For each command, every call of a Python function is recorded in the greenlet that handles the
command. Recording starts when the command has been read, and ends when it has been stored, shown
and answered. Random numbers come from a seed, and the clock advances by a hundredth of a second
with each command, so the same commands lead to the same game. At the end, the file ``COUNTED``
contains each command as it arrived, with its calls in order as ``[module, function]``; the module
is empty for a library's function.
"""

import os
import secrets
import sys
import time
from pathlib import Path
from random import Random
from types import CodeType
from typing import Any

import msgspec

COMPANION = f"{Path(__file__).resolve().parents[3] / 'companion'}{os.sep}"
monitoring: Any = vars(sys)["monitoring"]  # new in Python 3.12
START = monitoring.events.PY_START
TOOL = monitoring.PROFILER_ID
EVENT = "42"
"""Prefix of Socket.IO's event messages, such as commands."""

TICK = 10**7
"""Number of nanoseconds by which the clock advances with each command."""

commands: list[tuple[str, list[tuple[str, str]]]] = []

chance = Random(1)
secrets.token_bytes = lambda nbytes=None: chance.randbytes(nbytes or 32)
time.clock_gettime_ns = lambda _clock: len(commands) * TICK

# This import makes eventlet patch the standard library, so it comes before the next ones.
from companion.__main__ import main  # isort: skip # noqa: E402

import eventlet  # noqa: E402

from companion.adapters.direct_engineio import DirectSocket  # noqa: E402


def record_calls() -> None:
    """Start to record the calls of each command."""
    hears = DirectSocket._handle_directly
    speaks = [eventlet.getcurrent()]

    def on_call(code: CodeType, _offset: int) -> None:
        if eventlet.getcurrent() is speaks[0] and code.co_filename != __file__:
            ours = code.co_filename.startswith(COMPANION)
            module = code.co_filename[len(COMPANION) : -len(".py")] if ours else ""
            commands[-1][1].append((module.replace(os.sep, "."), code.co_qualname))

    def note_caller(self: DirectSocket, message: Any) -> bool:
        if message[: len(EVENT)] != EVENT:
            return hears(self, message)
        speaks[0] = eventlet.getcurrent()
        commands.append((message, []))
        monitoring.set_events(TOOL, START)
        try:
            return hears(self, message)
        finally:
            monitoring.set_events(TOOL, monitoring.events.NO_EVENTS)

    monitoring.use_tool_id(TOOL, "calls")
    monitoring.register_callback(TOOL, START, on_call)
    DirectSocket._handle_directly = note_caller  # type: ignore[method-assign]


if __name__ == "__main__":
    record_calls()
    try:
        main()
    finally:
        Path(os.environ["COUNTED"]).write_bytes(msgspec.json.encode(commands))
