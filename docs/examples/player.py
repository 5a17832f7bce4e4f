"""A player with no cards, in Python: it says at random whatever may be said, to the game's end.

    pip install "python-socketio[client]" requests
    python player.py http://127.0.0.1:8000 Ana                makes a table and prints its code
    python player.py http://127.0.0.1:8000 Ben KXQF7H         sits down at it

Whoever made the table begins once as many sit as PLAYERS says (2). docs/protocol.md has the rest.
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
        # With the key a lost answer can be asked for again; the same seat comes back.
        key = {"Idempotency-Key": str(uuid.uuid4())}
        answer = requests.post(where, json=body, headers=key, timeout=10)
        answer.raise_for_status()
        self.place = answer.json()
        self.view: dict = {}
        self.news = threading.Event()
        self.socket = socketio.Client()
        self.socket.on("view", self.saw)
        auth = {"table": self.place["table"], "token": self.place["token"]}
        self.socket.connect(url, auth=auth, transports=["websocket"])

    def saw(self, view: dict) -> None:
        """A view. The library hands each to a thread of its own, so they may overtake each other;
        a new epoch means that the table's last moments are lost, and versions begin lower."""
        known = self.view
        if view["epoch"] != known.get("epoch") or view["version"] > known["version"]:
            self.view = view
            self.news.set()

    def choice(self) -> dict | None:
        """What to say now, if anything. What isn't of the game is not in ``may``."""
        view, you = self.view, self.view["you"]
        mine = next(seat for seat in view["seats"] if seat["seat"] == you["seat"])
        if view["phase"] == "lobby":
            enough = len(view["seats"]) >= PLAYERS
            return {"type": "prepare"} if you["host"] and enough else None
        if view["phase"] == "setup":
            if not mine["ready"]:
                return {"type": "ready", "ready": True}
            ready = all(seat["ready"] for seat in view["seats"])
            return {"type": "begin", "first": "lot"} if you["host"] and ready else None
        own = [said for said in you["may"] if said["as"] == you["seat"] and "targets" not in said]
        own = [said for said in own if said["type"] not in ("hold", "release")]
        return random.choice(own) if own else None

    def play(self) -> str:
        """Until the game is over; gives the winner's name."""
        while self.view.get("phase") != "over":
            self.news.wait(10)
            self.news.clear()
            if self.view and (said := self.choice()):
                answer = self.socket.call("command", {**said, "id": str(uuid.uuid4())})
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
