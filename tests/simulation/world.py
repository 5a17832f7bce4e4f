"""One world, from start to end: the processes, tables, players and faults of a seed."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from hashlib import sha256
from random import Random
from typing import Any

import msgspec
from msgspec import UNSET

from companion.robots.party import player_factory
from companion.robots.player import TEMPERS
from companion.rules import families
from companion.rules.core.commands import TakeSeat
from companion.rules.variants.variant import Variant
from companion.service.requests import KeyedRequest, Seated
from companion.service.robot_hosting.desk import BRISK
from companion.settings import default_variants
from tests.simulation import evening, robots
from tests.simulation.bus import Network
from tests.simulation.device import Device, Watcher
from tests.simulation.end import End
from tests.simulation.faults import FAULTS, Planned, plan_faults
from tests.simulation.hub import EPOCH_MS, Hub, Machine
from tests.simulation.link import Link
from tests.simulation.panel import Panel
from tests.simulation.player import CommandSlot, Player, alter_private_facts
from tests.simulation.process import Process
from tests.simulation.record import Record, require
from tests.simulation.standard import replace_standard_library
from tests.simulation.store import Database

PLAY_MS = 15_000
"""The time in ms, from the start, within which faults begin."""

MOST_STEPS = 1_000_000
"""The number of steps after which a world is considered stuck."""

NAMES = "Ana Ben Cleo Dora".split()

ADDRESS = "192.0.2.1"


@cache
def load_variants() -> dict[str, tuple[Variant, Any]]:
    """Return the program's own variants: each as an object, and as decoded JSON."""
    loaded = families.load_all(default_variants()).items()
    documents = {id: variant.to_json() for id, variant in sorted(loaded)}
    return {
        id: (families.decode_variant(document), msgspec.json.decode(document))
        for id, document in documents.items()
    }


def faults_of_seed(seed: int) -> list[Planned]:
    """Return the faults that follow from a seed."""
    return plan_faults(Random(Random(seed).random()), PLAY_MS)


class World:
    """A simulated group of processes with their clients."""

    def __init__(
        self, seed: int, faults: Sequence[Planned] | None = None, *, altered: bool = False
    ) -> None:
        self.seed = seed
        self.trace = list[str]()  # the events of the world, one line each
        self._altered = altered  # True in the second run, in which private facts differ
        chance = Random(seed)
        planned = plan_faults(Random(chance.random()), PLAY_MS)
        self.faults = planned if faults is None else [*faults]
        self.hub = Hub(chance, self._check_step)
        self.network = Network(self.hub)
        self.database = Database(self.hub, lambda changes: self.record.check_commit(changes))
        self.record = Record(self.database)
        self.processes: list[Process] = []
        self.doors: dict[str, Process] = {}
        self.panels: list[Panel] = []
        self.watchers: list[Watcher] = []
        self.players: dict[tuple[str, str], Player] = {}
        self.outside = Machine("streets")  # the machine of people without a device at a table
        self._claimed = set[str]()
        self.evenings = set[str]()  # codes of the tables with a finished game
        self.clock_set = False
        self.count = chance.randint(1, 3)
        self.by_chance = chance.random() < 0.5
        # Players of a fifth of the worlds choose to pass ahead. No random number decides that, so
        # the other worlds stay as they were.
        self.passes_ahead = seed % 5 == 2
        self.seated = set[tuple[str, str]]()  # seats that ever had a device
        self._bugs: list[str] = []

    @property
    def digest(self) -> str:
        """Return a hash of the trace. Two runs of a seed must have the same hash."""
        return sha256("\n".join(self.trace).encode()).hexdigest()

    def trace_line(self, *words: object) -> None:
        """Append a line to the trace, with the time."""
        at = (self.hub.now - EPOCH_MS) / 1000
        self.trace.append(f"{at:8.3f} " + " ".join(map(str, words)))

    def run(self) -> None:
        """Run the world from start to end. Raises ``Broken`` if a property doesn't hold."""
        with (
            replace_standard_library(self.hub),
            robots.run_robots_in_world(self.hub, self.doors),
            self._collect_errors(),
        ):
            try:
                self._run()
            finally:
                for process in self.processes:
                    process.workers.end()
                devices = (*self.processes, *self.panels, *self.watchers)
                for machine in [self.outside, *(one.machine for one in devices)]:
                    self.hub.kill(machine)
                self.database.close()

    def _run(self) -> None:
        for number in range(self.count):
            self.start_process(number, self.hub.chance.randint(-60_000, 60_000))
        self.hub.run(EPOCH_MS + 500)
        for _ in range(self.hub.chance.randint(1, 2)):
            self.hub.spawn(self.processes[0].machine, "table", self._make_table)
        self.hub.run(EPOCH_MS + 1_500)
        began = self.hub.now
        for fault in self.faults:
            self.hub.call(fault.at, partial(self._begin_fault, fault))
        ends = [fault.at + fault.lasts for fault in self.faults]
        self.hub.run(began + max([PLAY_MS, *ends]))
        End(self).run_to_end()
        self.record.check_against_log()

    def _begin_fault(self, fault: Planned) -> None:
        self.trace_line("fault", fault.name, "for", fault.lasts)
        undo_fault = FAULTS[fault.name][0](self, Random(fault.seed))

        def end_fault() -> None:
            self.trace_line("over", fault.name)
            undo_fault()

        self.hub.call(fault.lasts, end_fault)

    # --- processes and devices ----------------------------------------------------------

    def start_process(self, number: int, skew: int) -> None:
        """Start a process, in place of the earlier one with this number."""
        self.trace_line("start", f"p{number}")
        machine = Machine(f"p{number}.{self.hub.steps}", skew)
        network = self.network if self.count > 1 else None
        known = {id: variant for id, (variant, _) in load_variants().items()}
        process = Process(self.hub, machine, self.database, network, known, self._on_sent)
        self.processes[number : number + 1] = [process]
        self.doors[machine.name] = process

    def _add_expansion(self, box: str) -> str:
        """Return the id of a variant that adds an expansion to the box, or of the box itself.

        This choice has a random generator of its own, so a new expansion changes no other choice.
        """
        expanded = [id for id, (variant, _) in load_variants().items() if variant.expands == box]
        return Random(f"expansion {self.seed}").choice([box, box, *expanded])

    def _make_table(self) -> None:
        tables = self.processes[0].tables
        chance = self.hub.chance
        family = chance.choice(["grid", "pile"])
        id = chance.choice(
            [
                id
                for id, (variant, _) in load_variants().items()
                if variant.family == family and variant.expands is UNSET
            ]
        )
        id = self._add_expansion(id)
        # In one world of ten, draw grids have a house rule. It must not draw from ``chance``, so
        # that all other worlds stay the same.
        noped = family == "grid" and self.seed % 10 == 7
        rules = {"instruction_nopes": True} if noped else None
        first = tables.create(KeyedRequest(), NAMES[0], id, {"nope_seconds": 3}, rules)
        code = first.table
        host = first.seat
        others = [
            tables.join(KeyedRequest(), code, TakeSeat(name=name), ADDRESS)
            for name in NAMES[1 : chance.randint(2, 4)]
        ]
        seated = first, *others
        if chance.random() < 0.4:
            evening.play_short_game(tables, code)
            self.evenings.add(code)
        elif family == "grid":
            for _ in range(chance.choice([0, 0, 1, 2])):
                tables.robots.add(KeyedRequest(), code, host, None, chance.choice(BRISK), ADDRESS)
        self._add_players(id, seated)
        for seat_of_player in seated:
            self.open_panel(seat_of_player)
        if chance.random() < 0.3:
            self.open_panel(Seated(code, "", ""))
        self.trace_line("table", code, id, *(seat_of_player.seat for seat_of_player in seated))

    def _add_players(self, id: str, seated: Sequence[Seated]) -> None:
        """Add the players of a table. Either all play at random, or all play like robots."""
        document = load_variants()[id][1]
        chance = self.hub.chance
        titles = [card["id"] for card in document["cards"]]
        sit = player_factory(document, chance)
        shared = CommandSlot()
        for player in seated:
            robot = sit(player.seat, chance.choice(TEMPERS), Random(chance.random()))
            floor = shared if document.get("family") == "pile" else CommandSlot()
            own_chance = Random(chance.random())
            robot = None if self.by_chance else robot
            seated_player = Player(player.seat, robot, floor, own_chance, titles)
            seated_player.passes_ahead = self.passes_ahead
            self.players[player.table, player.seat] = seated_player

    def open_panel(self, seated: Seated) -> Panel:
        """Open a panel for this seat, or for a spectator if ``seat`` is empty."""
        name = f"{seated.seat or 'nobody'}#{len(self.panels)}"
        panel = Panel(self.hub, name, seated, self.processes, self)
        panel.player = self.players.get(panel.key)
        if self._altered and panel.player is not None and not self.is_observer(panel.key):
            panel.alter_command = partial(alter_private_facts, titles=panel.player.titles)
        self.panels.append(panel)
        self.seated.add(panel.key)
        return panel

    def open_claimed_seat(self, claim: str, seated: Seated) -> None:
        """Open a panel for a claimed seat. Raises ``Broken`` if the claim was used before."""
        require(claim not in self._claimed, "a claim was used twice:", seated.seat)
        self._claimed.add(claim)
        self.trace_line(seated.seat, "claimed")
        self.open_panel(seated)

    def open_watcher(self, seated: Seated) -> None:
        """Open a device that watches the replay of the first game."""
        name = f"{seated.seat or 'nobody'}@{len(self.watchers)}"
        self.watchers.append(Watcher(self.hub, name, seated, self.processes, self))

    def restore_database(self, snapshot: Any) -> None:
        """Restore an earlier state of the database, and record which processes know later
        events."""
        self.database.restore_snapshot(snapshot)

        def find_knowing_machines(code: str, version: int) -> list[Machine]:
            live_tables = [
                (process, process.tables.live.get(code))
                for process in self.processes
                if process.open
            ]
            return [
                process.machine for process, live in live_tables if live and live.version > version
            ]

        self.record.record_loss(find_knowing_machines)

    def is_observer(self, key: tuple[str, str]) -> bool:
        """Return True for the first seat of a table. In the second run, this seat's private facts
        stay the same, so the seat must receive the same events."""
        return key[1] == next(seat for code, seat in self.players if code == key[0])

    # --- callbacks of devices -----------------------------------------------------------

    def on_connect(self, device: Device, link: Link) -> None:
        """Record that a device connects."""
        self.trace_line(device.machine.name, "asks", link.process)
        if isinstance(device, Panel):
            self.record.requested.setdefault(device.key, []).append(link.requested_at)

    def on_command(self, link: Link, command: dict[str, Any]) -> None:
        """Record that a device sends a command."""
        self.record.record_command(link, command)

    def on_answer(self, panel: Panel, command: dict[str, Any], answer: dict[str, Any]) -> None:
        """Record that a device receives an answer."""
        outcome = "ok" if answer["ok"] else answer["error"].get("ruling", answer["error"]["code"])
        self.trace_line(panel.machine.name, command["type"], outcome, answer["version"])
        self.record.record_answer(panel, command, answer)

    def on_view(self, panel: Panel) -> None:
        """Record and check the view that a device shows."""
        self.trace_line(panel.machine.name, "sees", panel.view["epoch"], panel.view["version"])
        self.record.check_view(panel)

    def _on_sent(self, link: Link, event: str, payload: bytes) -> None:
        self.record.record_event(link, event, payload, self.clock_set)

    def _check_step(self) -> None:
        require(self.hub.steps < MOST_STEPS, "no end in a million steps")
        require(not self._bugs, *self._bugs)

    @contextmanager
    def _collect_errors(self) -> Iterator[None]:
        """Collect unexpected errors in the program's log. Each of these errors breaks the world."""
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
