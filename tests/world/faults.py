"""The faults of a world, one in each row of ``FAULTS``.

A fault is a function. It gets the world and a random generator of its own, begins the fault, and
returns a function that ends it. The same seed draws the same faults, so they can be left out one by
one.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from tests.world import people
from tests.world.people import Over, nothing

if TYPE_CHECKING:
    from tests.world.world import World

Begin = Callable[["World", Random], Over]


class Planned(NamedTuple):
    """A fault: when it begins and for how long it lasts, in ms, which, and its chance."""

    at: int
    lasts: int
    name: str
    seed: int


def freeze(world: World, chance: Random) -> Over:
    """A process stands still, wherever it is, and goes on."""
    return world.hub.freeze(chance.choice(world.processes).machine)


def kill(world: World, chance: Random) -> Over:
    """A process ends wherever it is; another one is started in its place."""
    number = chance.randrange(len(world.processes))
    told = chance.random() < 0.7
    skew = chance.randint(-60_000, 60_000)
    killed = world.processes[number]
    killed.kill(told)

    def restart() -> None:
        killed.end_links()
        if world.processes[number] is killed:
            world.start(number, skew)

    return restart


def half_open(world: World, chance: Random) -> Over:
    """Nothing gets through a connection any more, and nobody is told."""
    link = chance.choice(world.panels).link
    if link is None:
        return nothing
    link.sound = False
    return link.end


def hang_up(world: World, chance: Random) -> Over:
    """A connection ends."""
    link = chance.choice(world.panels).link
    if link is not None:
        link.end()
    return nothing


def second(world: World, chance: Random) -> Over:
    """A seat is opened on another device."""
    world.seat(chance.choice(world.panels).seated)
    return nothing


def ghost(world: World, chance: Random) -> Over:
    """A process is frozen, and a device that asks there to be let in is soon elsewhere."""
    frozen = chance.choice(world.processes)
    panel = chance.choice(world.panels)
    thaw = world.hub.freeze(frozen.machine)
    panel.prefers = frozen
    if panel.link is not None:
        panel.link.end()
    return thaw


def upgrade(world: World, chance: Random) -> Over:
    """Each process ends in good order, and another one takes its place, one after the other."""
    skew = chance.randint(-60_000, 60_000)

    def next_one(number: int) -> None:
        if number < len(world.processes):

            def gone() -> None:
                world.start(number, skew)
                world.hub.call(500, lambda: next_one(number + 1))

            world.processes[number].leave(gone)

    next_one(0)
    return nothing


def no_robots(world: World, chance: Random) -> Over:
    """The robots' process of a server ends."""
    chance.choice(world.processes).workers.fail()
    return nothing


def asleep(world: World, chance: Random) -> Over:
    """A device sleeps."""
    return world.hub.freeze(chance.choice(world.panels).machine)


def late(world: World, chance: Random) -> Over:
    """Messages of the bus are late, and out of order."""
    world.network.late = chance.randint(100, 3_000)
    return lambda: setattr(world.network, "late", 5)


def lost(world: World, chance: Random) -> Over:
    """Some are lost."""
    world.network.lost = chance.uniform(0.1, 1)
    return lambda: setattr(world.network, "lost", 0.0)


def twice(world: World, chance: Random) -> Over:
    """Some come twice."""
    world.network.twice = chance.uniform(0.1, 1)
    return lambda: setattr(world.network, "twice", 0.0)


def deaf(world: World, chance: Random) -> Over:
    """A process hears nothing."""
    bus = chance.choice(world.processes).bus
    if bus is None:
        return nothing
    bus.hear(False)
    return lambda: bus.hear(True)


def dumb(world: World, chance: Random) -> Over:
    """Lose the messages that a process sends."""
    bus = chance.choice(world.processes).bus
    if bus is None:
        return nothing
    bus.dumb = True
    return lambda: setattr(bus, "dumb", False)


def slow(world: World, chance: Random) -> Over:
    """The store takes its time."""
    world.database.slow = chance.randint(50, 800)
    return lambda: setattr(world.database, "slow", 2)


def away(world: World, chance: Random) -> Over:
    """The store takes nothing."""
    world.database.away = world.hub.now + 1_000_000
    return lambda: setattr(world.database, "away", 0)


def mute(world: World, chance: Random) -> Over:
    """Let some commits be answered with silence."""
    world.database.mute = chance.uniform(0.1, 0.6)
    return lambda: setattr(world.database, "mute", 0.0)


def failover(world: World, _chance: Random) -> Over:
    """Lose the latest commits, as in a failover. What was lost before stays lost."""
    snapshot = world.database.snapshot()
    lost = world.database.forgot
    return lambda: world.database.forgot == lost and world.forget(snapshot)


def clock(world: World, chance: Random) -> Over:
    """The database's clock is set."""
    world.database.ahead += chance.choice([-7_200_000, -5_000, -700, 700, 5_000, 7_200_000])
    world.clock_set = True
    return nothing


FAULTS: dict[str, tuple[Begin, int, int]] = {
    "freeze": (freeze, 4, 8_000),
    "kill": (kill, 3, 6_000),
    "half_open": (half_open, 3, 15_000),
    "hang_up": (hang_up, 3, 1),
    "ghost": (ghost, 2, 9_000),
    "second": (second, 3, 1),
    "asleep": (asleep, 1, 20_000),
    "upgrade": (upgrade, 2, 6_000),
    "claim": (people.claim, 2, 1),
    "lend": (people.lend, 2, 6_000),
    "no_robots": (no_robots, 1, 1),
    "together": (people.together, 3, 1),
    "remove": (people.remove, 1, 1),
    "join": (people.join, 1, 1),
    "late": (late, 2, 5_000),
    "lost": (lost, 2, 6_000),
    "twice": (twice, 1, 5_000),
    "deaf": (deaf, 2, 8_000),
    "dumb": (dumb, 1, 6_000),
    "slow": (slow, 2, 5_000),
    "away": (away, 2, 4_000),
    "mute": (mute, 2, 5_000),
    "failover": (failover, 1, 2_000),
    "clock": (clock, 1, 1),
}
"""By name: what begins it, how often it is drawn, and how long it lasts at most, in ms."""


def plan(chance: Random, until: int) -> list[Planned]:
    """The faults of a world, in order; some worlds have few."""
    names = [*FAULTS]
    weights = [weight for _, weight, _ in FAULTS.values()]
    drawn = []
    for _ in range(chance.choice([0, 1, 2, 4, 8, 12])):
        (name,) = chance.choices(names, weights)
        lasts = chance.randint(1, FAULTS[name][2])
        drawn.append(Planned(chance.randrange(until), lasts, name, chance.getrandbits(32)))
    return sorted(drawn)
