"""Watching a replay together: whoever steps, all who are there step along.

Where they are is known as long as somebody is there, and never stored. This module must not know
what there is to see.
"""

from collections.abc import Callable
from typing import Any

from msgspec import Struct, field

from companion.service import codec
from companion.service.errors import Fault
from companion.web.rates import Rates

STEPS = "100/10 second"
"""How often one connection may step: the page says at most 7 a second."""

Replay = tuple[str, int]
"""A table's code and the number of a game."""


class Step(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody went to the moment that shows this version."""

    at: int


class _Room(Struct):
    at: int | None = None
    sids: list[str] = field(default_factory=list)


class Together:
    """Who watches which replay; ``send`` brings an event to one connection and never waits."""

    def __init__(self, send: Callable[[str, str, Any], None]) -> None:
        self._send, self._rates = send, Rates.of(STEPS)
        self._rooms: dict[Replay, _Room] = {}

    def enter(self, replay: Replay, sid: str) -> None:
        """Somebody comes, and goes to where the others are."""
        room = self._rooms.setdefault(replay, _Room())
        room.sids.append(sid)
        self._tell(room)

    def leave(self, replay: Replay, sid: str) -> None:
        """Somebody goes."""
        room = self._rooms.get(replay)
        if room is None or sid not in room.sids:
            return
        room.sids.remove(sid)
        if room.sids:
            self._tell(room)
        else:
            del self._rooms[replay]

    def step(self, replay: Replay, sid: str, content: Any) -> None:
        """Somebody steps, and all others with them; raises ``Fault``."""
        self._rates.count(sid)
        step: Step = codec.checked(content, Step)
        room = self._rooms.get(replay)
        if room is None or sid not in room.sids:
            raise Fault("forbidden")
        room.at = step.at
        self._tell(room, but=sid)

    def _tell(self, room: _Room, but: str | None = None) -> None:
        for sid in room.sids:
            if sid != but:
                self._send(sid, "replay", {"at": room.at, "here": len(room.sids)})
