"""The address at which other people reach this server, for links and QR codes.

This is the address in the request for the page itself, because that address works for the caller
and has passed the request guards. But an address such as ``localhost`` means another machine to
other people. In that case, the tunnel's address is used, or this machine's address on the local
network if the server listens there.
"""

import socket
from ipaddress import ip_address
from urllib.parse import urlsplit

from flask import Request
from msgspec import Struct

from companion.settings import Settings

NOBODY = "192.0.2.1"  # reserved for documentation, so never on the local network


def find_network_address() -> str | None:
    """Return this machine's IPv4 address on its network, or None if it has none.

    Connecting a datagram socket sends nothing, but makes the system choose the address from which
    the socket would send.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((NOBODY, 9))
            address = str(probe.getsockname()[0])
        except OSError:
            return None
    return None if is_local(address) or ip_address(address).is_unspecified else address


def is_own_address(address: str) -> bool:
    """Return True if this machine has this IPv4 address now."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind((address, 0))
        except OSError:
            return False
    return True


def is_local(host: str) -> bool:
    """Return True if a name or address always means the local machine."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def network_origin(host: str, port: int | str) -> str | None:
    """Return the origin at which other machines on the network reach this server, or None.

    ``host`` is the address on which the server listens.
    """
    if is_local(host):
        return None
    try:
        everywhere = ip_address(host or "0.0.0.0").is_unspecified
    except ValueError:
        everywhere = False
    address = find_network_address() if everywhere else host
    if address is None:
        return None
    return f"http://[{address}]:{port}" if ":" in address else f"http://{address}:{port}"


def local_origin(host: str, port: int) -> str:
    """Return the origin at which this machine itself reaches the server.

    ``host`` is the address on which the server listens.
    """
    everywhere = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "[::1]"}
    return f"http://{everywhere.get(host, f'[{host}]' if ':' in host else host)}:{port}"


class PublicAddress(Struct):
    """The address at which other people reach this server through an open way (see ``access``)."""

    origin: str | None = None  # None until the tunnel program has printed its address
    ended: str | None = None  # the reason why the tunnel was closed; None while the tunnel is open
    reason: str | None = (
        None  # the reason as one word, from which a client can make its own sentence
    )
    active: bool = False  # True from the time when a way in is opened until it is closed on purpose

    @property
    def name(self) -> str | None:
        return urlsplit(self.origin).hostname if self.origin else None

    def set_open(self, origin: str) -> None:
        self.origin = origin
        self.ended = self.reason = None

    def set_broken(self, reason: str) -> None:
        """The connection broke, and is being opened again."""
        self.origin = None
        self.reason = reason

    def set_ended(self, why: str, reason: str) -> None:
        self.origin = None
        self.ended = why
        self.reason = reason

    def clear(self, *, active: bool) -> None:
        self.origin = self.ended = self.reason = None
        self.active = active


class Address:
    """Finds the address to put into links and QR codes."""

    def __init__(self, settings: Settings, public_address: PublicAddress) -> None:
        self._host = settings.host
        self._tunnel = bool(settings.tunnel)
        self._public_address = public_address

    def as_json(self, request: Request) -> dict[str, object]:
        """Return the origin, and the tunnel's state if there is a tunnel, as the API's answer."""
        answer: dict[str, object] = {"origin": self.origin(request)}
        if self._tunnel or self._public_address.active:
            public = self._public_address
            answer["tunnel"] = {"origin": public.origin, "ended": public.ended}
        return answer

    def origin(self, request: Request) -> str | None:
        """Return the origin (scheme, host, port) for other people; None if they can't connect."""
        requested = request.host_url.rstrip("/")
        if not is_local(urlsplit(requested).hostname or ""):
            return requested
        if self._public_address.origin:
            return self._public_address.origin
        return network_origin(self._host, request.environ["SERVER_PORT"])

    def link(self, request: Request, path: str) -> str:
        origin = self.origin(request) or request.host_url.rstrip("/")
        return f"{origin}{request.script_root}/{path}"
