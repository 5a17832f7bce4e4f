"""A simulated panel of a seat. It shows the views that it receives. It sends commands, and
repeats a command that isn't answered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

import msgspec

from companion.robots.client import RETRYABLE
from companion.robots.view import apply_patch
from tests.simulation.device import IDLE_MS, PATIENCE_MS, Device
from tests.simulation.link import Link
from tests.simulation.player import Command, Player

THINKS_MS = 900
"""Longest time in ms between two commands of a player."""


class Panel(Device):
    """A panel of a seat, or of a spectator if ``player`` is None."""

    view: Any = None  # the view on the screen
    base: Any = None  # the newest view of this connection, to which patches apply
    presence: Any = None
    pending: dict[str, Any] | None = None  # the command that is still unanswered
    player: Player | None = None
    alter_command: Callable[[Command], Command] | None = None  # changes a command before it is sent
    quiet = False  # True if the panel sends no new commands
    _sent_at = _acts_at = _answered_version = 0

    def on_connected(self) -> None:
        self._sent_at = 0
        self.base = None

    def on_sent_away(self) -> None:
        if self.pending is not None and self.player is not None:
            self.pending = self.player.take_answer(None)

    def idle_ms(self) -> int:
        now = self.hub.now
        at = self._sent_at + PATIENCE_MS if self.pending is not None else self._acts_at
        return IDLE_MS if at <= now else min(IDLE_MS, at - now)

    # --- receiving ----------------------------------------------------------------------

    def handle_event(self, link: Link, event: str, content: Any, *more: Any) -> None:
        if event == "answer":
            self._take_answer(content, msgspec.json.decode(more[0]))
        elif event in ("view", "patch", "head", "presence"):
            getattr(self, f"_on_{event}")(link, msgspec.json.decode(content))

    def _take_answer(self, id: str, answer: dict[str, Any]) -> None:
        if self.pending is None or self.pending["id"] != id:
            return
        if not answer["ok"] and answer["error"]["code"] in RETRYABLE:
            self._sent_at = self.hub.now - PATIENCE_MS + 500
            return
        command = self.pending
        self.pending = None
        self._answered_version = answer["version"]
        if self.player is not None:
            self.player.take_answer(answer)
        self.watch.on_answer(self, command, answer)

    def _on_view(self, _link: Link, view: Any) -> None:
        if "ok" not in view:
            self._take_view(view)

    def _on_patch(self, link: Link, patch: Any) -> None:
        view = self.base and apply_patch(self.base, patch)
        if view:
            self._take_view(view)
        else:
            self._on_head(link, patch)

    def _on_head(self, link: Link, head: Any) -> None:
        base = self.base
        if not base or head["epoch"] != base["epoch"] or head["version"] > base["version"]:
            link.send_to_process(("sync",))
        elif base["version"] < self.view["version"]:
            self._show_view(base)

    def _take_view(self, view: Any) -> None:
        """Keep a view as the base of later patches, and show it unless a newer view is on the
        screen."""
        self.base = view
        shown = self.view
        if not shown or shown["epoch"] != view["epoch"] or shown["version"] <= view["version"]:
            self._show_view(view)

    def _on_presence(self, _link: Link, presence: Any) -> None:
        self.presence = presence

    def _show_view(self, view: Any) -> None:
        if self.view is None or self.view["epoch"] != view["epoch"]:
            self._answered_version = 0
        self.view = view
        self.watch.on_view(self)

    # --- sending ------------------------------------------------------------------------

    def send_next(self, link: Link) -> None:
        now = self.hub.now
        if self.pending is not None:
            if now >= self._sent_at + PATIENCE_MS:
                self._send_pending(link)
        elif now >= self._acts_at and not self.quiet and self.player is not None:
            self._acts_at = now + self.chance.randint(20, THINKS_MS)
            if self.view["version"] >= self._answered_version:
                self.send_command(self.player.choose(self.view, now), link)

    def send_command(self, command: Command | None, link: Link | None) -> None:
        """Send a command, and resend it until it is answered. Does nothing while another
        command is pending."""
        if command is None or self.pending is not None or link is None:
            return
        id = str(UUID(bytes=self.chance.randbytes(16), version=4))
        self.pending = {"id": id, **command}
        self._send_pending(link)

    def _send_pending(self, link: Link) -> None:
        assert self.pending is not None
        self._sent_at = self.hub.now
        self.watch.on_command(link, self.pending)
        command = self.alter_command(self.pending) if self.alter_command else self.pending
        link.send_to_process(("command", self.pending["id"], msgspec.json.encode(command)))
