"""The log records players who leave or whom the host removes."""

import pytest

from tests.support.servers.server import Party, RealServer


def get_log_texts(party: Party) -> list[str]:
    return [line["text"] for line in party.host.view["log"]]


@pytest.mark.parametrize("variant", ["quarantined", "party-120"])
def test_the_log_records_that_the_host_removed_a_player_in_mid_game(
    server: RealServer, variant: str
) -> None:
    party = server.create_table("Ana", "Ben", "Cleo", variant=variant).begin()
    before = len(get_log_texts(party))
    party.host.send_command("remove_seat", seat=party.seats[1])
    new_texts = get_log_texts(party)[before:]
    assert new_texts[:2] == ["Ana removed Ben from the table.", "Ben is out of the game."]
    removed = next(line for line in party.host.view["log"] if line["type"] == "seat_removed")
    assert removed["case"] == "removed" and removed["facts"] == {
        "seat": party.seats[1], "name": "Ben", "by": party.seats[0],
    }  # fmt: skip


def test_the_log_records_that_a_player_left_in_mid_game(server: RealServer) -> None:
    party = server.create_table("Ana", "Ben", "Cleo").begin()
    before = len(get_log_texts(party))
    party.clients[2].send_command("leave")
    party.host.wait(lambda: len(get_log_texts(party)) > before)
    assert get_log_texts(party)[before:][:2] == [
        "Cleo gave up their seat.",
        "Cleo is out of the game.",
    ]


def test_the_log_names_those_who_leave_before_a_game(server: RealServer) -> None:
    party = server.create_table("Ana", "Ben", "Cleo")
    party.host.send_command("remove_seat", seat=party.seats[1])
    party.clients[2].send_command("leave")
    party.host.wait(lambda: "gave up" in get_log_texts(party)[-1])
    assert get_log_texts(party)[-2:] == [
        "Ana removed Ben from the table.",
        "Cleo gave up their seat.",
    ]
