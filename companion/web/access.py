"""Who may come in: tokens and cookies.

This module must not know what can be done once one is in.
"""

from typing import Any

from werkzeug.sansio.http import parse_cookie

COOKIE_SECONDS = 30 * 24 * 3600


def cookie_name(code: str) -> str:
    """A browser keeps one seat for each table."""
    return f"companion_{code}"


def cookie_of(environ: dict[str, Any], code: str) -> str | None:
    """The token in the seat's cookie. Other programs' cookies may be of any letters."""
    said = environ.get("HTTP_COOKIE", "").encode("latin-1", "replace")
    return parse_cookie(said.decode("utf-8", "replace")).get(cookie_name(code))


def bearer(environ: dict[str, Any]) -> str | None:
    """The token of a program that says who it is."""
    kind, _, token = environ.get("HTTP_AUTHORIZATION", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else None
