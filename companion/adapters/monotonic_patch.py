"""Libraries that measure by the time of day get a clock that nobody sets. Else an hour that the
machine's clock is set back is one for which a dead connection is not noticed, and of several
machines the one whose clock is ahead lets in whoever others have counted. Borrowed from engineio
and from limits' storage in Redis: that they call ``time.time()`` of ``time``."""

import time
from collections.abc import Callable
from types import SimpleNamespace

import engineio.base_socket
import engineio.socket
import limits.storage.redis

PINGS = (engineio.base_socket, engineio.socket)
RATES = (limits.storage.redis,)


def install(now: Callable[[], float]) -> None:
    """From now on pings are measured by a clock that runs evenly, and what is counted in Redis by
    the one that all processes have: ``now``, in seconds."""
    for modules, clock in ((PINGS, time.monotonic), (RATES, now)):
        for module in modules:
            vars(module)["time"] = SimpleNamespace(time=clock)
