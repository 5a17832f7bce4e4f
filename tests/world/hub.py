"""Simulated time, and everybody who waits for it: one runs at a time, and one seed draws whom.

A fibre is what a thread is elsewhere: it runs until it waits. It belongs to a machine, with which
it freezes and dies.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from random import Random
from typing import Any

from greenlet import GreenletExit, getcurrent, greenlet

EPOCH_MS = 1_700_000_000_000
"""When each world begins, in ms."""


class Machine:
    """Whoever's fibres stop and go on together. ``frozen``: how often it is, just now.

    ``skew``: how many ms its clock is before the world's. ``missed``: what it has to go on with.
    ``since``: when it was frozen last, in ms.
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
    """What one machine does, step by step. ``turn`` counts what it waited for."""

    def __init__(self, hub: Hub, machine: Machine, name: str, do: Callable[[], Any]) -> None:
        super().__init__(self._do, hub.main)
        self.hub = hub
        self.machine = machine
        self.name = name
        self.do = do
        self.turn = 0

    def _do(self) -> None:
        try:
            self.do()
        finally:
            self.machine.fibres.remove(self)


class Hub:
    """The queue of all that is to happen. ``now``: the time in ms; ``chance``: the seed's.

    ``step``: called after each thing that happened.
    """

    def __init__(self, chance: Random, step: Callable[[], None]) -> None:
        self.now = EPOCH_MS
        self.chance = chance
        self.step = step
        self.main = getcurrent()
        self.steps = 0
        self._queue: list[tuple[int, float, int, Fibre | None, Any]] = []
        self._count = 0

    # --- what happens ------------------------------------------------------------------

    def spawn(self, machine: Machine, name: str, do: Callable[[], Any]) -> Fibre:
        """A machine does this, beside everything else."""
        fibre = Fibre(self, machine, name, do)
        machine.fibres.append(fibre)
        self.wake(fibre)
        return fibre

    def call(self, after_ms: int, do: Callable[[], Any]) -> None:
        """Happens by itself after a while; must not wait."""
        self._push(self.now + after_ms, None, do)

    def run(self, until: int) -> None:
        """Everything up to this time, in ms."""
        while self._queue and self._queue[0][0] <= until:
            at, _, _, fibre, what = heapq.heappop(self._queue)
            self.now = max(self.now, at)
            if fibre is None:
                what()
            elif fibre.dead or fibre.turn != what or not fibre.machine.alive:
                continue  # something else was sooner
            elif fibre.machine.frozen:
                fibre.machine.missed.append((fibre, what))
                continue
            else:
                fibre.switch()
            self.steps += 1
            self.step()
        self.now = max(self.now, until)

    def kill(self, machine: Machine) -> None:
        """Nothing of this machine happens any more; whoever kills it is no fibre of its own."""
        machine.alive = False
        for fibre in [*machine.fibres]:
            if fibre:  # it has begun
                fibre.throw(GreenletExit)
            fibre.turn = -1
        machine.fibres.clear()

    def freeze(self, machine: Machine) -> Callable[[], None]:
        """Nothing of this machine happens until what this gives is called."""
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
    def here(self) -> Fibre:
        """Whoever runs now."""
        fibre = getcurrent()
        assert isinstance(fibre, Fibre), "nobody waits outside a fibre"
        return fibre

    @property
    def machine(self) -> Machine | None:
        """On which machine one runs now."""
        fibre = getcurrent()
        return fibre.machine if isinstance(fibre, Fibre) else None

    def wait(self, ms: int | None = None) -> None:
        """Returns once it is woken, or after a while."""
        fibre = self.here
        if not fibre.machine.alive:
            raise GreenletExit
        fibre.turn += 1
        if ms is not None:
            self._push(self.now + ms, fibre, fibre.turn)
        self.main.switch()

    def wake(self, fibre: Fibre) -> None:
        """It goes on, if it waits."""
        self._push(self.now, fibre, fibre.turn)

    def _push(self, at: int, fibre: Fibre | None, what: Any) -> None:
        self._count += 1
        heapq.heappush(self._queue, (at, self.chance.random(), self._count, fibre, what))
