"""The ways by which other people reach this server, and the operator who opens and closes them.

A way is a tunnel, or the machine's address on its own network ("house"). It leads to a listener of
its own (an ``Entrance``), so that it can be opened and closed while the server runs.

The operator is the person at the console. The console prints a link with a key, which can be
exchanged once for a token. A connection from this machine doesn't prove that the caller is the
operator: if somebody has opened a tunnel by hand, all its callers seem to connect from this
machine.
"""

import shutil
import threading
from hmac import compare_digest
from wsgiref.types import WSGIApplication

from msgspec import Struct, structs

from companion.adapters.listeners import Listen, Listener
from companion.service.errors import Fault
from companion.service.requests import hash_secret, new_secret
from companion.settings import Settings
from companion.terminal import Failure, print_line
from companion.web import ssh, tunnel
from companion.web.address import (
    PublicAddress,
    find_network_address,
    is_local,
    is_own_address,
    network_origin,
)
from companion.web.request_guards import Entrance, RequestGuards

HOUSE = "house"
"""The name of the way that uses the machine's address on its own network."""

THROUGH = {"cloudflared": "Cloudflare", "tailscale": "Tailscale", "ngrok": "ngrok"}
"""The companies through which the traffic of a tunnel program goes."""


class Choice(Struct, frozen=True):
    """A way that the operator can open."""

    way: str
    program: str | None  # the program that runs on this machine, if any
    through: str | None  # who forwards the traffic, if anybody
    encrypted: bool  # True if friends connect with https


class State(Struct, frozen=True):
    """The way that is open now, and the ways that the operator can open."""

    way: str | None
    origin: str | None  # the address for friends; None while it is unknown
    ended: str | None  # the reason why the way was closed, as a sentence
    reason: str | None  # the reason as one word, from which a client can make its own sentence
    choices: list[Choice]


class Operator:
    """Checks whether a caller is the operator.

    The key can be exchanged for a token once. From then on the token identifies the operator's
    browser.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.key: str | None = new_secret()
        self._token = ""  # hash of the token, empty until the key was used

    def exchange(self, key: str) -> str:
        """Return a token for the key. Raise ``Fault`` (not_found) if the key is wrong or used."""
        with self._lock:
            if self.key is None or not compare_digest(hash_secret(key), hash_secret(self.key)):
                raise Fault("not_found", what="key")
            self.key = None
            token = new_secret()
            self._token = hash_secret(token)
            return token

    def check(self, token: str | None) -> None:
        """Raise ``Fault`` (unauthenticated) unless this is the operator's token."""
        if not token or not self._token or not compare_digest(hash_secret(token), self._token):
            raise Fault("unauthenticated")


class Access:
    """Opens and closes the way by which other people reach this server."""

    def __init__(self, settings: Settings, public_address: PublicAddress) -> None:
        self._settings = settings
        self._public_address = public_address
        self._lock = threading.Lock()
        self._way: str | None = None
        self._tunnel: tunnel.Tunnel | None = None
        self._listener: Listener | None = None
        self._listen: Listen | None = None
        self._app: WSGIApplication | None = None
        self._guards: RequestGuards | None = None
        self._port = 0
        self._network_address: str | None = None  # where the way "house" listens, None if nowhere
        own_machine = is_local(settings.host) and not settings.trust_proxy.any
        self.operator = Operator() if own_machine and not settings.bus else None

    def serve(self, app: WSGIApplication, guards: RequestGuards) -> None:
        """Set the application that answers the requests of all ways."""
        self._app = app
        self._guards = guards

    def start(self, port: int, listen: Listen) -> None:
        """Make it possible to open ways, now that the server listens on this port."""
        self._port = port
        self._listen = listen

    def open(self, way: str) -> None:
        """Open a way, and close the one that was open.

        ``way`` is "house" or a tunnel as in the settings. Raise ``Failure`` if it can't be opened.
        """
        with self._lock:
            self._close()
            self._public_address.clear(active=True)
            self._way = way
            try:
                if way == HOUSE:
                    self._open_on_own_network()
                else:
                    self._open_tunnel(way)
            except (Failure, OSError) as error:
                why = error.message if isinstance(error, Failure) else str(error.strerror or error)
                self._close_entrance()
                self._public_address.set_ended(why, "ended")
                raise Failure(why) from error

    def _open_on_own_network(self) -> None:
        address = find_network_address()
        if address is None:
            raise Failure("this machine is on no network")
        try:
            self._listener = self._enter(Entrance(), address, self._port)
        except OSError:  # another program listens on this port at that address
            self._listener = self._enter(Entrance(), address, 0)
        origin = network_origin(address, self._listener.port)
        assert origin is not None
        self._network_address = address
        self._public_address.set_open(origin)
        print_line(f"Others on this network can join at {origin}", err=True)

    def follow_network(self) -> None:
        """Let friends in from the same house at the machine's new address if it has lost the old
        one.

        An address that the machine still has stays open, even if a VPN gives it another one.
        """
        with self._lock:
            if self._way != HOUSE or self._public_address.ended is not None:
                return
            if self._network_address and is_own_address(self._network_address):
                return
            self._close_entrance()
            self._network_address = None
            try:
                self._open_on_own_network()
            except (Failure, OSError):  # tried again at the next call
                self._public_address.set_broken("no-network")

    def _open_tunnel(self, way: str) -> None:
        service = ssh.find_service(way)
        # The operator's own machine only forwards connections, and adds no header with the
        # caller's address. A caller could forge that header, so don't trust it.
        names_caller = service is None or service.public
        entrance = Entrance(tunnel=True, names_caller=names_caller)
        self._listener = self._enter(entrance, "127.0.0.1", 0)
        settings = structs.replace(self._settings, tunnel=way)
        self._tunnel = tunnel.Tunnel(settings, self._listener.port, self._public_address)

    def _enter(self, entrance: Entrance, host: str, port: int) -> Listener:
        assert self._listen and self._app and self._guards
        return self._listen(self._guards.enter(self._app, entrance), host, port)

    def close(self) -> None:
        """Close the open way, if any, and all connections that were made through it."""
        with self._lock:
            self._close()
            self._public_address.clear(active=False)

    def _close(self) -> None:
        self._way = self._network_address = None
        if self._tunnel is not None:
            self._tunnel.close()
            self._tunnel = None
        self._close_entrance()

    def _close_entrance(self) -> None:
        if self._listener is not None:
            self._listener.close()
            self._listener = None

    def choices(self) -> list[Choice]:
        """Return the ways that can be opened on this machine."""
        choices = []
        own = self._settings.tunnel
        if own and own not in tunnel.KNOWN and own != "ssh":
            service = ssh.find_service(own)
            if service is None or not service.public:
                through = service.host if service else None
                choices.append(Choice(own, own.split()[0].partition(":")[0], through, False))
        if shutil.which("ssh"):
            for name, service in ssh.SERVICES.items():
                choices.append(Choice(f"ssh:{name}", "ssh", service.host, True))
        for name in tunnel.KNOWN:
            if shutil.which(name):
                choices.append(Choice(name, name, THROUGH[name], True))
        if find_network_address() is not None:
            choices.append(Choice(HOUSE, None, None, False))
        return choices

    def state(self) -> State:
        public = self._public_address
        way = "ssh:" + ssh.USUAL if self._way == "ssh" else self._way
        return State(way, public.origin, public.ended, public.reason, self.choices())
