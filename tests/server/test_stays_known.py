"""Cards that everybody saw stay known after an undo, and still count in the odds (ruling undo)."""

from typing import Any

import pytest

from tests.support.servers.server import Party, RealServer

PLACES = ["0,0", "0,1", "0,2", "1,0", "1,1", "1,2"]


@pytest.fixture
def party(server: RealServer) -> Party:
    return server.create_table("Ana", "Ben", "Cleo").begin().instruct()


def get_odds(party: Party, seat: int) -> Any:
    party.host.wait(lambda: party.host.view["log"][-1]["type"] == "undone")
    seats = party.host.view["seats"]
    return next(seat_view["odds"] for seat_view in seats if seat_view["seat"] == party.seats[seat])


def test_a_kitten_that_was_seen_counts_after_an_undo(party: Party) -> None:
    party.host.send_command("draw", cell=[0, 0])
    party.host.send_command("report", outcome="kitten")
    party.host.send_command("undo")
    odds = get_odds(party, 0)
    assert odds["cells"]["0,0"] == {"kitten": 1.0}
    assert [odds["cells"][place]["kitten"] for place in PLACES[1:]] == [0.0] * 5


def test_a_card_reported_safe_counts_after_an_undo(party: Party) -> None:
    party.host.send_command("draw", cell=[0, 0])
    party.host.send_command("report", outcome="safe")
    party.host.send_command("undo")
    odds = get_odds(party, 0)
    assert [odds["cells"][place]["kitten"] for place in PLACES] == [0.0, *[0.2] * 5]
    assert sum(odds["cells"]["0,0"].values()) == pytest.approx(1, abs=1e-4)


def test_a_card_that_was_played_is_in_the_hand_after_an_undo(party: Party) -> None:
    party.host.send_command("play", card="skip")
    party.host.send_command("undo")
    assert get_odds(party, 0)["holds"]["skip"] == 1.0
    party.host.send_command("play", card="skip")
    skip = next(
        seat_view for seat_view in party.host.view["seats"] if seat_view["seat"] == party.seats[0]
    )
    assert skip["odds"]["holds"]["skip"] < 1
