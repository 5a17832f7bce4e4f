"""msgspec's words for what does not fit: only they say where it is, and which field is missing."""

import re
from typing import NamedTuple

from msgspec import ValidationError

_SAID = re.compile(r"(.*?)(?: - at (?:`key` in )?`\$([^`]*)`)?", re.DOTALL)
_FIELD = re.compile(r"Object (?:missing required|contains unknown) field `(.*)`", re.DOTALL)


class Misfit(NamedTuple):
    """Why it does not fit. ``at``: where in it, as ``.seats[0]``; empty: the whole. ``field``:
    which one is missing there or not known, if that is why."""

    why: str
    at: str
    field: str | None


def misfit(error: ValidationError) -> Misfit:
    """What the error says."""
    said = _SAID.fullmatch(str(error))
    assert said  # whatever it says
    field = _FIELD.fullmatch(said[1])
    return Misfit(said[1], said[2] or "", field[1] if field else None)
