"""Play games while the server is killed and restarted again and again."""

import threading
import time
from random import Random
from typing import Any

from tests.guarantees.speaker import Command, next_command, send_command
from tests.support.servers.server import Client, RealServer

OWN = ("now", "window", "you")
"""Keys of a view that can change without an event, for example with the time."""


class Game:
    """A table whose host acts for every seat."""

    def __init__(self, server: RealServer, seed: int) -> None:
        self.server = server
        self.chance = Random(seed)
        party = server.create_table("Ana", "Ben", "Cleo", options={"nope_seconds": 3})
        for client in party.clients[1:]:
            client.close()
        self.host = party.host
        self.table = party.table
        self.token = party.tokens[0]
        self.answers: dict[str, tuple[Command, Any]] = {}
        self.under_way: Command | None = None
        self.seconds: list[float] = []

    def play(self) -> None:
        """Play until the connection ends."""
        while self.host.socket.connected:
            command = next_command(self.host.view, self.chance)
            self.under_way = command
            began = time.perf_counter()
            answer = send_command(self.host, command)
            if answer is None:
                return
            self.seconds.append(time.perf_counter() - began)
            self.answers[command["id"]] = (command, answer)
            self.under_way = None
            if not _wait_for_version(self.host, answer["version"]):
                return

    def check_after_restart(self) -> None:
        """Check that all acknowledged commands survived the restart, and resend the command that
        hadn't been answered."""
        before = self.host.get_received("view")[-1]
        self.host.close()
        self.host.forget()
        self.host = self.server.connect_client(self.table, self.token)
        now = self.host.view
        acknowledged = max((a["version"] for _, a in self.answers.values()), default=0)
        assert now["version"] >= acknowledged, "an acknowledged command is lost"
        assert now["version"] >= before["version"], "a version that was shown is lost"
        if now["version"] == before["version"]:
            assert _stored_part(now) == _stored_part(before)
        if self.under_way is not None:
            answer = send_command(self.host, self.under_way)
            assert answer is not None
            self.answers[self.under_way["id"]] = (self.under_way, answer)
            self.under_way = None

    def check(self) -> None:
        """Check that resent commands get the same answers and that the log has no gaps."""
        version = self.host.socket.call("sync")["version"]
        for command, answer in self.answers.values():
            assert not answer["ok"] or send_command(self.host, command) == answer
        headers = {"Authorization": f"Bearer {self.token}"}
        log = self.server.get(f"/api/tables/{self.table}/log", **headers).json
        assert [event["version"] for event in log][-1] >= version
        versions = [event["version"] for event in log]
        assert versions == list(range(1, len(versions) + 1))
        accepted = [a["version"] for _, a in self.answers.values() if a["ok"]]
        assert len(set(accepted)) == len(accepted), "two commands with one effect"


def _wait_for_version(client: Client, version: int) -> bool:
    while client.socket.connected:
        views = client.get_received("view")
        if views and views[-1]["version"] >= version:
            return True
        time.sleep(0.002)
    return False


def _stored_part(view: Any) -> Any:
    return {key: value for key, value in view.items() if key not in OWN}


class Kills:
    """Several games on one server, which is killed while they are played."""

    def __init__(self, server: RealServer, tables: int, seed: int) -> None:
        self.server = server
        self.chance = Random(seed)
        self.games = [Game(server, seed * 1000 + number) for number in range(tables)]
        self.kills = 0

    def play_and_kill(self, seconds: float = 0.4) -> None:
        """Play all games for up to this many seconds, kill the server, and restart it."""
        players = [threading.Thread(target=game.play) for game in self.games]
        for player in players:
            player.start()
        time.sleep(self.chance.uniform(0.02, seconds))
        self.server.kill()
        for player in players:
            player.join()
        self.server.start()
        self.kills += 1
        for game in self.games:
            game.check_after_restart()

    def finish(self) -> None:
        for game in self.games:
            game.check()

    @property
    def acknowledged_count(self) -> int:
        return sum(len(game.answers) for game in self.games)
