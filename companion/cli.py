"""The command line: serve (default), demo, check, replay, backup, variants.

Which server runs the app comes in from ``__main__``; nothing in here knows it.
"""

import gc
import sqlite3
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import click

from companion import __version__
from companion.app import create_app
from companion.engines import opened
from companion.rules import families
from companion.rules.core.loading import Faults
from companion.rules.core.variant import Variant
from companion.service import logs
from companion.service.clock import Timers
from companion.service.peers import Peers
from companion.service.tables import Tables
from companion.service.workers import Posts, Process
from companion.settings import Settings, default_database, default_variants
from companion.storage.backup import copy
from companion.storage.database import Busy, database_at
from companion.terminal import Failure, say
from companion.web import proxies, rates, tunnel
from companion.web.address import Way, listens_at, near
from companion.web.hand_over import HandOver
from companion.web.places import room_for


class Runner(NamedTuple):
    """A way to run the app: Socket.IO's name for it, and what runs it until SIGTERM.

    ``run`` takes the app, the settings, what to call with the port once it listens, and the end.
    """

    async_mode: str
    run: Callable[[Any, Settings, Callable[[int], None], HandOver], None]


class Commands(click.Group):
    """Bare ``companion`` serves; what needs no server is loaded when it is asked for."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """What is no command's name belongs to serve."""
        if not args or (args[0] not in self.list_commands(ctx) and args[0] not in _OWN):
            args = ["serve", *args]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands' names."""
        return sorted([*self.commands, *_LATE])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name."""
        if cmd_name in _LATE:
            found: click.Command = getattr(import_module(_LATE[cmd_name]), cmd_name)
            return found
        return super().get_command(ctx, cmd_name)


_LATE = {
    "check": "companion.check", "demo": "companion.robots.demo", "replay": "companion.reader",
}  # fmt: skip
_OWN = ("--help", "--version")

_database = click.option(
    "--database",
    envvar="COMPANION_DATABASE",
    default=default_database,
    help="Where the tables are kept, an SQLAlchemy URL. [a SQLite file in your data folder]",
)
_variants_dir = click.option(
    "--variants-dir",
    envvar="COMPANION_VARIANTS_DIR",
    type=click.Path(path_type=Path),
    default=default_variants,
    help="The variants to play. [those that come with it]",
)


def _rate(_ctx: click.Context, _param: click.Parameter, value: str) -> str:
    try:
        rates.rate(value)
    except ValueError:
        raise click.BadParameter("write it as 40/10 second, 20/minute or none") from None
    return value


def _prefix(_ctx: click.Context, _param: click.Parameter, value: str) -> str:
    try:
        return proxies.prefix(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


@click.group(cls=Commands)
@click.version_option(__version__, prog_name="companion")
def main() -> None:
    """The companion panel for the draw-grid variant over a video call."""


@main.command()
@click.option("--host", envvar="COMPANION_HOST", default="127.0.0.1", show_default=True)
@click.option(
    "--port", envvar=["COMPANION_PORT", "PORT"], type=click.IntRange(0, 65535), default=8000,
    show_default=True,
)  # fmt: skip
@_database
@click.option(
    "--bus", envvar="COMPANION_BUS", default="",
    help="A Redis over which several processes serve the same tables, as redis://host:6379/0.",
)  # fmt: skip
@_variants_dir
@click.option(
    "--command-rate", envvar="COMPANION_COMMAND_RATE", default="40/10 second", callback=_rate,
    show_default=True, help="How often one seat or spectator's address may speak; none: no limit.",
)  # fmt: skip
@click.option(
    "--join-rate", envvar="COMPANION_JOIN_RATE", default="20/minute", callback=_rate,
    show_default=True,
    help="How often one address may make or join tables or mistype codes; none: no limit.",
)  # fmt: skip
@click.option(
    "--hosts", envvar="COMPANION_HOSTS", default="",
    help="The names under which it is asked, separated by spaces; .name: all below it.",
)  # fmt: skip
@click.option(
    "--origins", envvar="COMPANION_ORIGINS", default="",
    help="Other origins whose pages may connect, separated by spaces.",
)  # fmt: skip
@click.option(
    "--trust-proxy", envvar="COMPANION_TRUST_PROXY", type=click.IntRange(0, 10), default=0,
    help="How many proxies stand before it, whose X-Forwarded headers count.",
)  # fmt: skip
@click.option(
    "--prefix", envvar="COMPANION_PREFIX", default="", callback=_prefix,
    help="The path under which a proxy serves it, as /hiss.",
)  # fmt: skip
@click.option(
    "--tunnel", envvar="COMPANION_TUNNEL", default="",
    help="Lets the internet in: cloudflared, tailscale, ngrok, or a command with {url} in it.",
)  # fmt: skip
@click.option(
    "--frame-ancestors", envvar="COMPANION_FRAME_ANCESTORS", default="'none'",
    show_default=True, help="Who may show the pages in a frame, as in frame-ancestors.",
)  # fmt: skip
@click.option(
    "--connections", envvar="COMPANION_CONNECTIONS", type=click.IntRange(1), default=4096,
    show_default=True, help="How many connections at once.",
)  # fmt: skip
@click.option(
    "--address-connections", envvar="COMPANION_ADDRESS_CONNECTIONS", type=click.IntRange(0),
    default=100, show_default=True,
    help="How many of them from one address; seats are never refused; 0: no limit.",
)  # fmt: skip
@click.option(
    "--spectators", envvar="COMPANION_SPECTATORS", type=click.IntRange(0), default=50,
    show_default=True, help="How many may watch one table; 0: no limit.",
)  # fmt: skip
@click.option(
    "--log-events", envvar="COMPANION_LOG_EVENTS", type=click.IntRange(1), default=100_000,
    show_default=True, help="How many events a table's log takes.",
)  # fmt: skip
@click.option(
    "--keep-days", envvar="COMPANION_KEEP_DAYS", type=click.IntRange(0), default=30,
    show_default=True, help="A table is deleted this long after its last event; 0: never.",
)  # fmt: skip
@click.option(
    "--robots", envvar="COMPANION_ROBOTS", type=click.IntRange(0, 1000), default=20,
    show_default=True, help="How many robots play at once; 0: none.",
)  # fmt: skip
@click.option(
    "--plain-sockets", envvar="COMPANION_PLAIN_SOCKETS", is_flag=True,
    help="Send and hear everything the libraries' own way: slower.",
)  # fmt: skip
@click.option(
    "--metrics-token", envvar="COMPANION_METRICS_TOKEN", default="",
    help="Who has it may read /metrics; without one only this machine may.",
)  # fmt: skip
@click.pass_obj
def serve(runner: Runner, /, hosts: str, origins: str, **given: Any) -> None:
    """Runs the server."""
    logs.set_up()
    given["connections"] = room_for(given["connections"])
    settings = Settings(hosts=_words(hosts), origins=_words(origins), **given)
    tunnel.check(settings.tunnel)
    variants = _loaded(settings.variants_dir)
    store, held, bus = opened(settings)
    timers = Timers()
    workers, way, hand_over = Process(timers), Way(), HandOver()
    tables = Tables(
        store, variants, settings.awake, settings.keep_days, settings.log_events,
        Posts(settings.robots, workers), Peers(bus, timers.clock), timers,
    )  # fmt: skip
    dug: list[tunnel.Tunnel] = []

    def ready(port: int) -> None:
        workers.serve_at(near(settings.host, port))
        say(f"Ready: http://{_shown(settings.host)}:{port}")
        there = listens_at(settings.host, port)
        if there:
            say(f"Others on this network come to {there}", err=True)
        if settings.tunnel:
            dug.append(tunnel.dug(settings, port, way))

    try:
        app = create_app(settings, tables, runner.async_mode, way, hand_over)
        _collect_seldom()
        runner.run(app, settings, ready, hand_over)
    except OSError as error:
        place = f"{_shown(settings.host)}:{settings.port}"
        raise Failure(f"{place} can't be listened on: {error.strerror}") from error
    finally:
        workers.close()
        for one in dug:
            one.close()
        tables.close()
        store.close()
        held.release()


def _collect_seldom() -> None:
    """States hold no cycles, so hardly anything waits for Python's collector: it took a tenth.

    What the program itself is made of stays as long as it runs and isn't looked through at all.
    """
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.replace(",", " ").split())


@main.command()
@_variants_dir
def variants(variants_dir: Path) -> None:
    """Checks all variants and lists what is wrong with them."""
    for found in _loaded(variants_dir).values():
        say(f"{found.id}: {found.words.title}")


@main.command()
@_database
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def backup(database: str, file: Path) -> None:
    """Writes a consistent copy of a SQLite database, also while the server runs."""
    try:
        url = database_at(database)
    except Busy as busy:
        raise Failure(f"The database can't be used: {busy}") from busy
    if url.get_backend_name() != "sqlite" or not url.database:
        raise Failure("Only a SQLite database can be copied: use pg_dump.")
    if not Path(url.database).is_file():
        raise Failure(f"There is no database at {url.database}.")
    if file.exists():
        raise Failure(f"{file} exists already.")
    try:
        copy(Path(url.database), file)
    except sqlite3.Error as error:
        raise Failure(f"The copy failed: {error}") from error
    say(f"Copied to {file}.")


MOST_LINES = 200
"""Of what is wrong with variants."""


def _loaded(folder: Path) -> dict[str, Variant]:
    """All variants by id; lists what is wrong with them and exits with status 2."""
    faults: list[str] = []
    try:
        found = families.load_all(folder)
        faults = [] if found else [f"{folder}: holds no variant"]
    except Faults as problem:
        faults = problem.lines
    for line in faults[:MOST_LINES]:
        say(line, err=True)
    if len(faults) > MOST_LINES:
        say(f"… and {len(faults) - MOST_LINES} more", err=True)
    if faults:
        sys.exit(2)
    return found


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else host
