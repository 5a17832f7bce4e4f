"""How many may watch a table, and how many connections an address may have.

Whoever has a seat is never kept out: a seat has one connection. This module must not know
what there is to see.
"""

from collections import Counter

from companion.service.errors import Fault


class Crowd:
    """Counts connections by table and by address; 0: as many as like."""

    def __init__(self, watching: int, of_address: int) -> None:
        self._watching, self._of_address = watching, of_address
        self._tables: Counter[str] = Counter()
        self._addresses: Counter[str] = Counter()

    def check(self, code: str, address: str, elsewhere: int = 0) -> None:
        """Whether one more may watch; raises ``Fault`` when it is too many.

        ``elsewhere``: how many watch by way of other processes.
        """
        if self._watching and self._tables[code] + elsewhere >= self._watching:
            raise Fault("rate_limited", what="spectators", most=self._watching)
        if self._of_address and self._addresses[address] >= self._of_address:
            raise Fault("rate_limited", what="connections", most=self._of_address)

    def enter(self, code: str, seat: str | None, address: str) -> None:
        """A connection comes."""
        self._addresses[address] += 1
        self._tables[code] += seat is None

    def leave(self, code: str, seat: str | None, address: str) -> None:
        """A connection goes."""
        for counter, key, less in ((self._addresses, address, 1), (self._tables, code, not seat)):
            counter[key] -= less
            if counter[key] <= 0:
                del counter[key]
