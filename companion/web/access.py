"""Who may come in: tokens and cookies, and origins.

This module must not know what can be done once one is in.
"""

from typing import Any

from werkzeug.http import parse_cookie

COOKIE_SECONDS = 30 * 24 * 3600


def cookie_name(code: str) -> str:
    """A browser keeps one seat for each table."""
    return f"companion_{code}"


def cookie_of(environ: dict[str, Any], code: str) -> str | None:
    """The token in the seat's cookie."""
    return parse_cookie(environ.get("HTTP_COOKIE", "")).get(cookie_name(code))


def origin_allowed(origins: tuple[str, ...]) -> Any:
    """Whether a page of this origin may connect: the server's own pages and the set ones."""

    def allowed(origin: str | None, environ: dict[str, Any]) -> bool:
        own = f"{environ['wsgi.url_scheme']}://{environ.get('HTTP_HOST', '')}"
        return origin == own or origin in origins

    return allowed
