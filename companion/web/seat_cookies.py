"""The cookies in which a browser keeps its seats, one cookie for each table.

A browser sends all of them with every request, so their number is limited: the cookies of the most
recently used tables stay, and the others expire.
"""

import re
from collections.abc import Callable, Collection, Mapping
from wsgiref.types import WSGIEnvironment

from msgspec import Struct
from werkzeug.datastructures import MultiDict
from werkzeug.sansio.http import parse_cookie
from werkzeug.wrappers import Response

from companion.adapters import cookies
from companion.service.requests import Seated

SECONDS = 30 * 24 * 3600  # time for which a browser keeps the cookie of a seat
MOST = 20  # maximum number of seats that a browser keeps

MOST_EXPIRED = 40
"""Maximum number of cookies that one response deletes, because nginx accepts only 4 kB of headers.

A browser may have more cookies than that, from a time when their number wasn't limited. The other
cookies are deleted when the browser takes its next seats.
"""

_NAME = re.compile(rf"(?P<prefix>{'|'.join(cookies.PREFIXES)})?companion_(?P<code>[A-Z0-9]{{6}})")


class SeatCookie(Struct, frozen=True):
    """The token of a seat, read from a cookie."""

    token: str
    unguarded: bool = False  # True for a cookie with a plain name, which another site may have set


def cookie_name(code: str, environ: WSGIEnvironment) -> str:
    return cookies.full_name(f"companion_{code}", environ)


def read_seat(environ: WSGIEnvironment, code: str) -> SeatCookie | None:
    """Return the token that the caller's browser has for this table, or None."""
    received = _parse_cookies(environ)
    if token := received.get(cookie_name(code, environ)):
        return SeatCookie(token)
    plain = received.get(f"companion_{code}")
    return SeatCookie(plain, unguarded=True) if plain else None


def _parse_cookies(environ: WSGIEnvironment) -> MultiDict[str, str]:
    """Return all cookies of a request. Cookies of other programs may contain any characters."""
    header = environ.get("HTTP_COOKIE", "").encode("latin-1", "replace")
    return parse_cookie(header.decode("utf-8", "replace"))


def set_seat_cookie(
    answer: Response,
    seated: Seated,
    environ: WSGIEnvironment,
    last_used: Callable[[Collection[str]], Mapping[str, int]],
) -> None:
    """Set the seat's cookie, and delete the browser's oldest seat cookies if there are too many.

    ``last_used`` takes tokens, and returns the time (ms) of the last event at the table of each
    token that opens a seat.
    """
    name = cookie_name(seated.table, environ)
    answer.set_cookie(
        name,
        seated.token,
        max_age=SECONDS,
        path=cookies.path(environ),
        secure=cookies.is_secure(environ),
        httponly=True,
        samesite="Lax",
    )
    for other in _list_outdated(environ, seated.table, last_used)[:MOST_EXPIRED]:
        answer.headers.add("Set-Cookie", _expiry_header(other, environ))


def _list_outdated(
    environ: WSGIEnvironment,
    code: str,
    last_used: Callable[[Collection[str]], Mapping[str, int]],
) -> list[str]:
    """Return the names of the cookies to delete when a new one is set for ``code``.

    The list begins with other cookies of that table, followed by cookies that open no seat, and by
    the least recently used cookies.
    """
    new = cookie_name(code, environ)
    received = _parse_cookies(environ)
    codes = {name: match["code"] for name in received if (match := _NAME.fullmatch(name))}
    others = [name for name in codes if name != new]
    used = last_used([received[name] for name in others]) if len(others) >= MOST else {}
    old = [name for name in others if codes[name] == code]
    rest = [name for name in others if codes[name] != code]
    rest.sort(key=lambda name: used.get(received[name], -1), reverse=True)
    return old + rest[MOST - 1 :][::-1]


def _expiry_header(name: str, environ: WSGIEnvironment) -> str:
    """Return a header that deletes a cookie. Werkzeug's header has a date, and is twice as long."""
    path = "/" if name.startswith("__Host-") else cookies.path(environ)
    secure = "; Secure" if name.startswith(cookies.PREFIXES) else ""
    return f"{name}=; Max-Age=0; Path={path}{secure}"
