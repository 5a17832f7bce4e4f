"""One table that other processes change, too: what they did is read from the log or heard of.

Every method but the constructor is called with ``lock`` held. This module must not know how
a table changes here, nor what brings the messages.
"""

from collections import deque
from collections.abc import Iterable

from msgspec import Raw, structs

from companion.rules.core.events import SeatClaimed
from companion.service.bus import Fellows, Message, News, Place, Signed, There
from companion.service.clock import Alarms
from companion.service.journal import Journal, rows
from companion.service.logs import bug, line
from companion.service.presence import Audience
from companion.service.watched import WatchedTable
from companion.storage import statements
from companion.storage.statements import Event, Head
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

    @property
    def head(self) -> Head | None:
        """Where the log ends, as far as it was read; readable without the lock."""
        return self._journal.newest.head if self._journal else None

    def catch_up(self) -> bool:
        """Reads what the log has more than this table; whether anything is new.

        All is read anew where the log isn't any more the one that was read. Raises ``Busy``;
        ``Fault`` where the table is gone, or can't be read.
        """
        assert self._journal is not None
        before, self.behind = self.version, False
        log = rows(self._store, self.code, before - 1)
        if next(log, None) != self._journal.newest:
            self._begin_anew()
            return True
        for event in log:
            self._learn(event)
        self._fellows.caught_up += self.version - before
        return self._learned(before)

    def _begin_anew(self) -> None:
        """Events that were shown are lost: the table goes on under another epoch, with what is
        left. The first process to notice draws it."""
        assert self._journal is not None
        known = self._journal.newest
        self._store.write(statements.draw_epoch(self.code, known.epoch))
        self.load(Journal.read(self._store, self.code))
        line("lost", table=self.code, known=known.version, version=self.version)

    def load(self, journal: Journal) -> None:
        """This is the table's log from now on."""
        raise NotImplementedError

    @property
    def blind(self) -> bool:
        """Whether others may be here by way of other processes, of which nothing is heard."""
        return self._fellows.any and not self.attended

    def tell_others(self, first: int, at: int, bodies: list[bytes], after: int) -> None:
        """The processes that somebody is at hear it; all who follow, where it isn't known which."""
        others = [there.by for there in self.presence.others]
        if others or self.blind:
            raw = tuple(map(Raw, bodies))
            news = News(
                by=self._fellows.me, table=self.code, first=first, at=at, events=raw, after=after
            )
            for whom in others or [self.code]:
                self._fellows.tell(whom, news)

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
        assert self._journal is not None
        newest = self._journal.newest
        if newest.version >= news.first + len(news.events) - 1:
            return
        if (newest.version, newest.at) != (news.first - 1, news.after):
            self.behind = True
            return
        for version, body in enumerate(news.events, news.first):
            self._learn(Event(version, news.at, bytes(body).decode(), newest.epoch))

    def _learn(self, stored: Event) -> None:
        """Another process wrote this event."""
        assert self._journal is not None
        event = self._journal.take(stored)
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
