"""The command line: serve (default), demo, check, replay, backup, variants. Which server runs the
app comes in from ``__main__``; nothing in here knows it."""

import gc
import sqlite3
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin

import click
import msgspec
from msgspec import structs

from companion import __version__
from companion.adapters.connection_slots import room_for
from companion.adapters.hand_over import HandOver
from companion.app import Runner, create_app
from companion.engines import open_engines
from companion.rules import families
from companion.rules.core import files, loading
from companion.rules.core.variant import Variant
from companion.service import logs
from companion.service.clock import Timers
from companion.service.peers import Peers
from companion.service.tables import Tables
from companion.service.workers import Posts, Process
from companion.settings import Hops, Settings, default_variants, folder, read_hops
from companion.storage.database import Busy, database_at
from companion.storage.restore_detection import copy
from companion.terminal import Failure, say
from companion.web import origins, panel_texts, rate_limits, request_guards, tunnel
from companion.web.address import PublicAddress, listens_at, near


class Commands(click.Group):
    """Bare ``companion`` serves; what needs no server is loaded when it is asked for."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """What is no command's name belongs to serve."""
        if not args or (args[0] not in self.list_commands(ctx) and args[0] not in _OWN):
            args = ["serve", *args]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*self.commands, *_LATE])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in _LATE:
            found: click.Command = getattr(import_module(_LATE[cmd_name]), cmd_name)
            return found
        return super().get_command(ctx, cmd_name)


_LATE = {
    "check": "companion.cli_files",
    "demo": "companion.robots.demo",
    "replay": "companion.cli_files",
}
_OWN = ("--help", "--version")

Command = TypeVar("Command", bound=Callable[..., Any])


def _rate(text: str) -> str:
    rate_limits.rate(text)
    return text


def _tunnel(text: str) -> str:
    if text:
        tunnel.command(text, "")
    return text


_OPTION_PARSERS: Mapping[str, Callable[[str], object]] = {
    "command_rate": _rate, "join_rate": _rate, "guess_rate": _rate,
    "prefix": request_guards.prefix, "tunnel": _tunnel,
    "frame_ancestors": request_guards.frame_ancestors, "metrics_token": str.strip,
    "hosts": origins.read_hosts, "origins": origins.read_origins, "trust_proxy": read_hops,
}  # fmt: skip
"""What some settings are read by; each raises ValueError with what is wrong."""


_EMPTY: Mapping[object, str] = {(): "", Hops(): "0"}
"""How settings that are read from a text are written where nothing is set."""


def _parse_option(_ctx: click.Context, setting: click.Parameter, value: Any) -> object:
    try:
        return _OPTION_PARSERS[setting.name](value) if setting.name in _OPTION_PARSERS else value
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


def _option(setting: structs.FieldInfo) -> Callable[[Command], Command]:
    kind = setting.type.__origin__
    said = setting.type.__metadata__[0]
    kinds = {
        int: click.IntRange(said.least, said.most), Path: click.Path(path_type=Path), bool: bool,
    }  # fmt: skip
    computed = setting.default is msgspec.NODEFAULT
    default = setting.default_factory if computed else setting.default
    return click.option(
        f"--{setting.name.replace('_', '-')}",
        envvar=[f"COMPANION_{setting.name.upper()}", *(["PORT"] if setting.name == "port" else [])],
        type=click.Choice(get_args(kind)) if get_origin(kind) is Literal else kinds.get(kind, str),
        is_flag=kind is bool,
        default=_EMPTY.get(default, default),
        show_default=bool(default) and default not in _EMPTY and not computed,
        help=said.help or None,
        callback=_parse_option,
    )


def _options(*names: str) -> Callable[[Command], Command]:
    """The options of these settings; none named: of all that have one."""

    def of(command: Command) -> Command:
        for setting in reversed(structs.fields(Settings)):
            if get_origin(setting.type) is Annotated and (not names or setting.name in names):
                command = _option(setting)(command)
        return command

    return of


@click.group(cls=Commands)
@click.version_option(__version__, prog_name="companion")
def main() -> None:
    """The companion panel for the draw-grid variant over a video call."""


@main.command()
@_options()
@click.pass_obj
def serve(runner: Runner, /, **given: Any) -> None:
    """Runs the server."""
    logs.set_up()
    given["connections"] = room_for(given["connections"])
    settings = Settings(**given)
    variants = _load_variants(settings.variants_dir)
    store, held, bus = open_engines(settings)
    timers = Timers()
    workers = Process(timers)
    way = PublicAddress()
    hand_over = HandOver()
    tables = Tables(
        store, variants, settings.awake, settings.keep_days, settings.log_events,
        Posts(settings.robots, workers), Peers(bus, timers.clock), timers,
    )  # fmt: skip
    dug: list[tunnel.Tunnel] = []
    listening = False

    def ready(port: int) -> None:
        nonlocal listening
        listening = True
        workers.serve_at(near(settings.host, port))
        say(f"Ready: http://{_bracket_ipv6(settings.host)}:{port}")
        there = listens_at(settings.host, port)
        if there:
            say(f"Others on this network come to {there}", err=True)
        if settings.tunnel:
            dug.append(tunnel.Tunnel(settings, port, way))

    try:
        app = create_app(settings, tables, runner.async_mode, way, hand_over)
        _collect_seldom()
        runner.run(app, settings, ready, hand_over)
    except (OSError, UnicodeError) as error:  # the latter of a name that can't be one
        if listening:
            raise
        place = f"{_bracket_ipv6(settings.host)}:{settings.port}"
        why = error.strerror if isinstance(error, OSError) else "it is no name"
        raise Failure(f"{place} can't be listened on: {why}") from error
    finally:
        workers.close()
        for one in dug:
            one.close()
        tables.close()
        store.close()
        held.release()


def _collect_seldom() -> None:
    """States hold no cycles, so hardly anything waits for Python's collector: it took a tenth. What
    the program itself is made of stays as long as it runs and isn't looked through at all."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@main.command()
@_options("variants_dir")
def variants(variants_dir: Path) -> None:
    """Checks all variants, lists what is wrong with them, and how much is in which language."""
    for found in _load_variants(variants_dir).values():
        shares = files.shares(variants_dir / found.id) or "house rules"
        say(f"{found.id}: {found.words.title} ({shares})")
    say(f"The panel itself ({files.share(panel_texts.keys_by_language(folder('static')))})")


@main.command()
@_options("database")
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


MOST_LINES = 200  # of what is wrong with variants


def _load_variants(variants: Path) -> dict[str, Variant]:
    """All variants by id; lists what is wrong with them, or with the panel's words, and exits with
    status 2."""
    faults: list[str] = []
    try:
        found = families.load_all(variants, beside=default_variants())
        faults = [] if found else [f"{variants}: holds no variant"]
    except loading.Faults as problem:
        faults = problem.lines
    faults += panel_texts.faults(folder("static"))
    for line in faults[:MOST_LINES]:
        say(line, err=True)
    if len(faults) > MOST_LINES:
        say(f"… and {len(faults) - MOST_LINES} more", err=True)
    if faults:
        sys.exit(2)
    return found


def _bracket_ipv6(host: str) -> str:
    return f"[{host}]" if ":" in host else host
