"""Idempotency keys: a request that is sent again with the same key gets the same answer.

An answer can get lost in transit. When the client then repeats its request, it must not get a
second seat, nor an error because its claim was used.

Answers contain secrets (tokens and claims), of which only hashes may be stored. The secret in an
answer is therefore derived from the idempotency key, of which only a hash is stored, and from a
random salt, which is stored. Somebody who reads the database has the salt but not the key, and
can't compute the secret.
"""

import hmac
from base64 import urlsafe_b64encode
from hashlib import sha256
from secrets import token_hex, token_urlsafe
from typing import TypeVar

import msgspec
from msgspec import Struct, structs

from companion.service import codec
from companion.service.errors import Damaged, Fault
from companion.storage import statements
from companion.storage.statements import Statement, StoredRequest, StoredToken
from companion.storage.store import Store

KEEP_MS = 15 * 60 * 1000  # how long an answer is stored

# Limits for the length of a key. Anybody who guesses a key gets the answer.
SHORTEST = 16
LONGEST = 200


def new_secret() -> str:
    """Return a new random token or claim of 256 bits."""
    return token_urlsafe(32)


def hash_secret(secret: str) -> str:
    """Return the hash under which a token or claim is stored."""
    return sha256(secret.encode()).hexdigest()


class Seated(Struct, frozen=True):
    """A seat at a table, and the token with which a client acts for the seat."""

    table: str
    seat: str
    token: str


class Claim(Struct, frozen=True):
    """A secret with which another device can take over a seat, once."""

    claim: str
    expires_at: int  # in ms


class Robot(Struct, frozen=True):
    """A robot's seat and name."""

    seat: str
    name: str


class LentSeat(Struct, frozen=True):
    """The result of lending a seat to a robot: the robot's temper (style of play)."""

    robot: str


def insert_token(seated: Seated) -> Statement:
    """Return the statement that stores the hash of the seat's token."""
    return statements.insert(StoredToken(hash_secret(seated.token), seated.table, seated.seat))


Result = TypeVar("Result", Seated, Claim, Robot, LentSeat)

# the field of each answer that contains the secret
_SECRET: dict[type, str] = {Seated: "token", Claim: "claim"}


class KeyedRequest:
    """A request that may carry an idempotency key.

    Without a key, each repetition is a new request. ``secret`` is the token or claim that the
    request's answer will contain.
    """

    def __init__(self, key: str | None = None, *content: bytes) -> None:
        """``content`` identifies what is requested. Raises ``Fault`` if the key is malformed."""
        length_fits = key is None or SHORTEST <= len(key) <= LONGEST
        if key is not None and not (length_fits and key.isascii() and key.isprintable()):
            why = f"not {SHORTEST} to {LONGEST} visible characters"
            raise Fault("bad_request", at="Idempotency-Key", why=why)
        self._key = key
        self._salt = token_hex(32)
        self._key_hash = hash_secret(f"errand {key}")
        self._fingerprint = sha256(b"\0".join(content)).hexdigest()[:32]
        self.secret = self._derive(self._salt) if key else new_secret()

    def _derive(self, salt: str) -> str:
        assert self._key is not None
        digest = hmac.digest(self._key.encode(), salt.encode(), "sha256")
        return urlsafe_b64encode(digest).rstrip(b"=").decode()

    def statements(self, result: Result, now: int) -> tuple[Statement, ...]:
        """Return the statements that store the result, so that a repeated request gets it again.

        Commit them together with the change itself. Without a key there is nothing to store.
        ``now`` is in ms.
        """
        if self._key is None:
            return ()
        body = codec.encode(_with_secret(result, ""))
        row = StoredRequest(
            self._key_hash, self._fingerprint, self._salt, body.decode(), now + KEEP_MS
        )
        return statements.delete_expired(StoredRequest, now), statements.insert(row)

    def previous_result(self, store: Store, kind: type[Result], now: int) -> Result | None:
        """Return the result that an earlier request with this key got, or None if there was none.

        Raise ``Fault`` (id_reused) if that request had other content, or ``Damaged`` if the stored
        result can't be read.
        """
        row = store.one(StoredRequest, hash=self._key_hash) if self._key else None
        try:
            if row is None or row.expires < now:
                return None
            if row.fingerprint != self._fingerprint:
                raise Fault("id_reused", at="Idempotency-Key")
            result = msgspec.json.decode(row.answer, type=kind)
            return _with_secret(result, self._derive(row.salt))
        except (msgspec.MsgspecError, UnicodeError, TypeError) as error:
            raise Damaged("", "request", error) from error


def _with_secret(result: Result, secret: str) -> Result:
    field = _SECRET.get(type(result))
    return structs.replace(result, **{field: secret}) if field else result
