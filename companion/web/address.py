"""Where others reach this server: the address in links and QR codes. It is the one under which the
page itself was asked, which the gates have let in; only when that leads to nowhere but this machine
is it the machine's address on its network, if it listens."""

import socket
from ipaddress import ip_address
from urllib.parse import urlsplit

from flask import Request
from msgspec import Struct

from companion.settings import Settings

NOBODY = "192.0.2.1"  # an address kept for examples: somewhere else, wherever one is


def on_the_network() -> str | None:
    """This machine's IPv4 address on its network; ``None`` when it has none. A datagram socket that
    is connected has sent nothing yet, but knows from where it would."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect((NOBODY, 9))
            found = str(asked.getsockname()[0])
        except OSError:
            return None
    return None if only_here(found) or ip_address(found).is_unspecified else found


def only_here(host: str) -> bool:
    """Whether a name or address leads to nowhere but this machine."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def listens_at(host: str, port: int | str) -> str | None:
    """The origin at which others on the network reach a server that listens on ``host``."""
    if only_here(host):
        return None
    try:
        everywhere = ip_address(host or "0.0.0.0").is_unspecified
    except ValueError:
        everywhere = False
    found = on_the_network() if everywhere else host
    if found is None:
        return None
    return f"http://[{found}]:{port}" if ":" in found else f"http://{found}:{port}"


def near(host: str, port: int) -> str:
    """Where this machine reaches a server that listens on ``host``."""
    everywhere = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "[::1]"}
    return f"http://{everywhere.get(host, f'[{host}]' if ':' in host else host)}:{port}"


class PublicAddress(Struct):
    """The way in from the internet, if there is a tunnel. ``origin``: where it answers, as far as
    that is known; ``ended``: why it is no more."""

    origin: str | None = None
    ended: str | None = None

    @property
    def name(self) -> str | None:
        return urlsplit(self.origin).hostname if self.origin else None


class Address:
    """The address to hand on, for this server."""

    def __init__(self, settings: Settings, way: PublicAddress) -> None:
        self._host = settings.host
        self._tunnel = bool(settings.tunnel)
        self._way = way

    def as_json(self, request: Request) -> dict[str, object]:
        """Where others reach this server, as far as it can tell, as JSON has it."""
        known: dict[str, object] = {"origin": self.origin(request)}
        return known | ({"tunnel": self._way} if self._tunnel else {})

    def origin(self, request: Request) -> str | None:
        """Scheme, host and port that others can reach; ``None``: nobody but this machine can."""
        asked = request.host_url.rstrip("/")
        if not only_here(urlsplit(asked).hostname or ""):
            return asked
        if self._way.origin:
            return self._way.origin
        return listens_at(self._host, request.environ["SERVER_PORT"])

    def link(self, request: Request, path: str) -> str:
        origin = self.origin(request) or request.host_url.rstrip("/")
        return f"{origin}{request.script_root}/{path}"
