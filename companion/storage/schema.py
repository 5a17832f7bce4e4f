"""The tables of the database. Once released, their names and meanings never change.

Every change here needs a new file in ``migrations/versions`` that makes the same change in older
databases. ``alembic_version`` has the number of the newest one that was run.

- ``meta``: the database's epoch and mark, and the epochs of tables that have lost events.
- ``events``: the log, append-only, with one row for each version of a table.
- ``answers``: answers to commands, which are repeated if a command is sent again.
- ``rooms``: hashes of the words with which launchers bring people to one table.
- ``errands`` (here ``requests``): answers to HTTP requests with an idempotency key, which are
  repeated if a request is sent again.
- ``tokens``, ``claims``: secrets that open seats, as hashes only. ``old_cookie_until`` is above 0
  for tokens from before cookies had guarded names: their old cookies are valid until then (ms).
- ``robots``: the key from which a robot derives its decks, and the secret of a deck that it took
  over from a player.
- ``remarks``: players' remarks on moments of finished games.
- ``visits``: the tokens whose seats were connected within the last day.
- ``tables``, ``variants``: all tables, and the variants that they are played with.
"""

from typing import Any

from sqlalchemy import BigInteger, Column, Index, MetaData, String, Table, Text
from sqlalchemy import PrimaryKeyConstraint as PrimaryKey

metadata = MetaData()


def _table(
    name: str, keys: dict[str, Any], values: dict[str, Any], *more: Any, rowid: bool = True
) -> Table:
    """Return a table with the primary key ``keys`` and the other columns ``values``.

    No column can be null.
    """
    columns = [Column(key, kind, primary_key=True, autoincrement=False)
               for key, kind in keys.items()]  # fmt: skip
    columns += [Column(key, kind, nullable=False) for key, kind in values.items()]
    return Table(name, metadata, *columns, *more, sqlite_with_rowid=rowid)


code = String(6)
seat = String(40)
hashed = String(64)
number = BigInteger

revisions = _table(
    "alembic_version", {}, {"version_num": String(32)},
    PrimaryKey("version_num", name="alembic_version_pkc"),
)  # fmt: skip
meta = _table("meta", {"key": String(20)}, {"value": String(100)})
variants = _table("variants", {"digest": hashed}, {"content": Text})
tables = _table("tables", {"code": code}, {"variant": hashed, "created": number})
events = _table(
    "events", {"code": code, "version": number}, {"at": number, "body": Text}, rowid=False
)
answers = _table(
    "answers", {"code": code, "id": String(36)}, {"fingerprint": String(32), "answer": Text},
    rowid=False,
)  # fmt: skip
tokens = _table(
    "tokens", {"hash": hashed}, {"code": code, "seat": seat},
    Column("old_cookie_until", number, nullable=False, server_default="0"),
    Index("tokens_of_seat", "code", "seat"),
)  # fmt: skip
robots = _table("robots", {"code": code, "seat": seat}, {"key": hashed}, Column("secret", hashed))
remarks = _table(
    "remarks", {"code": code, "game": number, "number": number},
    {"moment": number, "at": number, "seat": seat, "text": Text}, rowid=False,
)  # fmt: skip
visits = _table("visits", {"hash": hashed}, {"expires": number})
claims = _table("claims", {"hash": hashed}, {"code": code, "seat": seat, "expires": number})
rooms = _table("rooms", {"hash": hashed}, {"code": code}, Index("rooms_of_table", "code"))
requests = _table(
    "errands", {"hash": hashed},
    {"fingerprint": String(32), "salt": hashed, "answer": Text, "expires": number},
)  # fmt: skip
