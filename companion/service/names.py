"""What people call themselves: names as they may be shown to others.

A name is 1 to 24 visible characters after trimming. Control and direction-changing
characters are malformed, so that no name can turn or hide the text around it.
"""

import unicodedata

from companion.service.errors import Fault

MOST = 24
MOST_MARKS = 24
WHY = "a name is 1 to 24 visible characters"
BLANK = frozenset("\u034f\u115f\u1160\u2800\u3164\uffa0\u2028\u2029")
"""Letters by category, but nothing that one sees, or the end of a line."""


def clean(name: str) -> str:
    """The name, trimmed and composed; raises ``Fault`` when it can't be one."""
    trimmed = unicodedata.normalize("NFC", name).strip()
    if any(c in BLANK or unicodedata.category(c)[0] == "C" for c in trimmed):
        raise Fault("bad_request", at="$.name", why=WHY, what="name")
    marks = sum(unicodedata.category(c)[0] == "M" for c in trimmed)
    if not 1 <= len(trimmed) - marks <= MOST or marks > MOST_MARKS:
        raise Fault("bad_request", at="$.name", why=WHY, what="name")
    return trimmed
