"""Tells a database file that goes on from an older copy that was put in its place.

At each start and stop a new mark is drawn and kept in the database and in a small file
beside it. A copy of the database has an older mark, a copy of both is another file. This
module must not know what the database holds.
"""

from pathlib import Path
from secrets import token_hex

from sqlalchemy.engine import make_url


def place(url: str) -> Path | None:
    """Where the mark is kept outside the database; ``None`` where there is no file."""
    target = make_url(url)
    if target.get_backend_name() != "sqlite" or not target.database:
        return None
    return None if target.database == ":memory:" else Path(f"{target.database}.mark")


def new() -> str:
    """A new mark."""
    return token_hex(8)


def goes_on(beside: Path | None, mark: str | None) -> bool:
    """Whether the database with this mark is the one that was here last."""
    if beside is None:
        return True
    try:
        return mark is not None and beside.read_text() == _written(beside, mark)
    except OSError:
        return False


def write(beside: Path | None, mark: str) -> None:
    """Keeps the mark outside the database; where that can't be, a start is a new epoch."""
    if beside is None:
        return
    try:
        fresh = beside.with_name(beside.name + ".new")
        fresh.write_text(_written(beside, mark))
        fresh.replace(beside)
    except OSError:
        return


def _written(beside: Path, mark: str) -> str:
    return f"{mark} {beside.with_suffix('').stat().st_ino}\n"
