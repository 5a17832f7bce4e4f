"""The same little world at a table of a real server: each player with a connection of their own.

What the table's state is it reads from the log that comes with the views, as any client does.
"""

from typing import Any
from uuid import uuid4

import msgspec

from companion.rules.core.rulings import Refused
from companion.rules.grid.family import GRID
from tests.fair_world import World
from tests.say import say
from tests.server import Client, RealServer


class WiredWorld(World):
    """One game over the wire; to be closed."""

    def __init__(
        self, server: RealServer, seed: int, players: int = 3, lie: str | None = None
    ) -> None:
        self.server = server
        self.code = ""
        self.clients: dict[str, Client] = {}
        super().__init__(seed, players, lie)
        self.handle_command(say.SetOptions(roll_call=False, nope_seconds=30), self.table.host)

    def take_seat(self, name: str) -> None:
        more = f"/{self.code}/seats" if self.code else ""
        place = self.server.post(f"/api/tables{more}", {"name": name}).json
        self.code = place["table"]
        client = self.server.connect_client(self.code, place["token"])
        self.clients[place["seat"]] = client
        self.catch_up(client.view)

    def handle_command(self, heard: Any, sender: str | None) -> Any:
        assert sender is not None
        said = msgspec.to_builtins(heard)
        client = self.clients[sender]
        answer = client.send(**said, id=str(uuid4()))
        if not answer["ok"]:
            raise Refused(answer["error"]["ruling"])
        self.first_version = self.table.version + 1
        self.catch_up(client.wait_for_version(answer["version"]))
        return self.events[self.first_version]

    def catch_up(self, view: Any) -> None:
        """All that has happened since, from the log."""
        self.view = view
        self.events = {}
        for line in view["log"]:
            if line["version"] > self.table.version:
                event = msgspec.convert({**line["facts"], "type": line["type"]}, GRID.event)
                self.events[line["version"]] = event
                self.apply_event(event)

    def close_window(self) -> None:
        """Everybody who is asked passes."""
        window = self.table.playing().window.id
        for seat in self.view["window"]["may_nope"]:
            try:
                self.handle_command(say.Pass(window=window), seat)
            except Refused:  # on a slow machine its time may be over
                self.catch_up(self.clients[seat].socket.call("sync"))

    def get_log(self) -> list[dict[str, Any]]:
        log: list[dict[str, Any]] = self.server.get(f"/api/tables/{self.code}/log").json
        return log

    def play_game(self, most: int = 400) -> "WiredWorld":
        try:
            super().play_game(most)
        finally:
            for client in self.clients.values():
                client.close()
                self.server.clients.remove(client)
        return self
