"""A simulated Redis. It can lose, repeat, delay and reorder messages, and cut off processes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from tests.simulation.hub import Fibre, Hub, Machine

NOTICED_MS = 3_000
"""Time in ms after which a process notices that it is cut off."""

USUAL_MS = 5
"""Longest delay of a message in ms while there is no fault."""


class Network:
    """Carries messages between the buses of all processes.

    Without faults, messages arrive in the order in which they were published. ``max_delay_ms`` is
    the longest delay, and ``loss_rate`` and ``repeat_rate`` are probabilities.
    """

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.buses = list[Bus]()
        self.max_delay_ms = USUAL_MS
        self.loss_rate = 0.0
        self.repeat_rate = 0.0
        self._newest = 0

    def deliver_message(self, code: str, message: bytes) -> None:
        """Send a message to every process that follows the table."""
        chance = self.hub.chance
        for bus in self.buses:
            for _ in range(1 + (chance.random() < self.repeat_rate)):
                if chance.random() >= self.loss_rate:
                    at = self.hub.now + chance.randint(0, self.max_delay_ms)
                    if self.max_delay_ms == USUAL_MS:
                        at = self._newest = max(at, self._newest)
                    self.hub.call(at - self.hub.now, bus.make_delivery(code, message))


class Bus:
    """The connection of one process to the network (``companion.service.peers``). It sends nothing
    while ``mute``."""

    def __init__(self, network: Network, machine: Machine) -> None:
        self.lag = 0.0
        self.mute = False
        self._network = network
        self._hub = network.hub
        self._machine = machine
        self._followed: dict[str, int] = {}
        self._subscribed: set[str] = set()
        self._inbox: deque[tuple[str, bytes]] = deque()
        self._cut_off_since: int | None = None
        self._receiving_since = self._hub.now
        self._listener: Fibre | None = None

    def start(
        self, _name: str, heard: Callable[[str, bytes], None], followed: Callable[[str], None]
    ) -> None:
        """Start receiving messages."""
        self._heard = heard
        self._now_followed = followed
        self._network.buses.append(self)
        self._receiving_since = self._hub.now
        self._listener = self._hub.spawn(self._machine, "bus", self._listen)

    def close(self) -> None:
        """Stop receiving messages."""
        if self in self._network.buses:
            self._network.buses.remove(self)

    def follow(self, code: str) -> None:
        """Follow a table. The subscription takes effect after a short delay."""
        self._followed[code] = self._followed.get(code, 0) + 1
        self._wake()

    def leave(self, code: str) -> None:
        """Undo one call of ``follow``. Once all calls are undone, the table is
        unsubscribed."""
        self._followed[code] -= 1
        if not self._followed[code]:
            del self._followed[code]
            self._subscribed.discard(code)

    def publish(self, code: str, message: bytes) -> None:
        """Publish a message, unless the process is dead or its bus is ``mute``."""
        if self._machine.alive and not self.mute:
            self._network.deliver_message(code, message)

    def seconds_connected(self) -> float:
        """Return the number of seconds in which the process has missed no message, as far as it
        knows. Returns 0 if it has noticed that it is cut off."""
        deaf = self._cut_off_since
        if deaf is not None and self._hub.now > deaf + NOTICED_MS:
            return 0.0
        return (self._hub.now - self._receiving_since) / 1000

    def make_delivery(self, code: str, message: bytes) -> Callable[[], None]:
        """Return a function that delivers the message."""

        def arrive() -> None:
            if code in self._subscribed and self._cut_off_since is None:
                self._inbox.append((code, message))
                self._wake()

        return arrive

    def set_receiving(self, hears: bool) -> None:
        """Cut the process off from messages, or connect it again."""
        if not hears:
            self._cut_off_since = self._hub.now
        elif self._cut_off_since is not None:
            if self._hub.now > self._cut_off_since + NOTICED_MS:
                self._subscribed.clear()
                self._receiving_since = self._hub.now
            self._cut_off_since = None
            self._wake()

    def _wake(self) -> None:
        if self._listener is not None:
            self._hub.wake(self._listener)

    def _listen(self) -> None:
        while True:
            new = [code for code in self._followed if code not in self._subscribed]
            if new and self._cut_off_since is None:
                self._hub.wait(self._hub.chance.randint(0, 20))
                self._subscribed.update(code for code in new if code in self._followed)
                for code in new:
                    self._now_followed(code)
            elif self._inbox:
                self._heard(*self._inbox.popleft())
            else:
                self._hub.wait()
