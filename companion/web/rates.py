"""How often somebody may do something: counted for who it is, not for the connection.

A seat that hangs up and calls again has what it had left. Counted by a clock that is never
set back, which the library that reads the rates doesn't do. This module must not know what
is counted.
"""

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

from limits import RateLimitItem, parse

from companion.service.errors import Fault


def rate(text: str) -> RateLimitItem | None:
    """A rate as it is written in the settings; ValueError when it can't be read."""
    return None if text.strip().lower() == "none" else parse(text)


class Pace:
    """So many times in any stretch of so many seconds."""

    def __init__(self, most: int, seconds: float) -> None:
        self._most, self._seconds = most, seconds
        self._times: deque[float] = deque()

    @property
    def idle(self) -> bool:
        """Whether nothing is counted any more."""
        before = time.monotonic() - self._seconds
        while self._times and self._times[0] <= before:
            self._times.popleft()
        return not self._times

    @property
    def full(self) -> bool:
        """Whether the next one would be too many."""
        return not self.idle and len(self._times) >= self._most

    def allows(self) -> bool:
        """Counts one, if it is not too many."""
        full = self.full
        if not full:
            self._times.append(time.monotonic())
        return not full


class Rates:
    """One rate, for each seat or address of its own; without one: as often as they like."""

    def __init__(self, allowed: RateLimitItem | None) -> None:
        self._allowed = allowed
        self._paces: dict[str, Pace] = {}
        self._swept = time.monotonic()

    @classmethod
    def of(cls, text: str) -> "Rates":
        """As a setting says it."""
        return cls(rate(text))

    def count(self, who: str) -> None:
        """Counts one; raises ``Fault`` when it is too many."""
        if self._allowed is None:
            return
        self._sweep(self._allowed.get_expiry())
        if who not in self._paces:
            self._paces[who] = Pace(self._allowed.amount, self._allowed.get_expiry())
        if not self._paces[who].allows():
            raise Fault("rate_limited")

    def check(self, who: str) -> None:
        """Counts nothing; raises ``Fault`` when one more would be too many."""
        if who in self._paces and self._paces[who].full:
            raise Fault("rate_limited")

    @contextmanager
    def guess(self, who: str) -> Iterator[None]:
        """Counts one if what is done in here turns out to be a wrong code, token or claim.

        Only what fails: a good token is never held up by what others tried from there.
        """
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

    def _sweep(self, seconds: float) -> None:
        """Forgets, now and then, those of whom nothing is counted."""
        if time.monotonic() > self._swept + seconds:
            self._swept = time.monotonic()
            self._paces = {who: pace for who, pace in self._paces.items() if not pace.idle}


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
