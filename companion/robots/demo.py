"""``companion demo``: starts a server with a table of robots, and prints the link to it."""

import contextlib
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from companion.robots.client import Connection, RequestRefused, fetch_log
from companion.robots.party import Party, Plan, Stuck, UnsuitablePlan, is_finished, is_played_out
from companion.robots.view import View
from companion.terminal import Failure, print_line

# robots with a lower pace exceed the rate limits, so the demo turns these limits off for them
RATE_LIMITED_PACE = 0.5


class ServerNotReady(Exception):
    """Raised if the server didn't start. The message is the server's output."""


class Server:
    """Runs ``python -m companion serve`` with these options, as a context manager."""

    def __init__(
        self, *, port: int, database: str, settings: Mapping[str, str] | None = None
    ) -> None:
        self.url = ""
        self.process: subprocess.Popen[str]
        self._command = [sys.executable, "-m", "companion", "serve"]
        self._command += ["--port", str(port), "--database", database]
        self._environment = {**os.environ, **(settings or {})}
        # Use a file, because a pipe could fill up. This process moves the file's position when it
        # reads the file. In mode "a", the server still writes at the end.
        self._log = tempfile.TemporaryFile("a+", encoding="utf-8", errors="replace")  # noqa: SIM115

    def __enter__(self) -> "Server":
        self.process = subprocess.Popen(
            self._command, stdout=subprocess.PIPE, stderr=self._log, text=True,
            env=self._environment,
        )  # fmt: skip
        assert self.process.stdout is not None
        try:
            ready = self.process.stdout.readline()
        except BaseException:  # __exit__ isn't called when __enter__ fails
            self.__exit__()
            raise
        if not ready.startswith("Ready: "):
            self.__exit__()
            raise ServerNotReady("\n".join([ready, *self.output]))
        self.url = ready.removeprefix("Ready: ").strip()
        return self

    def __exit__(self, *_: object) -> None:
        with self.process:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self._final_output = self._log_lines()
        self._log.close()

    def _log_lines(self) -> list[str]:
        self._log.seek(0)
        return self._log.read().splitlines()

    @property
    def output(self) -> list[str]:
        """The lines that the server has written to standard error."""
        return self._final_output if self._log.closed else self._log_lines()

    @property
    def error_lines(self) -> list[str]:
        """The lines of the output that report an error."""
        signs = ("Traceback", "ERROR", "CRITICAL", '"error"')
        return [line for line in self.output if any(sign in line for sign in signs)]


def free_port(preferred: int = 0) -> int:
    """Return the preferred port if it is free, else any free port."""
    for port in (preferred, 0):
        with socket.socket() as probe:
            # On Windows, SO_REUSEADDR would allow a port that is in use.
            if not hasattr(socket, "SO_EXCLUSIVEADDRUSE"):
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise OSError("no port is free")


# fmt: off
@click.command
@click.option("--players", type=click.IntRange(2, 10), default=4, show_default=True,
              help="The number of robots.")
@click.option("--join", is_flag=True,
              help="Leave one seat free, and wait in the lobby until a person joins. Not possible"
              " for games with one pile.")
@click.option("--pace", type=click.FloatRange(min=0), default=1.0, show_default=True,
              help="Thinking time: 1 as people take, 2 twice as long, 0 as short as possible.")
@click.option("--games", type=click.IntRange(min=0), default=0,
              help="The number of games to play.  [default: no limit, until Ctrl-C]")
@click.option("--seed", type=int, default=None,
              help="A seed for names, cards and personalities.  [default: a new one each time]")
@click.option("--variant", default="quarantined", show_default=True,
              help="The variant to play.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True,
              help="The port for the panel. If it is taken, another port is used.")
@click.option("--database", default=None,
              help="An SQLAlchemy URL: keep the games in this database.  [default: keep nothing]")
def demo(
    players: int, join: bool, pace: float, games: int, seed: int | None, variant: str,
    port: int, database: str | None,
) -> None:
    """Let robots play against each other, so that you can watch or join."""
    # Exit normally on SIGTERM, so that the server is stopped, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    seed = secrets.randbelow(10**6) if seed is None else seed
    plan = Plan(robots=players, person=join, games=games, variant=variant, pace=pace, seed=seed)
    with start_server(port, database, hurried=pace < RATE_LIMITED_PACE) as server:
        show_table(server.url, plan)
    if server.error_lines:
        raise Failure("The server's log:", *server.output)
# fmt: on


@contextlib.contextmanager
def start_server(port: int, database: str | None, *, hurried: bool) -> Iterator[Server]:
    """Run the server during the block; Ctrl-C ends the block. If ``hurried`` is true, turn the rate
    limits off."""
    settings = {f"COMPANION_{name}_RATE": "none" for name in ("COMMAND", "JOIN") if hurried}
    with tempfile.TemporaryDirectory() as folder, contextlib.suppress(KeyboardInterrupt):
        database = database or f"sqlite:///{Path(folder, 'demo.sqlite3')}"
        try:
            with Server(port=free_port(port), database=database, settings=settings) as server:
                yield server
        except ServerNotReady as problem:
            raise Failure("The server did not start:", *str(problem).splitlines()) from problem
        except (UnsuitablePlan, RequestRefused) as problem:
            raise Failure(str(problem)) from problem


def show_table(url: str, plan: Plan) -> None:
    """Run a party of robots and print what happens, until the last planned game is over."""
    patience = None if plan.person or plan.pace else 60.0
    with Party(url, plan) as party:
        print_line(f"{'Join' if plan.person else 'Watch'} them: {url}/t/{party.table}")
        print_line(", ".join(f"{name} is {temper}" for name, temper in party.guests.items()))
        view: View | None = None
        printed_version = 0
        # A person at the table may want to check the decks after the game. In that case, wait
        # until the robots have published the secrets of their decks.
        is_over = is_finished if plan.person else is_played_out
        while view is None or not is_over(view, party.plan):
            try:
                view = party.next_view(view, patience=patience)
            except Stuck as problem:
                raise Failure(str(problem)) from problem
            whole = add_older_entries(view, party.robots[0].connection, printed_version)
            printed_version = print_log(whole, printed_version, fully=plan.pace > 0)
        if party.troubles:
            raise Failure(*map(str, party.troubles))


def add_older_entries(view: View, connection: Connection, printed_version: int) -> View:
    """Return the view with all log entries after ``printed_version``.

    A view has only the newest entries of the log. On a busy machine, it may lack entries that were
    added after ``printed_version``.
    """
    first = view["log"][0]["version"] if view["log"] else 0
    if first <= printed_version + 1:
        return view
    whole = fetch_log(connection.url, connection.credentials)
    return {**view, "log": [*(entry for entry in whole if entry["version"] < first), *view["log"]]}


def print_log(view: View, printed_version: int, *, fully: bool) -> int:
    """Print the log entries after ``printed_version``. Return the newest version.

    Unless ``fully`` is true, print only the winner of each game.
    """
    names = {seat["seat"]: seat["name"] for seat in view["seats"]}
    for entry in view["log"]:
        if entry["version"] <= printed_version:
            continue
        if fully and entry["type"] != "passed":
            print_line(entry["text"])
        if entry["type"] == "game_won":
            print_line(f"* {names[entry['seat']]} wins game {find_game_number(view, entry)} *")
    return int(view["version"])


def find_game_number(view: View, entry: View) -> int:
    """Return the number of the game to which a log entry belongs.

    The number is lower than the view's number if a rematch has begun since that entry.
    """
    rematches = [
        later
        for later in view["log"]
        if later["type"] == "rematched" and later["version"] > entry["version"]
    ]
    return int(view["game"]) - len(rematches)
