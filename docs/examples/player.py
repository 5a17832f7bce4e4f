"""A player without cards, in Python: sends random legal commands until the game is over.

    pip install "python-socketio[client]" requests
    python player.py http://127.0.0.1:8000 Ana                makes a table and prints its code
    python player.py http://127.0.0.1:8000 Ben KXQF7H         sits down at it

The player who made the table begins once PLAYERS (default 2) sit there. See docs/protocol.md.
"""

import os
import random
import sys
import threading
import uuid

import requests
import socketio

PLAYERS = int(os.environ.get("PLAYERS", "2"))


class Player:
    """A seat at a table, and the newest view of it."""

    def __init__(self, url: str, name: str, code: str | None, variant: str | None) -> None:
        where = f"{url}/api/tables/{code}/seats" if code else f"{url}/api/tables"
        body = {"name": name} if code or not variant else {"name": name, "variant": variant}
        # A retry with the same key returns the same seat, if the first answer was lost.
        key = {"Idempotency-Key": str(uuid.uuid4())}
        answer = requests.post(where, json=body, headers=key, timeout=10)
        answer.raise_for_status()
        self.place = answer.json()
        self.view: dict = {}
        self.news = threading.Event()
        self.socket = socketio.Client()
        self.socket.on("view", self.saw)
        auth = {"table": self.place["table"], "token": self.place["token"]}
        self.socket.connect(url, auth=auth, transports=["websocket"], wait_timeout=10)

    def saw(self, view: dict) -> None:
        """Store a view, unless it is older than the stored one.

        The library handles each in a thread of its own, so they may overtake each other. A new
        epoch means that the table's last moments were lost, so versions start lower again."""
        current = self.view
        if view["epoch"] != current.get("epoch") or view["version"] > current["version"]:
            self.view = view
            self.news.set()

    def choice(self) -> dict | None:
        """Choose a command, if any is due. ``may`` lists only commands of the game itself."""
        view = self.view
        you = view["you"]
        mine = next(seat for seat in view["seats"] if seat["seat"] == you["seat"])
        if view["phase"] == "lobby":
            enough = len(view["seats"]) >= PLAYERS
            return {"type": "prepare"} if you["host"] and enough else None
        if view["phase"] == "setup":
            if not mine["ready"]:
                return {"type": "ready", "ready": True}
            ready = all(seat["ready"] for seat in view["seats"])
            return {"type": "begin", "first": "lot"} if you["host"] and ready else None
        own = [entry for entry in you["may"] if entry["as"] == you["seat"]]
        own = [entry for entry in own if "targets" not in entry]
        own = [entry for entry in own if entry["type"] not in ("hold", "release")]
        return random.choice(own) if own else None

    def play(self) -> str:
        """Play until the game is over. Returns the winner's name."""
        while self.view.get("phase") != "over":
            self.news.wait(10)
            self.news.clear()
            if self.view and (command := self.choice()):
                answer = self.socket.call("command", {**command, "id": str(uuid.uuid4())})
                if not answer["ok"]:  # somebody else was faster, or we were too fast
                    wait = answer["error"].get("facts", {}).get("retry_after_ms", 50)
                    self.socket.sleep(wait / 1000)
                    self.news.set()
        winner = self.view["winner"]
        self.socket.disconnect()
        return next(seat["name"] for seat in self.view["seats"] if seat["seat"] == winner)


if __name__ == "__main__":
    url, name, code = [*sys.argv[1:4], None][:3]
    player = Player(url, name, code, os.environ.get("VARIANT"))
    print(player.place["table"], flush=True)
    print(f"{player.play()} has won", flush=True)
