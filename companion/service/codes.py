"""Codes, tokens and claims: what people type and what browsers keep.

This module must not know where they are stored.
"""

from hashlib import sha256
from secrets import choice, token_urlsafe

ALPHABET = "ACDEFGHJKMNPQRTUVWXY34679"
"""Without look-alikes: no 0 O, 1 I L, 2 Z, 5 S, 8 B."""

LENGTH = 6


def new_code() -> str:
    """A table's code, drawn at random."""
    return "".join(choice(ALPHABET) for _ in range(LENGTH))


def as_code(typed: str) -> str | None:
    """The code somebody typed: case, spaces and dashes don't count; ``None``: not a code."""
    code = "".join(c for c in typed.upper() if not c.isspace() and c not in "-‐‑‒–—−_")
    good = len(code) == LENGTH and all(c in ALPHABET for c in code)
    return code if good else None


def new_secret() -> str:
    """A token or claim of 256 bits."""
    return token_urlsafe(32)


def hashed(secret: str) -> str:
    """How a token or claim is stored: who reads the database can't open a seat."""
    return sha256(secret.encode()).hexdigest()
