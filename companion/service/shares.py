"""A share for each address of what there is for all: robots, places, connections.

Taking costs nothing, so that one caller could else keep all others out.
"""

from msgspec import Struct

from companion.service.errors import too_much

PART, LEAST = 4, 4
"""An address may have the fourth part, and four at least."""

LOOK_SECONDS = 5
"""After this it is worth looking again whether something is free."""


class Share(Struct, frozen=True):
    """So much of something, ``what``, may one have; ``most`` 0: as much as they like."""

    what: str
    most: int

    @classmethod
    def of(cls, what: str, all: int) -> "Share":
        """An address' share of all that there is."""
        return cls(what, max(LEAST, all // PART) if all else 0)

    def takes(self, held: int, wanted: int = 1) -> bool:
        """Whether who has so many may have so many more."""
        return not self.most or held + wanted <= self.most

    def check(self, held: int, wanted: int = 1) -> None:
        """Raises ``Fault`` when it is too much."""
        if not self.takes(held, wanted):
            raise too_much(LOOK_SECONDS, what=self.what, most=self.most)
