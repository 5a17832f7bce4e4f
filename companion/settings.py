"""Everything that can be set, as one record, and where the folders lie that come with the program.
The command line makes its options of the record's fields."""

import os
import re
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import platformdirs
from msgspec import Struct, field

_PACKAGE = Path(__file__).resolve().parent


def folder(name: str) -> Path:
    """The folder of this name: a wheel carries it inside the package, a source tree beside it."""
    inside = _PACKAGE / name
    return inside if inside.is_dir() else _PACKAGE.parent / name


def default_database() -> str:
    """A SQLite file in the user's data folder, as an SQLAlchemy URL."""
    return f"sqlite:///{platformdirs.user_data_path('companion') / 'companion.sqlite3'}"


def default_variants() -> Path:
    return folder("variants")


class Option(NamedTuple):
    """What the command line says of a setting, and within which bounds a number is."""

    help: str = ""
    least: int = 0
    most: int | None = None


MOST_HOPS = 10


class Hops(NamedTuple):
    """How many of the last values of each ``X-Forwarded`` header are by proxies of ours. Those
    before them the caller may have written."""

    addresses: int = 0
    schemes: int = 0
    hosts: int = 0
    prefixes: int = 0

    @property
    def any(self) -> bool:
        """True if a proxy is trusted with anything."""
        return sum(self) > 0


_HOPS = {"for": "addresses", "proto": "schemes", "host": "hosts", "prefix": "prefixes"}


def read_hops(text: str) -> Hops:
    """Returns one number for all headers, or one for each that is named; raises ``ValueError``."""
    text = text.lower().strip()
    pairs = [word.split("=") for word in text.replace(",", " ").split()]
    if text.isdecimal():
        pairs = [[header, text] for header in _HOPS]
    well = bool(pairs) and all(
        len(pair) == 2 and pair[0] in _HOPS and re.fullmatch(r"\d{1,2}", pair[1], re.ASCII)
        for pair in pairs
    )
    counts = {_HOPS[header]: int(count) for header, count in pairs} if well else {}
    if not well or len(counts) < len(pairs) or max(counts.values()) > MOST_HOPS:
        raise ValueError(
            "write it as 1, or for each header as for=2,proto=1 (for, proto, host, prefix; none is"
            f" more than {MOST_HOPS})"
        )
    return Hops(**counts)


class Settings(Struct, frozen=True, kw_only=True):
    """How this server runs. Rates are written as the library limits writes them. ``awake``: how
    many tables without anybody connected stay in memory; no option of its own."""

    host: Annotated[str, Option()] = "127.0.0.1"
    port: Annotated[int, Option(most=65535)] = 8000
    database: Annotated[str, Option(
        "Where the tables are kept, an SQLAlchemy URL. [a SQLite file in your data folder]",
    )] = field(default_factory=default_database)  # fmt: skip
    bus: Annotated[str, Option(
        "A Redis over which several processes serve the same tables, as redis://host:6379/0.",
    )] = ""  # fmt: skip
    variants_dir: Annotated[Path, Option(
        "The variants to play. [those that come with it]",
    )] = field(default_factory=default_variants)  # fmt: skip
    command_rate: Annotated[str, Option(
        "How often one seat or spectator's address may speak; none: no limit.",
    )] = "40/10 second"  # fmt: skip
    join_rate: Annotated[str, Option(
        "How often one address may make or join tables or mistype codes; none: no limit.",
    )] = "20/minute"  # fmt: skip
    guess_rate: Annotated[str, Option(
        "How often all addresses together may mistype codes; beyond it those wait that did.",
    )] = "300/10 minute"  # fmt: skip
    hosts: Annotated[tuple[str, ...], Option(
        "The names under which it is asked, separated by spaces; .name: all below it.",
    )] = ()  # fmt: skip
    origins: Annotated[tuple[str, ...], Option(
        "Other origins whose pages may connect, separated by spaces.",
    )] = ()  # fmt: skip
    trust_proxy: Annotated[Hops, Option(
        "How many proxies stand before it, whose X-Forwarded headers count; or how many values of"
        " each header do, as for=2,proto=1.",
    )] = Hops()  # fmt: skip
    prefix: Annotated[str, Option("The path under which a proxy serves it, as /hiss.")] = ""
    tunnel: Annotated[str, Option(
        "Lets the internet in: cloudflared, tailscale, ngrok, or a command with {url} in it.",
    )] = ""  # fmt: skip
    frame_ancestors: Annotated[str, Option(
        "Who may show the pages in a frame, as in frame-ancestors.",
    )] = "'none'"  # fmt: skip
    connections: Annotated[int, Option("How many connections at once.", least=1)] = 4096
    address_connections: Annotated[int, Option(
        "How many of them from one address, seats among them; 0: no limit.",
    )] = 100  # fmt: skip
    spectators: Annotated[int, Option("How many may watch one table; 0: no limit.")] = 50
    log_events: Annotated[int, Option("How many events a table's log takes.", least=1)] = 100_000
    keep_days: Annotated[int, Option(
        "A table is deleted this long after its last event; 0: never.",
    )] = 30  # fmt: skip
    robots: Annotated[int, Option("How many robots play at once; 0: none.", most=1000)] = 20
    server: Annotated[Literal["eventlet", "threads"], Option(
        "What it runs on: one thread for all, or one for each connection (docs/running.md).",
    )] = "eventlet"  # fmt: skip
    plain_sockets: Annotated[bool, Option(
        "Send and hear everything the libraries' own way: slower.",
    )] = False  # fmt: skip
    metrics_token: Annotated[str, Option(
        "Who has it may read /metrics; without one only this machine may.",
    )] = ""  # fmt: skip
    awake: int = 200


ANY_PROGRAMS = (
    "PATH", "HOME", "LANG", "LANGUAGE", "LC_", "PATHEXT", "SYSTEMROOT", "USERPROFILE",
)  # fmt: skip
"""What any program is told: where programs and its own files lie, and the language."""


def handed_on(*own: str) -> dict[str, str]:
    """The variables with which another program is started: any program's and its ``own``. Passwords
    stand in a server's environment (``COMPANION_DATABASE``, ``PGPASSWORD``, whatever a hoster
    adds), and nobody can list them all: so what is handed on is listed instead. A name that ends in
    ``_`` stands for all that begin so."""
    names = {*ANY_PROGRAMS, *own}
    begin = tuple(name for name in names if name.endswith("_"))
    return {
        name: value
        for name, value in os.environ.items()
        if name.upper() in names or name.upper().startswith(begin)
    }
