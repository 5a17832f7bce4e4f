"""What time it is, and what is done by the clock: handed to every part that needs either."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from companion.service.logs import log_bugs
from companion.storage.database import Busy


def _run() -> int:
    """Nanoseconds of a clock that nobody sets; it runs on while the machine sleeps, if it can."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime_ns(time.CLOCK_BOOTTIME)
    return time.monotonic_ns()


class Clock:
    """The time of day as at the start, and as it ran on since: whoever sets the machine's clock
    meanwhile moves no window, alarm or rate. Several processes follow their database's."""

    def __init__(self) -> None:
        self._began = self._own = time.time_ns() - _run()

    def now(self) -> int:
        """Milliseconds since the epoch, on the server's clock."""
        return (self._began + _run()) // 1_000_000

    def own(self) -> int:
        """Milliseconds since the epoch, on this machine's own clock as it was at the start."""
        return (self._own + _run()) // 1_000_000

    def follow(self, step: int) -> None:
        """It is so many ms later."""
        self._began += step * 1_000_000


class Alarms:
    """One alarm for each key: setting it again replaces the time it had."""

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
        """Rings for ``key`` at this time, in ms since the epoch; ``None``: not at all."""
        if at is None:
            self._at.pop(key, None)
        elif self._at.get(key) != at:
            self._at[key] = at
            self._changed.set()

    def __contains__(self, key: str) -> bool:
        return key in self._at

    @contextmanager
    def pause(self) -> Iterator[None]:
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


LAST_SECONDS = 0.5  # for so long, at the end, whatever is being done is waited for


class Task:
    """Something that is done again and again, in a thread of its own."""

    def __init__(self, name: str, seconds: float, do: Callable[[], None]) -> None:
        self._name = name
        self._seconds = seconds
        self._do = do
        self._wanted = threading.Event()
        self._stopped = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def soon(self) -> None:
        self._wanted.set()

    def stop(self) -> None:
        """It is done no more; who is at it is waited for, a moment: it may read the database."""
        self._stopped = True
        self._wanted.set()
        self._thread.join(LAST_SECONDS)

    def _run(self) -> None:
        while True:
            self._wanted.wait(self._seconds)
            self._wanted.clear()
            if self._stopped:
                return
            with log_bugs(self._name), suppress(Busy):  # it is done again
                self._do()


class Timers:
    """The clock, and all that is done by it until it is stopped. Nothing else starts a thread."""

    def __init__(self, clock: Clock | None = None) -> None:
        self.clock = clock or Clock()
        self._running: list[Alarms | Task] = []

    def alarms(self, ring: Callable[[str], None]) -> Alarms:
        """Alarms that call ``ring`` with their key; they are still to be started."""
        self._running.append(alarms := Alarms(self.clock, ring))
        return alarms

    def every(self, seconds: float, name: str, do: Callable[[], None]) -> Task:
        self._running.append(task := Task(name, seconds, do))
        return task

    def start(self, name: str, do: Callable[[], None]) -> None:
        threading.Thread(target=do, name=name, daemon=True).start()

    def stop(self) -> None:
        for one in self._running:
            one.stop()
