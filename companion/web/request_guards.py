"""Checks that every request must pass before the app handles it.

A stranger's page can make a player's browser send requests to this server, and can even let its own
host name resolve to this server (DNS rebinding). So the guards check a request's ``Host`` header,
origin and content type, and refuse requests that don't come from this server's own pages. The
guards also apply the headers of trusted proxies (the caller's address and scheme, and the path
under which the server is published). They ignore such headers from all other clients.
"""

import io
import re
import socket
import time
from collections.abc import Iterable
from ipaddress import ip_address
from typing import NamedTuple
from urllib.parse import urlsplit
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask, request
from werkzeug.middleware.proxy_fix import ProxyFix

from companion.service.addresses import address_of, household
from companion.service.errors import Fault
from companion.service.logs import line
from companion.settings import Settings
from companion.web.address import PublicAddress, is_local
from companion.web.origins import Origin, parse_host, parse_origin

PREFIX = re.compile(r"(/(?!\.{1,2}(/|$))[\w.~-]+)+", re.ASCII)
"""A path without ``.``, ``..`` and escapes, which all browsers and proxies read the same way."""

UNOWNED = (".localhost", ".local", ".internal", ".home.arpa", ".lan")
"""Domains in which nobody can register a name, so that they are safe from DNS rebinding."""

MOST_BYTES = 4096  # limit in bytes for a command, and for the body of an HTTP call

UNREADABLE = "companion.unreadable"  # set in a request's environ if its chunked body is malformed

UPLOAD_PATH = "/api/replays"
"""The only path whose handler reads chunked bodies itself, because its limit for a body is higher.
"""

BY_A_PROXY = frozenset(
    f"HTTP_{name}"
    for name in (
        "FORWARDED", "VIA", "X_REAL_IP", "X_CLIENT_IP", "X_CLUSTER_CLIENT_IP", "X_ORIGINAL_HOST",
        "CF_CONNECTING_IP", "TRUE_CLIENT_IP", "FLY_CLIENT_IP", "FASTLY_CLIENT_IP",
    )
)  # fmt: skip
"""Headers that only a proxy adds. The headers that begin with ``FORWARDED`` aren't listed here."""

FORWARDED = "HTTP_X_FORWARDED"

UNKNOWN_CALLER = "tunnel"
"""Stands for the address of everybody who comes through a tunnel that doesn't name its callers."""

NAMES_CALLER = ("HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED", "HTTP_X_REAL_IP")
"""Headers in which a proxy names the caller's address."""

SCHEMES = {"http": "http", "https": "https", "ws": "http", "wss": "https"}
"""Maps the scheme that a proxy reports for the caller (Traefik reports wss) to http or https."""


ENTRANCE = "companion.entrance"
"""Set in a request's environ to its ``Entrance``, if it didn't come by the server's own address."""


class Entrance(NamedTuple):
    """A further listener of the server, by which other people come in.

    Nobody who comes by it counts as somebody on this machine, and nothing of the operator's is
    served there.
    """

    tunnel: bool = False  # True if all connections come from a program on this machine
    names_caller: bool = False  # True if that program names the caller in X-Forwarded-For


class RequestGuards:
    """Checks requests against the host names and origins of this server."""

    def __init__(self, settings: Settings, public_address: PublicAddress) -> None:
        self._settings = settings
        self._public_address = public_address
        self._noted = False  # True once the log mentions an untrusted proxy
        self._origins = frozenset(map(parse_origin, settings.origins))
        self._domains = tuple(name for name in settings.hosts if name.startswith("."))
        # Don't use the fully qualified name: looking it up on the network may take seconds.
        self._own = {name.lower() for name in (settings.host, socket.gethostname())}

    def has_own_host(self, environ: WSGIEnvironment) -> bool:
        """Return True if the request's ``Host`` header names this server.

        With the setting ``hosts``, only the names in the setting and local ones are allowed.
        Without the setting, these are allowed: this machine's names, the tunnel's name, any IP
        address, and any name that nobody can register. If a proxy is trusted, any name is allowed.
        """
        host = environ.get("HTTP_HOST")
        if host is None:
            return True  # a request without this header doesn't come from a browser
        try:
            name = parse_host(host).name
        except ValueError:
            return False
        if names := self._settings.hosts:
            own = (*names, "localhost", "127.0.0.1", "::1", self._settings.host.lower())
            return "*" in names or name in own or f".{name}".endswith(self._domains)
        ours = name in self._own or name == self._public_address.name
        return ours or self._settings.trust_proxy.any or _is_safe_from_rebinding(name)

    def is_own_origin(self, origin: str | None, environ: WSGIEnvironment) -> bool:
        """Return True if pages of this origin may connect.

        These are the server's own pages, and pages of the origins in the setting ``origins``.
        """
        parsed = _as_origin(origin)
        own = _as_origin(f"{environ['wsgi.url_scheme']}://{environ.get('HTTP_HOST', '')}")
        return parsed is not None and (parsed == own or parsed in self._origins)

    def is_from_own_page(self, environ: WSGIEnvironment) -> bool:
        """Return False if the browser's headers show that another site sent this request.

        Programs other than browsers don't send these headers, so their requests pass. A GET request
        passes, too, if a link opened it.
        """
        origin = environ.get("HTTP_ORIGIN")
        site = environ.get("HTTP_SEC_FETCH_SITE")
        if _as_origin(origin) in self._origins:
            return True
        if environ["REQUEST_METHOD"] in ("GET", "HEAD"):
            is_navigation = environ.get("HTTP_SEC_FETCH_DEST") == "document"
            return site in (None, "same-origin", "none") or is_navigation
        if site is not None:
            return site in ("same-origin", "none")
        return origin is None or self.is_own_origin(origin, environ)

    def is_local(self, environ: WSGIEnvironment) -> bool:
        """Return True if a program on this machine sent the request directly.

        Return False if the request has any header that proxies add, trusted or not. With a tunnel,
        always return False, because the tunnel's program runs on this machine and may not add a
        header.
        """
        has_proxy = any(key.startswith(FORWARDED) or key in BY_A_PROXY for key in environ)
        direct = _is_from_loopback(environ) and not has_proxy and ENTRANCE not in environ
        return direct and not self._settings.tunnel

    def may_be_operators(self, environ: WSGIEnvironment) -> bool:
        """Return True if the request may come from the operator's browser on this machine.

        Such a request comes by the server's own address, from this machine, without a proxy, and
        its ``Host`` header names this machine. This proves nothing: the caller also needs the
        operator's token.
        """
        try:
            host = parse_host(environ.get("HTTP_HOST", "")).name
        except ValueError:
            return False
        has_proxy = any(key.startswith(FORWARDED) or key in BY_A_PROXY for key in environ)
        direct = _is_from_loopback(environ) and not has_proxy and ENTRANCE not in environ
        return direct and is_local(host)

    def enter(self, app: WSGIApplication, entrance: Entrance) -> WSGIApplication:
        """Return the application as it is served to callers who come by this entrance."""

        def app_at_entrance(
            environ: WSGIEnvironment, start_response: StartResponse
        ) -> Iterable[bytes]:
            environ[ENTRANCE] = entrance
            if entrance.tunnel:
                # The connection comes from the tunnel's program, so its address isn't the caller's.
                environ["REMOTE_ADDR"] = UNKNOWN_CALLER
                scheme = urlsplit(self._public_address.origin or "").scheme
                environ["wsgi.url_scheme"] = scheme or environ["wsgi.url_scheme"]
            return app(environ, start_response)

        return app_at_entrance

    def _note_untrusted(self, environ: WSGIEnvironment) -> None:
        """Log once that a header contains the caller's address although no proxy is trusted.

        If a proxy sent the header, the rate limits count all clients behind that proxy as one
        address.
        """
        trusted = self._settings.trust_proxy.addresses or self._settings.tunnel
        if self._noted or trusted or ENTRANCE in environ:
            return
        header = next((key for key in NAMES_CALLER if key in environ), None)
        if header is not None:
            self._noted = True
            name = header.removeprefix("HTTP_").replace("_", "-").title()
            address = household(environ.get("REMOTE_ADDR", ""))
            line("untrusted_proxy", header=name, address=address, setting="--trust-proxy")

    def guard(self, app: Flask) -> None:
        """Make the app refuse every request that fails the checks."""

        @app.before_request
        def check() -> None:
            if UNREADABLE in request.environ:
                raise malformed_chunks()
            if not self.has_own_host(request.environ):
                why = "this server has another name (--hosts)"
                raise Fault("bad_request", at="Host", why=why)
            if request.blueprint != "api":  # requests outside the API change nothing
                return
            if not self.is_from_own_page(request.environ):
                raise Fault("forbidden")
            # An HTML form can't send JSON, nor a POST that has neither a type nor a body.
            kind = request.mimetype
            length = request.content_length or "wsgi.input_terminated" in request.environ
            if request.method == "POST" and kind != "application/json" and (kind or length):
                raise Fault("bad_request", at="Content-Type", why="not application/json")

    def wrap(self, sockets: WSGIApplication, plain: WSGIApplication) -> WSGIApplication:
        """Return an application that applies the proxies' headers and serves under the path prefix.

        ``sockets`` is the app with Socket.IO, ``plain`` the app without it. A request for another
        host goes to ``plain``, which refuses the request with an error. With a tunnel, the server
        accepts the caller's address only from the tunnel's program on this machine. A request that
        came by an ``Entrance`` has only the headers that this entrance's program adds.
        """
        own = self._settings.prefix
        hops = self._settings.trust_proxy

        def app(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
            # Let other threads run, because one connection may send requests without a pause.
            time.sleep(0)
            if own and environ["PATH_INFO"] == own:
                start_response("308 Permanent Redirect", [("Location", f"{own}/")])
                return [b""]
            self._note_untrusted(environ)
            _normalise(environ, own)
            readable = UNREADABLE not in environ
            return (sockets if readable and self.has_own_host(environ) else plain)(
                environ, start_response
            )

        def app_behind_tunnel(
            environ: WSGIEnvironment, start_response: StartResponse
        ) -> Iterable[bytes]:
            return (fixed if _is_from_loopback(environ) else app)(environ, start_response)

        fixed = ProxyFix(app, x_for=1, x_proto=1)
        own_way: WSGIApplication = app_behind_tunnel
        if hops.any or not self._settings.tunnel:
            own_way = ProxyFix(
                app,
                x_for=hops.addresses,
                x_proto=hops.schemes,
                x_host=hops.hosts,
                x_prefix=hops.prefixes,
            )

        def app_by_entrance(
            environ: WSGIEnvironment, start_response: StartResponse
        ) -> Iterable[bytes]:
            entrance = environ.get(ENTRANCE)
            if entrance is None:
                return own_way(environ, start_response)
            return (fixed if entrance.names_caller else app)(environ, start_response)

        return app_by_entrance


def malformed_chunks() -> Fault:
    """Return the error for a chunked body that is malformed."""
    why = "the body is not in chunks of HTTP/1.1, without extensions and trailers"
    return Fault("bad_request", at="Transfer-Encoding", why=why)


def parse_prefix(text: str) -> str:
    """Return a path prefix without its last slash. Raise ``ValueError`` if it is invalid."""
    path = text.removesuffix("/")
    if path and not PREFIX.fullmatch(path):
        raise ValueError("write it as /hiss or /games/hiss: steps of letters, digits and . _ ~ -")
    return path


SOURCE = re.compile(r"[!-+\--:<-~]+")
"""A source in a Content-Security-Policy header: printable ASCII without ``,`` and ``;``."""


def parse_frame_ancestors(text: str) -> str:
    """Return the sites that may show the pages in a frame, for the Content-Security-Policy.

    Raise ``ValueError`` if one of them is invalid.
    """
    sources = text.split()
    if not all(map(SOURCE.fullmatch, sources)):
        raise ValueError("write 'none', or 'self' and origins as https://call.example, with blanks")
    return " ".join(sources) or "'none'"


def _normalise(environ: WSGIEnvironment, own: str) -> None:
    """Set path, scheme and body length, and drop the headers that this server doesn't support.

    ``own`` is the path prefix from the settings, which a proxy may already have removed.
    """
    if own and environ["PATH_INFO"].startswith(f"{own}/"):
        environ["PATH_INFO"] = environ["PATH_INFO"][len(own) :]
    try:
        environ["SCRIPT_NAME"] = own or parse_prefix(environ.get("SCRIPT_NAME", ""))
    except ValueError:  # an invalid prefix is ignored
        environ["SCRIPT_NAME"] = ""
    _set_scheme(environ)
    if "HTTP_UPGRADE" in environ and "HTTP_SEC_WEBSOCKET_VERSION" not in environ:
        del environ["HTTP_UPGRADE"]  # WebSocket drafts before RFC 6455 have no size limits
    # WebSocket compression would halve the speed, and take 100 kB per connection.
    environ.pop("HTTP_SEC_WEBSOCKET_EXTENSIONS", None)
    if environ.get("HTTP_TRANSFER_ENCODING", "").lower() == "chunked":
        del environ["HTTP_TRANSFER_ENCODING"]
        if environ["PATH_INFO"] == UPLOAD_PATH:
            environ["wsgi.input_terminated"] = True  # tells Flask that the body has an end
            return
        # Read a chunked body, up to the limit, and pass it on as a body of known length.
        try:
            body = environ["wsgi.input"].read(MOST_BYTES + 1)
        except (OSError, ValueError):
            body = b""
            environ[UNREADABLE] = True
        environ["wsgi.input"] = io.BytesIO(body)
        environ["CONTENT_LENGTH"] = str(len(body))


def never_local(environ: WSGIEnvironment) -> bool:
    """Return False, for a server that treats no client as one on its own machine."""
    return False


def _is_from_loopback(environ: WSGIEnvironment) -> bool:
    address = address_of(environ.get("REMOTE_ADDR", ""))
    return address is not None and address.is_loopback


def _set_scheme(environ: WSGIEnvironment) -> None:
    """Set the scheme that a proxy reports for the caller, or the server's own scheme."""
    scheme = SCHEMES.get(environ["wsgi.url_scheme"].lower())
    if scheme is None:
        scheme = environ["werkzeug.proxy_fix.orig"]["wsgi.url_scheme"]
    environ["wsgi.url_scheme"] = scheme


def _as_origin(text: str | None) -> Origin | None:
    try:
        return parse_origin(text or "")
    except ValueError:
        return None


def _is_safe_from_rebinding(name: str) -> bool:
    """Return True for IP addresses, and for names that nobody can register."""
    try:
        ip_address(name)
    except ValueError:
        return "." not in name or name.endswith(UNOWNED)
    return True
