"""The scheduler of a world, with simulated time and fibres that take turns in a random order.

A fibre (a greenlet) stands for a thread of the real program. It runs until it waits, so only one
fibre runs at a time. It belongs to a machine, and freezes and dies with it.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from random import Random
from typing import Any

from greenlet import GreenletExit, getcurrent, greenlet

EPOCH_MS = 1_700_000_000_000
"""The time in ms at which each world begins."""


class Machine:
    """A process or a device, whose fibres freeze and die together.

    ``frozen`` counts the freezes that haven't ended, and ``since`` is the time in ms at which the
    last freeze ended. ``skew`` is how many ms the machine's clock is ahead of the world's.
    ``missed`` holds the fibres to resume when the machine thaws.
    """

    def __init__(self, name: str, skew: int = 0) -> None:
        self.name = name
        self.skew = skew
        self.frozen = 0
        self.alive = True
        self.fibres: list[Fibre] = []
        self.since = 0
        self.missed: list[tuple[Fibre, int]] = []


class Fibre(greenlet):
    """A thread of a machine. ``turn`` counts how often it has waited."""

    def __init__(self, hub: Hub, machine: Machine, name: str, do: Callable[[], Any]) -> None:
        super().__init__(self._run, hub.main)
        self.hub = hub
        self.machine = machine
        self.name = name
        self.do = do
        self.turn = 0

    def _run(self) -> None:
        try:
            self.do()
        finally:
            self.machine.fibres.remove(self)


class Hub:
    """The queue of future events.

    ``now`` is the time in ms, ``chance`` the random generator of the seed. ``step`` is called after
    each event.
    """

    def __init__(self, chance: Random, step: Callable[[], None]) -> None:
        self.now = EPOCH_MS
        self.chance = chance
        self.step = step
        self.main = getcurrent()
        self.steps = 0
        self._queue: list[tuple[int, float, int, Fibre | None, Any]] = []
        self._count = 0

    # --- events -------------------------------------------------------------------------

    def spawn(self, machine: Machine, name: str, do: Callable[[], Any]) -> Fibre:
        """Start a fibre on a machine."""
        fibre = Fibre(self, machine, name, do)
        machine.fibres.append(fibre)
        self.wake(fibre)
        return fibre

    def call(self, after_ms: int, do: Callable[[], Any]) -> None:
        """Call a function after this many ms. The function must not wait."""
        self._push(self.now + after_ms, None, do)

    def run(self, until: int) -> None:
        """Run all events up to this time in ms."""
        while self._queue and self._queue[0][0] <= until:
            at, _, _, fibre, what = heapq.heappop(self._queue)
            self.now = max(self.now, at)
            if fibre is None:
                what()
            elif fibre.dead or fibre.turn != what or not fibre.machine.alive:
                continue  # another event has already woken this fibre
            elif fibre.machine.frozen:
                fibre.machine.missed.append((fibre, what))
                continue
            else:
                fibre.switch()
            self.steps += 1
            self.step()
        self.now = max(self.now, until)

    def kill(self, machine: Machine) -> None:
        """Kill a machine and its fibres. The calling fibre must belong to another machine."""
        machine.alive = False
        for fibre in [*machine.fibres]:
            if fibre:  # it has begun
                fibre.throw(GreenletExit)
            fibre.turn = -1
        machine.fibres.clear()

    def freeze(self, machine: Machine) -> Callable[[], None]:
        """Freeze a machine. Returns a function that resumes it."""
        machine.frozen += 1

        def thaw() -> None:
            machine.frozen -= 1
            machine.since = self.now
            if not machine.frozen:
                missed = machine.missed
                machine.missed = []
                for fibre, turn in missed:
                    self._push(self.now, fibre, turn)

        return thaw

    # --- waiting -----------------------------------------------------------------------

    @property
    def current_fibre(self) -> Fibre:
        """Return the running fibre."""
        fibre = getcurrent()
        assert isinstance(fibre, Fibre), "nobody waits outside a fibre"
        return fibre

    @property
    def current_machine(self) -> Machine | None:
        """Return the machine of the running fibre, or ``None`` outside of fibres."""
        fibre = getcurrent()
        return fibre.machine if isinstance(fibre, Fibre) else None

    def wait(self, ms: int | None = None) -> None:
        """Wait until another fibre wakes this one, or for this many ms."""
        fibre = self.current_fibre
        if not fibre.machine.alive:
            raise GreenletExit
        fibre.turn += 1
        if ms is not None:
            self._push(self.now + ms, fibre, fibre.turn)
        self.main.switch()

    def wake(self, fibre: Fibre) -> None:
        """Wake a waiting fibre."""
        self._push(self.now, fibre, fibre.turn)

    def _push(self, at: int, fibre: Fibre | None, what: Any) -> None:
        self._count += 1
        heapq.heappush(self._queue, (at, self.chance.random(), self._count, fibre, what))
