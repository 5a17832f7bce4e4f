"""More tests of other modules, repeated with servers that run on threads.

Another test proves each of them on eventlet, so only ``python3 tests all`` runs them.
"""

import pytest

from tests.guarantees.test_durable import (
    test_02_a_command_sent_again_with_its_id_takes_effect_once,
    test_03_nothing_is_sent_before_it_is_committed,
    test_04_a_locked_database_answers_busy_and_recovers_by_itself,
    test_05_a_window_keeps_its_remaining_time_over_a_restart,
    test_06_a_backup_of_a_running_server_is_consistent,
)
from tests.guarantees.test_floods import (
    test_20_a_client_that_never_reads_is_disconnected,
    test_20_a_flooding_client_is_disconnected_and_slows_no_other_table,
    test_21_bodies_over_four_kilobytes_are_refused,
    test_21_input_too_long_too_deep_or_unreadable_is_refused,
    test_30_a_packet_that_announces_attachments_is_closed_at_once,
    test_34_presence_is_sent_at_most_twice_a_second,
)
from tests.guarantees.test_hand_over import (
    fault,
    test_90_clients_leave_when_notified_and_the_server_ends_with_the_last,
    test_90_the_server_ends_in_time_although_clients_stay,
)
from tests.guarantees.test_in_step import (
    test_08_ten_clients_agree_within_two_seconds_of_a_restart,
    test_10_a_dead_connection_is_noticed_within_twelve_seconds,
    test_12_the_older_of_two_tabs_is_notified_and_yields_the_seat,
)
from tests.guarantees.test_operated import (
    test_32_the_server_survives_running_out_of_files,
    test_33_a_slow_request_is_cut_off_and_keeps_nobody_out,
    test_33_seats_beyond_the_limit_play_and_health_is_answered,
    test_33_sessions_that_never_join_are_evicted,
)
from tests.guarantees.test_threads import serve, shared_server
from tests.repository.test_contract import (
    finished_game,
    test_both_examples_play_to_the_end_and_all_messages_match_the_schemas,
)

pytestmark = [
    pytest.mark.repetition,
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]

__all__ = [
    "fault",
    "finished_game",
    "serve",
    "shared_server",
    "test_02_a_command_sent_again_with_its_id_takes_effect_once",
    "test_03_nothing_is_sent_before_it_is_committed",
    "test_04_a_locked_database_answers_busy_and_recovers_by_itself",
    "test_05_a_window_keeps_its_remaining_time_over_a_restart",
    "test_06_a_backup_of_a_running_server_is_consistent",
    "test_08_ten_clients_agree_within_two_seconds_of_a_restart",
    "test_10_a_dead_connection_is_noticed_within_twelve_seconds",
    "test_12_the_older_of_two_tabs_is_notified_and_yields_the_seat",
    "test_20_a_client_that_never_reads_is_disconnected",
    "test_20_a_flooding_client_is_disconnected_and_slows_no_other_table",
    "test_21_bodies_over_four_kilobytes_are_refused",
    "test_21_input_too_long_too_deep_or_unreadable_is_refused",
    "test_30_a_packet_that_announces_attachments_is_closed_at_once",
    "test_32_the_server_survives_running_out_of_files",
    "test_33_a_slow_request_is_cut_off_and_keeps_nobody_out",
    "test_33_seats_beyond_the_limit_play_and_health_is_answered",
    "test_33_sessions_that_never_join_are_evicted",
    "test_34_presence_is_sent_at_most_twice_a_second",
    "test_90_clients_leave_when_notified_and_the_server_ends_with_the_last",
    "test_90_the_server_ends_in_time_although_clients_stay",
    "test_both_examples_play_to_the_end_and_all_messages_match_the_schemas",
]
