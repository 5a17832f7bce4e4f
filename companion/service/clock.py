"""The clock, its alarms and repeated tasks. The parts of the service get these objects as
arguments, so that tests can control time."""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from companion.service.logs import log_bugs
from companion.storage.database import Busy

SUSPENDED_MS = 2000  # a shorter suspension of the machine is ignored


def _monotonic_ns() -> int:
    """Return a monotonic time in ns that includes suspended time.

    ``time.monotonic_ns`` includes it on Windows, but not on Linux and macOS. There,
    ``CLOCK_BOOTTIME`` and ``CLOCK_MONOTONIC_RAW`` do.
    """
    if sys.platform == "darwin":
        return time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)
    if sys.platform != "win32" and hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime_ns(time.CLOCK_BOOTTIME)
    return time.monotonic_ns()


class Clock:
    """The current time: the time of day at the start, plus the time that has passed since.

    Setting the machine's clock while the server runs therefore changes no Nope window, no alarm and
    no rate limit. Processes that share a database adjust this clock to the database's (see
    ``follow``).
    """

    def __init__(self) -> None:
        self._began = self._own = time.time_ns() - _monotonic_ns()
        # the time (ms) for which the machine has been suspended since its start
        self._suspended_ms = (_monotonic_ns() - time.monotonic_ns()) // 1_000_000
        # the number of times that the machine was suspended since this clock was created; stays 0
        # on Windows, where suspended time can't be measured
        self.suspensions = 0

    def now(self) -> int:
        """Return milliseconds since 1970, on the clock that all processes share.

        If the machine was suspended since the last call, also increase ``suspensions``.
        """
        monotonic_ns = _monotonic_ns()
        suspended_ms = (monotonic_ns - time.monotonic_ns()) // 1_000_000
        if suspended_ms > self._suspended_ms + SUSPENDED_MS:
            self.suspensions += 1
        self._suspended_ms = suspended_ms
        return (self._began + monotonic_ns) // 1_000_000

    def own(self) -> int:
        """Return milliseconds since 1970 on a clock that is never adjusted.

        Use it to measure elapsed time.
        """
        return (self._own + _monotonic_ns()) // 1_000_000

    def follow(self, step: int) -> None:
        """Set the shared clock forward by ``step`` ms, or back if ``step`` is negative."""
        self._began += step * 1_000_000


class Alarms:
    """Alarms, at most one for each key.

    One thread runs all alarms. Scheduling a key again replaces the time of its alarm.
    """

    def __init__(self, clock: Clock, ring: Callable[[str], None]) -> None:
        self._clock = clock
        self._ring = ring
        self._at: dict[str, int] = {}
        self._changed = threading.Event()
        self._stopped = self._paused = False
        self._thread = threading.Thread(target=self._run, name="alarms", daemon=True)

    def start(self) -> None:
        self._thread.start()

    @property
    def running(self) -> bool:
        return self._thread.is_alive()

    def stop(self) -> None:
        self._stopped = True
        self._changed.set()

    def schedule(self, key: str, at: int | None) -> None:
        """Call ``ring`` with the key at this time (ms since 1970). With None, cancel the alarm."""
        if at is None:
            self._at.pop(key, None)
        elif self._at.get(key) != at:
            self._at[key] = at
            self._changed.set()

    def __contains__(self, key: str) -> bool:
        return key in self._at

    def read_clock_again(self) -> None:
        """Compute anew how long the thread waits. Call this after the machine was suspended,
        because the waiting time doesn't include suspended time."""
        self._changed.set()

    @contextmanager
    def pause(self) -> Iterator[None]:
        """Keep all alarms from ringing during the block."""
        self._paused = True
        try:
            yield
        finally:
            self._paused = False
            self._changed.set()

    def _run(self) -> None:
        while not self._stopped:
            for key, at in list(self._at.items()):
                if self._paused:
                    break
                if at <= self._clock.now() and self._at.get(key) == at:
                    self._at.pop(key, None)
                    self._ring(key)
            first = min(self._at.values(), default=None)
            waits = None
            if first is not None and not self._paused:
                waits = max(0, first - self._clock.now()) / 1000
            self._changed.wait(waits)
            self._changed.clear()


LAST_SECONDS = 0.5  # seconds that ``stop`` waits for a running task


class Task:
    """A function that is called at regular intervals, in a thread of its own."""

    def __init__(self, name: str, seconds: float, do: Callable[[], None]) -> None:
        self._name = name
        self._seconds = seconds
        self._do = do
        self._wanted = threading.Event()
        self._stopped = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def run_soon(self) -> None:
        """Call the function now, without waiting for the interval to end."""
        self._wanted.set()

    def stop(self) -> None:
        """Stop calling the function. If the function is running, wait a moment, because it may use
        the database."""
        self._stopped = True
        self._wanted.set()
        self._thread.join(LAST_SECONDS)

    def _run(self) -> None:
        while True:
            self._wanted.wait(self._seconds)
            self._wanted.clear()
            if self._stopped:
                return
            with log_bugs(self._name), suppress(Busy):  # try again at the next interval
                self._do()


class Timers:
    """The clock with its alarms and tasks. Nothing else in the service starts a thread."""

    def __init__(self, clock: Clock | None = None) -> None:
        self.clock = clock or Clock()
        self._running: list[Alarms | Task] = []

    def alarms(self, ring: Callable[[str], None]) -> Alarms:
        """Return alarms that call ``ring`` with the alarm's key. The caller has to start them."""
        self._running.append(alarms := Alarms(self.clock, ring))
        return alarms

    def every(self, seconds: float, name: str, do: Callable[[], None]) -> Task:
        """Call a function at this interval, in a thread of its own."""
        self._running.append(task := Task(name, seconds, do))
        return task

    def start(self, name: str, do: Callable[[], None]) -> None:
        """Call a function once, in a thread of its own."""
        threading.Thread(target=do, name=name, daemon=True).start()

    def stop(self) -> None:
        for alarms_or_task in self._running:
            alarms_or_task.stop()
