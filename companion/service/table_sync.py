"""One table that peers may have in memory, too: what they say of it, and what they are told."""

from collections import deque
from collections.abc import Collection

from msgspec import Raw, structs

from companion.rules.core.events import Event
from companion.rules.core.table_events import SeatClaimed
from companion.service.log import Commit, TableLog
from companion.service.peers import Message, News, Peers, Signed, There
from companion.service.presence import Presence
from companion.service.publisher import Audience, Publisher
from companion.storage.statements import StoredEvent

FAREWELLS = 3  # so often peers hear that nobody is here any more: a message may be lost
UNTENDED_MS = 2000  # a window that is open so long after its end was in no process's hands


class TableSync:
    """Keeps one table in step with what peers write. ``shared``: there can be peers at all.
    ``foreign``: one wrote the newest event, or may have. ``behind``: the log has more, it seems.
    ``attended``: somebody is here, so that peers are heard; ``blind``: somebody may be here by way
    of peers, of which nothing is heard. ``inbox``: what was heard of the table while its lock was
    held."""

    def __init__(
        self, log: TableLog, presence: Presence, publisher: Publisher, audience: Audience,
        peers: Peers,
    ) -> None:  # fmt: skip
        self._log = log
        self._presence = presence
        self._publisher = publisher
        self._audience = audience
        self._peers = peers
        self.last_event_from_peer = self.behind = self.attended = False
        self.shared = self.blind = peers.any
        self.inbox: deque[Message] = deque()
        self._introduced = -1
        self._farewells = 0
        self._told: There | None = None

    def handled_by_peer(self, when: int | None, now: int) -> bool:
        """Whether a peer may have this table in memory, and does what is due ``when`` (in ms)."""
        return self.shared and (when is None or now < when + UNTENDED_MS)

    def on_commit(self, commit: Commit) -> None:
        """What was written here is told to the peers that somebody is at; to all who follow the
        table, where it isn't known which."""
        self.last_event_from_peer = not commit.ours
        if not commit.ours:
            return
        whom = [there.by for there in self._presence.others] or [self._log.code] * self.blind
        if whom:
            news = News(
                by=self._peers.me, table=self._log.code, first=commit.first, at=commit.at,
                events=tuple(map(Raw, commit.bodies)), after=commit.after,
            )  # fmt: skip
            for one in whom:
                self._peers.publish(one, news)

    def catch_up(self) -> Commit | None:
        """What the log has more; ``None``: it is another log. Raises ``Busy``, ``Damaged``."""
        self.behind = False
        commit = self._log.read_new()
        if commit is not None:
            self._peers.caught_up += len(commit.events)
            self._apply_claims(commit)
        return commit

    def take_messages(self) -> Commit:
        """Takes in what peers said meanwhile; ``behind``: the log is to be asked."""
        first = self._log.version + 1
        events = list[Event]()
        while self.inbox:
            match self.inbox.popleft():
                case News() as news:
                    events += self._take_news(news)
                case There() as there:
                    self.behind |= there.version > self._log.version
                    if self.attended:  # else nobody would say when that is over
                        self._publisher.send_away(
                            self._presence.merge_remote(there, self._peers.me)
                        )
                    if there.asks:
                        self._introduced = -1
                        self._told = None
                case Signed(seat=seat, sign=sign, to=to):
                    self._publisher.sign(seat, sign, to)
        return self._apply_claims(Commit(first, tuple(events)))

    def _take_news(self, news: News) -> tuple[Event, ...]:
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
        return self._log.take(stored).events

    def _apply_claims(self, commit: Commit) -> Commit:
        for event in commit.events:
            if isinstance(event, SeatClaimed):  # who is here came before the seat was claimed
                self._publisher.supersede(event.seat)
        return commit

    def sign(self, seat: str | None, name: str, to: str | None) -> None:
        self._peers.publish(self._log.code, Signed(by=self._peers.me, seat=seat, sign=name, to=to))

    def attend(self) -> None:
        """What happens elsewhere at the table is followed while somebody is here."""
        attended = bool(self._presence.viewers)
        if attended != self.attended:
            self.attended = attended
            self.blind = self.shared and not attended
            self._peers.follow(self._log.code, attended)
            if not attended:
                self._presence.forget(lambda _by: True)

    def leave(self) -> None:
        """Peers need not be heard any more: the table is forgotten."""
        if self.attended:
            self._peers.follow(self._log.code, False)

    def remind(self, robots: Collection[str]) -> None:
        """Peers hear once more who is here; a few times, that nobody is any more."""
        if self._presence.viewers or self._farewells:
            self._farewells -= 1
            self.introduce(robots, again=True)

    def introduce(
        self, robots: Collection[str], *, asks: bool = False, again: bool = False
    ) -> None:
        """Peers hear who is here, if it isn't what they heard last or ``again``."""
        if self._introduced == self._presence.moves and not again and not asks:
            return
        self._introduced = self._presence.moves
        self._farewells = FAREWELLS if self._presence.viewers else self._farewells
        trip = self._audience.round_trip
        there = self._presence.presence_message(self._peers.me, robots, trip, asks=asks)
        if again or asks or there != self._told:
            self._told = there
            self._peers.publish(self._log.code, structs.replace(there, version=self._log.version))
