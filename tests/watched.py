"""Whole games of robots on a real server, with undos and leavers, as a spectator sees them.

What a replay shows is held against every view that the spectator was sent.
"""

from random import Random
from typing import Any

from companion.robots.party import Party, Wishes
from companion.robots.wire.sight import patched
from tests.server import Client, RealServer

PATIENCE = 120.0


class Watched:
    """One game, played to its end; ``views``: all that its spectator was sent."""

    def __init__(self, server: RealServer, variant: str, robots: int, seed: int) -> None:
        self.server, self.chance = server, Random(seed)
        self.undone = self.left = 0
        wishes = Wishes(robots=robots, pace=0, games=1, variant=variant, seed=seed)
        with Party(server.url, wishes) as party:
            self.table, self.party = party.table, party
            self.spectator = Client(server.url, {"table": party.table})
            seen = self.spectator.view["version"]
            while not self._over(self.spectator.all("view")[-1]):
                self.spectator.wait(
                    lambda had=seen: self.spectator.all("view")[-1]["version"] > had, PATIENCE
                )
                view = self.spectator.all("view")[-1]
                seen = view["version"]
                self._meddle(view)
            assert not [t for t in party.troubles if not _meddled(t)], party.troubles
        self.views = self.spectator.all("view")
        self.spectator.close()

    def _over(self, view: Any) -> bool:
        decks = [seat.get("deck", {}) for seat in view["seats"]]
        return view["phase"] == "over" and all(deck.get("secret", "") is not None for deck in decks)

    def _meddle(self, view: Any) -> None:
        """The host takes something back now and then, and once in a while somebody leaves."""
        if view["phase"] != "play":
            return
        living = [seat["seat"] for seat in view["seats"] if seat["alive"]]
        if self.chance.random() < 0.02:
            self.undone += self.party.robots[0].line.say({"type": "undo"})["ok"]
        elif len(living) > 2 and self.chance.random() < 0.004:
            others = [one for one in self.party.robots[1:] if one.line.place.seat in living]
            if others:
                self.left += self.chance.choice(others).line.say({"type": "leave"})["ok"]

    @property
    def replay(self) -> list[Any]:
        """Every moment of the replay, by the version that it shows."""
        path = f"/api/tables/{self.table}/games/1/moments"
        return moments(self.server.get(path).json)

    def check(self) -> int:
        """Holds the replay against what the spectator saw; gives how many views were held."""
        found = self.replay
        held = 0
        for seen in self.views:
            if found[0]["version"] <= seen["version"] <= found[-1]["version"]:
                newest = [one for one in found if one["version"] <= seen["version"]][-1]
                assert _plain(newest, found[0]) == _plain(seen, found[0])
                held += 1
        assert found[-1]["version"] == self.views[-1]["version"]
        return held


def moments(replay: Any) -> list[Any]:
    """The views which a replay's first view and patches come to."""
    found = [replay["view"]]
    for patch in replay["moments"]:
        after = patched(found[-1], patch)
        assert after is not None, "a patch for another view"
        found.append(after)
    return found


def _plain(view: Any, first: Any) -> Any:
    """A view without the hour at which it was sent, and without what was before the game.

    A version alone may be another where something private was said.
    """
    kept = {key: value for key, value in view.items() if key not in ("epoch", "now", "version")}
    window = view["window"] and {k: v for k, v in view["window"].items() if k != "left_ms"}
    log = [entry for entry in view["log"] if entry["version"] > first["version"]]
    return {**kept, "window": window, "log": log}


def _meddled(trouble: Any) -> bool:
    """Whether a robot was refused for what was taken back, or left, meanwhile."""
    return bool(trouble.error["code"] in ("refused", "stale", "forbidden"))
