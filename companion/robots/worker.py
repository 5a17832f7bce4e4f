"""The robots of a server, in a process of their own: ``python -m companion.robots.worker``. It
reads from its standard input, line by line, where the server is and which posts are to be filled,
and ends with it. Each post is a seat with a token; whoever fills it is an ordinary client. What it
prints is for the server's log, without a card, a token or a secret."""

import json
import os
import signal
import sys
import threading
import traceback
from collections.abc import Iterable
from random import Random

import socketio

from companion.robots import client
from companion.robots.client import Connection, Place, Unwelcome
from companion.robots.grid.player import Player, Secrets
from companion.robots.party import Robot
from companion.robots.player import TEMPERS, Wish
from companion.robots.view import Json, View

PACE = float(os.environ.get("COMPANION_ROBOT_PACE", "1"))  # 1 as people, 0 as fast as it goes
ALONE = 0.3  # how much faster they are where one person plays with them alone
LONGEST = 1.0  # seconds that they let that person wait at most
AGAIN_SECONDS = 1.0  # after this a robot that got nowhere tries again
LAST_WORDS_SECONDS = 3.0  # so long one that gets up stays, to open its deck if it was removed

Post = Json


class SeatedRobot(Robot):
    """A robot that suits its pace to the company, and says nothing more where it is one no more. A
    seat may be somebody's again before it has heard that it is to get up."""

    def _wish(self, view: View) -> Wish | None:
        wish = super()._wish(view)
        return wish if wish is not None and self._sits(wish, view) else None

    def _wants(self, wish: Wish, view: View | None) -> bool:
        return view is not None and self._sits(wish, view) and super()._wants(wish, view)

    def _sits(self, wish: Wish, view: View) -> bool:
        mine = [seat for seat in view["seats"] if seat["seat"] == self.player.seat]
        return wish.command["type"] == "open" or any("robot" in seat for seat in mine)

    def seconds(self, wish: Wish, view: View) -> float:
        unhurried = wish.seconds * self.pace
        people = [seat for seat in view["seats"] if "robot" not in seat]
        return unhurried if len(people) > 1 else min(LONGEST, unhurried * ALONE)


class PostThread(threading.Thread):
    """Fills one post, until it is told to stop or somebody else has the seat."""

    def __init__(self, url: str, post: Post) -> None:
        super().__init__(name=f"post {post['table']} {post['seat']}", daemon=True)
        self._url = url
        self._post = post
        self._place = Place(table=post["table"], seat=post["seat"], token=post["token"])
        self._over = threading.Event()
        self._connection: Connection | None = None

    def leave(self) -> None:
        self._over.set()
        later = threading.Timer(LAST_WORDS_SECONDS, self._hang_up)
        later.daemon = True
        later.start()

    def _hang_up(self) -> None:
        if self._connection is not None:
            self._connection.close()

    def run(self) -> None:
        """Plays, and comes back wherever the connection was lost."""
        while not self._over.is_set():
            pause = AGAIN_SECONDS
            try:
                connection = self._connection = Connection(self._url, self._place)
                SeatedRobot(connection, self._player(), pace=PACE).run()
                if connection.sent_away:
                    return
            except Unwelcome as no:
                if no.error["code"] in client.PERMANENT:
                    return
                pause = max(pause, client.named_wait(no.error))
            except (OSError, ValueError, socketio.exceptions.SocketIOError):
                pass  # the server is away or busy
            except Exception as problem:
                say(problem)
            self._over.wait(pause)

    def _player(self) -> Player:
        post = self._post
        variant = client.tables_variant(self._url, self._place)
        temper = next((one for one in TEMPERS if one.name == post["temper"]), TEMPERS[0])
        player = Player(post["seat"], temper, Random(), variant)
        player.secrets = Secrets(post["key"], *filter(None, [post["secret"]]))
        return player


def fill(threads: dict[str, PostThread], url: str, posts: Iterable[Post]) -> None:
    """A thread for each of these posts, and no others; ``threads`` are those by now, by token."""
    wanted = {post["token"]: post for post in posts}
    for token in [one for one in threads if one not in wanted]:
        threads.pop(token).leave()
    for token in [one for one in wanted if one not in threads]:
        thread = threads[token] = PostThread(url, wanted[token])
        thread.start()


def say(problem: Exception) -> None:
    """What went wrong and where; not with what."""
    where = traceback.extract_tb(problem.__traceback__)[-1]
    print(f"{type(problem).__name__} in {where.name}, line {where.lineno}", flush=True)


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server
    os.set_blocking(sys.stdin.fileno(), True)
    print("ready", flush=True)
    threads: dict[str, PostThread] = {}
    for line in sys.stdin.buffer:
        wanted = json.loads(line)
        fill(threads, wanted["url"], wanted["posts"])
    os._exit(0)  # nobody is waited for


if __name__ == "__main__":
    main()
