"""Time, threads and random numbers of the standard library, simulated on a hub.

The program's modules get these objects in place of the standard library's, so its own clock,
alarms, tasks and locks run unchanged.
"""

import random
import secrets
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

from tests.simulation.hub import Fibre, Hub


class Time:
    """The module ``time``. Each machine has its own clock."""

    CLOCK_BOOTTIME = 7

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self.perf_counter = self.process_time = self.monotonic

    def monotonic(self) -> float:
        return self._hub.now / 1000

    def monotonic_ns(self) -> int:
        return self._hub.now * 1_000_000

    def clock_gettime_ns(self, _which: int) -> int:
        return self.monotonic_ns()

    def time_ns(self) -> int:
        machine = self._hub.current_machine
        return (self._hub.now + (machine.skew if machine else 0)) * 1_000_000

    def time(self) -> float:
        return self.time_ns() / 1e9

    def sleep(self, seconds: float) -> None:
        self._hub.wait(round(seconds * 1000))


class Lock:
    """A ``threading.Lock`` for fibres."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._held = False
        self._waiting: list[Fibre] = []

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        while self._held:
            if not blocking:
                return False
            self._waiting.append(self._hub.current_fibre)
            self._hub.wait()
        self._held = True
        return True

    def release(self) -> None:
        self._held = False
        waiting = self._waiting
        self._waiting = []
        for fibre in waiting:
            self._hub.wake(fibre)

    def locked(self) -> bool:
        return self._held

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *_: object) -> None:
        self.release()


class Event:
    """A ``threading.Event`` for fibres."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._set = False
        self._waiting: list[Fibre] = []

    def is_set(self) -> bool:
        return self._set

    def set(self) -> None:
        self._set = True
        waiting = self._waiting
        self._waiting = []
        for fibre in waiting:
            self._hub.wake(fibre)

    def clear(self) -> None:
        self._set = False

    def wait(self, timeout: float | None = None) -> bool:
        if not self._set:
            self._waiting.append(self._hub.current_fibre)
            self._hub.wait(None if timeout is None else round(timeout * 1000))
        return self._set


class Condition:
    """A ``threading.Condition`` for fibres. It needs no lock, since only one fibre runs at
    a time."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._waiting: list[Fibre] = []

    def __enter__(self) -> None:
        """Do nothing, since no other fibre is running."""

    def __exit__(self, *_: object) -> None:
        """Do nothing."""

    def wait_for(self, so: Callable[[], bool], timeout: float | None = None) -> bool:
        until = None if timeout is None else self._hub.now + round(timeout * 1000)
        while not so() and (until is None or self._hub.now < until):
            self._waiting.append(self._hub.current_fibre)
            self._hub.wait(None if until is None else until - self._hub.now)
        return so()

    def notify_all(self) -> None:
        waiting = self._waiting
        self._waiting = []
        for fibre in waiting:
            self._hub.wake(fibre)


class Thread:
    """A ``threading.Thread`` that runs as a fibre of the machine that starts it."""

    def __init__(self, hub: Hub, target: Callable[[], Any], name: str = "", **_: Any) -> None:
        self._hub = hub
        self._target = target
        self._name = name
        self._fibre: Fibre | None = None

    def start(self) -> None:
        machine = self._hub.current_fibre.machine
        self._fibre = self._hub.spawn(machine, self._name, self._target)

    def is_alive(self) -> bool:
        return self._fibre is not None and not self._fibre.dead

    def join(self, timeout: float) -> None:
        until = self._hub.now + round(timeout * 1000)
        while self.is_alive() and self._hub.now < until:
            self._hub.wait(10)


class Timer:
    """A ``threading.Timer`` that runs as a fibre of the machine that starts it."""

    daemon = False

    def __init__(self, hub: Hub, seconds: float, do: Callable[[], Any]) -> None:
        self._hub = hub
        self._seconds = seconds
        self._do = do

    def start(self) -> None:
        self._hub.spawn(self._hub.current_fibre.machine, "timer", self._run)

    def _run(self) -> None:
        self._hub.wait(round(self._seconds * 1000))
        self._do()


@contextmanager
def replace_standard_library(hub: Hub) -> Iterator[None]:
    """Give the program the time, threads and random numbers of this hub inside the block."""
    chance = hub.chance
    threads = SimpleNamespace(
        Lock=lambda: Lock(hub),
        Event=lambda: Event(hub),
        Condition=lambda: Condition(hub),
        RLock=lambda: Condition(hub),
        Timer=lambda seconds, do: Timer(hub, seconds, do),
        Thread=lambda **given: Thread(hub, **given),
    )
    replacements: dict[Any, Any] = {
        time: Time(hub),
        threading: threads,
        random: chance,
        random.random: chance.random,
        uuid.uuid4: lambda: uuid.UUID(bytes=chance.randbytes(16), version=4),
        secrets.choice: chance.choice,
        secrets.token_bytes: chance.randbytes,
        secrets.token_hex: lambda size: chance.randbytes(size).hex(),
        secrets.token_urlsafe: lambda size: chance.randbytes(size).hex(),
    }
    standard = {id(one): one for one in replacements}
    uses = [
        (module, name, value)
        for module_name, module in sorted(sys.modules.items())
        if module_name.startswith("companion.")
        for name, value in vars(module).items()
        if id(value) in standard
    ]
    for module, name, value in uses:
        setattr(module, name, replacements[value])
    try:
        yield
    finally:
        for module, name, value in uses:
            setattr(module, name, value)
