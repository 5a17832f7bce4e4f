"""All settings as one record, and the paths of the folders that come with the program.

Each field of ``Settings`` that has an ``Option`` becomes an option of the command line.
"""

import os
import re
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import platformdirs
from msgspec import Struct, field

_PACKAGE = Path(__file__).resolve().parent


def folder(name: str) -> Path:
    """Return the path of a bundled folder: inside the package (wheel) or next to it (clone)."""
    inside = _PACKAGE / name
    return inside if inside.is_dir() else _PACKAGE.parent / name


def default_database() -> str:
    """Return the SQLAlchemy URL of a SQLite file in the user's data folder."""
    return f"sqlite:///{platformdirs.user_data_path('companion') / 'companion.sqlite3'}"


def default_variants() -> Path:
    return folder("variants")


class Option(NamedTuple):
    """A setting's option on the command line: the help text and, for a number, the limits."""

    help: str = ""
    least: int = 0
    most: int | None = None


MOST_HOPS = 10  # maximum number of proxies that can be trusted


class Hops(NamedTuple):
    """Number of trusted values at the end of each ``X-Forwarded`` header.

    Trusted proxies added these values. A client may have forged the values before them.
    """

    addresses: int = 0  # values of X-Forwarded-For
    schemes: int = 0  # values of X-Forwarded-Proto
    hosts: int = 0  # values of X-Forwarded-Host
    prefixes: int = 0  # values of X-Forwarded-Prefix

    @property
    def any(self) -> bool:
        """True if any header is trusted."""
        return sum(self) > 0


_HOPS = {"for": "addresses", "proto": "schemes", "host": "hosts", "prefix": "prefixes"}


def read_hops(text: str) -> Hops:
    """Parse ``--trust-proxy``: one number for all headers, or a list like ``for=2,proto=1``.

    Raise ``ValueError`` if the text is neither.
    """
    text = text.lower().strip()
    pairs = [word.split("=") for word in text.replace(",", " ").split()]
    if text.isdecimal():
        pairs = [[header, text] for header in _HOPS]
    valid = bool(pairs) and all(
        len(pair) == 2 and pair[0] in _HOPS and re.fullmatch(r"\d{1,2}", pair[1], re.ASCII)
        for pair in pairs
    )
    counts = {_HOPS[header]: int(count) for header, count in pairs} if valid else {}
    if not valid or len(counts) < len(pairs) or max(counts.values()) > MOST_HOPS:
        raise ValueError(
            "write it as 1, or for each header as for=2,proto=1 (for, proto, host, prefix; none is"
            f" more than {MOST_HOPS})"
        )
    return Hops(**counts)


class Settings(Struct, frozen=True, kw_only=True):
    """The settings of this server. Rates are written in the notation of the library ``limits``."""

    host: Annotated[str, Option("Address to listen on.")] = "127.0.0.1"
    port: Annotated[int, Option("Port to listen on; 0: any free port.", most=65535)] = 8000
    database: Annotated[str, Option(
        "SQLAlchemy URL of the database for the tables. [a SQLite file in your data folder]",
    )] = field(default_factory=default_database)  # fmt: skip
    bus: Annotated[str, Option(
        "Redis over which several processes serve the same tables, as redis://host:6379/0.",
    )] = ""  # fmt: skip
    variants_dir: Annotated[Path, Option(
        "Folder of the variants to play. [the bundled variants]",
    )] = field(default_factory=default_variants)  # fmt: skip
    command_rate: Annotated[str, Option(
        "Rate limit for the commands of one seat (spectators: one address); none: no limit.",
    )] = "40/10 second"  # fmt: skip
    join_rate: Annotated[str, Option(
        "Rate limit for one address that makes or joins tables or enters wrong codes; none: no"
        " limit.",
    )] = "20/minute"  # fmt: skip
    guess_rate: Annotated[str, Option(
        "Rate limit for wrong codes from all addresses together; beyond it, only addresses that"
        " entered one within the last hour must wait; none: no limit.",
    )] = "300/10 minute"  # fmt: skip
    hosts: Annotated[tuple[str, ...], Option(
        "Host names that the server answers to, separated by spaces; .name: also its subdomains.",
    )] = ()  # fmt: skip
    origins: Annotated[tuple[str, ...], Option(
        "Other origins whose pages may connect, separated by spaces.",
    )] = ()  # fmt: skip
    trust_proxy: Annotated[Hops, Option(
        "Number of proxies in front of the server whose X-Forwarded headers are trusted; or of"
        " trusted values in each header, as for=2,proto=1.",
    )] = Hops()  # fmt: skip
    prefix: Annotated[str, Option("Path under which a proxy serves it, as /hiss.")] = ""
    tunnel: Annotated[str, Option(
        "Open a tunnel from the internet: ssh, ssh:service, ssh:user@host, cloudflared, tailscale,"
        " ngrok, or a command with {url}.",
    )] = ""  # fmt: skip
    frame_ancestors: Annotated[str, Option(
        "Sites that may show the pages in a frame, written as in CSP's frame-ancestors.",
    )] = "'none'"  # fmt: skip
    connections: Annotated[int, Option("Largest number of connections.", least=1)] = 4096
    address_connections: Annotated[int, Option(
        "Largest number of connections from one address, seats included; 0: no limit.",
    )] = 100  # fmt: skip
    spectators: Annotated[int, Option(
        "Largest number of spectators at one table; 0: no limit.",
    )] = 50  # fmt: skip
    log_events: Annotated[int, Option(
        "Largest number of events in a table's log.", least=1,
    )] = 100_000  # fmt: skip
    keep_days: Annotated[int, Option(
        "Delete a table this many days after its last event; 0: never.",
    )] = 30  # fmt: skip
    robots: Annotated[int, Option("Largest number of robots at work; 0: none.", most=1000)] = 20
    server: Annotated[Literal["eventlet", "threads"], Option(
        "One thread for all connections, or a few for each one (docs/running.md).",
    )] = "eventlet"  # fmt: skip
    plain_sockets: Annotated[bool, Option(
        "Use the socket libraries without our shortcuts: slower.",
    )] = False  # fmt: skip
    metrics_token: Annotated[str, Option(
        "Token for reading /metrics; without a token only this machine may read it.",
    )] = ""  # fmt: skip
    awake: int = 200
    """Number of tables without connections that stay in memory. This setting has no option on the
    command line."""


ANY_PROGRAMS = (
    "PATH", "HOME", "LANG", "LANGUAGE", "LC_", "PATHEXT", "SYSTEMROOT", "USERPROFILE", "APPDATA",
    "LOCALAPPDATA", "PROGRAMDATA", "TEMP", "TMP",
)  # fmt: skip
"""Environment variables that are passed to every child process. They contain paths and the
language."""


def child_environment(*own: str) -> dict[str, str]:
    """Return the environment for a child process: the variables ``ANY_PROGRAMS`` and ``own``.

    Only listed variables are passed on, because the server's environment contains passwords
    (``COMPANION_DATABASE``, ``PGPASSWORD``, a hosting provider's), and not all of these are known.
    A name that ends in ``_`` stands for all names that begin with it.
    """
    names = {*ANY_PROGRAMS, *own}
    prefixes = tuple(name for name in names if name.endswith("_"))
    return {
        name: value
        for name, value in os.environ.items()
        if name.upper() in names or name.upper().startswith(prefixes)
    }
