"""Keeps one table in step with the other processes that have it in memory."""

from collections import deque
from collections.abc import Collection

from msgspec import Raw, structs

from companion.rules.core.table_events import SeatClaimed
from companion.rules.core.types import Event
from companion.service.peers.messages import Message, PeerEvents, PeerPresence, Peers, PeerSign
from companion.service.table.log import Commit, TableLog
from companion.service.table.presence import Presence
from companion.service.table.publisher import Audience, Publisher
from companion.storage.statements import StoredEvent

# number of times that peers are notified that nobody is connected any more, because messages can
# get lost
FAREWELLS = 3
# if a Nope window is still open this long after its end, no process seems to handle it
UNTENDED_MS = 2000


class TableSync:
    """Sends a table's events, gestures and presence to peers, and applies what the peers send."""

    def __init__(
        self, log: TableLog, presence: Presence, publisher: Publisher, audience: Audience,
        peers: Peers,
    ) -> None:  # fmt: skip
        self._log = log
        self._presence = presence
        self._publisher = publisher
        self._audience = audience
        self._peers = peers
        # True if a peer wrote the newest event, or may have written it
        self.last_event_from_peer = False
        self.behind = False  # True if the log seems to have events that this process has not read
        # True if somebody is connected to this process, which then subscribes to the table's
        # channel
        self.attended = False
        self.shared = peers.any  # True if there may be other processes
        # True if this process isn't subscribed to the channel, so that peers may have connections
        # unknown to it
        self.blind = peers.any
        self.inbox: deque[Message] = deque()  # messages that wait for the table's lock
        self._introduced = -1  # ``Presence.moves`` when presence was last sent to peers
        self._farewells = 0
        self._sent: PeerPresence | None = None  # the presence message sent last

    def handled_by_peer(self, when: int | None, now: int) -> bool:
        """Return True if a peer may have this table in memory and handle its next deadline.

        ``when`` is the deadline in ms, or None if there is none. If the deadline passed more than
        ``UNTENDED_MS`` ago, return False, because a peer would have handled it by now.
        """
        return self.shared and (when is None or now < when + UNTENDED_MS)

    def on_commit(self, commit: Commit) -> None:
        """Send the events of this process' own commit to the peers with connections to this table.

        If those peers aren't known, send the events to every process that subscribes to the table.
        A commit that was received from a peer isn't sent on.
        """
        self.last_event_from_peer = not commit.ours
        if not commit.ours:
            return
        channels = [there.by for there in self._presence.others] or [self._log.code] * self.blind
        if channels:
            news = PeerEvents(
                by=self._peers.me, table=self._log.code, first=commit.first, at=commit.at,
                events=tuple(map(Raw, commit.bodies)), after=commit.after,
            )  # fmt: skip
            for channel in channels:
                self._peers.publish(channel, news)

    def catch_up(self) -> Commit | None:
        """Read and apply the events that peers have committed since the last read.

        Return None if the newest event read so far is missing from the database, because an older
        copy was restored. Raise ``Busy`` or ``Damaged``.
        """
        self.behind = False
        commit = self._log.read_new()
        if commit is not None:
            self._peers.caught_up += len(commit.events)
            self._apply_claims(commit)
        return commit

    def take_messages(self) -> Commit:
        """Apply the messages in the inbox. Return the events that they contain.

        Set ``behind`` if a message was missed, so that the log will be read.
        """
        first = self._log.version + 1
        events = list[Event]()
        while self.inbox:
            match self.inbox.popleft():
                case PeerEvents() as news:
                    events += self._take_news(news)
                case PeerPresence() as there:
                    self.behind |= there.version > self._log.version
                    # without a subscription, this process wouldn't receive a later message that
                    # corrects this one
                    if self.attended:
                        self._publisher.send_away(
                            self._presence.merge_remote(there, self._peers.me)
                        )
                    if there.asks:
                        self._introduced = -1
                        self._sent = None
                case PeerSign(seat=seat, sign=sign, to=to):
                    self._publisher.sign(seat, sign, to)
        return self._apply_claims(Commit(first, tuple(events)))

    def _take_news(self, news: PeerEvents) -> tuple[Event, ...]:
        """Apply a peer's events if they continue the log. Return the applied events, if any."""
        newest = self._log.projection.newest
        if newest.version >= news.first + len(news.events) - 1:
            return ()
        if (newest.version, newest.at) != (news.first - 1, news.after):
            self.behind = True
            return ()
        stored = [
            StoredEvent(version, news.at, bytes(body).decode(), newest.epoch)
            for version, body in enumerate(news.events, news.first)
        ]
        return self._log.apply_stored(stored).events

    def _apply_claims(self, commit: Commit) -> Commit:
        """Close the connections of each seat that another device claimed through a peer."""
        for event in commit.events:
            # all connections of the seat are older than the claim
            if isinstance(event, SeatClaimed):
                self._publisher.supersede(event.seat)
        return commit

    def sign(self, seat: str | None, name: str, to: str | None) -> None:
        """Send a gesture to peers."""
        self._peers.publish(
            self._log.code, PeerSign(by=self._peers.me, seat=seat, sign=name, to=to)
        )

    def update_subscription(self) -> None:
        """Subscribe to peers' messages about the table as long as somebody is connected here."""
        attended = bool(self._presence.viewers)
        if attended != self.attended:
            self.attended = attended
            self.blind = self.shared and not attended
            self._peers.follow(self._log.code, attended)
            if not attended:
                self._presence.forget(lambda _by: True)

    def unsubscribe(self) -> None:
        """Unsubscribe from the table, which is being evicted from memory."""
        if self.attended:
            self._peers.follow(self._log.code, False)

    def repeat_presence(self, robots: Collection[str]) -> None:
        """Send peers the connections to this process again.

        If there are no connections, this message is repeated only ``FAREWELLS`` times.
        """
        if self._presence.viewers or self._farewells:
            self._farewells -= 1
            self.share_presence(robots, again=True)

    def share_presence(
        self, robots: Collection[str], *, asks: bool = False, again: bool = False
    ) -> None:
        """Send peers the connections and the robots of this process, if they have changed.

        If ``again`` is True, send them even if they haven't changed. If ``asks`` is True, also
        request the peers' own connections and robots.
        """
        if self._introduced == self._presence.moves and not again and not asks:
            return
        self._introduced = self._presence.moves
        self._farewells = FAREWELLS if self._presence.viewers else self._farewells
        trip = self._audience.round_trip
        there = self._presence.presence_message(self._peers.me, robots, trip, asks=asks)
        if again or asks or there != self._sent:
            self._sent = there
            self._peers.publish(self._log.code, structs.replace(there, version=self._log.version))
