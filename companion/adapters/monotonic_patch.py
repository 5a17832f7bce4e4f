"""Replaces the clock of libraries that measure durations by the time of day.

Otherwise, after the machine's clock was set back by an hour, python-engineio would not notice a
dead connection for that hour. And limits' storage in Redis would count wrongly if the clocks of
several machines differ. The patch relies on both calling ``time.time()`` of the module ``time``.
"""

import time
from collections.abc import Callable
from types import SimpleNamespace

import engineio.base_socket
import engineio.socket
import limits.storage.redis

PINGS = (engineio.base_socket, engineio.socket)
RATES = (limits.storage.redis,)


def install(now: Callable[[], float]) -> None:
    """Let pings use the monotonic clock, and rates in Redis the shared clock ``now`` (seconds)."""
    for modules, clock in ((PINGS, time.monotonic), (RATES, now)):
        for module in modules:
            vars(module)["time"] = SimpleNamespace(time=clock)


def shared_time() -> float:
    """Returns the time in seconds on the clock by which rates in Redis are counted."""
    return float(vars(limits.storage.redis)["time"].time())
