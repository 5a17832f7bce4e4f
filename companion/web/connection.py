"""One client: what it connects with, and what is known of it while it is there.

This module must not know what a client says.
"""

from msgspec import Struct

from companion.service.presence import Viewer, Wants

UNMEASURED_MS = 250
"""The round trip of a connection which was not measured yet."""


class Auth(Struct):
    """What a client connects with; ``patches``: how much it wants to hear of what changed.

    ``replay``: the number of a game which it watches together with others, in place of the table.
    ``yields``: it has its seat only as long as no other connection wants it.
    """

    table: str
    token: str | None = None
    patches: Wants = False
    replay: int | None = None
    yields: bool = False


class Connection(Struct):
    """One client. ``key`` is its token's hash, ``trip_ms`` the round trip as measured last.

    What it says counts in the rate of ``who``: its seat or, of a spectator, its address.
    ``robot``: it is one of this server's. ``since``: when it asked to be let in; see ``Viewer``.
    """

    sid: str
    code: str
    seat: str | None
    key: str
    who: str
    address: str
    robot: bool = False
    patches: Wants = False
    replay: int | None = None
    since: int = 0
    trip_ms: int = UNMEASURED_MS
    signed: float = 0.0

    @property
    def watches(self) -> bool:
        """Whether it takes no place at the table: of those there is one for each seat."""
        return self.seat is None or self.replay is not None

    @property
    def viewer(self) -> Viewer:
        """What a table knows of it."""
        return Viewer(self.sid, self.seat, self.patches, self.since, self.address)
