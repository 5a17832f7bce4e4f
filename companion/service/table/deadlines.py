"""Sets the alarm for a table's next deadline, such as the end of a Nope window.

A window closes a little after its nominal end, so that a Nope sent in time over a slow connection
still counts (the grace period). If another process wrote the newest event, that process should
close the window. So this process sets its alarm a little later, and acts only if the other process
didn't.
"""

from companion.rules.core.referee import next_deadline
from companion.rules.core.windows import could_nope
from companion.service.clock import Alarms
from companion.service.table.log import Commit, TableLog
from companion.service.table.peer_sync import TableSync
from companion.service.table.presence import Presence
from companion.service.table.publisher import Audience

MOST_GRACE_MS = 500  # longest grace period for a slow connection (ruling in-time)
LATE_MS = 300  # extra delay if another process is expected to act first


class Deadlines:
    """Sets the alarm of one table, and computes the grace period of slow connections."""

    def __init__(
        self, log: TableLog, presence: Presence, sync: TableSync, audience: Audience, alarms: Alarms
    ) -> None:
        self._log = log
        self._presence = presence
        self._sync = sync
        self._audience = audience
        self._alarms = alarms

    def set_alarm(self, _commit: Commit | None = None) -> None:
        """Set the table's alarm to its next deadline, or cancel it if there is none."""
        when = next_deadline(self._log.table)
        if when is not None:
            # If a peer wrote the newest event (or may have written it), give that peer time to act
            # first.
            when += self.grace_ms() + (
                LATE_MS if self._sync.last_event_from_peer or self._sync.blind else 0
            )
        self._alarms.schedule(self._log.code, when)

    def grace_ms(self, sid: str | None = None) -> int:
        """Return the grace period in ms for this connection.

        If ``sid`` is None, return the longest grace period of all players who may still Nope, and
        of the host, who may Nope for others. Return 0 if no window is open. If other processes may
        have connections that this process doesn't know, return ``MOST_GRACE_MS``.
        """
        if sid is not None:
            return min(MOST_GRACE_MS, self._audience.round_trip(sid))
        if self._sync.blind:
            return MOST_GRACE_MS
        table = self._log.table
        game = table.game
        if game is None or game.window is None or game.played is None or game.window.held_by:
            return 0
        seats: set[str | None] = {*could_nope(table, game.played.seat_of_top_card)}
        seats -= {*game.window.passed}
        seats |= {table.host} if seats else set()
        viewers = self._presence.viewers.values()
        trips = [self._audience.round_trip(v.sid) for v in viewers if v.seat in seats]
        trips += [remote.trip_ms for seat in seats for remote in self._presence.remote_seats(seat)]
        return min(MOST_GRACE_MS, max(trips, default=0))
