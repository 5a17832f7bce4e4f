"""The game of ``tests/support/fair_world.py`` on a real server, with one connection for each
player.

The state of the table comes from the log in the views, as it does for any client.
"""

from typing import Any
from uuid import uuid4

import msgspec

from companion.rules.grid.family import GRID
from companion.rules.text.rulings import Refused
from tests.support.fair_world import World
from tests.support.say import say
from tests.support.servers.server import Client, RealServer


class WiredWorld(World):
    """One game over the wire. All connections are closed at its end."""

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

    def handle_command(self, command: Any, sender: str | None) -> Any:
        assert sender is not None
        document = msgspec.to_builtins(command)
        client = self.clients[sender]
        answer = client.send(**document, id=str(uuid4()))
        if not answer["ok"]:
            raise Refused(answer["error"]["ruling"])
        self.first_version = self.table.version + 1
        self.catch_up(client.wait_for_version(answer["version"]))
        return self.events[self.first_version]

    def catch_up(self, view: Any) -> None:
        """Apply the events in this view's log that haven't been applied yet."""
        self.view = view
        self.events = {}
        for line in view["log"]:
            if line["version"] > self.table.version:
                event = msgspec.convert({**line["facts"], "type": line["type"]}, GRID.event)
                self.events[line["version"]] = event
                self.apply_event(event)

    def close_window(self) -> None:
        """Let everybody who can still Nope pass."""
        window = self.table.require_game().window.id
        for seat in self.view["window"]["may_nope"]:
            try:
                self.handle_command(say.Pass(window=window), seat)
            except Refused:  # on a slow machine, the window may already have closed
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
