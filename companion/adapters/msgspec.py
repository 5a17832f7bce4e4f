"""Parses msgspec's error messages, since only their text contains the invalid field's path."""

import re

from msgspec import ValidationError

_MESSAGE = re.compile(r"(.*?)(?: - at (?:`key` in )?`\$([^`]*)`)?", re.DOTALL)
_FIELD = re.compile(r"Object (?:missing required|contains unknown) field `(.*)`", re.DOTALL)


def parse_error(error: ValidationError) -> tuple[str, str, str | None]:
    """Return an error's reason, the path of the invalid value, and the name of a missing or unknown
    field.

    The name is None if the error is of another kind. The path looks like ``.seats[0]``. It is empty
    if the error concerns the whole document.
    """
    message = _MESSAGE.fullmatch(str(error))
    assert message  # the pattern matches any text
    field = _FIELD.fullmatch(message[1])
    return message[1], message[2] or "", field[1] if field else None
