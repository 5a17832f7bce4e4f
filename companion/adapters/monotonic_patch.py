"""Replaces the clock of two libraries that measure durations by the time of day.

Without this patch, if somebody set the machine's clock back by an hour, python-engineio would not
notice a dead connection for an hour. If the clocks of several machines differ, the counts of rate
limits in Redis would be wrong. The patch works because both libraries call ``time.time()``, and no
other function of the module ``time``.
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
    """Replace the clocks of both libraries.

    Pings then use the monotonic clock. Rate limits in Redis use the clock ``now`` (in s).
    """
    for modules, clock in ((PINGS, time.monotonic), (RATES, now)):
        for module in modules:
            vars(module)["time"] = SimpleNamespace(time=clock)


def shared_time() -> float:
    """Return the time in seconds on the clock that rate limits in Redis use."""
    return float(vars(limits.storage.redis)["time"].time())
