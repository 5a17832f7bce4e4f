"""Signs: what those who only watch can show to all, without a word.

This module must not know who may.
"""

import time
from typing import Any, Literal

from msgspec import Struct

from companion.service import codec
from companion.service.errors import too_much

SECONDS = 0.5
"""How long a connection waits between two signs."""


class Sign(Struct, forbid_unknown_fields=True):
    """One of eight."""

    sign: Literal["laugh", "cry", "gasp", "love", "hiss", "sleep", "cheer", "think"]


def heard(content: tuple[Any, ...], before: float) -> tuple[float, str]:
    """When it came and which sign it is; raises ``Fault``, also so soon after the one before."""
    shown: Sign = codec.checked(content[0] if content else None, Sign)
    now = time.monotonic()
    if now - before < SECONDS:
        raise too_much(before + SECONDS - now)
    return now, shown.sign
