"""What is wrong with the database, told to whoever runs the server: in a sentence, not too often.

The file beneath a SQLite database is known again by its number: whoever deletes or replaces
it while the server runs would else be told that all is well, until the next start. This
module must not know what is stored.
"""

import os
import time
from collections.abc import Callable

from sqlalchemy.engine import make_url

from companion.storage.database import Busy, Damaged

AGAIN_SECONDS = 60
"""After this the same sentence is told again, if it is still true."""

Tell = Callable[[str], None]


class Gone(Busy):
    """The database's file is not the one any more that was opened: nothing is taken."""


class Beneath:
    """The file of a SQLite database; of any other database nothing is known."""

    def __init__(self, url: str) -> None:
        target = make_url(url)
        file = target.database if target.get_backend_name() == "sqlite" else None
        self._file = file if file and file != ":memory:" else None
        self._opened = self._number()

    def know(self) -> None:
        """The file that is there now is the one that was opened."""
        self._opened = self._number()

    def check(self) -> None:
        """Raises ``Gone`` when another file is there, or none."""
        if self._file is not None and self._number() != self._opened:
            raise Gone("its file was deleted or replaced while the server runs")

    def _number(self) -> tuple[int, int] | None:
        try:
            found = os.stat(self._file) if self._file else None
        except OSError:
            return None
        return (found.st_dev, found.st_ino) if found else None


class Trouble:
    """Says what is wrong; ``damaged`` stays so until the next start."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._told: dict[str, float] = {}
        self.damaged = False

    def note(self, busy: Busy) -> None:
        """The store could not do what it was asked to."""
        self.damaged = self.damaged or isinstance(busy, Damaged)
        said, now = _sentence(busy), time.monotonic()
        if now >= self._told.get(said, now):
            self._told[said] = now + AGAIN_SECONDS
            self._tell(said)


def _sentence(busy: Busy) -> str:
    reason = " ".join(str(busy).split())
    if isinstance(busy, Damaged):
        return (
            f"The database is damaged ({reason}): stop the server and start it on a backup, or "
            "some tables stay closed."
        )
    if isinstance(busy, Gone):
        return (
            "Nothing is stored any more, since the database's file was deleted or replaced: put "
            "it back, or start the server again on the one that is there now."
        )
    return f"The database does not do what it is asked to, for now: {reason}."
