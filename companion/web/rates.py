"""How often, and how many: what somebody may do, counted for who it is, not for the connection. A
seat that hangs up and calls again has what it had left. Counted by a clock that is never set back.
A seat counts among its address' connections as everybody does, but goes before spectators, and one
that was connected within the last day before new ones."""

import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import TypeVar

from limits import RateLimitItem, parse
from limits.storage import storage_from_string
from limits.strategies import MovingWindowRateLimiter

from companion.service.errors import Fault, Share, too_much

PATIENCE = 0.5  # seconds that it is waited for what all processes counted
PAUSE = 5.0  # seconds for which nobody asks again who got no answer

Answer = TypeVar("Answer")


def rate(text: str) -> RateLimitItem | None:
    """A rate as it is written in the settings; raises ValueError."""
    try:
        return None if text.strip().lower() == "none" else parse(text)
    except ValueError:
        raise ValueError("write it as 40/10 second, 20/minute or none") from None


class Pace:
    """So many times in any stretch of so many seconds."""

    def __init__(self, most: int, seconds: float) -> None:
        self._most, self._seconds = max(1, most), seconds
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


class Everywhere:
    """Counts for all processes, in the Redis that they share; without it, each for itself."""

    def __init__(self, url: str, what: str) -> None:
        kept = storage_from_string(url, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE)
        self._limiter, self._what = MovingWindowRateLimiter(kept), what
        self._asked = 0.0

    def allows(self, allowed: RateLimitItem, who: str) -> bool:
        return self._tried(lambda: self._limiter.hit(allowed, self._what, who), True)

    def wait(self, allowed: RateLimitItem, who: str) -> float:
        """Seconds until the next one is not too many; 0: it isn't."""

        def ask() -> float:
            window = self._limiter.get_window_stats(allowed, self._what, who)
            return 0.0 if window.remaining > 0 else window.reset_time - time.time()

        return min(max(0.0, self._tried(ask, 0.0)), allowed.get_expiry())

    def _tried(self, ask: Callable[[], Answer], otherwise: Answer) -> Answer:
        if time.monotonic() < self._asked:
            return otherwise
        try:
            return ask()
        except Exception:  # whatever the library's storage makes of a Redis that is away
            self._asked = time.monotonic() + PAUSE
            return otherwise


class Rates:
    """One rate, for each seat or address of its own; without one: as often as they like."""

    def __init__(self, text: str, everywhere: Everywhere | None = None) -> None:
        self._allowed, self._everywhere = rate(text), everywhere
        self._paces: dict[str, Pace] = {}
        self._swept = time.monotonic()

    def count(self, who: str) -> None:
        """Counts one; raises ``Fault`` when it is too many."""
        if self._allowed is None:
            return
        pace = self._paces.get(who) or self._new(who, self._allowed)
        if not pace.allows():
            raise too_much(pace.wait)
        if self._everywhere and not self._everywhere.allows(self._allowed, who):
            raise too_much(self._everywhere.wait(self._allowed, who))

    def check(self, who: str) -> None:
        """Counts nothing; raises ``Fault`` when one more would be too many."""
        wait = self._paces[who].wait if who in self._paces else 0.0
        if not wait and self._allowed and self._everywhere:
            wait = self._everywhere.wait(self._allowed, who)
        if wait:
            raise too_much(wait)

    @contextmanager
    def guess(self, who: str) -> Iterator[None]:
        """Counts one if what is done in here turns out to be a wrong code, token or claim. Only
        what fails: a good token is never held up by what others tried from there."""
        try:
            yield
        except Fault as fault:
            if fault.code in ("not_found", "unauthenticated"):
                self.count(who)
            raise

    @property
    def meter(self) -> Callable[[], Callable[[], bool]] | None:
        """Makes what counts one connection's packets, of which twice as many and a few may come."""
        allowed = self._allowed
        if allowed is None:
            return None
        return lambda: Pace(2 * allowed.amount + 20, allowed.get_expiry()).allows

    def _new(self, who: str, allowed: RateLimitItem) -> Pace:
        """Somebody's own; now and then those are forgotten of whom nothing is counted."""
        if time.monotonic() > self._swept + allowed.get_expiry():
            self._swept = time.monotonic()
            self._paces = {who: pace for who, pace in self._paces.items() if not pace.idle}
        pace = self._paces[who] = Pace(allowed.amount, allowed.get_expiry())
        return pace


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


def household(address: str) -> str:
    """Who counts as one: an address, or the 2⁶⁴ of IPv6 that one household has."""
    found = address_of(address)
    if found is None or found.version == 4:
        return str(found or address)
    return str(IPv6Network((int(found), 64), strict=False))


ALL = ""  # in the place of a table or an address: all of them


class Crowd:
    """Counts connections by table and by address; 0: as many as like. Of the places to watch one
    table from an address has a share."""

    def __init__(self, watching: int, of_address: int) -> None:
        self._watching = Share("spectators", watching)
        self._own = Share.of("watching", watching)
        self._of_address = Share("connections", of_address)
        self._there: Counter[tuple[str, str]] = Counter()

    def check(self, code: str, address: str, elsewhere: int = 0) -> None:
        """Whether one more may watch; raises ``Fault`` when it is too many. ``elsewhere``: how many
        watch by way of other processes."""
        self._watching.check(self._there[code, ALL] + elsewhere)
        self._of_address.check(self._there[ALL, address])
        self._own.check(self._there[code, address])

    def check_seat(self, code: str, address: str, seat: str | None) -> None:
        """Raises ``Fault`` when the address has no connection left for this seat. Those that the
        seat has already don't count: the new one takes their place."""
        self._of_address.check(self._there[ALL, address] - self._there[f"{code} {seat}", address])

    def enter(self, code: str, address: str, seat: str | None) -> None:
        """A connection comes; ``seat``: its seat at the table, if it doesn't watch."""
        self._there.update(_counted(code, address, seat))

    def leave(self, code: str, address: str, seat: str | None) -> None:
        for key in _counted(code, address, seat):
            self._there[key] -= 1
            if self._there[key] <= 0:
                del self._there[key]


def _counted(code: str, address: str, seat: str | None) -> list[tuple[str, str]]:
    here = [(code, ALL), (code, address)] if seat is None else [(f"{code} {seat}", address)]
    return [(ALL, address), *here]
