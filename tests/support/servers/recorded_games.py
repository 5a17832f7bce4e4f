"""Whole games of robots on a real server, with undos and players who leave, as a spectator sees
them.

The replay must show the same as each view that the spectator received.
"""

import gzip
import json
from random import Random
from typing import Any

from companion.robots.party import Party, Plan
from companion.robots.view import apply_patch
from companion.service.replays import file, reading
from tests.support.servers.server import Client, RealServer

PATIENCE = 4.0
TRIES = 12


class RecordedGame:
    """One game, played to its end. ``views`` contains all views that a spectator received."""

    def __init__(self, server: RealServer, variant: str, robots: int, seed: int) -> None:
        self.server = server
        self.chance = Random(seed)
        self.undone = self.left = 0
        plan = Plan(robots=robots, pace=0, games=1, variant=variant, seed=seed)
        with Party(server.url, plan) as party:
            self.table = party.table
            self.party = party
            self.spectator = Client(server.url, {"table": party.table})
            view = self.spectator.view
            idle = 0
            while not self._is_over(view):
                before = view
                view = self._get_next_view(view)
                idle = idle + 1 if view is before else 0
                assert idle < TRIES, f"nothing happens in {view}"
                self._disturb_game(view, idle)
        self.views = self.spectator.get_received("view")
        self.spectator.close()

    def _is_over(self, view: Any) -> bool:
        decks = [seat.get("deck", {}) for seat in view["seats"]]
        return view["phase"] == "over" and all(deck.get("secret", "") is not None for deck in decks)

    def _get_next_view(self, view: Any) -> Any:
        """Wait for a newer view. Returns it, or the old view after a time limit."""
        try:
            newer = lambda: self.spectator.get_received("view")[-1]["version"] > view["version"]  # noqa: E731
            self.spectator.wait(newer, PATIENCE)
        except AssertionError:
            return view
        return self.spectator.get_received("view")[-1]

    def _disturb_game(self, view: Any, idle: int) -> None:
        """Sometimes let the host undo something, or let a player leave.

        If an undo comes while a robot carries out a command, the robot may no longer know its
        cards. The game then stands still until a player leaves.
        """
        if view["phase"] != "play":
            return
        living = [seat["seat"] for seat in view["seats"] if seat["alive"]]
        if idle and view["turn"]:
            leaver = view["turn"]["seat"] if idle < 3 else self.chance.choice(living)
            leavers = [
                robot for robot in self.party.robots if robot.connection.credentials.seat == leaver
            ]
            self.left += sum(
                robot.connection.send_command({"type": "leave"})["ok"] for robot in leavers
            )
        elif self.chance.random() < 0.02:
            self.undone += self.party.robots[0].connection.send_command({"type": "undo"})["ok"]
        elif len(living) > 2 and self.chance.random() < 0.004:
            others = [
                robot
                for robot in self.party.robots[1:]
                if robot.connection.credentials.seat in living
            ]
            if others:
                self.left += self.chance.choice(others).connection.send_command({"type": "leave"})[
                    "ok"
                ]

    @property
    def replayed_views(self) -> list[Any]:
        """The view of each moment of the replay, oldest first."""
        return decode_moments(self.server.get(f"{self._path}/moments").json)

    @property
    def _path(self) -> str:
        return f"/api/tables/{self.table}/games/1"

    def check_views(self) -> int:
        """Compare the replay with the spectator's views. Returns the number of views compared."""
        replayed = self.replayed_views
        count = 0
        for view in self.views:
            if replayed[0]["version"] <= view["version"] <= replayed[-1]["version"]:
                newest = [moment for moment in replayed if moment["version"] <= view["version"]][-1]
                assert _without_time(newest, replayed[0]) == _without_time(view, replayed[0])
                count += 1
        assert replayed[-1]["version"] == self.views[-1]["version"]
        return count

    def check_export(self) -> int:
        """Check that the exported file, imported and exported again, is the same. Returns its
        size."""
        content = self.server.get(self._path).body
        record = reading.parse_and_replay(content)
        assert record.bytes == content
        moments = json.loads(gzip.decompress(file.compress_moments(record, self.table)))
        assert moments == self.server.get(f"{self._path}/moments").json
        return len(content)


def decode_moments(replay: Any) -> list[Any]:
    """Return the view of each moment of a replay: the first view, and the result of each patch."""
    views = [replay["view"]]
    for patch in replay["moments"]:
        after = apply_patch(views[-1], patch)
        assert after is not None, "a patch for another view"
        views.append(after)
    return views


def _without_time(view: Any, first: Any) -> Any:
    """Return the view without times, versions, and the log before the game.

    Versions can't be compared, because events that the spectator didn't receive count as well.
    """
    rest = {key: value for key, value in view.items() if key not in ("epoch", "now", "version")}
    window = view["window"] and {k: v for k, v in view["window"].items() if k != "left_ms"}
    log = [entry for entry in view["log"] if entry["version"] > first["version"]]
    return {**rest, "window": window, "log": log}
