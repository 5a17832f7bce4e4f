"""Chance that nobody chose: words from a device's secret and the server's salt, and shuffles.

The wire contract fixes all of it (docs/fair.md); the same stands in ``static/js/grid/fair.js``.
Secrets, salts and what is made of them are hexadecimal digits, as on the wire.
"""

import hmac
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import TypeVar

T = TypeVar("T")

WORDS = 2**32
"""How many different words there are."""


def commitment(secret: str) -> str:
    """What a device says before the game, so that it can't choose another secret later."""
    return sha256(bytes.fromhex(secret)).hexdigest()


def words(secret: str, purpose: str, salt: str) -> Iterator[int]:
    """Numbers below 2³², without end: HMAC-SHA256 over purpose, salt and a counter."""
    key, start = bytes.fromhex(secret), purpose.encode() + b"\0" + bytes.fromhex(salt)
    for counter in range(WORDS):
        block = hmac.digest(key, start + counter.to_bytes(4), "sha256")
        yield from (int.from_bytes(block[place : place + 4]) for place in range(0, 32, 4))


def shuffled(things: Sequence[T], drawn: Iterator[int]) -> tuple[T, ...]:
    """The things in an order that the words give, each order as likely as any other."""
    lying = list(things)
    for last in range(len(lying) - 1, 0, -1):
        fair = WORDS // (last + 1) * (last + 1)  # words above would favour the first places
        other = next(word for word in drawn if word < fair) % (last + 1)
        lying[last], lying[other] = lying[other], lying[last]
    return tuple(lying)


def sealed(secret: str, version: int, cell: tuple[int, int]) -> str:
    """A Kitten's place, so that it can be checked and not read: ``hidden`` of a Defuse.

    ``version``: the table's when the Defuse is said.
    """
    said = b"place\0" + version.to_bytes(4) + bytes(cell)
    return hmac.digest(bytes.fromhex(secret), said, "sha256").hex()
