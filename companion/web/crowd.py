"""How many may watch a table, and how many connections an address may have.

Whoever sits down at a table is never kept out: a seat has one connection there.
"""

from collections import Counter

from companion.service.errors import Share

ALL = ""
"""In the place of a table or an address: all of them."""


class Crowd:
    """Counts connections by table and by address; 0: as many as like.

    Of the places to watch one table from an address has a share.
    """

    def __init__(self, watching: int, of_address: int) -> None:
        self._watching = Share("spectators", watching)
        self._own, self._of_address = (
            Share.of("watching", watching),
            Share("connections", of_address),
        )
        self._there: Counter[tuple[str, str]] = Counter()

    def check(self, code: str, address: str, elsewhere: int = 0) -> None:
        """Whether one more may watch; raises ``Fault`` when it is too many.

        ``elsewhere``: how many watch by way of other processes.
        """
        self._watching.check(self._there[code, ALL] + elsewhere)
        self._of_address.check(self._there[ALL, address])
        self._own.check(self._there[code, address])

    def enter(self, code: str, address: str, *, watches: bool) -> None:
        """A connection comes."""
        self._there.update(_counted(code, address, watches))

    def leave(self, code: str, address: str, *, watches: bool) -> None:
        """A connection goes."""
        for key in _counted(code, address, watches):
            self._there[key] -= 1
            if self._there[key] <= 0:
                del self._there[key]


def _counted(code: str, address: str, watches: bool) -> list[tuple[str, str]]:
    return [(ALL, address), *([(code, ALL), (code, address)] if watches else [])]
