"""When the clock has something to do at a table: a window or a hold ends, a request lapses."""

from companion.rules.core.referee import due
from companion.rules.core.windows import could_nope
from companion.service.clock import Alarms
from companion.service.log import Commit, TableLog
from companion.service.presence import Presence
from companion.service.publisher import Audience
from companion.service.table_sync import TableSync

MOST_GRACE_MS = 500  # how late a slow connection may make a Nope (ruling in-time)
LATE_MS = 300  # so much later the clock does what another process is to do on time


class Deadlines:
    """Of one table: sets its alarm, and knows how long a slow connection is waited for."""

    def __init__(
        self, log: TableLog, presence: Presence, sync: TableSync, audience: Audience, alarms: Alarms
    ) -> None:
        self._log = log
        self._presence = presence
        self._sync = sync
        self._audience = audience
        self._alarms = alarms

    def arm(self, _commit: Commit | None = None) -> None:
        """The clock rings when it has something to do here, a little late if peers have, too."""
        when = due(self._log.table)
        if when is not None:
            # It is left to a peer for a moment that wrote last, or may have.
            when += self.grace_ms() + (
                LATE_MS if self._sync.last_event_from_peer or self._sync.blind else 0
            )
        self._alarms.schedule(self._log.code, when)

    def grace_ms(self, sid: str | None = None) -> int:
        """For how many ms this connection is waited for; ``None``: the slowest that may Nope."""
        if sid is not None:
            return min(MOST_GRACE_MS, self._audience.round_trip(sid))
        if self._sync.blind:
            return MOST_GRACE_MS
        table = self._log.table
        game = table.game
        if game is None or game.window is None or game.played is None or game.window.held_by:
            return 0
        waited: set[str | None] = {*could_nope(table, game.played.top)}
        waited -= {*game.window.passed}
        waited |= {table.host} if waited else set()
        viewers = self._presence.viewers.values()
        trips = [self._audience.round_trip(v.sid) for v in viewers if v.seat in waited]
        trips += [place.trip_ms for seat in waited for place in self._presence.places(seat)]
        return min(MOST_GRACE_MS, max(trips, default=0))
