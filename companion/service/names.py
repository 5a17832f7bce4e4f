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
    trimmed = _trimmed(name)
    if not _visible(trimmed):
        raise Fault("bad_request", at="$.name", why=WHY, what="name")
    return trimmed


def is_clean(name: str) -> bool:
    """Whether it is a name as ``clean`` gives them."""
    return name == _trimmed(name) and _visible(name)


def _trimmed(name: str) -> str:
    return unicodedata.normalize("NFC", name).strip()


def _visible(name: str) -> bool:
    marks = sum(unicodedata.category(c)[0] == "M" for c in name)
    unseen = any(c in BLANK or unicodedata.category(c)[0] == "C" for c in name)
    return not unseen and 1 <= len(name) - marks <= MOST and marks <= MOST_MARKS
