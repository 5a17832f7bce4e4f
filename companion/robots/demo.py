"""``companion demo``: a server, a table of robots on it, and the link to watch them."""

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

from companion.robots.client import Unwelcome
from companion.robots.party import Party, Plan, Stuck, UnsuitablePlan, is_finished, is_played_out
from companion.robots.view import View
from companion.terminal import Failure, say

UNHURRIED = 0.5  # who plays faster than this says more than a person may: nothing is counted then


class NotReady(Exception):
    """The server did not come up; the message is what it said."""


class Server:
    """``python -m companion serve`` with these options; a context manager."""

    def __init__(
        self, *, port: int, database: str, settings: Mapping[str, str] | None = None
    ) -> None:
        self.url = ""
        self.process: subprocess.Popen[str]
        self._command = [sys.executable, "-m", "companion", "serve"]
        self._command += ["--port", str(port), "--database", database]
        self._environment = {**os.environ, **(settings or {})}
        # A file, not a pipe: nobody has to read along. Written at its end, wherever it is read.
        self._log = tempfile.TemporaryFile("a+")  # noqa: SIM115

    def __enter__(self) -> "Server":
        self.process = subprocess.Popen(
            self._command, stdout=subprocess.PIPE, stderr=self._log, text=True,
            env=self._environment,
        )  # fmt: skip
        assert self.process.stdout is not None
        try:
            ready = self.process.stdout.readline()
        except BaseException:  # nobody is there any more who would end it
            self.__exit__()
            raise
        if not ready.startswith("Ready: "):
            self.__exit__()
            raise NotReady("\n".join([ready, *self.output]))
        self.url = ready.removeprefix("Ready: ").strip()
        return self

    def __exit__(self, *_: object) -> None:
        with self.process:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self._last_words = self._log_lines()
        self._log.close()

    def _log_lines(self) -> list[str]:
        self._log.seek(0)
        return self._log.read().splitlines()

    @property
    def output(self) -> list[str]:
        return self._last_words if self._log.closed else self._log_lines()

    @property
    def faults(self) -> list[str]:
        signs = ("Traceback", "ERROR", "CRITICAL", '"error"')
        return [line for line in self.output if any(sign in line for sign in signs)]


def free_port(wished: int = 0) -> int:
    for port in (wished, 0):
        with socket.socket() as probe:
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
              help="How many robots.")
@click.option("--join", is_flag=True,
              help="Leave a seat free: the robots wait in the lobby until somebody joins. Not where"
              " all cards are of one pile.")
@click.option("--pace", type=click.FloatRange(min=0), default=1.0, show_default=True,
              help="1: as slow as people, 2: twice as slow, 0: as fast as it goes.")
@click.option("--games", type=click.IntRange(min=0), default=0,
              help="Stop after so many games.  [default: go on until Ctrl-C]")
@click.option("--seed", type=int, default=None,
              help="Who plays, with which cards and tempers.  [default: another each time]")
@click.option("--variant", default="quarantined", show_default=True,
              help="Which variant they play.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True,
              help="Where the panel is to be found; another port if it is taken.")
@click.option("--database", default=None,
              help="Keep the games here, an SQLAlchemy URL.  [default: keep nothing]")
def demo(
    players: int, join: bool, pace: float, games: int, seed: int | None, variant: str,
    port: int, database: str | None,
) -> None:
    """Robots play the game with each other, to watch or to join."""
    # The server shall not outlive the demo, however that is ended.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    seed = secrets.randbelow(10**6) if seed is None else seed
    plan = Plan(robots=players, person=join, games=games, variant=variant, pace=pace, seed=seed)
    with start_server(port, database, hurried=pace < UNHURRIED) as server:
        entertain(server.url, plan)
    if server.faults:
        raise Failure("The server's log:", *server.output)
# fmt: on


@contextlib.contextmanager
def start_server(port: int, database: str | None, *, hurried: bool) -> Iterator[Server]:
    """The server, until the games are over or Ctrl-C; ``hurried``: it counts nothing."""
    settings = {f"COMPANION_{name}_RATE": "none" for name in ("COMMAND", "JOIN") if hurried}
    with tempfile.TemporaryDirectory() as folder, contextlib.suppress(KeyboardInterrupt):
        database = database or f"sqlite:///{Path(folder, 'demo.sqlite3')}"
        try:
            with Server(port=free_port(port), database=database, settings=settings) as server:
                yield server
        except NotReady as problem:
            raise Failure("The server did not start:", *str(problem).splitlines()) from problem
        except (UnsuitablePlan, Unwelcome) as problem:
            raise Failure(str(problem)) from problem


def entertain(url: str, plan: Plan) -> None:
    """One table from its making to the end of its last game, told line by line."""
    patience = None if plan.person or plan.pace else 60.0
    with Party(url, plan) as party:
        say(f"{'Join' if plan.person else 'Watch'} them: {url}/t/{party.table}")
        say(", ".join(f"{name} is {temper}" for name, temper in party.guests.items()))
        known: View | None = None
        told = 0
        over = is_finished if plan.person else is_played_out  # only a person checks decks
        while known is None or not over(known, party.plan):
            try:
                known = party.next_view(known, patience=patience)
            except Stuck as problem:
                raise Failure(str(problem)) from problem
            told = narrate(known, told, fully=plan.pace > 0)
        if party.troubles:
            raise Failure(*map(str, party.troubles))


def narrate(view: View, told: int, *, fully: bool) -> int:
    """Prints what the log says since the version ``told`` and gives the newest version;
    not ``fully``: only how each game ended."""
    names = {seat["seat"]: seat["name"] for seat in view["seats"]}
    for line in view["log"]:
        if line["version"] <= told:
            continue
        if fully and line["type"] != "passed":
            say(line["text"])
        if line["type"] == "game_won":
            say(f"* {names[line['seat']]} wins game {view['game']} *")
    return int(view["version"])
