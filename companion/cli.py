"""The command line: serve (default), demo, check, replay, backup, variants.

``__main__`` passes in the ``Runner`` of the chosen server, so this module depends on no server.
"""

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
from companion.adapters.connection_slots import raise_file_limit
from companion.adapters.hand_over import HandOver
from companion.adapters.listeners import Listen
from companion.app import Runner, create_app
from companion.engines import open_engines
from companion.rules import families
from companion.rules.variants import files, loading
from companion.rules.variants.variant import Variant
from companion.service import logs
from companion.service.clock import Timers
from companion.service.peers.messages import Peers
from companion.service.robot_hosting.worker_process import Posts, WorkerProcess
from companion.service.tables import Tables
from companion.settings import Hops, Settings, default_variants, folder, read_hops
from companion.storage.database import Busy, database_at
from companion.storage.restore_detection import copy_database
from companion.terminal import Failure, print_line
from companion.web import origins, panel_texts, rate_limits, request_guards, tunnel
from companion.web.access import Access
from companion.web.address import PublicAddress, local_origin, network_origin


class Commands(click.Group):
    """The group of all commands. ``companion`` without a command runs ``serve``.

    Commands that don't need a server are imported only when they are used.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Insert ``serve`` unless the first argument is a command or an option of the group."""
        if not args or (args[0] not in self.list_commands(ctx) and args[0] not in _GROUP_OPTIONS):
            args = ["serve", *args]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*self.commands, *_LAZY_COMMANDS])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in _LAZY_COMMANDS:
            module = import_module(_LAZY_COMMANDS[cmd_name])
            command: click.Command = getattr(module, cmd_name)
            return command
        return super().get_command(ctx, cmd_name)


_LAZY_COMMANDS = {
    "check": "companion.cli_files",
    "demo": "companion.robots.demo",
    "replay": "companion.cli_files",
}
_GROUP_OPTIONS = ("--help", "--version")

Command = TypeVar("Command", bound=Callable[..., Any])


def _check_rate(text: str) -> str:
    rate_limits.parse_rate(text)
    return text


def _check_tunnel(text: str) -> str:
    if text:
        tunnel.check(text)
    return text


_OPTION_PARSERS: Mapping[str, Callable[[str], object]] = {
    "command_rate": _check_rate, "join_rate": _check_rate, "guess_rate": _check_rate,
    "prefix": request_guards.parse_prefix, "tunnel": _check_tunnel,
    "frame_ancestors": request_guards.parse_frame_ancestors, "metrics_token": str.strip,
    "hosts": origins.read_hosts, "origins": origins.read_origins, "trust_proxy": read_hops,
}  # fmt: skip
"""Functions that parse a setting, by the setting's name. Each raises ValueError with a message for
the user."""


_EMPTY: Mapping[object, str] = {(): "", Hops(): "0"}
"""Texts that the command line shows for empty values of settings."""


def _parse_option(_ctx: click.Context, setting: click.Parameter, value: Any) -> object:
    try:
        return _OPTION_PARSERS[setting.name](value) if setting.name in _OPTION_PARSERS else value
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


def _option(setting: structs.FieldInfo) -> Callable[[Command], Command]:
    kind = setting.type.__origin__
    option = setting.type.__metadata__[0]
    kinds = {
        int: click.IntRange(option.least, option.most),
        Path: click.Path(path_type=Path),
        bool: bool,
    }
    computed = setting.default is msgspec.NODEFAULT
    default = setting.default_factory if computed else setting.default
    return click.option(
        f"--{setting.name.replace('_', '-')}",
        envvar=[f"COMPANION_{setting.name.upper()}", *(["PORT"] if setting.name == "port" else [])],
        type=click.Choice(get_args(kind)) if get_origin(kind) is Literal else kinds.get(kind, str),
        is_flag=kind is bool,
        default=_EMPTY.get(default, default),
        show_default=bool(default) and default not in _EMPTY and not computed,
        help=option.help or None,
        callback=_parse_option,
    )


def _options(*names: str) -> Callable[[Command], Command]:
    """Return a decorator that adds the options of these settings, or of all settings if no setting
    is named."""

    def add_options(command: Command) -> Command:
        for setting in reversed(structs.fields(Settings)):
            if get_origin(setting.type) is Annotated and (not names or setting.name in names):
                command = _option(setting)(command)
        return command

    return add_options


@click.group(cls=Commands)
@click.version_option(__version__, prog_name="companion")
def main() -> None:
    """The companion panel for the draw-grid variant over a video call."""


@main.command()
@_options()
@click.pass_obj
def serve(runner: Runner, /, **values: Any) -> None:
    """Run the server."""
    logs.set_up()
    values["connections"] = raise_file_limit(values["connections"])
    settings = Settings(**values)
    variants = _load_variants(settings.variants_dir)
    store, lock, bus = open_engines(settings)
    timers = Timers()
    workers = WorkerProcess(timers)
    public_address = PublicAddress()
    access = Access(settings, public_address)
    hand_over = HandOver()
    tables = Tables(
        store, variants, settings.awake, settings.keep_days, settings.log_events,
        Posts(settings.robots, workers), Peers(bus, timers.clock), timers,
    )  # fmt: skip
    listening = False

    def ready(port: int, listen: Listen) -> None:
        nonlocal listening
        listening = True
        access.start(port, listen)
        workers.set_server_url(local_origin(settings.host, port))
        print_line(f"Ready: http://{_bracket_ipv6(settings.host)}:{port}")
        network_url = network_origin(settings.host, port)
        if network_url:
            print_line(f"Others on this network can join at {network_url}", err=True)
        if access.operator is not None:
            # Not on stderr: the server's log contains no secrets.
            if not settings.tunnel:
                print_line("Only this machine can reach it now.")
            link = f"{local_origin(settings.host, port)}{settings.prefix}/"
            print_line(
                f"Let friends in with your own link, which works in one browser:"
                f" {link}#operator={access.operator.key}"
            )
        if settings.tunnel:
            access.open(settings.tunnel)

    try:
        app = create_app(settings, tables, runner.async_mode, public_address, hand_over, access)
        _collect_garbage_rarely()
        runner.run(app, settings, ready, hand_over)
    except (OSError, UnicodeError) as error:  # A UnicodeError means that the host name is invalid.
        if listening:
            raise
        place = f"{_bracket_ipv6(settings.host)}:{settings.port}"
        reason = error.strerror if isinstance(error, OSError) else "it isn't a valid host name"
        raise Failure(f"The server can't listen on {place}: {reason}") from error
    finally:
        workers.close()
        access.close()
        tables.close()
        store.close()
        lock.release()


def _collect_garbage_rarely() -> None:
    """Make Python's garbage collector run rarely, and ignore everything created so far.

    Game states have no reference cycles, so the collector finds little to free, but with Python's
    defaults it used a tenth of the CPU time. Modules and classes live until the program ends.
    """
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@main.command()
@_options("variants_dir")
def variants(variants_dir: Path) -> None:
    """Check all variants. List their errors, and how much of each variant is translated."""
    for variant in _load_variants(variants_dir).values():
        shares = files.language_shares(variants_dir / variant.id) or "house rules"
        print_line(f"{variant.id}: {variant.words.title} ({shares})")
    print_line(
        f"The panel itself ({files.format_shares(panel_texts.keys_by_language(folder('static')))})"
    )


@main.command()
@_options("database")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def backup(database: str, file: Path) -> None:
    """Write a consistent copy of a SQLite database, even while the server runs."""
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
        copy_database(Path(url.database), file)
    except sqlite3.Error as error:
        raise Failure(f"The copy failed: {error}") from error
    print_line(f"Copied to {file}.")


MOST_LINES = 200  # maximum number of errors to print


def _load_variants(variants: Path) -> dict[str, Variant]:
    """Return all variants by id.

    If a variant or the panel's texts have errors, print them and exit with status 2.
    """
    faults: list[str] = []
    try:
        loaded = families.load_all(variants, beside=default_variants())
        faults = [] if loaded else [f"{variants}: holds no variant"]
    except loading.Faults as problem:
        faults = problem.lines
    faults += panel_texts.faults(folder("static"))
    for line in faults[:MOST_LINES]:
        print_line(line, err=True)
    if len(faults) > MOST_LINES:
        print_line(f"… and {len(faults) - MOST_LINES} more", err=True)
    if faults:
        sys.exit(2)
    return loaded


def _bracket_ipv6(host: str) -> str:
    return f"[{host}]" if ":" in host else host
