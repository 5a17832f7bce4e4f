"""Rate limits, and limits on the number of connections.

Limits apply to a seat or an address, not to a connection: a client that reconnects gets no new
limit. An address is a whole household (see ``household``): one IPv4 address, or a /64 network of
IPv6.

Without Redis each process counts for itself, on the monotonic clock. With Redis, new tables, joins
and wrong codes are counted for all processes together.

The connections of players and spectators count towards the limit of their address. At the
limit, a seat takes precedence over spectators. A seat that was connected within the last day also
takes precedence over new seats.
"""

import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeVar

from limits import RateLimitItem, parse
from limits.storage import storage_from_string
from limits.strategies import MovingWindowRateLimiter

from companion.adapters.monotonic_patch import shared_time
from companion.service.addresses import HOUSEHOLD, WIDER, containing_ranges
from companion.service.errors import Fault, Share, rate_limited

PATIENCE = 0.5  # time limit in seconds for a request to Redis
PAUSE = 5.0  # seconds without another request to Redis after one has failed
LEAST_WAIT = 0.001  # minimum wait in seconds for a refused request, since 0 means allowed

AnswerT = TypeVar("AnswerT")


def parse_rate(text: str) -> RateLimitItem | None:
    """Parse a rate such as ``20/minute`` from the settings. Return None for ``none``.

    Raise ``ValueError`` if the text isn't a rate.
    """
    try:
        return None if text.strip().lower() == "none" else parse(text)
    except ValueError:
        raise ValueError("write it as 40/10 second, 20/minute or none") from None


class SlidingWindow:
    """Allows at most ``limit`` requests within any period of ``seconds``."""

    def __init__(self, limit: int, seconds: float) -> None:
        self._limit = max(1, limit)
        self._seconds = seconds
        self._times: deque[float] = deque(maxlen=self._limit)

    @property
    def idle(self) -> bool:
        """True if no request was counted within the last period."""
        return not self._times or self._times[-1] + self._seconds <= time.monotonic()

    @property
    def seconds_until_allowed(self) -> float:
        """Seconds until one more request is allowed, or 0 if a request is allowed now."""
        if len(self._times) < self._limit:
            return 0.0
        return max(0.0, self._times[0] + self._seconds - time.monotonic())

    def allows(self) -> bool:
        """Count a request and return True, or return False if it exceeds the limit."""
        now = time.monotonic()
        if len(self._times) == self._limit and self._times[0] + self._seconds > now:
            return False
        self._times.append(now)
        return True


Limit = tuple[str, RateLimitItem]  # a seat or range of addresses, and the rate for it


class SharedRate:
    """Counts requests in the Redis that all processes share.

    While Redis is unavailable, every request is allowed here. Each process still applies its own
    limits.
    """

    def __init__(self, url: str, what: str) -> None:
        storage = storage_from_string(url, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE)
        self._limiter = MovingWindowRateLimiter(storage)
        self._what = what
        self._paused_until = 0.0

    def count(self, limits: list[Limit]) -> float:
        """Count one request within all of these limits. Return 0 if the request is allowed.

        Otherwise count nothing, and return the seconds until the request is allowed.
        """
        if len(limits) > 1 and (
            wait := max(self.seconds_until_allowed(item, who) for who, item in limits)
        ):
            return wait
        for who, item in limits:
            if not self.allows(item, who):
                return max(self.seconds_until_allowed(item, who), LEAST_WAIT)
        return 0.0

    def allows(self, item: RateLimitItem, who: str) -> bool:
        return self._ask_or_default(lambda: self._limiter.hit(item, self._what, who), True)

    def seconds_until_allowed(self, item: RateLimitItem, who: str) -> float:
        """Return the seconds until a request is allowed, or 0 if a request is allowed now."""

        def ask() -> float:
            window = self._limiter.get_window_stats(item, self._what, who)
            return 0.0 if window.remaining > 0 else window.reset_time - shared_time()

        return min(max(0.0, self._ask_or_default(ask, 0.0)), item.get_expiry())

    def _ask_or_default(self, ask: Callable[[], AnswerT], default: AnswerT) -> AnswerT:
        if time.monotonic() < self._paused_until:
            return default
        try:
            return ask()
        except Exception:  # the library raises various errors if Redis is unavailable
            self._paused_until = time.monotonic() + PAUSE
            return default


class Rates:
    """Applies one rate to each seat or address. If ``text`` is ``none``, there is no limit.

    The rate of a wider range of IPv6 addresses is a multiple of ``text`` (see ``WIDER``).
    """

    def __init__(self, text: str, shared: SharedRate | None = None) -> None:
        self._item = parse_rate(text)
        self._shared = shared
        self._scaled = {
            factor: _multiply_rate(self._item, factor) for factor in (1, *WIDER.values())
        }
        self._windows: dict[str, SlidingWindow] = {}
        self._swept = time.monotonic()

    def count(self, who: str) -> None:
        """Count one request. If it exceeds the rate, raise ``Fault`` and count nothing."""
        if self._item is None:
            return
        if who[-3:] == HOUSEHOLD:
            self._count_ranges(who)
            return
        window = self._windows.get(who) or self._add_window(who, self._item)
        if not window.allows():
            raise rate_limited(window.seconds_until_allowed)
        if self._shared and (wait := self._shared.count([(who, self._item)])):
            raise rate_limited(wait)

    def _count_ranges(self, who: str) -> None:
        limits = self._limits(who)
        windows = [self._windows.get(key) or self._add_window(key, item) for key, item in limits]
        wait = max(window.seconds_until_allowed for window in windows)
        if not wait:
            for window in windows:
                window.allows()
            wait = self._shared.count(limits) if self._shared else 0.0
        if wait:
            raise rate_limited(wait)

    def _limits(self, who: str) -> list[Limit]:
        limits = [(key, self._scaled[factor]) for key, factor in containing_ranges(who)]
        return [(key, item) for key, item in limits if item is not None]

    def seconds_until_allowed(self, who: str) -> float:
        """Return the seconds until one more request is allowed, or 0. No request is counted."""
        limits = self._limits(who)
        waits = [
            self._windows[key].seconds_until_allowed for key, _ in limits if key in self._windows
        ]
        wait = max(waits, default=0.0)
        if not wait and self._shared:
            wait = max(
                (self._shared.seconds_until_allowed(item, key) for key, item in limits), default=0
            )
        return wait

    def check(self, who: str) -> None:
        """Raise ``Fault`` if one more request would exceed the rate. No request is counted."""
        if wait := self.seconds_until_allowed(who):
            raise rate_limited(wait)

    @property
    def make_packet_counter(self) -> Callable[[], Callable[[], bool]] | None:
        """A function that creates the packet counter of one connection, or None without a limit.

        A connection may send twice as many packets as commands, plus 20. A counter returns False
        for a packet beyond this limit.
        """
        item = self._item
        if item is None:
            return None
        return lambda: SlidingWindow(2 * item.amount + 20, item.get_expiry()).allows

    def _add_window(self, who: str, item: RateLimitItem) -> SlidingWindow:
        """Add a window for a seat or range of addresses.

        Once per period, also remove the idle windows.
        """
        if time.monotonic() > self._swept + item.get_expiry():
            self._swept = time.monotonic()
            self._windows = {
                who: window for who, window in self._windows.items() if not window.idle
            }
        window = self._windows[who] = SlidingWindow(item.amount, item.get_expiry())
        return window


class Joins(Rates):
    """Limits how often tables are created and joined, and codes and secrets are guessed.

    ``text`` is the rate for each address. ``guesses`` is the rate of wrong codes for all addresses
    together. When this rate is exceeded, only addresses that entered a wrong code within the last
    hour have to wait. ``bus`` is the URL of the Redis in which all processes count.

    A household has to wait after a single wrong code. A wider range of IPv6 addresses has to wait
    once several of its households have entered a wrong code: four in a /56, sixteen in a /48.
    """

    def __init__(self, text: str, guesses: str = "none", bus: str = "") -> None:
        super().__init__(text, SharedRate(bus, "join") if bus else None)
        failed = FAILED if parse_rate(guesses) else "none"
        self._guesses = Rates(guesses, SharedRate(bus, "guesses") if bus else None)
        self._failed = Rates(failed, SharedRate(bus, "failed") if bus else None)

    def check(self, who: str) -> None:
        """Raise ``Fault`` if this address may not try a code at the moment.

        No attempt is counted.
        """
        super().check(who)
        self._check_guesses(who)

    def _check_guesses(self, who: str) -> None:
        if (wait := self._guesses.seconds_until_allowed(EVERYBODY)) and (
            failed := self._failed.seconds_until_allowed(who)
        ):
            raise rate_limited(min(wait, failed))

    @contextmanager
    def count_failed_guess(self, who: str) -> Iterator[None]:
        """Count one request if the block fails because of a wrong code, token or claim.

        A caller with a valid token never has to wait, even if other callers at the same address
        have guessed.
        """
        try:
            yield
        except Fault as fault:
            if fault.code in ("not_found", "unauthenticated"):
                self._count_wrong_code(who)
                self.count(who)
            raise

    @contextmanager
    def count_join(self, who: str) -> Iterator[None]:
        """Count one request to join a table by its code. A successful request counts, too."""
        self._check_guesses(who)
        self.count(who)
        try:
            yield
        except Fault as fault:
            if fault.code == "not_found":
                self._count_wrong_code(who)
            raise

    def count_new_word(self, who: str) -> None:
        """Count a launcher's word for which no table exists yet.

        The word is counted like a wrong code, because it may be a guess.
        """
        self._count_wrong_code(who)

    def _count_wrong_code(self, who: str) -> None:
        for rates, key in ((self._guesses, EVERYBODY), (self._failed, who)):
            with suppress(Fault):  # the limit is already reached, so nothing needs to be counted
                rates.count(key)


FAILED = "1/hour"  # one wrong code uses up this rate for an hour
EVERYBODY = "everybody"


def _multiply_rate(item: RateLimitItem | None, factor: int) -> RateLimitItem | None:
    return item and type(item)(item.amount * factor, item.multiples)


ALL = ""  # in a key, this stands for all tables or all addresses


class ConnectionCounts:
    """Counts connections by table and by address, and limits both.

    ``watching`` is the maximum number of spectators of one table; a single address may have only a
    part of these. ``of_address`` is the maximum number of connections of one address. For both, 0
    means no limit.
    """

    def __init__(self, watching: int, of_address: int) -> None:
        self._watching = Share("spectators", watching)
        self._own = Share.quarter_of("watching", watching)
        self._connections = Share("connections", of_address)
        self._counts: Counter[tuple[str, str]] = Counter()

    def check(self, code: str, address: str, elsewhere: int = 0) -> None:
        """Raise ``Fault`` if one more spectator would exceed the limits.

        ``elsewhere`` is the number of spectators connected to other processes.
        """
        self._watching.check(self._counts[code, ALL] + elsewhere)
        self._check_address(address, 0)
        for key, share in self._own.shares_by_range(address):
            share.check(self._counts[code, key])

    def check_seat(self, code: str, address: str, seat: str | None) -> None:
        """Raise ``Fault`` if the address may not open a connection for this seat.

        The seat's older connections aren't counted, because the new connection replaces them.
        """
        self._check_address(address, self._counts[f"{code} {seat}", address])

    def find_full_range(self, code: str, address: str, seat: str | None) -> str | None:
        """Return the narrowest range of the address that is at its limit of connections, or None.

        The seat's older connections aren't counted, because the new connection replaces them.
        """
        own = self._counts[f"{code} {seat}", address]
        for key, share in self._connections.shares_by_range(address):
            if not share.allows(self._counts[ALL, key] - own):
                return key
        return None

    def _check_address(self, address: str, own: int) -> None:
        for key, share in self._connections.shares_by_range(address):
            share.check(self._counts[ALL, key] - own)

    def enter(self, code: str, address: str, seat: str | None) -> None:
        """Count a new connection. ``seat`` is None for a client that only watches."""
        self._counts.update(_counter_keys(code, address, seat))

    def leave(self, code: str, address: str, seat: str | None) -> None:
        for key in _counter_keys(code, address, seat):
            self._counts[key] -= 1
            if self._counts[key] <= 0:
                del self._counts[key]


def _counter_keys(code: str, address: str, seat: str | None) -> list[tuple[str, str]]:
    keys = [key for key, _ in containing_ranges(address)]
    by_address = [(ALL, key) for key in keys]
    if seat is None:
        return [*by_address, (code, ALL), *((code, key) for key in keys)]
    return [*by_address, (f"{code} {seat}", address)]
