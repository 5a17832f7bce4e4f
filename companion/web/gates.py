"""What is asked of every request before anybody looks at what it wants.

Under which name it comes, from which page, as what, and from where. A page of somebody
else's can make a browser send requests, and can even have its own name lead here (DNS
rebinding): neither may do anything. This module must not know what a request is for.
"""

import io
import re
import socket
from ipaddress import ip_address
from typing import Any

from flask import Flask, request
from werkzeug.sansio.utils import host_is_trusted

from companion.service.errors import Fault
from companion.settings import Settings
from companion.web.address import Way
from companion.web.rates import address_of

Environ = dict[str, Any]

NAME = re.compile(r"[\w.-]+", re.ASCII)

CALLS = ("api", "robots")
"""What asks and changes; all else is looked at."""

UNOWNED = (".localhost", ".local", ".internal", ".home.arpa", ".lan")
"""Ends of names that nobody can register; like names of one word, they lead nobody astray."""

HOW_OTHERS_CAME = ("HTTP_FORWARDED", "HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_HOST",
                   "HTTP_X_FORWARDED_PROTO", "HTTP_X_REAL_IP")  # fmt: skip


class Gates:
    """The names that this server has, and the pages that may speak to it."""

    def __init__(self, settings: Settings, way: Way) -> None:
        self._origins, self._proxied = settings.origins, settings.trust_proxy > 0
        self._tunnel, self._way = bool(settings.tunnel), way
        self._named, self._host = settings.hosts, settings.host
        # Its whole name would have to be asked of the network, which may not answer for seconds.
        self._own = {name.lower() for name in (settings.host, socket.gethostname())}

    def named(self, environ: Environ) -> bool:
        """Whether the request came under a name that is this server's.

        Those of the setting; without it what leads here and nowhere else, and what a
        trusted proxy says. An address is no name: whoever has it was not led astray.
        """
        host = environ.get("HTTP_HOST")
        if host is None:
            return True  # no browser
        name = _name(host)
        if self._named:
            own = (*self._named, "localhost", "127.0.0.1", "::1", self._host)
            return "*" in self._named or name == "::1" or host_is_trusted(host, own)
        ours = name in self._own or name == self._way.name
        return ours or self._proxied or _leads_nobody_astray(name)

    def origin(self, origin: str | None, environ: Environ) -> bool:
        """Whether a page of this origin may connect: the server's own and the set ones."""
        own = f"{environ['wsgi.url_scheme']}://{environ.get('HTTP_HOST', '')}"
        return origin == own or origin in self._origins

    def page(self, environ: Environ) -> bool:
        """Whether a browser says that one of our pages asks, or that a person does.

        A program says nothing of the sort. What a link opens may be looked at.
        """
        origin, site = environ.get("HTTP_ORIGIN"), environ.get("HTTP_SEC_FETCH_SITE")
        if origin in self._origins:
            return True
        if environ["REQUEST_METHOD"] in ("GET", "HEAD"):
            opened = environ.get("HTTP_SEC_FETCH_DEST") == "document"
            return site in (None, "same-origin", "none") or opened
        if site is not None:
            return site in ("same-origin", "none")
        return origin is None or self.origin(origin, environ)

    def from_here(self, environ: Environ) -> bool:
        """Whether this machine asks.

        Through a proxy that isn't trusted anybody may; through a tunnel, too, whose program speaks
        from here and need not say of whom.
        """
        address = address_of(environ.get("REMOTE_ADDR", ""))
        through = any(key in environ for key in HOW_OTHERS_CAME)
        if address is None or self._tunnel:
            return False
        return address.is_loopback and (self._proxied or not through)

    def guard(self, app: Flask) -> None:
        """Lets nothing pass to the app that these gates don't let in."""

        @app.before_request
        def check() -> None:
            if not self.named(request.environ):
                why = "this server has another name (--hosts)"
                raise Fault("bad_request", at="Host", why=why)
            if request.blueprint not in CALLS:
                return
            if not self.page(request.environ):
                raise Fault("forbidden")
            if request.method == "POST" and not _is_json(request.mimetype, request.content_length):
                raise Fault("bad_request", at="Content-Type", why="not application/json")


def _is_json(kind: str, length: int | None) -> bool:
    """A form can't say this of itself; what says nothing and has no body is no form."""
    return kind == "application/json" or (not kind and not length)


def _name(host: str) -> str:
    """The name or address in a Host header, without its port."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].lower().rstrip(".")


def _leads_nobody_astray(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return NAME.fullmatch(name) is not None and ("." not in name or name.endswith(UNOWNED))
    return True


def whole(environ: Environ, most: int) -> None:
    """A body that comes in pieces, put together as far as it is read: its length is known then."""
    if environ.get("HTTP_TRANSFER_ENCODING", "").lower() != "chunked":
        return
    try:
        body = environ["wsgi.input"].read(most + 1)
    except (OSError, ValueError):
        body = b""  # whatever it was to be, it says nothing
    del environ["HTTP_TRANSFER_ENCODING"]
    environ["wsgi.input"], environ["CONTENT_LENGTH"] = io.BytesIO(body), str(len(body))
