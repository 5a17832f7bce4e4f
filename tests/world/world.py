"""One world: a seed's processes, tables, players and faults, from their beginning to their end."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from random import Random
from typing import Any

from companion.rules.core.commands import TakeSeat
from companion.rules.core.variant import Variant
from companion.rules.families import load_all
from companion.service.requests import KeyedRequest, Seated
from companion.settings import default_variants
from tests.world.bus import Network
from tests.world.faults import FAULTS, Planned, plan
from tests.world.hub import EPOCH_MS, Hub, Machine
from tests.world.link import Link
from tests.world.panel import Panel
from tests.world.process import Process
from tests.world.record import Record, must
from tests.world.standard import handed
from tests.world.store import Database

PLAY_MS = 15_000
"""For so long things go wrong."""

MOST_STEPS = 1_000_000
"""A world that comes to no end in so many is broken."""

AGREE_MS, SETTLE_MS, GONE_MS = 5_000, 20_000, 12_000
"""How soon after the last fault all is well, and everybody knows who is here; how soon somebody
who has gone without a word is away for everybody."""

NAMES = "Ana Ben Cleo Dora".split()


@cache
def variants() -> dict[str, Variant]:
    """Those that come with the program."""
    return load_all(default_variants())


class World:
    """``faults``: those of the seed, unless some are left out. ``trace``: what happened."""

    def __init__(self, seed: int, faults: Sequence[Planned] | None = None) -> None:
        self.seed, self.trace = seed, list[str]()
        chance = Random(seed)
        planned = plan(Random(chance.random()), PLAY_MS)
        self.faults = planned if faults is None else [*faults]
        self.hub = Hub(chance, self._step)
        self.network = Network(self.hub)
        self.database = Database(self.hub, lambda rows: self.record.committed(rows))
        self.record = Record(self.database)
        self.processes: list[Process] = []
        self.panels: list[Panel] = []
        self.clock_set = False
        self._count = chance.randint(1, 3)
        self._bugs: list[str] = []

    @property
    def digest(self) -> str:
        """What two runs of a seed have in common."""
        return sha256("\n".join(self.trace).encode()).hexdigest()

    def tell(self, *words: object) -> None:
        """A line of the trace."""
        at = (self.hub.now - EPOCH_MS) / 1000
        self.trace.append(f"{at:8.3f} " + " ".join(map(str, words)))

    def play(self) -> None:
        """From the beginning to the end; raises ``Broken`` where something doesn't hold."""
        with handed(self.hub), self._listening():
            try:
                self._play()
            finally:
                for machine in [one.machine for one in (*self.processes, *self.panels)]:
                    self.hub.kill(machine)
                self.database.close()

    def _play(self) -> None:
        for number in range(self._count):
            self.start(number, self.hub.chance.randint(-60_000, 60_000))
        self.hub.run(EPOCH_MS + 500)
        for _ in range(self.hub.chance.randint(1, 2)):
            self.hub.spawn(self.processes[0].machine, "table", self._make_table)
        self.hub.run(EPOCH_MS + 1_500)
        began = self.hub.now
        for fault in self.faults:
            self.hub.call(fault.at, lambda fault=fault: self._begin(fault))
        ends = [fault.at + fault.lasts for fault in self.faults]
        self.hub.run(began + max([PLAY_MS, *ends]))
        self._calm()
        self.record.check()

    def _begin(self, fault: Planned) -> None:
        self.tell("fault", fault.name, "for", fault.lasts)
        over = FAULTS[fault.name][0](self, Random(fault.seed))

        def end() -> None:
            self.tell("over", fault.name)
            over()

        self.hub.call(fault.lasts, end)

    # --- who is there ------------------------------------------------------------------

    def start(self, number: int, skew: int) -> None:
        """A process, in place of the one of this number."""
        self.tell("start", f"p{number}")
        machine = Machine(f"p{number}.{self.hub.steps}", skew)
        network = self.network if self._count > 1 else None
        process = Process(self.hub, machine, self.database, network, variants(), self._sent)
        self.processes[number : number + 1] = [process]

    def _make_table(self) -> None:
        tables, chance = self.processes[0].tables, self.hub.chance
        variant = chance.choice(sorted(variants()))
        first = tables.create(KeyedRequest(), NAMES[0], variant, {"nope_seconds": 3})
        joined = [
            tables.join(KeyedRequest(), first.table, TakeSeat(name=name))
            for name in NAMES[1 : chance.randint(2, 4)]
        ]
        self.tell("table", first.table, variant, len(joined) + 1)
        for seated in (first, *joined):
            self.seat(seated)

    def seat(self, seated: Seated) -> None:
        """Another device of this seat."""
        name = f"{seated.seat}#{len(self.panels)}"
        panel = Panel(self.hub, name, seated, self.processes, self)
        self.panels.append(panel)

    # --- what is heard of it -----------------------------------------------------------

    def asked(self, panel: Panel, link: Link) -> None:
        """A device connects."""
        self.tell(panel.machine.name, "asks", panel.process.machine.name)
        self.record.asked.setdefault(panel.key, []).append(link.asked)

    def answered(self, panel: Panel, said: dict[str, Any], answer: dict[str, Any]) -> None:
        """A device is answered."""
        how = "ok" if answer["ok"] else answer["error"].get("ruling", answer["error"]["code"])
        self.tell(panel.machine.name, said["type"], how, answer["version"])
        self.record.answered(panel, said, answer)

    def shown(self, panel: Panel) -> None:
        """A device shows a view."""
        self.tell(panel.machine.name, "sees", panel.view["epoch"], panel.view["version"])
        self.record.shown(panel)

    def _sent(self, link: Link, event: str, payload: bytes) -> None:
        self.record.sent(link, event, payload, self.clock_set)

    def _step(self) -> None:
        must(self.hub.steps < MOST_STEPS, "no end in a million steps")
        must(not self._bugs, *self._bugs)

    @contextmanager
    def _listening(self) -> Iterator[None]:
        """Whatever the program says it did not expect is a fault."""
        handler, log = logging.Handler(logging.ERROR), logging.getLogger("companion")
        handler.emit = lambda record: self._bugs.append(handler.format(record))
        handlers, log.handlers = log.handlers, [handler]
        propagate, log.propagate = log.propagate, False
        try:
            yield
        finally:
            log.handlers, log.propagate = handlers, propagate

    # --- when all is over --------------------------------------------------------------

    def _calm(self) -> None:
        """All faults are over: games go on, and everybody sees the same, as it is."""
        self.tell("calm")
        over, before = self.hub.now, self._versions()
        self._until(over + AGREE_MS, lambda: self._went_on(before), "stands still:")
        for panel in self.panels:
            panel.quiet = True
        self._until(self.hub.now + AGREE_MS, self._apart, "sees something else:")
        self._until(over + SETTLE_MS, self._mistaken, "takes somebody for away:")
        self._leave()
        self._until(self.hub.now + GONE_MS, self._mistaken, "takes somebody for here:")
        self.tell("end", *self._versions().values())

    def _until(self, end: int, wrong: Any, why: str) -> None:
        """Runs until nothing is wrong; raises ``Broken`` where something still is at the end."""
        while wrong() and self.hub.now < end:
            self.hub.run(self.hub.now + 100)
        must(not wrong(), why, *wrong())

    def _versions(self) -> dict[str, tuple[str, int]]:
        found = self.database.ask(
            "SELECT e.code, coalesce(m.value, '') AS epoch, max(version) AS newest FROM events e"
            " LEFT JOIN meta m ON m.key = 'epoch ' || e.code GROUP BY e.code ORDER BY e.code"
        )
        return {code: ("world" + epoch, newest) for code, epoch, newest in found}

    def _went_on(self, before: dict[str, tuple[str, int]]) -> list[str]:
        now = self._versions()
        return [code for code in now if now[code] == before[code]]

    def _apart(self) -> list[object]:
        now, wrong = self._versions(), list[object]()
        seats: dict[tuple[str, str], int] = {}
        for panel in self.panels:
            if panel.sent_away:
                continue
            seats[panel.key] = seats.get(panel.key, 0) + 1
            view = panel.view or {"epoch": "", "version": 0}
            seen = view["epoch"], view["version"]
            if not panel.connected or seen != now[panel.seated.table]:
                wrong.append((panel.machine.name, panel.connected, seen, now[panel.seated.table]))
        wrong += [key for key in {p.key: 0 for p in self.panels} if seats.get(key, 0) != 1]
        return wrong

    def _leave(self) -> None:
        """A device of each table is gone without a word, perhaps with the process it was at."""
        chance = self.hub.chance
        for code in self._versions():
            here = [one for one in self.panels if one.key[0] == code and not one.sent_away]
            gone = chance.choice(here)
            self.panels.remove(gone)
            self.hub.kill(gone.machine)
            if gone.link is not None:
                gone.link.sound = False
            self.tell(gone.machine.name, "gone")
            if gone.process in self.processes[1:] and gone.process.alive:
                gone.process.kill(told=True)

    def _mistaken(self) -> list[object]:
        """Whom devices show as somebody who is here, or isn't, against what is so."""
        here = {panel.key for panel in self.panels if not panel.sent_away}
        return [
            (panel.machine.name, panel.presence)
            for panel in self.panels
            if not panel.sent_away
            and (panel.presence is None or any(
                ((panel.key[0], seat) in here) != (how == "here")
                for seat, how in panel.presence["seats"].items()
            ))
        ]  # fmt: skip
