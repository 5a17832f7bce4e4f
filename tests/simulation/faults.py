"""The faults of a world, one in each row of ``FAULTS``.

A fault is a function that gets the world and its own random generator. It begins the fault and
returns a function that ends it. The same seed always gives the same faults, so any of them can be
left out.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from tests.simulation import people
from tests.simulation.people import Over, do_nothing

if TYPE_CHECKING:
    from tests.simulation.world import World

Begin = Callable[["World", Random], Over]


class Planned(NamedTuple):
    """A planned fault: start and length in ms, name, and the seed of its random generator."""

    at: int
    lasts: int
    name: str
    seed: int


def freeze_process(world: World, chance: Random) -> Over:
    """Freeze a process at a random point of its work, and resume it later."""
    return world.hub.freeze(chance.choice(world.processes).machine)


def kill_process(world: World, chance: Random) -> Over:
    """Kill a process at a random point of its work, and start another one in its place."""
    number = chance.randrange(len(world.processes))
    told = chance.random() < 0.7
    skew = chance.randint(-60_000, 60_000)
    killed = world.processes[number]
    killed.kill(told)

    def restart() -> None:
        killed.close_links()
        if world.processes[number] is killed:
            world.start_process(number, skew)

    return restart


def drop_messages_of_link(world: World, chance: Random) -> Over:
    """Drop everything that is sent through a connection, without notifying either side."""
    link = chance.choice(world.panels).link
    if link is None:
        return do_nothing
    link.sound = False
    return link.close


def close_link(world: World, chance: Random) -> Over:
    """Close a connection."""
    link = chance.choice(world.panels).link
    if link is not None:
        link.close()
    return do_nothing


def open_second_device(world: World, chance: Random) -> Over:
    """Open a seat on another device."""
    world.open_panel(chance.choice(world.panels).seated)
    return do_nothing


def freeze_process_with_request(world: World, chance: Random) -> Over:
    """Freeze a process, and let a device request a connection from it.

    The device soon gives up and connects to another process.
    """
    frozen = chance.choice(world.processes)
    panel = chance.choice(world.panels)
    thaw = world.hub.freeze(frozen.machine)
    panel.prefers = frozen
    if panel.link is not None:
        panel.link.close()
    return thaw


def replace_all_processes(world: World, chance: Random) -> Over:
    """Shut down the processes gracefully one after the other, and start a successor for each."""
    skew = chance.randint(-60_000, 60_000)

    def replace_process(number: int) -> None:
        if number < len(world.processes):

            def start_successor() -> None:
                world.start_process(number, skew)
                world.hub.call(500, lambda: replace_process(number + 1))

            world.processes[number].end_in_order(start_successor)

    replace_process(0)
    return do_nothing


def kill_robots(world: World, chance: Random) -> Over:
    """Kill the process of a server's robots."""
    chance.choice(world.processes).workers.fail()
    return do_nothing


def freeze_device(world: World, chance: Random) -> Over:
    """Freeze a device, like a phone that sleeps."""
    return world.hub.freeze(chance.choice(world.panels).machine)


def delay_bus(world: World, chance: Random) -> Over:
    """Delay the messages of the bus, and deliver them out of order."""
    world.network.max_delay_ms = chance.randint(100, 3_000)
    return lambda: setattr(world.network, "max_delay_ms", 5)


def lose_bus_messages(world: World, chance: Random) -> Over:
    """Lose some messages of the bus."""
    world.network.loss_rate = chance.uniform(0.1, 1)
    return lambda: setattr(world.network, "loss_rate", 0.0)


def repeat_bus_messages(world: World, chance: Random) -> Over:
    """Deliver some messages of the bus twice."""
    world.network.repeat_rate = chance.uniform(0.1, 1)
    return lambda: setattr(world.network, "repeat_rate", 0.0)


def stop_receiving(world: World, chance: Random) -> Over:
    """Lose the messages that are sent to a process."""
    bus = chance.choice(world.processes).bus
    if bus is None:
        return do_nothing
    bus.set_receiving(False)
    return lambda: bus.set_receiving(True)


def stop_sending(world: World, chance: Random) -> Over:
    """Lose the messages that a process sends."""
    bus = chance.choice(world.processes).bus
    if bus is None:
        return do_nothing
    bus.mute = True
    return lambda: setattr(bus, "mute", False)


def slow_store(world: World, chance: Random) -> Over:
    """Make every statement of the database slow."""
    world.database.max_delay_ms = chance.randint(50, 800)
    return lambda: setattr(world.database, "max_delay_ms", 2)


def stop_store(world: World, chance: Random) -> Over:
    """Make the database refuse every statement."""
    world.database.away_until = world.hub.now + 1_000_000
    return lambda: setattr(world.database, "away_until", 0)


def drop_commit_answers(world: World, chance: Random) -> Over:
    """Commit some transactions, but report to the process that they failed."""
    world.database.silence_rate = chance.uniform(0.1, 0.6)
    return lambda: setattr(world.database, "silence_rate", 0.0)


def lose_latest_commits(world: World, _chance: Random) -> Over:
    """Begin a failover. When it ends, the database loses all commits that were made during it. If
    another failover has ended during this one, nothing is lost at the end of this one."""
    snapshot = world.database.take_snapshot()
    lost = world.database.loss_count
    return lambda: world.database.loss_count == lost and world.restore_database(snapshot)


def set_database_clock(world: World, chance: Random) -> Over:
    """Set the database's clock forwards or backwards."""
    world.database.ahead += chance.choice([-7_200_000, -5_000, -700, 700, 5_000, 7_200_000])
    world.clock_set = True
    return do_nothing


FAULTS: dict[str, tuple[Begin, int, int]] = {
    "freeze": (freeze_process, 4, 8_000),
    "kill": (kill_process, 3, 6_000),
    "half_open": (drop_messages_of_link, 3, 15_000),
    "hang_up": (close_link, 3, 1),
    "ghost": (freeze_process_with_request, 2, 9_000),
    "second": (open_second_device, 3, 1),
    "asleep": (freeze_device, 1, 20_000),
    "upgrade": (replace_all_processes, 2, 6_000),
    "claim": (people.claim_seat, 2, 1),
    "lend": (people.lend_seat, 2, 6_000),
    "no_robots": (kill_robots, 1, 1),
    "together": (people.watch_together, 3, 1),
    "remove": (people.remove_seat, 1, 1),
    "join": (people.join_late, 1, 1),
    "late": (delay_bus, 2, 5_000),
    "lost": (lose_bus_messages, 2, 6_000),
    "twice": (repeat_bus_messages, 1, 5_000),
    "deaf": (stop_receiving, 2, 8_000),
    "dumb": (stop_sending, 1, 6_000),
    "slow": (slow_store, 2, 5_000),
    "away": (stop_store, 2, 4_000),
    "mute": (drop_commit_answers, 2, 5_000),
    "failover": (lose_latest_commits, 1, 2_000),
    "clock": (set_database_clock, 1, 1),
}
"""For each name: the function that begins the fault, its weight in the random choice, and its
longest duration in ms."""


def plan_faults(chance: Random, until: int) -> list[Planned]:
    """Choose the faults of a world at random, sorted by their start. There are 0 to 12 of them."""
    names = [*FAULTS]
    weights = [weight for _, weight, _ in FAULTS.values()]
    drawn = []
    for _ in range(chance.choice([0, 1, 2, 4, 8, 12])):
        (name,) = chance.choices(names, weights)
        lasts = chance.randint(1, FAULTS[name][2])
        drawn.append(Planned(chance.randrange(until), lasts, name, chance.getrandbits(32)))
    return sorted(drawn)
