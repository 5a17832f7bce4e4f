"""The real server, recording its function calls per command; ``benchmarks.calls`` starts it.

    COUNTED=counted.json python -m benchmarks.counted serve …

Noted is each start of a Python function from when a command has been read off its connection
until it is stored, shown and answered, in the greenlet that does all that. Chance is drawn from a
seed and a hundredth of a second goes by with each command, so the same commands make the same game.
At its end ``COUNTED`` has each command as it came and its calls in their order,
``[module, function]``, without a module where it is a library's.
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

COMPANION = f"{Path(__file__).resolve().parent.parent / 'companion'}{os.sep}"
monitoring: Any = vars(sys)["monitoring"]  # Python has it from 3.12 on
START = monitoring.events.PY_START
TOOL = monitoring.PROFILER_ID
EVENT = "42"
"""Prefix of Socket.IO event messages, which commands are."""

TICK = 10**7
"""Nanoseconds by which the clock advances per command."""

commands: list[tuple[str, list[tuple[str, str]]]] = []

chance = Random(1)
secrets.token_bytes = lambda nbytes=None: chance.randbytes(nbytes or 32)
time.clock_gettime_ns = lambda _clock: len(commands) * TICK

from companion.__main__ import main  # isort: skip # noqa: E402 - it patches eventlet

import eventlet  # noqa: E402

from companion.adapters.engineio import ClientSocket  # noqa: E402


def count() -> None:
    """Start to record the calls of each command."""
    hears = ClientSocket._handle_directly
    speaks = [eventlet.getcurrent()]

    def on_call(code: CodeType, _offset: int) -> None:
        if eventlet.getcurrent() is speaks[0] and code.co_filename != __file__:
            ours = code.co_filename.startswith(COMPANION)
            module = code.co_filename[len(COMPANION) : -len(".py")] if ours else ""
            commands[-1][1].append((module.replace(os.sep, "."), code.co_qualname))

    def note_caller(self: ClientSocket, message: Any) -> bool:
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
    ClientSocket._handle_directly = note_caller  # type: ignore[method-assign]


if __name__ == "__main__":
    count()
    try:
        main()
    finally:
        Path(os.environ["COUNTED"]).write_bytes(msgspec.json.encode(commands))
