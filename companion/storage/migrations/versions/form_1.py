"""Create the tables of the first numbered form. Older databases may lack some of them."""

from typing import Any

from alembic import op
from sqlalchemy import BigInteger, Column, String, Text

revision = "1"
down_revision = None


def upgrade() -> None:
    code = String(6)
    seat = String(40)
    digest = String(64)
    time = BigInteger
    _make("meta", {"key": String(20)}, {"value": String(100)})
    _make("variants", {"digest": digest}, {"content": Text})
    _make("tables", {"code": code}, {"variant": digest, "created": time})
    log = {"code": code, "version": BigInteger}
    _make("events", log, {"at": time, "body": Text}, rowid=False)
    answer = {"fingerprint": String(32), "answer": Text}
    _make("answers", {"code": code, "id": String(36)}, answer, rowid=False)
    _make("tokens", {"hash": digest}, {"code": code, "seat": seat})
    op.create_index("tokens_of_seat", "tokens", ["code", "seat"], if_not_exists=True)
    secret = Column("secret", String(64))
    _make("robots", {"code": code, "seat": seat}, {"key": digest}, secret)
    remark_key = {"code": code, "game": BigInteger, "number": BigInteger}
    remark = {"moment": BigInteger, "at": time, "seat": seat, "text": Text}
    _make("remarks", remark_key, remark, rowid=False)
    _make("claims", {"hash": digest}, {"code": code, "seat": seat, "expires": time})
    request = {"fingerprint": String(32), "salt": String(64), "answer": Text, "expires": time}
    _make("errands", {"hash": digest}, request)


def _make(
    name: str, keys: dict[str, Any], values: dict[str, Any], *more: Any, rowid: bool = True
) -> None:
    columns = [Column(key, kind, primary_key=True, autoincrement=False)
               for key, kind in keys.items()]  # fmt: skip
    columns += [Column(key, kind, nullable=False) for key, kind in values.items()]
    op.create_table(name, *columns, *more, sqlite_with_rowid=rowid, if_not_exists=True)
