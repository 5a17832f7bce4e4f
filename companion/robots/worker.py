"""The process that runs a server's lobby robots: ``python -m companion.robots.worker``.

The server starts the process and writes JSON lines to its standard input. Each line contains the
server's URL and the complete list of *posts*: the seats that robots have to play, with their
tokens. For each post the worker runs one thread, which connects like any other client. The worker
ends when its input ends. Its output goes to the server's log, so it never contains cards, tokens or
secrets.
"""

import sys

if __name__ == "__main__":
    # python-socketio imports these libraries if they are installed. Robots don't need them, and
    # importing them would take more than half of the worker's start-up time.
    sys.modules.update(dict.fromkeys(("aiohttp", "redis")))  # type: ignore[arg-type]

import json
import os
import signal
import threading
import traceback
from collections.abc import Iterable
from random import Random

import socketio

from companion.robots import client
from companion.robots.client import Connection, RequestRefused, SeatCredentials
from companion.robots.grid.player import Player, Secrets
from companion.robots.party import Robot
from companion.robots.player import TEMPERS, Wish
from companion.robots.view import Json, View

# factor for thinking times: 1 is like a person, 0 is without pauses
PACE = float(os.environ.get("COMPANION_ROBOT_PACE", "1"))
SOLO_FACTOR = 0.3  # factor that shortens thinking times at a table with only one person
SOLO_MAX_SECONDS = 1.0  # longest pause at a table with only one person
RETRY_SECONDS = 1.0  # pause before a robot connects again after a failure
LEAVE_SECONDS = 3.0  # a dismissed robot stays connected for this time, to publish its deck's secret

Post = Json


class SeatedRobot(Robot):
    """A robot that plays faster when only one person is at the table.

    A player may take the seat back before this process is notified. So the robot sends commands
    only while the view shows a robot at its seat. The exception is the command ``open``, which
    publishes the deck's secret. It is always sent.
    """

    def _choose(self, view: View) -> Wish | None:
        wish = super()._choose(view)
        return wish if wish is not None and self._may_send(wish, view) else None

    def _still_wants(self, wish: Wish, view: View | None) -> bool:
        return view is not None and self._may_send(wish, view) and super()._still_wants(wish, view)

    def _may_send(self, wish: Wish, view: View) -> bool:
        own = [seat for seat in view["seats"] if seat["seat"] == self.player.seat]
        return wish.command["type"] == "open" or any("robot" in seat for seat in own)

    def pause_seconds(self, wish: Wish, view: View) -> float:
        unhurried = wish.seconds * self.pace
        people = [seat for seat in view["seats"] if "robot" not in seat]
        alone = min(SOLO_MAX_SECONDS, unhurried * SOLO_FACTOR)
        pause = unhurried if len(people) > 1 else alone
        return max(pause, self.seconds_of_drama(view))


class PostThread(threading.Thread):
    """Plays one seat until the worker dismisses the robot or the robot loses the seat."""

    def __init__(self, url: str, post: Post) -> None:
        super().__init__(name=f"post {post['table']} {post['seat']}", daemon=True)
        self._url = url
        self._post = post
        self._credentials = SeatCredentials(
            table=post["table"], seat=post["seat"], token=post["token"]
        )
        self._over = threading.Event()
        self._connection: Connection | None = None

    def leave(self) -> None:
        """Stop reconnecting, and close the connection after ``LEAVE_SECONDS``."""
        self._over.set()
        later = threading.Timer(LEAVE_SECONDS, self._hang_up)
        later.daemon = True
        later.start()

    def _hang_up(self) -> None:
        if self._connection is not None:
            self._connection.close()

    def run(self) -> None:
        """Play, and connect again whenever the connection is lost."""
        while not self._over.is_set():
            pause = RETRY_SECONDS
            try:
                connection = self._connection = Connection(self._url, self._credentials)
                SeatedRobot(connection, self._create_player(), pace=PACE).run()
                if connection.lost_seat:
                    return
            except RequestRefused as refusal:
                if refusal.error["code"] in client.PERMANENT:
                    return
                pause = max(pause, client.retry_after_seconds(refusal.error))
            except (OSError, ValueError, socketio.exceptions.SocketIOError):
                pass  # the server is unavailable or busy
            except Exception as problem:
                print_problem(problem)
            self._over.wait(pause)

    def _create_player(self) -> Player:
        post = self._post
        variant = client.fetch_table_variant(self._url, self._credentials)
        by_name = {temper.name: temper for temper in TEMPERS}
        temper = by_name.get(post["temper"], TEMPERS[0])
        player = Player(post["seat"], temper, Random(), variant)
        player.secrets = Secrets(post["key"], *filter(None, [post["secret"]]))
        return player


def fill_posts(threads: dict[str, PostThread], url: str, posts: Iterable[Post]) -> None:
    """Start and stop threads so that each post has exactly one thread.

    ``threads`` maps the posts' tokens to their threads.
    """
    wanted = {post["token"]: post for post in posts}
    for token in threads.keys() - wanted.keys():
        threads.pop(token).leave()
    for token in [token for token in wanted if token not in threads]:
        thread = threads[token] = PostThread(url, wanted[token])
        thread.start()


def print_problem(problem: Exception) -> None:
    """Print an exception's type and place, but not its message, which may contain secrets."""
    where = traceback.extract_tb(problem.__traceback__)[-1]
    print(f"{type(problem).__name__} in {where.name}, line {where.lineno}", flush=True)


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is meant for the server
    if sys.platform != "win32":  # on Windows the input is a pipe, which blocks anyway
        os.set_blocking(sys.stdin.fileno(), True)
    print("ready", flush=True)
    threads: dict[str, PostThread] = {}
    for line in sys.stdin.buffer:
        wanted = json.loads(line)
        fill_posts(threads, wanted["url"], wanted["posts"])
    os._exit(0)  # end the process without waiting for the threads


if __name__ == "__main__":
    main()
