"""What is handed out once, and the same again to whoever asks again with the same key.

An answer can get lost on its way; whoever asks again must not get a second seat, nor find
the claim used up. Only hashes of tokens and claims may be stored, so the secret in an answer
is derived: from the idempotency key, of which a hash is kept, and from a salt that is drawn and
kept. Whoever reads the store has neither the key nor, without it, the secret."""

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

KEEP_MS = 15 * 60 * 1000  # for so long the same key gets the same answer
# a key's characters: who guesses it, has the answer
SHORTEST = 16
LONGEST = 200


def new_secret() -> str:
    """A token or claim of 256 bits."""
    return token_urlsafe(32)


def hash_secret(secret: str) -> str:
    """How a token or claim is stored: who reads the database can't open a seat."""
    return sha256(secret.encode()).hexdigest()


class Seated(Struct, frozen=True):
    """A seat at a table, and the token which opens it from now on."""

    table: str
    seat: str
    token: str


class Claim(Struct, frozen=True):
    """What opens a seat once on another device, until ``expires_at`` in ms."""

    claim: str
    expires_at: int


class Robot(Struct, frozen=True):
    """A robot's seat and name."""

    seat: str
    name: str


class Lent(Struct, frozen=True):
    """The temper of the robot that plays on at a seat."""

    robot: str


def opens_with(seated: Seated) -> Statement:
    return statements.insert(StoredToken(hash_secret(seated.token), seated.table, seated.seat))


Result = TypeVar("Result", Seated, Claim, Robot, Lent)

_SECRET: dict[type, str] = {Seated: "token", Claim: "claim"}  # the field that is secret


class KeyedRequest:
    """One thing that is asked for; ``secret`` is what it hands out. Without a key, just once."""

    def __init__(self, key: str | None = None, *asked: bytes) -> None:
        long = key is None or SHORTEST <= len(key) <= LONGEST
        if key is not None and not (long and key.isascii() and key.isprintable()):
            why = f"not {SHORTEST} to {LONGEST} visible characters"
            raise Fault("bad_request", at="Idempotency-Key", why=why)
        self._key = key
        self._salt = token_hex(32)
        self._name = hash_secret(f"errand {key}")
        self._asked = sha256(b"\0".join(asked)).hexdigest()[:32]
        self.secret = self._derive(self._salt) if key else new_secret()

    def _derive(self, salt: str) -> str:
        assert self._key is not None
        made = hmac.digest(self._key.encode(), salt.encode(), "sha256")
        return urlsafe_b64encode(made).rstrip(b"=").decode()

    def statements(self, result: Result, now: int) -> tuple[Statement, ...]:
        """What is to be stored together with what was asked for, at this time in ms."""
        if self._key is None:
            return ()
        body = codec.encode(_with_secret(result, ""))
        row = StoredRequest(self._name, self._asked, self._salt, body.decode(), now + KEEP_MS)
        return statements.delete_expired(StoredRequest, now), statements.insert(row)

    def previous_result(self, store: Store, kind: type[Result], now: int) -> Result | None:
        """What was handed out for this key before; raises ``Fault`` (id_reused, ``Damaged``)."""
        found = store.one(StoredRequest, hash=self._name) if self._key else None
        try:
            if found is None or found.expires < now:
                return None
            if found.fingerprint != self._asked:
                raise Fault("id_reused", at="Idempotency-Key")
            result = msgspec.json.decode(found.answer, type=kind)
            return _with_secret(result, self._derive(found.salt))
        except (msgspec.MsgspecError, UnicodeError, TypeError) as error:
            raise Damaged("", "request", error) from error


def _with_secret(result: Result, secret: str) -> Result:
    field = _SECRET.get(type(result))
    return structs.replace(result, **{field: secret}) if field else result
