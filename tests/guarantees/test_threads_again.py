"""More tests of other modules, repeated with servers that run on threads.

They prove the same promises as those in ``test_threads``, so only ``python3 tests all`` runs them.
"""

import pytest

from tests.guarantees.test_floods import (
    test_20_a_client_that_never_reads_is_disconnected,
    test_21_bodies_over_four_kilobytes_are_refused,
)
from tests.guarantees.test_hand_over import (
    test_90_the_server_ends_in_time_although_clients_stay,
)
from tests.guarantees.test_operated import (
    test_33_a_slow_request_is_cut_off_and_keeps_nobody_out,
    test_33_sessions_that_never_join_are_evicted,
)
from tests.guarantees.test_threads import serve

pytestmark = [
    pytest.mark.repetition,
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]

__all__ = [
    "serve",
    "test_20_a_client_that_never_reads_is_disconnected",
    "test_21_bodies_over_four_kilobytes_are_refused",
    "test_33_a_slow_request_is_cut_off_and_keeps_nobody_out",
    "test_33_sessions_that_never_join_are_evicted",
    "test_90_the_server_ends_in_time_although_clients_stay",
]
