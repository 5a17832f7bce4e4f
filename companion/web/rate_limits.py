"""How often, and how many: what somebody may do, counted for who it is, not for the connection. A
seat that hangs up and calls again has what it had left. Counted by a clock that is never set back.
A seat counts among its address' connections as everybody does, but goes before spectators, and one
that was connected within the last day before new ones."""

import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import TypeVar

from limits import RateLimitItem, parse
from limits.storage import storage_from_string
from limits.strategies import MovingWindowRateLimiter

from companion.service.errors import Fault, Share, too_much

PATIENCE = 0.5  # seconds that it is waited for what all processes counted
PAUSE = 5.0  # seconds for which nobody asks again who got no answer

AnswerT = TypeVar("AnswerT")


def rate(text: str) -> RateLimitItem | None:
    """A rate as it is written in the settings; raises ValueError."""
    try:
        return None if text.strip().lower() == "none" else parse(text)
    except ValueError:
        raise ValueError("write it as 40/10 second, 20/minute or none") from None


class SlidingWindow:
    """So many times in any stretch of so many seconds."""

    def __init__(self, most: int, seconds: float) -> None:
        self._most = max(1, most)
        self._seconds = seconds
        self._times: deque[float] = deque(maxlen=self._most)

    @property
    def idle(self) -> bool:
        """Whether nothing is counted any more."""
        return not self._times or self._times[-1] + self._seconds <= time.monotonic()

    @property
    def wait(self) -> float:
        """Seconds until the next one is not too many; 0: it isn't."""
        if len(self._times) < self._most:
            return 0.0
        return max(0.0, self._times[0] + self._seconds - time.monotonic())

    def allows(self) -> bool:
        now = time.monotonic()
        if len(self._times) == self._most and self._times[0] + self._seconds > now:
            return False
        self._times.append(now)
        return True


Limit = tuple[str, RateLimitItem]  # a seat or range of addresses, and how much it may


class SharedRate:
    """Counts for all processes, in the Redis that they share; without it, each for itself."""

    def __init__(self, url: str, what: str) -> None:
        kept = storage_from_string(url, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE)
        self._limiter = MovingWindowRateLimiter(kept)
        self._what = what
        self._asked = 0.0

    def count(self, limits: list[Limit]) -> float:
        """Count one within all these limits. Returns 0, or, if it is too many and nothing was
        counted, the seconds until the next one is not."""
        if len(limits) > 1 and (wait := max(self.wait(allowed, who) for who, allowed in limits)):
            return wait
        for who, allowed in limits:
            if not self.allows(allowed, who):
                return self.wait(allowed, who)
        return 0.0

    def allows(self, allowed: RateLimitItem, who: str) -> bool:
        return self._ask_or_default(lambda: self._limiter.hit(allowed, self._what, who), True)

    def wait(self, allowed: RateLimitItem, who: str) -> float:
        """Seconds until the next one is not too many; 0: it isn't."""

        def ask() -> float:
            window = self._limiter.get_window_stats(allowed, self._what, who)
            return 0.0 if window.remaining > 0 else window.reset_time - time.time()

        return min(max(0.0, self._ask_or_default(ask, 0.0)), allowed.get_expiry())

    def _ask_or_default(self, ask: Callable[[], AnswerT], otherwise: AnswerT) -> AnswerT:
        if time.monotonic() < self._asked:
            return otherwise
        try:
            return ask()
        except Exception:  # whatever the library's storage makes of a Redis that is away
            self._asked = time.monotonic() + PAUSE
            return otherwise


class Rates:
    """One rate, for each seat or address of its own; without one: as often as they like. Wider
    ranges of IPv6 have more of the same (``WIDER``)."""

    def __init__(self, text: str, everywhere: SharedRate | None = None) -> None:
        self._allowed = rate(text)
        self._everywhere = everywhere
        self._scaled = {factor: _times(self._allowed, factor) for factor in (1, *WIDER.values())}
        self._paces: dict[str, SlidingWindow] = {}
        self._swept = time.monotonic()

    def count(self, who: str) -> None:
        """Counts one; raises ``Fault`` when it is too many, and counts nothing then."""
        if self._allowed is None:
            return
        if who[-3:] == HOUSEHOLD:
            self._count_ranges(who)
            return
        pace = self._paces.get(who) or self._new(who, self._allowed)
        if not pace.allows():
            raise too_much(pace.wait)
        if self._everywhere and (wait := self._everywhere.count([(who, self._allowed)])):
            raise too_much(wait)

    def _count_ranges(self, who: str) -> None:
        limits = self._limits(who)
        paces = [self._paces.get(key) or self._new(key, allowed) for key, allowed in limits]
        wait = max(pace.wait for pace in paces)
        if not wait:
            for pace in paces:
                pace.allows()
            wait = self._everywhere.count(limits) if self._everywhere else 0.0
        if wait:
            raise too_much(wait)

    def _limits(self, who: str) -> list[Limit]:
        limits = [(key, self._scaled[factor]) for key, factor in ranges(who)]
        return [(key, allowed) for key, allowed in limits if allowed is not None]

    def wait(self, who: str) -> float:
        """Seconds until one more is not too many; 0: it isn't. Counts nothing."""
        limits = self._limits(who)
        waits = [self._paces[key].wait for key, _ in limits if key in self._paces]
        wait = max(waits, default=0.0)
        if not wait and self._everywhere:
            wait = max((self._everywhere.wait(allowed, key) for key, allowed in limits), default=0)
        return wait

    def check(self, who: str) -> None:
        """Counts nothing; raises ``Fault`` when one more would be too many."""
        if wait := self.wait(who):
            raise too_much(wait)

    @property
    def meter(self) -> Callable[[], Callable[[], bool]] | None:
        """Makes what counts one connection's packets, of which twice as many and a few may come."""
        allowed = self._allowed
        if allowed is None:
            return None
        return lambda: SlidingWindow(2 * allowed.amount + 20, allowed.get_expiry()).allows

    def _new(self, who: str, allowed: RateLimitItem) -> SlidingWindow:
        """Somebody's own; now and then those are forgotten of whom nothing is counted."""
        if time.monotonic() > self._swept + allowed.get_expiry():
            self._swept = time.monotonic()
            self._paces = {who: pace for who, pace in self._paces.items() if not pace.idle}
        pace = self._paces[who] = SlidingWindow(allowed.amount, allowed.get_expiry())
        return pace


class Joins(Rates):
    """The rate of tables made and joined, and of wrong codes, tokens and claims. All addresses
    together may mistype so many codes (``guesses``): beyond that those are held up that have
    failed within the last hour, and nobody else. ``bus``: the Redis in which all processes count.

    A range of IPv6 has failed once as many households in it have as its rate is wider: a household
    at its first wrong code, a /56 at the fourth household's, a /48 at the sixteenth's."""

    def __init__(self, text: str, guesses: str = "none", bus: str = "") -> None:
        super().__init__(text, SharedRate(bus, "join") if bus else None)
        failed = FAILED if rate(guesses) else "none"
        self._guesses = Rates(guesses, SharedRate(bus, "guesses") if bus else None)
        self._failed = Rates(failed, SharedRate(bus, "failed") if bus else None)

    def check(self, who: str) -> None:
        """Counts nothing; raises ``Fault`` when who asks may try no code just now."""
        super().check(who)
        self._check_guesses(who)

    def _check_guesses(self, who: str) -> None:
        if (wait := self._guesses.wait(EVERYBODY)) and (failed := self._failed.wait(who)):
            raise too_much(min(wait, failed))

    @contextmanager
    def guess(self, who: str) -> Iterator[None]:
        """Counts one if what is done in here turns out to be a wrong code, token or claim. Only
        what fails: a good token is never held up by what others tried from there."""
        try:
            yield
        except Fault as fault:
            if fault.code in ("not_found", "unauthenticated"):
                self._note_wrong(who)
                self.count(who)
            raise

    @contextmanager
    def joining(self, who: str) -> Iterator[None]:
        """Counts one, whatever comes of it: somebody joins a table by its code."""
        self._check_guesses(who)
        self.count(who)
        try:
            yield
        except Fault as fault:
            if fault.code == "not_found":
                self._note_wrong(who)
            raise

    def _note_wrong(self, who: str) -> None:
        for rates, key in ((self._guesses, EVERYBODY), (self._failed, who)):
            with suppress(Fault):  # it is full already
                rates.count(key)


def address_of(text: str) -> IPv4Address | IPv6Address | None:
    """The address in what a connection or a proxy calls one; some proxies say the port too."""
    host, _, rest = text.strip().removeprefix("[").partition("]")
    if not rest and host.count(":") == 1:
        host = host.partition(":")[0]
    try:
        found = ip_address(host)
    except ValueError:
        return None
    return (found.ipv4_mapped or found) if found.version == 6 else found


HOUSEHOLD = "/64"

WIDER = {56: 4, 48: 16}
"""How many times a household's rate a wider range of IPv6 has, by the length of its prefix. What a
provider gives one customer is a /64 to a /48, and a mobile network has many customers in each."""

FAILED = "1/hour"  # a household that mistyped a code has failed for an hour
EVERYBODY = "everybody"

NAT64 = IPv6Network("64:ff9b::/96")  # RFC 6052: the IPv4 address stands in the last 32 bits


def household(address: str) -> str:
    """Who counts as one: an address, or the 2⁶⁴ of IPv6 that one household has at least. One that
    carries an address of IPv4 (6to4, Teredo, NAT64) counts as that."""
    found = address_of(address)
    if isinstance(found, IPv6Address):
        found = _carried(found) or found
    if found is None or found.version == 4:
        return str(found or address)
    return str(IPv6Network((int(found), 64), strict=False))


def _carried(address: IPv6Address) -> IPv4Address | None:
    if address in NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.sixtofour or (address.teredo[1] if address.teredo else None)


@lru_cache(maxsize=4096)
def ranges(who: str) -> tuple[tuple[str, int], ...]:
    """A household's ranges and how many times its rate each has; of anybody else it alone."""
    if not who.endswith(HOUSEHOLD):
        return ((who, 1),)
    own = IPv6Network(who)
    wider = ((str(own.supernet(new_prefix=size)), factor) for size, factor in WIDER.items())
    return ((who, 1), *wider)


def _times(allowed: RateLimitItem | None, factor: int) -> RateLimitItem | None:
    return allowed and type(allowed)(allowed.amount * factor, allowed.multiples)


ALL = ""  # in the place of a table or an address: all of them


class ConnectionCounts:
    """Counts connections by table and by address; 0: as many as like. Of the places to watch one
    table from an address has a share."""

    def __init__(self, watching: int, of_address: int) -> None:
        self._watching = Share("spectators", watching)
        self._own = Share.of("watching", watching)
        self._of_address = of_address
        self._there: Counter[tuple[str, str]] = Counter()

    def check(self, code: str, address: str, elsewhere: int = 0) -> None:
        """Whether one more may watch; raises ``Fault`` when it is too many. ``elsewhere``: how many
        watch by way of other processes."""
        self._watching.check(self._there[code, ALL] + elsewhere)
        self._check_address(address, 0)
        self._own.check(self._there[code, address])

    def check_seat(self, code: str, address: str, seat: str | None) -> None:
        """Raises ``Fault`` when the address has no connection left for this seat. Those that the
        seat has already don't count: the new one takes their place."""
        self._check_address(address, self._there[f"{code} {seat}", address])

    def _check_address(self, address: str, own: int) -> None:
        for key, factor in ranges(address):
            share = Share("connections", self._of_address * factor)
            share.check(self._there[ALL, key] - own)

    def enter(self, code: str, address: str, seat: str | None) -> None:
        """A connection comes; ``seat``: its seat at the table, if it doesn't watch."""
        self._there.update(_counter_keys(code, address, seat))

    def leave(self, code: str, address: str, seat: str | None) -> None:
        for key in _counter_keys(code, address, seat):
            self._there[key] -= 1
            if self._there[key] <= 0:
                del self._there[key]


def _counter_keys(code: str, address: str, seat: str | None) -> list[tuple[str, str]]:
    here = [(code, ALL), (code, address)] if seat is None else [(f"{code} {seat}", address)]
    return [*((ALL, key) for key, _ in ranges(address)), *here]
