"""One table that other processes change, too: what they did is read from the log or heard of.

Every method but the constructor is called with ``lock`` held. This module must not know how
a table changes here, nor what brings the messages.
"""

from collections import deque
from collections.abc import Iterable

from msgspec import structs

from companion.rules.core.events import Happened
from companion.rules.core.table_events import SeatClaimed
from companion.service import codec
from companion.service.bus import Fellows, Message, News, Place, Signed, There
from companion.service.clock import Alarms
from companion.service.journal import rows
from companion.service.logs import bug
from companion.service.presence import Audience
from companion.service.watched import WatchedTable
from companion.storage.store import Store


class SharedTable(WatchedTable):
    """A table that keeps up with its log.

    ``foreign``: another process wrote the newest event. ``behind``: the log has more, it seems.
    ``attended``: somebody is here, so that what others say is heard.
    ``inbox``: what was heard of the table while its lock was held.
    """

    def __init__(
        self,
        code: str,
        kept: Store,
        audience: Audience,
        news: Alarms,
        fellows: Fellows,
        most: int,
    ) -> None:
        super().__init__(code, kept, audience, news, most)
        self.foreign = self.behind = self.attended = False
        self.inbox: deque[Message] = deque()
        self._fellows = fellows
        self._introduced = -1
        self._said: There | None = None

    def catch_up(self) -> bool:
        """Reads what the log has more than this table; whether it had; raises ``Busy``."""
        assert self._journal is not None
        before = self.version
        self.behind = False
        for _, at, body in rows(self._store, self.code, before):
            self._learn(codec.event(self.table.family, body), at)
        self._fellows.caught_up += self.version - before
        return self._learned(before)

    def hear(self) -> None:
        """Takes in what other processes said meanwhile; ``behind``: the log is to be asked."""
        before = self.version
        while self.inbox:
            match self.inbox.popleft():
                case News() as news:
                    self._hear_news(news)
                case There() as there:
                    self.behind |= there.version > self.version
                    self._supersede(self.presence.hear(there, self._fellows.me))
                    if there.asks:
                        self._introduced, self._said = -1, None
                case Signed(seat=seat, sign=sign):
                    self.show_sign(seat, sign)
        if not self._learned(before):
            self.tell_presence()

    def _hear_news(self, news: News) -> None:
        known = self.version + 1 - news.first
        if known < 0:
            self.behind = True
            return
        for body in news.events[known:]:
            self._learn(codec.event(self.table.family, bytes(body)), news.at)

    def _learn(self, event: Happened, at: int) -> None:
        """Another process wrote this event."""
        assert self._journal is not None
        self._journal.add(event, at)
        if isinstance(event, SeatClaimed):  # who is here came before the seat was claimed
            self.supersede(event.seat)

    def _learned(self, before: int) -> bool:
        if self.version == before:
            return False
        self.foreign = self._fellows.any
        self.show()
        return True

    def show(self) -> None:
        """The newest state is everybody's, and the clock knows what comes next."""
        self.arm()
        try:
            self.publish()
        except Exception:  # what is committed has happened, also when it can't be shown
            bug("publish")

    def arm(self) -> None:
        """The clock rings when it has something to do here."""
        raise NotImplementedError

    def sign(self, seat: str | None, name: str) -> None:
        """Somebody who only watches sends a sign, which all see and nobody keeps."""
        super().sign(seat, name)
        self._fellows.tell(self.code, Signed(by=self._fellows.me, seat=seat, sign=name))

    def elsewhere(self, seats: Iterable[str | None]) -> list[Place]:
        """The connections that these seats have to other processes."""
        return [place for seat in seats for place in self.presence.places(seat)]

    def introduce(self, robots: Iterable[str], *, asks: bool = False, again: bool = False) -> None:
        """Other processes hear who is here, if it isn't what they heard last or ``again``."""
        if self._introduced == self.presence.moves and not again and not asks:
            return
        self._introduced = self.presence.moves
        trip = self._audience.round_trip
        there = self.presence.said(self._fellows.me, robots, trip, asks=asks)
        if again or asks or there != self._said:
            self._said = there
            self._fellows.tell(self.code, structs.replace(there, version=self.version))
