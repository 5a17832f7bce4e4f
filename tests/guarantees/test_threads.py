"""Tests with servers that run on threads (``--server threads``): kills, races and whole games.

``python3 tests all`` also repeats the tests in ``test_threads_again``.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest

from docs.examples.player import Player
from tests.guarantees.test_durable import (
    test_01_a_kill_between_any_two_commands_loses_nothing,
)
from tests.guarantees.test_fair import test_14_one_of_several_racing_nopes_wins_for_everyone
from tests.support.servers.server import Party, RealServer

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::ResourceWarning")]

__all__ = [
    "test_01_a_kill_between_any_two_commands_loses_nothing",
    "test_14_one_of_several_racing_nopes_wins_for_everyone",
]

THREADS = {"COMPANION_SERVER": "threads"}


@pytest.fixture
def serve(serve: Callable[..., RealServer]) -> Any:
    """Return a function that starts servers on threads."""
    return partial(serve, **THREADS)


@pytest.fixture(scope="module")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RealServer, Party]]:
    """Start a server on threads, for tests that change nothing."""
    server = RealServer(tmp_path_factory.mktemp("threads"), **THREADS)
    yield server, server.create_table("Ana", "Ben").begin()
    server.close()


@pytest.mark.parametrize("variant", ["quarantined", "party-120"])
def test_142_whole_games_of_both_families_are_played_on_threads(
    shared_server: tuple[RealServer, Party], variant: str
) -> None:
    server, _ = shared_server
    ana = Player(server.url, "Ana", None, variant)
    ben = Player(server.url, "Ben", ana.place["table"], variant)
    with ThreadPoolExecutor(1) as pool:
        winner = pool.submit(ben.play)
        assert ana.play() == winner.result()
