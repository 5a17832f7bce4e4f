"""Where a robot's secrets come from: chance, or a key from which they follow again.

A secret is for one game alone, so the table's version, which only grows, goes into it. This
module must not know what is made of a secret.
"""

import hmac
from collections.abc import Callable
from secrets import token_hex
from typing import Protocol

from companion.fair.chance import commitment


class Secrets(Protocol):
    """A robot's secrets."""

    def draw(self, version: int) -> str:
        """Another secret, at this version of the table."""

    def find(self, commit: str | None, version: int) -> str | None:
        """The secret that was committed to, by this version."""


class Drawn:
    """By chance, and known as long as the robot lives."""

    def __init__(self, chance: Callable[[], str] = token_hex) -> None:
        self._chance = chance
        self._known: dict[str, str] = {}

    def draw(self, version: int) -> str:
        """Another secret, at this version of the table."""
        secret = self._chance()
        self._known[commitment(secret)] = secret
        return secret

    def find(self, commit: str | None, version: int) -> str | None:
        """The secret that was committed to, by this version."""
        return self._known.get(commit or "")


class Derived:
    """From a key, so that they are known again after a restart; ``given``: by a player."""

    def __init__(self, key: str, *given: str) -> None:
        self._key = bytes.fromhex(key)
        self._known: dict[str, str | None] = {commitment(secret): secret for secret in given}

    def draw(self, version: int) -> str:
        """Another secret, at this version of the table."""
        said = b"deck\0" + version.to_bytes(4)
        return hmac.digest(self._key, said, "sha256").hex()

    def find(self, commit: str | None, version: int) -> str | None:
        """The secret that was committed to, by this version."""
        if commit and commit not in self._known:
            drawn = (self.draw(at) for at in range(version, -1, -1))
            self._known[commit] = next((s for s in drawn if commitment(s) == commit), None)
        return self._known.get(commit or "")
