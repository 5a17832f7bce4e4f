"""Whole games between robots whose seats are connected to different processes.

The robots decide as they do in production. They only share one event loop here instead of having a
thread each. At every process a spectator watches each game.
"""

import asyncio
from collections.abc import Sequence
from random import Random
from typing import Any, cast

from companion.robots import client
from companion.robots.party import Plan, is_finished, player_factory
from companion.robots.party import Robot as Threaded
from companion.robots.player import NAMES, TEMPERS, Player, Wish
from tests.cluster.client import FleetClient
from tests.cluster.fleet import Fleet
from tests.cluster.record import CheckCounts, Record

CHECK_SECONDS = 0.1
"""Seconds between two checks of the games' progress."""

PATIENCE = 90.0
"""Seconds without an event after which a table counts as stuck."""


class Robot(Threaded):
    """A robot without a thread of its own.

    Robots that share a physical deck share the lock ``floor``: only the robot that holds it may
    act.
    """

    def __init__(
        self,
        fleet_client: FleetClient,
        player: Player,
        floor: asyncio.Lock,
        pace: float,
        plan: Plan | None,
    ) -> None:
        super().__init__(cast(client.Connection, fleet_client), player, pace=pace, plan=plan)
        self.wire = fleet_client
        self.floor = floor
        self.passes_ahead = False  # True if the robot passes in every window until its next turn
        self._passed_ahead_in = 0  # number of the turn in which it last chose that

    async def play(self, plan: Plan) -> None:
        """Play until the plan is complete."""
        while not self.wire.closed:
            # while this robot decides, no other robot may move a shared card
            async with self.floor:
                view = self.wire.newest_view
                wish = self._choose(view)
            if self._wants_to_pass_ahead(view):
                await self._pass_ahead(view)
            elif wish is not None:
                await self.wire.wait_for_other_view(view, self.pause_seconds(wish, view))
                await self._send_wish(wish)
            elif is_finished(view, plan):
                return
            elif not await self.wire.wait_for_other_view(view, PATIENCE):
                raise AssertionError(f"nothing happens in {view}")

    def _wants_to_pass_ahead(self, view: client.View) -> bool:
        """Return True if the robot should choose to pass automatically, once in each turn of
        another player."""
        turn = view["turn"]
        if not self.passes_ahead or view["phase"] != "play" or not turn:
            return False
        own = next(seat for seat in view["seats"] if seat["seat"] == self.player.seat)
        is_waiting = turn["seat"] != self.player.seat and own["alive"]
        is_new = turn["number"] != self._passed_ahead_in and not own.get("auto_pass")
        return bool(is_waiting and is_new)

    async def _pass_ahead(self, view: client.View) -> None:
        self._passed_ahead_in = view["turn"]["number"]
        command = {"type": "auto_pass", "as": self.player.seat, "on": True}
        answer = await self.wire.send_command(command)
        await self.wire.wait_for_version(answer["version"], 1)

    async def _send_wish(self, wish: Wish) -> None:
        """Send the command if the robot still wants it. Then wait for the next view, for at most a
        second."""
        async with self.floor:
            known_view = self.wire.newest_view
            answer = None
            if self._still_wants(wish, known_view):
                answer = await self.wire.send_command(wish.command)
                if answer["ok"]:
                    self.player.on_accepted(wish, answer["version"])
        if answer is None:
            await self.wire.wait_for_other_view(known_view, 1)
        else:
            await self.wire.wait_for_version(answer["version"] + (not answer["ok"]), 1)


class Game:
    """A game at its own table, from the lobby to the end."""

    def __init__(self, fleet: Fleet, variant: str, seats: int, seed: int, pace: float) -> None:
        self.fleet = fleet
        self.variant = variant
        self.pace = pace  # 1 is a person's pace, 0 as fast as possible
        self.plan = Plan(robots=seats)
        self.chance = Random(seed)
        self.clients: list[FleetClient] = []  # all clients
        self.players: list[FleetClient] = []  # the players' clients
        self.spectators = 0
        # True while the game is played, with all clients connected at its start
        self.is_running = False

    async def play(self) -> CheckCounts:
        """Play the game, then compare everything that the clients received with the log."""
        variant, seats = await asyncio.to_thread(self._create_table)
        self.table = seats[0].table
        self.record = Record(self.table)
        robots = [*self._create_robots(variant, seats)]
        try:
            await asyncio.gather(*(fleet_client.open() for fleet_client in self.clients))
            self.is_running = True
            async with asyncio.TaskGroup() as group:
                for robot in robots:
                    group.create_task(robot.play(self.plan))
            newest = max(fleet_client.version for fleet_client in self.clients)
            reached = await asyncio.gather(
                *(fleet_client.wait_for_version(newest, 60) for fleet_client in self.clients)
            )
            assert all(reached), "somebody was left behind"
        finally:
            self.is_running = False
            await asyncio.gather(*(fleet_client.close() for fleet_client in self.clients))
        return await asyncio.to_thread(self.record.check, self.fleet)

    def list_outdated_clients(self, newest: int) -> list[str]:
        """Return the clients that lack this version or don't show every player as connected."""
        here = {fleet_client.seat: "here" for fleet_client in self.players}
        there = {"seats": here, "spectators": self.spectators}
        return [
            f"{self.table}: {fleet_client}, the log at {newest}"
            for fleet_client in self.clients
            if not (
                fleet_client.is_connected
                and fleet_client.version >= newest
                and fleet_client.presence == there
            )
        ]

    def _create_table(self) -> tuple[Any, Sequence[client.SeatCredentials]]:
        """Create a table. Returns its variant and its seats' credentials."""
        names = self.chance.sample(NAMES, self.plan.robots)
        options = {"nope_seconds": 3}
        seats = self.fleet.create_table(names, variant=self.variant, options=options)
        return self.fleet.retry_until_done(
            lambda: client.fetch_variant(self.fleet.url, self.variant)
        ), seats

    def _create_robots(self, variant: Any, seats: Sequence[client.SeatCredentials]) -> list[Robot]:
        """Create the robots and a spectator at each process.

        Robots of neighbouring seats are connected to different processes.
        """
        player = player_factory(variant, Random(self.chance.random()))
        floors: dict[int, asyncio.Lock] = {}
        turn = self.chance.randrange(100)
        processes = len(self.fleet.processes)
        robots = []
        for number, credentials in enumerate(seats):
            fleet_client = FleetClient(
                self.fleet.list_ports(turn + number), self.table, credentials, self.record
            )
            self.players.append(fleet_client)
            robot_player = player(
                credentials.seat, self.chance.choice(TEMPERS), Random(self.chance.random())
            )
            plan = self.plan if number == 0 else None
            floor = floors.setdefault(id(robot_player.floor), asyncio.Lock())
            robots.append(Robot(fleet_client, robot_player, floor, self.pace, plan))
            robots[-1].passes_ahead = number == 1
        watching = [
            FleetClient(self.fleet.list_ports(number), self.table, None, self.record)
            for number in range(processes)
        ]
        self.spectators = len(watching)
        self.clients = [*self.players, *watching]
        return robots


class Standstill:
    """Measures how long games make no progress while no fault is active.

    Time in which this program itself didn't run isn't counted.
    """

    def __init__(self) -> None:
        self.active_faults = 0  # number of active faults
        self.longest = 0.0  # seconds
        self.longest_at = ""  # the table with the longest time without progress, and its clients
        self._games: dict[Game, tuple[int, float]] = {}

    async def watch(self, games: Sequence[Game]) -> None:
        """Check the progress of the games repeatedly, until cancelled."""
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            self._games = {game: self._measure(game) for game in games if game.is_running}

    def _measure(self, game: Game) -> tuple[int, float]:
        newest = max(fleet_client.version for fleet_client in game.clients)
        version, stood = self._games.get(game, (newest, 0.0))
        stood = (stood + (0 if self.active_faults else CHECK_SECONDS)) * (newest == version)
        if stood > self.longest:
            self.longest = stood
            self.longest_at = f"{game.table} at {newest}: {'; '.join(map(str, game.clients))}"
        return newest, stood


class Hall:
    """Several tables that play at the same time, each with one game after another."""

    def __init__(self, fleet: Fleet, seed: int, pace: float = 0.0) -> None:
        self.fleet = fleet
        self.chance = Random(seed)
        self.pace = pace
        self.games: list[Game] = []  # games in play
        self.games_played = 0  # number of games played to the end and compared with the log
        self.checked = CheckCounts()
        self.standstill = Standstill()  # measures the longest time without progress
        self._begun = 0
        self._may_end = False

    async def play_games(self, tables: int, games: int) -> None:
        """Play at this many tables at once. New games begin until ``games`` have begun and
        ``allow_end`` has been called."""
        watching = asyncio.create_task(self.standstill.watch(self.games))
        async with asyncio.TaskGroup() as group:
            for _ in range(tables):
                group.create_task(self._play_at_table(games))
        watching.cancel()

    def allow_end(self) -> None:
        """Let ``play_games`` end once it has begun as many games as it was asked for."""
        self._may_end = True

    async def _play_at_table(self, games: int) -> None:
        while self._begun < games or not self._may_end:
            self._begun += 1
            family = ("quarantined", "original-56")[self._begun % 2]
            seats = self.chance.randint(3, 5)
            seed = self.chance.getrandbits(32)
            game = Game(self.fleet, family, seats, seed, self.pace)
            self.games.append(game)
            try:
                checked = await game.play()
            finally:
                self.games.remove(game)
            self.checked += checked
            self.games_played += 1
