"""Libraries that measure by the time of day get a clock that nobody sets.

Else an hour that the machine's clock is set back is an hour's pause for whoever tried too
often, and one for which a dead connection is not noticed. Borrowed from engineio and limits:
that these modules call ``time.time()``, and nothing else of ``time``.
"""

import time
from types import SimpleNamespace

import engineio.base_socket
import engineio.socket
import limits.storage.memory
import limits.strategies

MODULES = (engineio.base_socket, engineio.socket, limits.storage.memory, limits.strategies)

_STEADY = SimpleNamespace(time=time.monotonic)


def install() -> None:
    """From now on pings and rates are measured by a clock that runs evenly."""
    for module in MODULES:
        vars(module)["time"] = _STEADY
