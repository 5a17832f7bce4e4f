"""What stands before the app, and is asked of every request before anybody looks at what it wants.
What a proxy says of the caller, and under which path it serves; under which name the request comes,
from which page, as what, and from where. A page of somebody else's can make a browser send
requests, and can even have its own name lead here (DNS rebinding): neither may do anything."""

import io
import re
import socket
import time
from collections.abc import Iterable
from ipaddress import ip_address
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask, request
from werkzeug.middleware.proxy_fix import ProxyFix

from companion.service.errors import Fault
from companion.service.logs import line
from companion.settings import Settings
from companion.web.address import PublicAddress
from companion.web.origins import Origin, parse_host, parse_origin
from companion.web.rate_limits import address_of, household

PREFIX = re.compile(r"(/(?!\.{1,2}(/|$))[\w.~-]+)+", re.ASCII)
"""Plain steps down from the root, which mean the same to every browser and proxy."""

UNOWNED = (".localhost", ".local", ".internal", ".home.arpa", ".lan")
"""Ends of names that nobody can register; like names of one word, they lead nobody astray."""

MOST_BYTES = 4096  # a command, and the body of a call, needs no more

UNREADABLE = "companion.unreadable"  # in a request's environ: its body is not in proper chunks

BY_A_PROXY = frozenset(
    f"HTTP_{name}"
    for name in (
        "FORWARDED", "VIA", "X_REAL_IP", "X_CLIENT_IP", "X_CLUSTER_CLIENT_IP", "X_ORIGINAL_HOST",
        "CF_CONNECTING_IP", "TRUE_CLIENT_IP", "FLY_CLIENT_IP", "FASTLY_CLIENT_IP",
    )
)  # fmt: skip
"""Headers that only a proxy adds, besides all that begin as the next."""

FORWARDED = "HTTP_X_FORWARDED"

NAMES_CALLER = ("HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED", "HTTP_X_REAL_IP")
"""Headers in which a proxy says who calls."""

SCHEMES = {"http": "http", "https": "https", "ws": "http", "wss": "https"}
"""What a proxy may call the caller's scheme (Traefik says wss of a WebSocket), and what it is."""


class RequestGuards:
    """The names that this server has, and the pages that may speak to it."""

    def __init__(self, settings: Settings, way: PublicAddress) -> None:
        self._settings = settings
        self._way = way
        self._noted = False  # that a proxy isn't trusted
        self._origins = frozenset(map(parse_origin, settings.origins))
        self._below = tuple(name for name in settings.hosts if name.startswith("."))
        # Its whole name would have to be asked of the network, which may not answer for seconds.
        self._own = {name.lower() for name in (settings.host, socket.gethostname())}

    def has_own_host(self, environ: WSGIEnvironment) -> bool:
        """Returns True if the request came under a name that is this server's. Those of the
        setting; without it what leads here and nowhere else, and what a trusted proxy says. An
        address is no name: whoever has it was not led astray."""
        host = environ.get("HTTP_HOST")
        if host is None:
            return True  # no browser
        try:
            name = parse_host(host).name
        except ValueError:
            return False
        if names := self._settings.hosts:
            own = (*names, "localhost", "127.0.0.1", "::1", self._settings.host.lower())
            return "*" in names or name in own or f".{name}".endswith(self._below)
        ours = name in self._own or name == self._way.name
        return ours or self._settings.trust_proxy.any or _leads_nobody_astray(name)

    def is_own_origin(self, origin: str | None, environ: WSGIEnvironment) -> bool:
        """Returns True if a page of this origin may connect: the server's own and the set ones."""
        asked = _as_origin(origin)
        own = _as_origin(f"{environ['wsgi.url_scheme']}://{environ.get('HTTP_HOST', '')}")
        return asked is not None and (asked == own or asked in self._origins)

    def is_from_own_page(self, environ: WSGIEnvironment) -> bool:
        """Returns True if a browser says that one of our pages asks, or that a person does. A
        program says nothing of the sort. What a link opens may be looked at."""
        origin = environ.get("HTTP_ORIGIN")
        site = environ.get("HTTP_SEC_FETCH_SITE")
        if _as_origin(origin) in self._origins:
            return True
        if environ["REQUEST_METHOD"] in ("GET", "HEAD"):
            opened = environ.get("HTTP_SEC_FETCH_DEST") == "document"
            return site in (None, "same-origin", "none") or opened
        if site is not None:
            return site in ("same-origin", "none")
        return origin is None or self.is_own_origin(origin, environ)

    def is_local(self, environ: WSGIEnvironment) -> bool:
        """Returns True if this machine asks. Nothing that came through a proxy does, trusted or
        not, whatever header it leaves of that; nor does what came through a tunnel, whose program
        speaks from here and need not say of whom."""
        through = any(key.startswith(FORWARDED) or key in BY_A_PROXY for key in environ)
        return _by_this_machine(environ) and not through and not self._settings.tunnel

    def _note_untrusted(self, environ: WSGIEnvironment) -> None:
        """Write one line in the log, once, when a header names a caller but isn't trusted: if a
        proxy sent it, all who come through that proxy count as one address."""
        if self._noted or self._settings.trust_proxy.addresses or self._settings.tunnel:
            return
        header = next((key for key in NAMES_CALLER if key in environ), None)
        if header is not None:
            self._noted = True
            name = header.removeprefix("HTTP_").replace("_", "-").title()
            address = household(environ.get("REMOTE_ADDR", ""))
            line("untrusted_proxy", header=name, address=address, setting="--trust-proxy")

    def guard(self, app: Flask) -> None:
        """Lets nothing pass to the app that these gates don't let in."""

        @app.before_request
        def check() -> None:
            if UNREADABLE in request.environ:
                why = "the body is not in chunks of HTTP/1.1, without extensions and trailers"
                raise Fault("bad_request", at="Transfer-Encoding", why=why)
            if not self.has_own_host(request.environ):
                why = "this server has another name (--hosts)"
                raise Fault("bad_request", at="Host", why=why)
            if request.blueprint != "api":  # what asks and changes; all else is looked at
                return
            if not self.is_from_own_page(request.environ):
                raise Fault("forbidden")
            # A form can't say this of itself; what says nothing and has no body is no form.
            kind = request.mimetype
            length = request.content_length
            if request.method == "POST" and kind != "application/json" and (kind or length):
                raise Fault("bad_request", at="Content-Type", why="not application/json")

    def wrap(self, sockets: WSGIApplication, plain: WSGIApplication) -> WSGIApplication:
        """The app behind its proxies, served under its path; ``plain``: it without its sockets.
        With a tunnel its program on this machine says who comes and how, and nobody else. What
        comes under another's name reaches no socket, but the app, which says so."""
        own = self._settings.prefix
        hops = self._settings.trust_proxy

        def app(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
            # Requests that come in one after the other on one connection let others in between.
            time.sleep(0)
            if own and environ["PATH_INFO"] == own:
                start_response("308 Permanent Redirect", [("Location", f"{own}/")])
                return [b""]
            self._note_untrusted(environ)
            _set_right(environ, own)
            readable = UNREADABLE not in environ
            return (sockets if readable and self.has_own_host(environ) else plain)(
                environ, start_response
            )

        def app_behind_tunnel(
            environ: WSGIEnvironment, start_response: StartResponse
        ) -> Iterable[bytes]:
            return (told if _by_this_machine(environ) else app)(environ, start_response)

        told = ProxyFix(app, x_for=1, x_proto=1)
        if self._settings.tunnel and not hops.any:
            return app_behind_tunnel
        return ProxyFix(
            app,
            x_for=hops.addresses,
            x_proto=hops.schemes,
            x_host=hops.hosts,
            x_prefix=hops.prefixes,
        )


def prefix(text: str) -> str:
    """A path as somebody writes it, without the slash at its end; raises ValueError."""
    found = text.removesuffix("/")
    if found and not PREFIX.fullmatch(found):
        raise ValueError("write it as /hiss or /games/hiss: steps of letters, digits and . _ ~ -")
    return found


SOURCE = re.compile(r"[!-+\--:<-~]+")
"""A source in the policy's header: what is no blank, and ends no rule and no policy."""


def frame_ancestors(text: str) -> str:
    """Returns who may show the pages in a frame, in one line; raises ValueError."""
    sources = text.split()
    if not all(map(SOURCE.fullmatch, sources)):
        raise ValueError("write 'none', or 'self' and origins as https://call.example, with blanks")
    return " ".join(sources) or "'none'"


def _set_right(environ: WSGIEnvironment, own: str) -> None:
    """Takes off what a proxy may have left on, and what this server doesn't want to know of."""
    if own and environ["PATH_INFO"].startswith(f"{own}/"):
        environ["PATH_INFO"] = environ["PATH_INFO"][len(own) :]
    try:
        environ["SCRIPT_NAME"] = own or prefix(environ.get("SCRIPT_NAME", ""))
    except ValueError:  # a path that can't be is none
        environ["SCRIPT_NAME"] = ""
    _set_scheme(environ)
    if "HTTP_UPGRADE" in environ and "HTTP_SEC_WEBSOCKET_VERSION" not in environ:
        del environ["HTTP_UPGRADE"]  # the drafts before the standard know no limits
    # A compressed WebSocket costs more than half the speed and 100 kB a connection.
    environ.pop("HTTP_SEC_WEBSOCKET_EXTENSIONS", None)
    if environ.get("HTTP_TRANSFER_ENCODING", "").lower() == "chunked":
        # A body in pieces is put together as far as it is read: its length is known then.
        try:
            body = environ["wsgi.input"].read(MOST_BYTES + 1)
        except (OSError, ValueError):
            body = b""
            environ[UNREADABLE] = True
        del environ["HTTP_TRANSFER_ENCODING"]
        environ["wsgi.input"] = io.BytesIO(body)
        environ["CONTENT_LENGTH"] = str(len(body))


def _by_this_machine(environ: WSGIEnvironment) -> bool:
    address = address_of(environ.get("REMOTE_ADDR", ""))
    return address is not None and address.is_loopback


def _set_scheme(environ: WSGIEnvironment) -> None:
    """Reads the caller's scheme as proxies may write it; one that is none leaves the server's."""
    scheme = SCHEMES.get(environ["wsgi.url_scheme"].lower())
    if scheme is None:
        scheme = environ["werkzeug.proxy_fix.orig"]["wsgi.url_scheme"]
    environ["wsgi.url_scheme"] = scheme


def _as_origin(text: str | None) -> Origin | None:
    try:
        return parse_origin(text or "")
    except ValueError:
        return None


def _leads_nobody_astray(name: str) -> bool:
    """Returns True for addresses, and for names that nobody can register."""
    try:
        ip_address(name)
    except ValueError:
        return "." not in name or name.endswith(UNOWNED)
    return True
