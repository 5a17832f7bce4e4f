"""Who may come in: tokens and cookies, origins, and how often somebody may try.

This module must not know what can be done once one is in.
"""

import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_address, ip_network
from typing import Any

from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter
from werkzeug.http import parse_cookie

from companion.service.errors import Fault

COOKIE_SECONDS = 30 * 24 * 3600


def rate(text: str) -> RateLimitItem | None:
    """A rate as it is written in the settings; ValueError when it can't be read."""
    return None if text.strip().lower() == "none" else parse(text)


class Pace:
    """How often one connection may speak: so many times in any stretch of so many seconds."""

    def __init__(self, most: int, seconds: float) -> None:
        self._most, self._seconds = most, seconds
        self._times: deque[float] = deque()

    @classmethod
    def of(cls, allowed: RateLimitItem | None) -> "Pace":
        """As a setting says; ``None``: as often as it likes."""
        return cls(allowed.amount, allowed.get_expiry()) if allowed else cls(0, 0)

    @classmethod
    def of_packets(cls, allowed: RateLimitItem) -> "Pace":
        """All packets of a connection together: twice as many as it may say, and a few."""
        return cls(2 * allowed.amount + 20, allowed.get_expiry())

    def check(self) -> None:
        """Counts one; raises ``Fault`` when it is too many."""
        if not self.allows():
            raise Fault("rate_limited")

    def allows(self) -> bool:
        """Counts one, if it is not too many."""
        if not self._most:
            return True
        now = time.monotonic()
        while self._times and self._times[0] <= now - self._seconds:
            self._times.popleft()
        if len(self._times) >= self._most:
            return False
        self._times.append(now)
        return True


def household(address: str) -> str:
    """Who counts as one: an address, or the 2⁶⁴ of IPv6 that one household has."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if found.version == 4 or found.ipv4_mapped:
        return address
    return str(ip_network((address, 64), strict=False))


class Doors:
    """How often one address may make and join tables and try codes and claims."""

    def __init__(self, allowed: RateLimitItem | None) -> None:
        self._allowed = allowed
        self._limiter = MovingWindowRateLimiter(MemoryStorage())

    def knock(self, address: str) -> None:
        """Counts one try; raises ``Fault`` when it is too many."""
        if self._allowed and not self._limiter.hit(self._allowed, household(address)):
            raise Fault("rate_limited")

    @contextmanager
    def guess(self, address: str) -> Iterator[None]:
        """Counts one if what is done in here turns out to be a wrong code, token or claim."""
        if self._allowed and not self._limiter.test(self._allowed, household(address)):
            raise Fault("rate_limited")
        try:
            yield
        except Fault as fault:
            if fault.code in ("not_found", "unauthenticated"):
                self.knock(address)
            raise


def cookie_name(code: str) -> str:
    """A browser keeps one seat for each table."""
    return f"companion_{code}"


def cookie_of(environ: dict[str, Any], code: str) -> str | None:
    """The token in the seat's cookie."""
    return parse_cookie(environ.get("HTTP_COOKIE", "")).get(cookie_name(code))


def origin_allowed(origins: tuple[str, ...]) -> Any:
    """Whether a page of this origin may connect: the server's own pages and the set ones."""

    def allowed(origin: str | None, environ: dict[str, Any]) -> bool:
        own = f"{environ['wsgi.url_scheme']}://{environ.get('HTTP_HOST', '')}"
        return origin == own or origin in origins

    return allowed
