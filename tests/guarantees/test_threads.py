"""Tests of other modules, repeated with servers that run on threads (``--server threads``).

``python3 tests all`` also repeats those in ``test_threads_again``.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

from tests.guarantees.test_durable import (
    test_01_a_kill_between_any_two_commands_loses_nothing,
    test_02_a_command_sent_again_with_its_id_takes_effect_once,
    test_03_nothing_is_sent_before_it_is_committed,
    test_04_a_locked_database_answers_busy_and_recovers_by_itself,
    test_05_a_window_keeps_its_remaining_time_over_a_restart,
    test_06_a_backup_of_a_running_server_is_consistent,
)
from tests.guarantees.test_fair import test_14_one_of_several_racing_nopes_wins_for_everyone
from tests.guarantees.test_in_step import (
    test_08_ten_clients_agree_within_two_seconds_of_a_restart,
)
from tests.repository.test_contract import (
    finished_game,
    test_both_examples_play_to_the_end_and_all_messages_match_the_schemas,
)
from tests.support.servers.server import Party, RealServer

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::ResourceWarning")]

__all__ = [
    "finished_game",
    "test_01_a_kill_between_any_two_commands_loses_nothing",
    "test_02_a_command_sent_again_with_its_id_takes_effect_once",
    "test_03_nothing_is_sent_before_it_is_committed",
    "test_04_a_locked_database_answers_busy_and_recovers_by_itself",
    "test_05_a_window_keeps_its_remaining_time_over_a_restart",
    "test_06_a_backup_of_a_running_server_is_consistent",
    "test_08_ten_clients_agree_within_two_seconds_of_a_restart",
    "test_14_one_of_several_racing_nopes_wins_for_everyone",
    "test_both_examples_play_to_the_end_and_all_messages_match_the_schemas",
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
