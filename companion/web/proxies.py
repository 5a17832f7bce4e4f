"""What stands before the app: what a proxy says of the caller, and under which path it serves."""

import re
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

from werkzeug.middleware.proxy_fix import ProxyFix

from companion.web.rates import address_of

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

PREFIX = re.compile(r"(/(?!\.{1,2}(/|$))[\w.~-]+)+", re.ASCII)
"""Plain steps down from the root, which mean the same to every browser and proxy."""


def prefix(text: str) -> str:
    """A path as somebody writes it, without the slash at its end; raises ValueError."""
    found = text.removesuffix("/")
    if found and not PREFIX.fullmatch(found):
        raise ValueError("write it as /hiss or /games/hiss: steps of letters, digits and . _ ~ -")
    return found


def proxied(
    inner: "WSGIApplication", many: int, own: str, *, tunnel: bool = False
) -> "WSGIApplication":
    """The app behind so many proxies whose words count, served under this path.

    ``tunnel``: besides, a tunnel's program on this machine says who comes and how, nobody else.
    """
    placed = _placed(_unhurried(inner), own)
    if tunnel and not many:
        return _through_a_tunnel(placed, ProxyFix(placed, x_for=1, x_proto=1))
    return ProxyFix(placed, x_for=many, x_proto=many, x_host=many, x_prefix=many)


def _through_a_tunnel(plain: "WSGIApplication", trusting: "WSGIApplication") -> "WSGIApplication":
    def app(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        address = address_of(environ.get("REMOTE_ADDR", ""))
        here = address is not None and address.is_loopback
        return (trusting if here else plain)(environ, start_response)

    return app


def _unhurried(inner: "WSGIApplication") -> "WSGIApplication":
    def app(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        # Requests that come in one after the other on one connection let others in between.
        time.sleep(0)
        if "HTTP_UPGRADE" in environ and "HTTP_SEC_WEBSOCKET_VERSION" not in environ:
            # The drafts before the standard know no limits.
            del environ["HTTP_UPGRADE"]
        # A compressed WebSocket costs more than half the speed and 100 kB a connection.
        environ.pop("HTTP_SEC_WEBSOCKET_EXTENSIONS", None)
        return inner(environ, start_response)

    return app


def _placed(inner: "WSGIApplication", own: str) -> "WSGIApplication":
    """Takes the path off which a proxy may have left on, and remembers it for what is linked."""

    def app(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        if own and path == own:
            start_response("308 Permanent Redirect", [("Location", f"{own}/")])
            return [b""]
        if own and path.startswith(f"{own}/"):
            environ["PATH_INFO"] = path[len(own) :]
        environ["SCRIPT_NAME"] = own or _said(environ)
        return inner(environ, start_response)

    return app


def _said(environ: "WSGIEnvironment") -> str:
    """The path that a trusted proxy says; one that can't be is none."""
    try:
        return prefix(environ.get("SCRIPT_NAME", ""))
    except ValueError:
        return ""
