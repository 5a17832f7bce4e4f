"""The cookies in which a browser keeps its seats, one for each table. A browser sends all of them
with every request, so it keeps those of the tables that were used last, and the others expire."""

import re
from collections.abc import Callable, Collection, Mapping
from wsgiref.types import WSGIEnvironment

from msgspec import Struct
from werkzeug.datastructures import MultiDict
from werkzeug.sansio.http import parse_cookie
from werkzeug.wrappers import Response

from companion.adapters import cookies
from companion.service.requests import Seated

SECONDS = 30 * 24 * 3600  # how long a browser keeps a seat that it took
MOST = 20  # seats that a browser keeps

MOST_EXPIRED = 40
"""Cookies that one answer lets expire. nginx takes 4 kB of headers from the servers behind it; a
browser with more of them, from before there was a limit, loses the rest with its next seats."""

_NAME = re.compile(rf"(?P<prefix>{'|'.join(cookies.PREFIXES)})?companion_(?P<code>[A-Z0-9]{{6}})")


class SeatCookie(Struct, frozen=True):
    """A seat's token from a cookie."""

    token: str
    unguarded: bool = False  # over TLS, but under the name that others can plant


def name_of(code: str, environ: WSGIEnvironment) -> str:
    return cookies.full_name(f"companion_{code}", environ)


def read(environ: WSGIEnvironment, code: str) -> SeatCookie | None:
    """The seat that the caller's browser keeps for this table."""
    sent = _sent(environ)
    if token := sent.get(name_of(code, environ)):
        return SeatCookie(token)
    plain = sent.get(f"companion_{code}")
    return SeatCookie(plain, unguarded=True) if plain else None


def _sent(environ: WSGIEnvironment) -> MultiDict[str, str]:
    """All cookies of a request. Other programs' cookies may be of any letters."""
    header = environ.get("HTTP_COOKIE", "").encode("latin-1", "replace")
    return parse_cookie(header.decode("utf-8", "replace"))


def keep(
    answer: Response,
    seated: Seated,
    environ: WSGIEnvironment,
    last_used: Callable[[Collection[str]], Mapping[str, int]],
) -> None:
    """Set the seat's cookie, and let the browser's oldest ones expire. ``last_used`` returns, for
    those of some tokens that open a seat, when something last happened at its table, in ms."""
    name = name_of(seated.table, environ)
    answer.set_cookie(
        name,
        seated.token,
        max_age=SECONDS,
        path=cookies.path(environ),
        secure=cookies.is_secure(environ),
        httponly=True,
        samesite="Lax",
    )
    for other in _outdated(environ, seated.table, last_used)[:MOST_EXPIRED]:
        answer.headers.add("Set-Cookie", _expired(other, environ))


def _outdated(
    environ: WSGIEnvironment,
    code: str,
    last_used: Callable[[Collection[str]], Mapping[str, int]],
) -> list[str]:
    """The names of the cookies that a browser needs no longer once it has a new one for ``code``:
    those of that table, those that open no seat, and then the ones used least recently."""
    new = name_of(code, environ)
    sent = _sent(environ)
    found = {name: match["code"] for name in sent if (match := _NAME.fullmatch(name))}
    others = [name for name in found if name != new]
    used = last_used([sent[name] for name in others]) if len(others) >= MOST else {}
    old = [name for name in others if found[name] == code]
    rest = [name for name in others if found[name] != code]
    rest.sort(key=lambda name: used.get(sent[name], -1), reverse=True)
    return old + rest[MOST - 1 :][::-1]


def _expired(name: str, environ: WSGIEnvironment) -> str:
    """Werkzeug's header would name a date, too, which makes it twice as long."""
    path = "/" if name.startswith("__Host-") else cookies.path(environ)
    secure = "; Secure" if name.startswith(cookies.PREFIXES) else ""
    return f"{name}=; Max-Age=0; Path={path}{secure}"
