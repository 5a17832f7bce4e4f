"""Which robots are at work: each has a post, a seat at a table, and a pass that opens it.

A pass is good as long as its robot is at work, and nobody keeps it: whoever reads the store
can't open a robot's seat. This module must not know when a robot is wanted, nor what it says.
"""

import re
import threading
from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from companion.service import codes
from companion.service.errors import Fault

_IN_HEX = re.compile("[0-9a-f]{64}")


class Post(Struct, frozen=True):
    """A robot's seat, its temper, the pass (``token``), and the key of its decks.

    ``secret``: that of a deck which it took over from a player.
    """

    table: str
    seat: str
    token: str
    temper: str
    key: str
    secret: str | None = None


class Workers(Protocol):
    """Whoever lets the robots play."""

    failing: bool

    def want(self, posts: Sequence[Post]) -> None:
        """From now on these are to be filled, and no others; never waits."""


class Idle:
    """Nobody: what is wanted is not done."""

    failing = False

    def want(self, posts: Sequence[Post]) -> None:
        """Nothing happens."""


class Crew:
    """At most so many robots; 0: none."""

    def __init__(self, most: int = 0, workers: Workers | None = None) -> None:
        self.most, self._workers = most, workers or Idle()
        self._posts: dict[tuple[str, str], Post] = {}
        self._passes: dict[str, tuple[str, str]] = {}
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._posts)

    @property
    def free(self) -> int:
        """How many more can be had."""
        return max(0, self.most - len(self))

    def check(self, wanted: int = 1) -> None:
        """Raises ``Fault`` when so many can't be had just now, or none at all."""
        if not self.most:
            raise Fault("forbidden", what="robots")
        if self.free < wanted or self._workers.failing:
            raise Fault("busy", what="robots")

    def tables(self) -> set[str]:
        """The codes of the tables at which robots are at work."""
        return {code for code, _ in list(self._posts)}

    def at(self, code: str) -> set[str]:
        """The seats of a table at which robots are at work."""
        return (
            {seat for table, seat in list(self._posts) if table == code} if self._posts else set()
        )

    def opens(self, hashed: str) -> tuple[str, str] | None:
        """The table's code and the seat which the pass with this hash opens."""
        return self._passes.get(hashed)

    def sit(self, code: str, seat: str, temper: str, key: str, secret: str | None) -> None:
        """A robot sits down, if one is free; raises ``ValueError`` where its key is none."""
        if not all(_IN_HEX.fullmatch(one) for one in (key, secret) if one is not None):
            raise ValueError("no 64 hexadecimal digits")
        with self._lock:
            if not self.free:
                return
            token = codes.new_secret()
            self._posts[code, seat] = Post(code, seat, token, temper, key, secret)
            self._passes[codes.hashed(token)] = code, seat
            self._tell()

    def rise(self, code: str, *seats: str) -> None:
        """Robots get up."""
        with self._lock:
            for seat in seats:
                post = self._posts.pop((code, seat), None)
                if post is not None:
                    del self._passes[codes.hashed(post.token)]
            if seats:
                self._tell()

    def _tell(self) -> None:
        self._workers.want(tuple(self._posts.values()))
