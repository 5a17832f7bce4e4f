"""Commands that race each other through two processes at once.

Every race has one outcome, and all clients agree on it. All views and answers are compared with the
log, as they are for whole games. The races also check that a rejected command is answered with an
error and that the competing command took effect.
"""

import asyncio
import time
from collections import Counter
from random import Random
from typing import Any, Self
from uuid import uuid4

from companion.robots.view import Json
from tests.cluster.client import FleetClient
from tests.cluster.fleet import Fleet
from tests.cluster.record import CheckCounts, Record

NAMES = ("Ana", "Ben", "Cleo")
PATIENCE = 60.0
JITTER = 0.01
"""Nopes are sent at most this many seconds before or after the intended time."""


class RaceTable:
    """A table of three: the host at a random process, one player at each of two processes."""

    def __init__(self, fleet: Fleet, seed: int, seconds: int = 3) -> None:
        self.fleet = fleet
        self.chance = Random(seed)
        self.seconds = seconds

    async def __aenter__(self) -> Self:
        options = {"nope_seconds": self.seconds}
        self.places = await asyncio.to_thread(self.fleet.create_table, NAMES, options=options)
        self.record = Record(self.places[0].table)
        doors = (self.chance.randrange(2), 0, 1)
        self.clients = [self.create_client(seat, door) for seat, door in enumerate(doors)]
        self.host, *self.guests = self.clients
        await asyncio.gather(*(fleet_client.open() for fleet_client in self.clients))
        return self

    async def __aexit__(self, *_: Any) -> None:
        await asyncio.gather(*(fleet_client.close() for fleet_client in self.clients))

    def create_client(self, seat: int, door: int) -> FleetClient:
        """Return a client for a seat, connected to this process."""
        doors = self.fleet.list_ports(door)
        return FleetClient(doors, self.places[seat].table, self.places[seat], self.record)

    async def send_accepted_command(self, fleet_client: FleetClient, **command: Any) -> Json:
        """Send a command, which must be accepted, and wait until all clients have its version."""
        answer = await fleet_client.send_command(command)
        assert answer["ok"], answer
        await self.wait_for_version(answer["version"])
        return answer

    async def wait_for_version(self, version: int) -> None:
        """Wait until every client has the view of this version."""
        reached = await asyncio.gather(
            *(fleet_client.wait_for_version(version, PATIENCE) for fleet_client in self.clients)
        )
        assert all(reached), (version, [*map(str, self.clients)])

    async def check(self) -> CheckCounts:
        """Compare everything that the clients received with the log."""
        return await asyncio.to_thread(self.record.check, self.fleet)


class NopeRaces(RaceTable):
    """A table at which a Skip is played again and again, and Noped twice just as its window closes.

    The two Nopes arrive through different processes.
    """

    async def begin(self) -> None:
        """Play to the host's first turn, and instruct the host."""
        await self.send_accepted_command(self.host, type="prepare")
        for credentials in self.places:
            await self.send_accepted_command(
                self.host, type="ready", ready=True, **{"as": credentials.seat}
            )
        await self.send_accepted_command(self.host, type="begin", first=self.places[0].seat)
        instructor = self.host.newest_view["turn"]["instructor"]
        await self.send_accepted_command(
            self.host, type="instruct", cell=[0, 0], **{"as": instructor}
        )

    async def race(self, aim: float) -> str:
        """Play a Skip, which opens a window, and send two Nopes. Returns the window's outcome:
        ``nope_played`` or ``window_closed``."""
        played = await self.send_accepted_command(self.host, type="play", card="skip")
        # Read the window from the log: on a slow machine it may close before all clients have
        # seen it.
        play_entry = [
            entry for entry in self.host.newest_view["log"] if entry["type"] == "card_played"
        ][-1]
        window = play_entry["version"]
        end = play_entry["facts"]["closes_at"] / 1000 + aim
        answers = await asyncio.gather(*(self._nope(guest, window, end) for guest in self.guests))
        hits = [
            guest.seat for guest, answer in zip(self.guests, answers, strict=True) if answer["ok"]
        ]
        codes = {answer["error"]["code"] for answer in answers if not answer["ok"]}
        assert len(hits) <= 1 and codes <= {"stale", "refused"}, answers
        window_ended = self.host.wait_until(lambda: not self._is_window_open(window), PATIENCE)
        assert await window_ended, f"window {window} stays open: {self.host.newest_view}"
        await self.wait_for_version(self.host.version)
        ends = [
            entry
            for entry in self.host.newest_view["log"]
            if entry["version"] > window and entry["type"] in ("nope_played", "window_closed")
        ]
        first: str = ends[0]["type"]
        assert first == ("nope_played" if hits else "window_closed"), (answers, ends)
        assert not hits or ends[0]["seat"] == hits[0], (answers, ends)
        await self._undo_play(played["version"])
        return first

    async def _nope(self, fleet_client: FleetClient, window: int, at: float) -> Json:
        await asyncio.sleep(max(0, at + self.chance.uniform(-JITTER, JITTER) - time.time()))
        return await fleet_client.send_command({"type": "nope", "window": window})

    def _is_window_open(self, id: int) -> bool:
        window = self.host.newest_view["window"]
        return window is not None and window["id"] == id

    async def _undo_play(self, played: int) -> None:
        """Undo commands until the Skip itself is undone."""
        while self.host.newest_view["you"].get("undo", 0) >= played:
            answer = await self.host.send_command({"type": "undo"})
            await self.wait_for_version(answer["version"])


async def race_nopes(
    fleet: Fleet, tables: int, races: int, seed: int, *, seconds: int = 3, rounds: int = 20
) -> tuple[Counter[str], CheckCounts]:
    """Run at least ``races`` races at ``tables`` tables. Returns the number of each outcome, and
    what was checked.

    If a Nope was too late, the next one is sent earlier. If it was in time, the next one is sent
    later. So both outcomes stay equally likely.
    """
    outcomes = Counter[str]()
    checked = CheckCounts()
    aim = 0.0
    begun = 0

    async def race_at_table() -> None:
        nonlocal checked, aim, begun
        while begun < races:
            begun += rounds
            async with NopeRaces(fleet, seed + begun, seconds) as table:
                await table.begin()
                for _ in range(rounds):
                    ended = await table.race(aim)
                    outcomes[ended] += 1
                    aim += JITTER / 10 if ended == "nope_played" else -JITTER / 10
            counts = await table.check()
            # ``checked += await …`` would add to the sum as it was before the wait
            checked += counts

    async with asyncio.TaskGroup() as group:
        for _ in range(tables):
            group.create_task(race_at_table())
    return outcomes, checked


async def race_same_command(fleet: Fleet, times: int, seed: int) -> CheckCounts:
    """Send the same command through two processes at once, with the same id.

    This happens if a seat's client moves to another process before it has got its answer. All
    answers must be the same, and the command must take effect once.
    """
    async with RaceTable(fleet, seed) as table:
        for number in range(times):
            command = {"id": str(uuid4()), "type": "rename", "name": f"Ben {number}"}
            old = table.clients[1]
            new = table.clients[1] = table.create_client(1, number + 1)
            answers = await asyncio.gather(
                _send_soon(old, command, table.chance), _open_and_send(new, command)
            )
            again = await new.send_command(command)
            arrived_answers = [answer for answer in answers if answer is not None]
            assert again["ok"] and all(answer == again for answer in arrived_answers), (
                answers,
                again,
            )
            await old.close()
            await table.wait_for_version(again["version"])
    checked = await table.check()
    log = fleet.query_database(
        "SELECT body FROM events WHERE code = :code", code=table.record.table
    )
    assert sum('"seat_renamed"' in row.body for row in log) == times
    return checked


async def _send_soon(fleet_client: FleetClient, command: Any, chance: Random) -> Json | None:
    await asyncio.sleep(chance.uniform(0, 0.03))
    return await fleet_client.send_command_once(command) if fleet_client.is_connected else None


async def _open_and_send(fleet_client: FleetClient, command: Any) -> Json | None:
    await fleet_client.open()
    return await fleet_client.send_command_once(command)


async def race_same_version(fleet: Fleet, times: int, seed: int) -> CheckCounts:
    """Send two commands at the same version through two processes at once.

    Only one is accepted. If the commands don't name the version, both are accepted.
    """
    async with RaceTable(fleet, seed) as table:
        for number in range(times):
            names = number % 2 == 0
            await table.wait_for_version(
                version := max(fleet_client.version for fleet_client in table.clients)
            )
            answers = await asyncio.gather(
                *(
                    fleet_client.send_command(
                        {
                            "type": "rename",
                            "name": f"{fleet_client.seat} {number}",
                            **({"version": version} if names else {}),
                        }
                    )
                    for fleet_client in table.guests
                )
            )
            taken = sorted(answer["version"] for answer in answers if answer["ok"])
            assert taken == [version + 1, version + 2][: 1 if names else 2], answers
            codes = [answer["error"]["code"] for answer in answers if not answer["ok"]]
            assert codes == (["stale"] if names else []), answers
            await table.wait_for_version(taken[-1])
    return await table.check()
