"""Who plays: a seat's device, which reconnects and says again what was not answered."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Protocol
from uuid import UUID

import msgspec

from companion.robots.client import AGAIN
from companion.robots.view import patched
from companion.service.requests import Seated
from tests.world.hub import Hub, Machine
from tests.world.link import Link
from tests.world.process import SILENT_MS, Process

PATIENCE_MS = 3_000
"""For so long an answer is waited for before it is said again."""

THINKS_MS = 900
"""How long somebody thinks at most."""

IDLE_MS = 500
"""After so long somebody looks again, whatever happens."""


class Watch(Protocol):
    """Whoever hears what devices do."""

    def asked(self, panel: Panel, link: Link) -> None:
        """A device connects."""

    def answered(self, panel: Panel, said: dict[str, Any], answer: dict[str, Any]) -> None:
        """A device is answered for good."""

    def shown(self, panel: Panel) -> None:
        """A device shows another view."""


class Panel:
    """One device. ``link``: its connection; ``view``, ``presence``: what it shows.

    ``said``: the command that has no answer yet. ``sent_away``: another has its seat.
    ``prefers``: where it connects next. ``quiet``: it says nothing new.
    """

    def __init__(
        self, hub: Hub, name: str, seated: Seated, processes: Sequence[Process], watch: Watch
    ) -> None:
        self._hub, self._chance, self.seated = hub, Random(hub.chance.random()), seated
        self.machine = Machine(name)
        self._processes, self._watch = processes, watch
        self.link: Link | None = None
        self.process: Process | None = None
        self.prefers: Process | None = None
        self.view: Any = None
        self.presence: Any = None
        self.said: dict[str, Any] | None = None
        self.sent_away = False
        self.quiet = False
        self._said_at = self._speaks_at = 0
        hub.spawn(self.machine, "panel", self._run)

    @property
    def key(self) -> tuple[str, str]:
        """Its table and seat."""
        return self.seated.table, self.seated.seat

    @property
    def connected(self) -> bool:
        """Whether it has a connection that works, and that it was shown the table by."""
        link = self.link
        alive = self.process is not None and self.process.alive
        return link is not None and link.sound and not link.client.closed and alive

    def _run(self) -> None:
        while not self.sent_away:
            process = self.prefers or self._chance.choice(self._processes)
            self.prefers = None
            if not process.open:
                self._hub.wait(self._chance.randint(50, 300))
                continue
            auth = {"table": self.seated.table, "token": self.seated.token, "patches": "keys"}
            link, self.process = Link(self._hub, self.key, auth), process
            self.link = link
            self._watch.asked(self, link)
            process.take(link)
            self._stay(link)
            link.up(None)
            link.client.closed = True
            self._hub.wait(self._chance.randint(20, 400))

    def _stay(self, link: Link) -> None:
        began, shown = self._hub.now, False
        self._said_at = 0
        while not self.sent_away:
            patience = SILENT_MS if shown else PATIENCE_MS
            if self._hub.now > link.client.last + patience or (
                not shown and self._hub.now > began + PATIENCE_MS
            ):
                return
            link.client.wait(self._idle_ms())
            while (heard := link.client.next()) is not None:
                shown |= heard[0] == "view"
                self._hear(link, *heard)
            if link.client.closed:
                return
            if shown:
                self._speak(link)

    # --- hearing -----------------------------------------------------------------------

    def _hear(self, link: Link, event: str, content: Any, *more: Any) -> None:
        if event == "ping":
            link.up(("pong",))
        elif event == "answer":
            self._hear_answer(content, msgspec.json.decode(more[0]))
        elif event == "superseded":
            self.sent_away = True
        elif event in ("view", "patch", "head", "presence"):
            getattr(self, f"_{event}")(link, msgspec.json.decode(content))

    def _hear_answer(self, id: str, answer: dict[str, Any]) -> None:
        if self.said is None or self.said["id"] != id:
            return
        if not answer["ok"] and answer["error"]["code"] in AGAIN:
            self._said_at = self._hub.now - PATIENCE_MS + 500
            return
        said, self.said = self.said, None
        self._watch.answered(self, said, answer)

    def _view(self, _link: Link, view: Any) -> None:
        if "ok" not in view and self._is_news(view):
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
        self.view = view
        self._watch.shown(self)

    def _is_news(self, head: Any, *, same: bool = False) -> bool:
        known = self.view
        if known is None or head["epoch"] != known["epoch"]:
            return True
        return bool(head["version"] + same > known["version"])

    # --- speaking ----------------------------------------------------------------------

    def _idle_ms(self) -> int:
        """How long it need not look whether there is something to say."""
        now = self._hub.now
        at = self._said_at + PATIENCE_MS if self.said is not None else self._speaks_at
        return IDLE_MS if at <= now else min(IDLE_MS, at - now)

    def _speak(self, link: Link) -> None:
        now = self._hub.now
        if self.said is not None:
            if now >= self._said_at + PATIENCE_MS:
                self._say(link)
        elif now >= self._speaks_at and not self.quiet:
            self._speaks_at = now + self._chance.randint(20, THINKS_MS)
            command = self._choose()
            if command is not None:
                id = str(UUID(bytes=self._chance.randbytes(16), version=4))
                self.said = {"id": id, **command}
                self._say(link)

    def _say(self, link: Link) -> None:
        assert self.said is not None
        self._said_at = self._hub.now
        link.up(("command", self.said["id"], msgspec.json.encode(self.said)))

    def _choose(self) -> dict[str, Any] | None:
        view, you = self.view, self.view["you"]
        if you is None:
            return None
        if "agree" in you:
            return {"type": "agree", "asked": you["agree"]}
        if you["host"] and (command := self._as_host(view)):
            return command
        if view["phase"] == "setup":
            mine = next(one for one in view["seats"] if one["seat"] == self.seated.seat)
            return None if mine["ready"] else {"type": "ready", "ready": True}
        may = [one for one in you["may"] if one["as"] == self.seated.seat]
        return self._completed(self._chance.choice(may)) if may else None

    def _as_host(self, view: Any) -> dict[str, Any] | None:
        if self._chance.random() < 0.03 and view["phase"] in ("roll_call", "play"):
            kind = self._chance.choice(["undo", "undo", "end_game"])
            return {"type": kind}
        match view["phase"]:
            case "lobby":
                return {"type": "prepare"}
            case "setup" if all(seat["ready"] for seat in view["seats"]):
                return {"type": "begin", "first": "lot"}
            case "over":
                return {"type": "rematch"}
        return None

    def _completed(self, entry: dict[str, Any]) -> dict[str, Any]:
        command = dict(entry)
        if targets := command.pop("targets", None):
            command["target"] = self._chance.choice(targets)
        return command
