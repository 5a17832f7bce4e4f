"""On plain threads (``--server threads``): the tests of elsewhere, with servers of that kind."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

from tests.promises.test_durable import (
    test_01_a_kill_between_any_two_commands_loses_nothing,
    test_02_an_id_takes_effect_once,
    test_03_nothing_is_heard_before_it_is_committed,
    test_04_a_store_in_trouble_is_busy_and_goes_on_by_itself,
    test_05_a_window_has_its_time_left_after_a_restart,
    test_06_a_backup_made_while_it_runs_is_consistent,
)
from tests.promises.test_fair import test_14_of_nopes_that_race_one_wins_and_the_same_for_everyone
from tests.promises.test_floods import (
    test_20_a_flood_ends_in_disconnection_and_hurts_no_other_table,
    test_20_who_sends_without_reading_is_let_go,
    test_21_bodies_over_four_kilobytes_are_refused,
    test_21_what_is_too_long_too_deep_or_unreadable_is_refused,
    test_30_a_packet_that_announces_attachments_is_closed_at_once,
    test_34_however_many_come_and_go_presence_is_told_twice_a_second,
)
from tests.promises.test_hand_over import (
    fault,
    test_90_it_ends_in_time_whoever_stays,
    test_90_whoever_is_told_that_the_server_ends_goes_and_it_ends_with_them,
)
from tests.promises.test_in_step import (
    test_08_ten_clients_agree_within_two_seconds_of_a_restart,
    test_10_a_dead_connection_is_noticed_within_twelve_seconds,
    test_12_the_older_of_two_tabs_is_told_and_steps_back,
)
from tests.promises.test_operated import (
    test_32_out_of_files_the_server_lives_on,
    test_33_seats_beyond_the_most_play_and_health_is_told,
    test_33_sessions_that_say_nothing_give_way,
    test_33_whoever_asks_slowly_is_cut_off_and_keeps_nobody_out,
)
from tests.server import Party, RealServer
from tests.test_contract import (
    over,
    test_both_examples_play_to_the_end_and_all_that_is_said_is_in_the_schemas,
)

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::ResourceWarning")]

__all__ = [
    "fault",
    "over",
    "test_01_a_kill_between_any_two_commands_loses_nothing",
    "test_02_an_id_takes_effect_once",
    "test_03_nothing_is_heard_before_it_is_committed",
    "test_04_a_store_in_trouble_is_busy_and_goes_on_by_itself",
    "test_05_a_window_has_its_time_left_after_a_restart",
    "test_06_a_backup_made_while_it_runs_is_consistent",
    "test_08_ten_clients_agree_within_two_seconds_of_a_restart",
    "test_10_a_dead_connection_is_noticed_within_twelve_seconds",
    "test_12_the_older_of_two_tabs_is_told_and_steps_back",
    "test_14_of_nopes_that_race_one_wins_and_the_same_for_everyone",
    "test_20_a_flood_ends_in_disconnection_and_hurts_no_other_table",
    "test_20_who_sends_without_reading_is_let_go",
    "test_21_bodies_over_four_kilobytes_are_refused",
    "test_21_what_is_too_long_too_deep_or_unreadable_is_refused",
    "test_30_a_packet_that_announces_attachments_is_closed_at_once",
    "test_32_out_of_files_the_server_lives_on",
    "test_33_seats_beyond_the_most_play_and_health_is_told",
    "test_33_sessions_that_say_nothing_give_way",
    "test_33_whoever_asks_slowly_is_cut_off_and_keeps_nobody_out",
    "test_34_however_many_come_and_go_presence_is_told_twice_a_second",
    "test_90_it_ends_in_time_whoever_stays",
    "test_90_whoever_is_told_that_the_server_ends_goes_and_it_ends_with_them",
    "test_both_examples_play_to_the_end_and_all_that_is_said_is_in_the_schemas",
]

THREADS = {"COMPANION_SERVER": "threads"}


@pytest.fixture
def serve(serve: Callable[..., RealServer]) -> Any:
    """Starts servers that run on threads."""
    return partial(serve, **THREADS)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RealServer, Party]]:
    """One server for what must not change anything."""
    server = RealServer(tmp_path_factory.mktemp("threads"), **THREADS)
    yield server, server.table("Ana", "Ben").begin()
    server.close()
