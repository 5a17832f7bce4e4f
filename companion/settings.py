"""Everything that can be set, with its defaults: one record, made from flags and variables."""

import os
from pathlib import Path

import platformdirs
from msgspec import Struct

from companion import files


def default_database() -> str:
    """A SQLite file in the user's data folder, as an SQLAlchemy URL."""
    return f"sqlite:///{platformdirs.user_data_path('companion') / 'companion.sqlite3'}"


def default_variants() -> Path:
    """The variants that come with the program."""
    return files.folder("variants")


class Settings(Struct, frozen=True, kw_only=True):
    """How this server runs.

    Rates are written as the library limits writes them, ``none`` for no limit.
    ``hosts``: the names that this server is asked under; none: those that lead here anyway.
    ``origins``: other pages' origins that may connect. ``trust_proxy``: how many proxies
    stand before the server, whose X-Forwarded-* headers count. ``prefix``: the path under which
    one serves it. ``tunnel``: the program that lets the internet in. ``frame_ancestors``: who
    may show the pages in a frame, as in Content-Security-Policy. ``connections``: how many
    at once; ``address_connections``: of them from one address, where those with a seat are
    never refused; ``spectators``: how many may watch one table; 0: as many as like.
    ``log_events``: how many events a table's log takes.
    ``awake``: how many tables without anybody connected stay in memory.
    ``keep_days``: after how many days a table is deleted at which nothing happens; 0: never.
    ``plain_sockets``: everything is sent and heard the libraries' own way.
    ``metrics_token``: who has it may read the metrics; without one only this machine may,
    and with a tunnel nobody.
    ``robots``: how many robots play at once; 0: none. ``bus``: the Redis over which several
    processes that serve the same tables hear of each other; empty: there is one process.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    database: str
    variants_dir: Path
    command_rate: str = "40/10 second"
    join_rate: str = "20/minute"
    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    trust_proxy: int = 0
    prefix: str = ""
    tunnel: str = ""
    frame_ancestors: str = "'none'"
    connections: int = 4096
    address_connections: int = 100
    spectators: int = 50
    log_events: int = 100_000
    awake: int = 200
    keep_days: int = 30
    plain_sockets: bool = False
    metrics_token: str = ""
    robots: int = 20
    bus: str = ""


ANY_PROGRAMS = (
    "PATH", "HOME", "LANG", "LANGUAGE", "LC_", "PATHEXT", "SYSTEMROOT", "USERPROFILE",
)  # fmt: skip
"""What any program is told: where programs and its own files lie, and the language."""


def handed_on(*own: str) -> dict[str, str]:
    """The variables with which another program is started: any program's and its ``own``.

    Passwords stand in a server's environment (``COMPANION_DATABASE``, ``PGPASSWORD``, whatever a
    hoster adds), and nobody can list them all: so what is handed on is listed instead. A name
    that ends in ``_`` stands for all that begin so.
    """
    names = {*ANY_PROGRAMS, *own}
    begin = tuple(name for name in names if name.endswith("_"))
    return {
        name: value
        for name, value in os.environ.items()
        if name.upper() in names or name.upper().startswith(begin)
    }
