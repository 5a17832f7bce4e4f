"""The time of day as it was at the start and as it ran on, and one thread that rings.

Whoever sets the machine's clock while the program runs moves no window, no alarm and no
rate: only the start asks what time it is. Of several processes all follow the clock of the
database that they share. This module must not know what a table is or why somebody wants to
be woken.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


def _run() -> int:
    """Nanoseconds of a clock that nobody sets; it runs on while the machine sleeps, if it can."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime_ns(time.CLOCK_BOOTTIME)
    return time.monotonic_ns()


_BEGAN = _OWN = time.time_ns() - _run()


def now() -> int:
    """Milliseconds since the epoch, on the server's clock."""
    return (_BEGAN + _run()) // 1_000_000


def own() -> int:
    """Milliseconds since the epoch, on this machine's own clock as it was at the start."""
    return (_OWN + _run()) // 1_000_000


def follow(step: int) -> None:
    """It is so many ms later: of several processes all have the clock of what they share."""
    global _BEGAN
    _BEGAN += step * 1_000_000


class Alarms:
    """One alarm for each key: setting it again replaces the time it had."""

    def __init__(self, ring: Callable[[str], None]) -> None:
        self._ring = ring
        self._at: dict[str, int] = {}
        self._changed = threading.Event()
        self._stopped = self._still = False
        self._thread = threading.Thread(target=self._run, name="alarms", daemon=True)

    def start(self) -> None:
        """From now on alarms ring."""
        self._thread.start()

    @property
    def running(self) -> bool:
        """Whether alarms ring."""
        return self._thread.is_alive()

    def stop(self) -> None:
        """Nothing rings any more."""
        self._stopped = True
        self._changed.set()

    def set(self, key: str, at: int | None) -> None:
        """Rings for ``key`` at this time, in ms since the epoch; ``None``: not at all."""
        if at is None:
            self._at.pop(key, None)
        elif self._at.get(key) != at:
            self._at[key] = at
            self._changed.set()

    def __contains__(self, key: str) -> bool:
        return key in self._at

    @contextmanager
    def still(self) -> Iterator[None]:
        """Nothing rings meanwhile."""
        self._still = True
        try:
            yield
        finally:
            self._still = False
            self._changed.set()

    def _run(self) -> None:
        while not self._stopped:
            for key, at in list(self._at.items()):
                if self._still:
                    break
                if at <= now() and self._at.get(key) == at:
                    self._at.pop(key, None)
                    self._ring(key)
            first = min(self._at.values(), default=None)
            waits = None if first is None or self._still else max(0, first - now()) / 1000
            self._changed.wait(waits)
            self._changed.clear()
