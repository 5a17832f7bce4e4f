"""What is counted, for Prometheus; one registry for each app."""

from collections.abc import Callable
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from companion.service.answers import Answer

SECONDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5)


class Metrics:
    """The figures of the wire contract."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._commands = Counter(
            "companion_commands", "Commands by type and outcome.", ["type", "outcome"],
            registry=self._registry,
        )  # fmt: skip
        self._counters: dict[tuple[str, str], Any] = {}
        self._refusals = Counter(
            "companion_refusals", "Refusals by ruling.", ["ruling"], registry=self._registry
        )
        self._seconds = Histogram(
            "companion_command_seconds", "From a command's arrival to its answer.",
            registry=self._registry, buckets=SECONDS,
        )  # fmt: skip

    def gauge(self, name: str, help: str, value: Callable[[], int]) -> None:
        """A figure that is asked for when it is wanted."""
        Gauge(f"companion_{name}", help, registry=self._registry).set_function(value)

    def command(self, kind: str, answer: Answer, seconds: float) -> None:
        """A command was answered; ``kind`` is one of the contract's types, or ``unknown``."""
        self._counter(kind, "accepted" if not answer.error else answer.error.code).inc()
        self._seconds.observe(seconds)
        if answer.error and answer.error.ruling:
            self._refusals.labels(answer.error.ruling).inc()

    def _counter(self, kind: str, outcome: str) -> Any:
        """The library's own way to it is as long as that of a command through its rules."""
        known = self._counters.get((kind, outcome))
        if known is None:
            known = self._counters[kind, outcome] = self._commands.labels(kind, outcome)
        return known

    def text(self) -> bytes:
        """Everything, in Prometheus' text format."""
        return generate_latest(self._registry)
