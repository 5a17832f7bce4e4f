"""A seat's panel: it shows what it hears, and says again what was not answered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

import msgspec

from companion.robots.client import RETRYABLE
from companion.robots.view import apply_patch
from tests.world.device import IDLE_MS, PATIENCE_MS, Device
from tests.world.link import Link
from tests.world.player import Command, Player

THINKS_MS = 900
"""How long somebody thinks at most."""


class Panel(Device):
    """``view``, ``presence``: what it shows. ``base``: the view that its connection has sent, on
    which that one's patches build. ``said``: the command that has no answer yet.

    ``player``: who speaks; a panel without one watches. ``quiet``: it says nothing new.
    ``alters``: what becomes of what it says, on its way.
    """

    view: Any = None
    base: Any = None
    presence: Any = None
    said: dict[str, Any] | None = None
    player: Player | None = None
    alters: Callable[[Command], Command] | None = None
    quiet = False
    _said_at = _speaks_at = _answered = 0

    def began(self) -> None:
        self._said_at = 0
        self.base = None

    def left(self) -> None:
        if self.said is not None and self.player is not None:
            self.said = self.player.answered(None)

    def idle_ms(self) -> int:
        now = self.hub.now
        at = self._said_at + PATIENCE_MS if self.said is not None else self._speaks_at
        return IDLE_MS if at <= now else min(IDLE_MS, at - now)

    # --- hearing -----------------------------------------------------------------------

    def hear(self, link: Link, event: str, content: Any, *more: Any) -> None:
        if event == "answer":
            self._hear_answer(content, msgspec.json.decode(more[0]))
        elif event in ("view", "patch", "head", "presence"):
            getattr(self, f"_{event}")(link, msgspec.json.decode(content))

    def _hear_answer(self, id: str, answer: dict[str, Any]) -> None:
        if self.said is None or self.said["id"] != id:
            return
        if not answer["ok"] and answer["error"]["code"] in RETRYABLE:
            self._said_at = self.hub.now - PATIENCE_MS + 500
            return
        said = self.said
        self.said = None
        self._answered = answer["version"]
        if self.player is not None:
            self.player.answered(answer)
        self.watch.answered(self, said, answer)

    def _view(self, _link: Link, view: Any) -> None:
        if "ok" not in view:
            self._take(view)

    def _patch(self, link: Link, patch: Any) -> None:
        view = self.base and apply_patch(self.base, patch)
        if view:
            self._take(view)
        else:
            self._head(link, patch)

    def _head(self, link: Link, head: Any) -> None:
        base = self.base
        if not base or head["epoch"] != base["epoch"] or head["version"] > base["version"]:
            link.up(("sync",))
        elif base["version"] < self.view["version"]:
            self._show(base)

    def _take(self, view: Any) -> None:
        """Shows what a server sends, unless that one is behind."""
        self.base = view
        known = self.view
        if not known or known["epoch"] != view["epoch"] or known["version"] <= view["version"]:
            self._show(view)

    def _presence(self, _link: Link, presence: Any) -> None:
        self.presence = presence

    def _show(self, view: Any) -> None:
        if self.view is None or self.view["epoch"] != view["epoch"]:
            self._answered = 0
        self.view = view
        self.watch.shown(self)

    # --- speaking ----------------------------------------------------------------------

    def speak(self, link: Link) -> None:
        now = self.hub.now
        if self.said is not None:
            if now >= self._said_at + PATIENCE_MS:
                self._say(link)
        elif now >= self._speaks_at and not self.quiet and self.player is not None:
            self._speaks_at = now + self.chance.randint(20, THINKS_MS)
            if self.view["version"] >= self._answered:
                self.tell(self.player.choose(self.view, now), link)

    def tell(self, command: Command | None, link: Link | None) -> None:
        """Says something from now on until it is answered."""
        if command is None or self.said is not None or link is None:
            return
        id = str(UUID(bytes=self.chance.randbytes(16), version=4))
        self.said = {"id": id, **command}
        self._say(link)

    def _say(self, link: Link) -> None:
        assert self.said is not None
        self._said_at = self.hub.now
        self.watch.spoke(link, self.said)
        said = self.alters(self.said) if self.alters else self.said
        link.up(("command", self.said["id"], msgspec.json.encode(said)))
