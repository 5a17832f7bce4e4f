"""One world: a seed's processes, tables, players and faults, from their beginning to their end."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from hashlib import sha256
from random import Random
from typing import Any

import msgspec

from companion.robots.party import player_factory
from companion.robots.player import TEMPERS
from companion.rules import families
from companion.rules.core.commands import TakeSeat
from companion.rules.core.variant import Variant
from companion.service.requests import KeyedRequest, Seated
from companion.service.robot_desk import BRISK
from companion.settings import default_variants
from tests.world import evening, robots
from tests.world.bus import Network
from tests.world.device import Device, Watcher
from tests.world.end import End
from tests.world.faults import FAULTS, Planned, plan
from tests.world.hub import EPOCH_MS, Hub, Machine
from tests.world.link import Link
from tests.world.panel import Panel
from tests.world.player import Floor, Player, altered
from tests.world.process import Process
from tests.world.record import Record, must
from tests.world.standard import handed
from tests.world.store import Database

PLAY_MS = 15_000
"""For so long things go wrong."""

MOST_STEPS = 1_000_000
"""A world that comes to no end in so many is broken."""

NAMES = "Ana Ben Cleo Dora".split()

ADDRESS = "192.0.2.1"


@cache
def variants() -> dict[str, tuple[Variant, Any]]:
    """Those that come with the program, and how they look on the wire."""
    loaded = families.load_all(default_variants()).items()
    documents = {id: variant.to_json() for id, variant in sorted(loaded)}
    return {
        id: (families.variant(document), msgspec.json.decode(document))
        for id, document in documents.items()
    }


def faults_of(seed: int) -> list[Planned]:
    """Faults of a seed's world that its failure doesn't need."""
    return plan(Random(Random(seed).random()), PLAY_MS)


class World:
    """``faults``: those of the seed, unless some are left out. ``trace``: what happened.

    ``evenings``: the tables that have a game behind them. ``seated``: the seats that anybody ever
    had a device for.
    ``streets``: where those are who have no device of their own yet. ``altered``: what players note
    for themselves is something else in this one.
    """

    def __init__(
        self, seed: int, faults: Sequence[Planned] | None = None, *, altered: bool = False
    ) -> None:
        self.seed = seed
        self.trace = list[str]()
        self._altered = altered
        chance = Random(seed)
        planned = plan(Random(chance.random()), PLAY_MS)
        self.faults = planned if faults is None else [*faults]
        self.hub = Hub(chance, self._step)
        self.network = Network(self.hub)
        self.database = Database(self.hub, lambda changes: self.record.committed(changes))
        self.record = Record(self.database)
        self.processes: list[Process] = []
        self.doors: dict[str, Process] = {}
        self.panels: list[Panel] = []
        self.watchers: list[Watcher] = []
        self.players: dict[tuple[str, str], Player] = {}
        self.streets = Machine("streets")
        self._claimed = set[str]()
        self.evenings = set[str]()
        self.clock_set = False
        self.count = chance.randint(1, 3)
        self.by_chance = chance.random() < 0.5
        self.seated = set[tuple[str, str]]()
        self._bugs: list[str] = []

    @property
    def digest(self) -> str:
        """Everything that must be equal in two runs of a seed."""
        return sha256("\n".join(self.trace).encode()).hexdigest()

    def tell(self, *words: object) -> None:
        """A line of the trace."""
        at = (self.hub.now - EPOCH_MS) / 1000
        self.trace.append(f"{at:8.3f} " + " ".join(map(str, words)))

    def play(self) -> None:
        """From the beginning to the end; raises ``Broken`` where something doesn't hold."""
        with handed(self.hub), robots.played(self.hub, self.doors), self._listening():
            try:
                self._play()
            finally:
                for process in self.processes:
                    process.workers.end()
                devices = (*self.processes, *self.panels, *self.watchers)
                for machine in [self.streets, *(one.machine for one in devices)]:
                    self.hub.kill(machine)
                self.database.close()

    def _play(self) -> None:
        for number in range(self.count):
            self.start(number, self.hub.chance.randint(-60_000, 60_000))
        self.hub.run(EPOCH_MS + 500)
        for _ in range(self.hub.chance.randint(1, 2)):
            self.hub.spawn(self.processes[0].machine, "table", self._make_table)
        self.hub.run(EPOCH_MS + 1_500)
        began = self.hub.now
        for fault in self.faults:
            self.hub.call(fault.at, partial(self._begin, fault))
        ends = [fault.at + fault.lasts for fault in self.faults]
        self.hub.run(began + max([PLAY_MS, *ends]))
        End(self).come()
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
        network = self.network if self.count > 1 else None
        known = {id: variant for id, (variant, _) in variants().items()}
        process = Process(self.hub, machine, self.database, network, known, self._sent)
        self.processes[number : number + 1] = [process]
        self.doors[machine.name] = process

    def _make_table(self) -> None:
        tables = self.processes[0].tables
        chance = self.hub.chance
        family = chance.choice(["grid", "pile"])
        id = chance.choice([id for id, (one, _) in variants().items() if one.family == family])
        first = tables.create(KeyedRequest(), NAMES[0], id, {"nope_seconds": 3})
        code = first.table
        host = first.seat
        others = [
            tables.join(KeyedRequest(), code, TakeSeat(name=name), ADDRESS)
            for name in NAMES[1 : chance.randint(2, 4)]
        ]
        seated = first, *others
        if chance.random() < 0.4:
            evening.play(tables, code)
            self.evenings.add(code)
        elif family == "grid":
            for _ in range(chance.choice([0, 0, 1, 2])):
                tables.robots.add(KeyedRequest(), code, host, None, chance.choice(BRISK), ADDRESS)
        self._bring_players(id, seated)
        for one in seated:
            self.seat(one)
        if chance.random() < 0.3:
            self.seat(Seated(code, "", ""))
        self.tell("table", code, id, *(one.seat for one in seated))

    def _bring_players(self, id: str, seated: Sequence[Seated]) -> None:
        """Those of a table, who play all by chance or all as robots do."""
        document = variants()[id][1]
        chance = self.hub.chance
        titles = [card["id"] for card in document["cards"]]
        sit = player_factory(document, chance)
        shared = Floor()
        for one in seated:
            robot = sit(one.seat, chance.choice(TEMPERS), Random(chance.random()))
            floor = shared if document.get("family") == "pile" else Floor()
            own = Random(chance.random())
            robot = None if self.by_chance else robot
            self.players[one.table, one.seat] = Player(one.seat, robot, floor, own, titles)

    def seat(self, seated: Seated) -> Panel:
        """Another device of this seat; of no seat: of somebody who watches."""
        name = f"{seated.seat or 'nobody'}#{len(self.panels)}"
        panel = Panel(self.hub, name, seated, self.processes, self)
        panel.player = self.players.get(panel.key)
        if self._altered and panel.player is not None and not self.is_curious(panel.key):
            panel.alters = partial(altered, titles=panel.player.titles)
        self.panels.append(panel)
        self.seated.add(panel.key)
        return panel

    def claim_again(self, claim: str, seated: Seated) -> None:
        """A claim has opened a seat on another device."""
        must(claim not in self._claimed, "a claim was used twice:", seated.seat)
        self._claimed.add(claim)
        self.tell(seated.seat, "claimed")
        self.seat(seated)

    def watch(self, seated: Seated) -> None:
        """A device that watches the replay of the first game."""
        name = f"{seated.seat or 'nobody'}@{len(self.watchers)}"
        self.watchers.append(Watcher(self.hub, name, seated, self.processes, self))

    def forget(self, snapshot: Any) -> None:
        """The database has what it had then."""
        self.database.forget(snapshot)

        def knowing(code: str, version: int) -> list[Machine]:
            there = [(one, one.tables.live.get(code)) for one in self.processes if one.open]
            return [one.machine for one, live in there if live and live.version > version]

        self.record.forgot(knowing)

    def is_curious(self, key: tuple[str, str]) -> bool:
        """Return True for the seat of its table whose secrets differ in the second run."""
        return key[1] == next(seat for code, seat in self.players if code == key[0])

    # --- what is heard of it -----------------------------------------------------------

    def asked(self, device: Device, link: Link) -> None:
        """A device connects."""
        self.tell(device.machine.name, "asks", link.at)
        if isinstance(device, Panel):
            self.record.asked.setdefault(device.key, []).append(link.asked)

    def spoke(self, link: Link, said: dict[str, Any]) -> None:
        """A device says something."""
        self.record.spoke(link, said)

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
        """An unexpected error in the program's log is a fault."""
        handler = logging.Handler(logging.ERROR)
        log = logging.getLogger("companion")
        handler.emit = lambda record: self._bugs.append(handler.format(record))
        handlers = log.handlers
        log.handlers = [handler]
        propagate = log.propagate
        log.propagate = False
        try:
            yield
        finally:
            log.handlers = handlers
            log.propagate = propagate
