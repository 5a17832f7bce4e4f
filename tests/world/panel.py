"""A seat's panel: it shows what it hears, and says again what was not answered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

import msgspec

from companion.robots.client import AGAIN
from companion.robots.view import patched
from tests.world.device import IDLE_MS, PATIENCE_MS, Device
from tests.world.link import Link
from tests.world.player import Command, Player

THINKS_MS = 900
"""How long somebody thinks at most."""


class Panel(Device):
    """``view``, ``presence``: what it shows. ``said``: the command that has no answer yet.

    ``player``: who speaks; a panel without one watches. ``quiet``: it says nothing new.
    ``alters``: what becomes of what it says, on its way.
    """

    view: Any = None
    presence: Any = None
    said: dict[str, Any] | None = None
    player: Player | None = None
    alters: Callable[[Command], Command] | None = None
    quiet = False
    _said_at = _speaks_at = _answered = 0

    def began(self) -> None:
        self._said_at = 0

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
        if not answer["ok"] and answer["error"]["code"] in AGAIN:
            self._said_at = self.hub.now - PATIENCE_MS + 500
            return
        said, self.said = self.said, None
        self._answered = answer["version"]
        if self.player is not None:
            self.player.answered(answer)
        self.watch.answered(self, said, answer)

    def _view(self, _link: Link, view: Any) -> None:
        if "ok" not in view and self._is_news(view, same=True):
            self._show(view)

    def _patch(self, link: Link, patch: Any) -> None:
        if self.view is None or not self._is_news(patch, same=True):
            return
        view = patched(self.view, patch)
        if view is None:
            link.up(("sync",))
        else:
            self._show(view)

    def _head(self, link: Link, head: Any) -> None:
        if self._is_news(head):
            link.up(("sync",))

    def _presence(self, _link: Link, presence: Any) -> None:
        self.presence = presence

    def _show(self, view: Any) -> None:
        if self.view is None or self.view["epoch"] != view["epoch"]:
            self._answered = 0
        self.view = view
        self.watch.shown(self)

    def _is_news(self, head: Any, *, same: bool = False) -> bool:
        known = self.view
        if known is None or head["epoch"] != known["epoch"]:
            return True
        return bool(head["version"] + same > known["version"])

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
        said = self.alters(self.said) if self.alters else self.said
        link.up(("command", self.said["id"], msgspec.json.encode(said)))
