"""msgspec's words for what does not fit: only they say where it is, and which field is missing."""

import re

from msgspec import ValidationError

_SAID = re.compile(r"(.*?)(?: - at (?:`key` in )?`\$([^`]*)`)?", re.DOTALL)
_FIELD = re.compile(r"Object (?:missing required|contains unknown) field `(.*)`", re.DOTALL)


def misfit(error: ValidationError) -> tuple[str, str, str | None]:
    """Why it does not fit; where in it, as ``.seats[0]`` (empty: the whole); and which field is
    missing there or not known, if that is why."""
    said = _SAID.fullmatch(str(error))
    assert said  # whatever it says
    field = _FIELD.fullmatch(said[1])
    return said[1], said[2] or "", field[1] if field else None
