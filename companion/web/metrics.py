"""Metrics for Prometheus.

Updating the library's counters takes as long as the rules take for a command. Therefore a command
is only appended to a list. The commands in the list are counted when a client requests the metrics,
or when the list is full.
"""

import threading
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sized
from itertools import accumulate

from prometheus_client import CollectorRegistry, Gauge, generate_latest
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from companion.service.errors import Answer
from companion.service.tables import Tables

SECONDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5)
BOUNDS = (*map(str, map(float, SECONDS)), "+Inf")
MOST_NOTED = 1000  # maximum number of commands in the list of those that aren't counted yet


class Metrics(Collector):
    """Counts what the server does. Each app has its own registry."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._lock = threading.Lock()
        # kind, outcome, ruling and seconds of each command that isn't counted yet
        self._noted: deque[tuple[str, str, str, float]] = deque()
        self._commands: Counter[tuple[str, str]] = Counter()
        self._refusals: Counter[str] = Counter()
        self._unreadable: Counter[str] = Counter()
        self._within = [0] * len(BOUNDS)
        self._sum = 0.0
        self._counters: list[tuple[str, str, Callable[[], float]]] = []
        self._registry.register(self)

    def command(self, kind: str, answer: Answer, seconds: float) -> None:
        """Record an answered command. ``kind`` is the command's type, or ``unknown``."""
        error = answer.error or None
        outcome, ruling = (error.code, error.ruling or "") if error else ("accepted", "")
        self._noted.append((kind, outcome, ruling, seconds))
        if len(self._noted) >= MOST_NOTED:
            self._count()

    def unreadable(self, what: str) -> None:
        """Count a handshake, a packet or an event that couldn't be parsed."""
        self._unreadable[what] += 1

    def _count(self) -> None:
        with self._lock:
            while self._noted:
                kind, outcome, ruling, seconds = self._noted.popleft()
                self._commands[kind, outcome] += 1
                if ruling:
                    self._refusals[ruling] += 1
                self._within[bisect_left(SECONDS, seconds)] += 1
                self._sum += seconds

    def collect(self) -> Iterator[Metric]:
        self._count()
        commands = CounterMetricFamily(
            "companion_commands", "Commands by type and outcome.", labels=["type", "outcome"]
        )
        for labels, count in [*self._commands.items()]:
            commands.add_metric(labels, count)
        refusals = CounterMetricFamily(
            "companion_refusals", "Refusals by ruling.", labels=["ruling"]
        )
        for ruling, count in [*self._refusals.items()]:
            refusals.add_metric([ruling], count)
        seconds = HistogramMetricFamily(
            "companion_command_seconds", "From a command's arrival to its answer."
        )
        within = zip(BOUNDS, accumulate(self._within), strict=True)
        seconds.add_metric([], [*within], self._sum)
        unreadable = CounterMetricFamily(
            "companion_unreadable", "Closed for what could not be read.", labels=["what"]
        )
        for what, count in [*self._unreadable.items()]:
            unreadable.add_metric([what], count)
        yield from (commands, refusals, seconds, unreadable)
        for name, help, value in self._counters:
            yield CounterMetricFamily(name, help, value=value())

    def text(self) -> bytes:
        return generate_latest(self._registry)

    def add_gauges(self, tables: Tables, connections: Sized) -> None:
        """Add gauges for tables and connections, and the metrics of the message bus, if any."""
        live = tables.live
        self._gauge("connections", "Open connections.", lambda: len(connections))
        self._gauge("robots", "Robots at work.", lambda: len(tables.robots.posts))
        self._gauge("open_tables", "Tables in memory.", lambda: len(live))
        damaged = "Tables of which something stored can't be read."
        self._gauge("damaged_tables", damaged, lambda: len(live.damages))
        peers = tables.peers
        sync = tables.sync
        if not peers.any:
            return
        ahead = "How far this machine's clock is ahead of the database's."
        up = "1 while messages from other processes are received."
        self._gauge("bus_up", up, lambda: peers.seconds_connected() > 0)
        self._gauge("bus_lag_seconds", "How long a recent message took.", lambda: peers.lag)
        self._gauge("clock_off_seconds", ahead, lambda: sync.clock_off / 1000)
        raced = "Commits that another was faster than."
        unheard = "Events read because no message brought them."
        self._counters = [
            ("companion_conflicts", raced, lambda: peers.conflicts),
            ("companion_caught_up", unheard, lambda: peers.caught_up),
        ]

    def _gauge(self, name: str, help: str, value: Callable[[], float]) -> None:
        Gauge(f"companion_{name}", help, registry=self._registry).set_function(value)
