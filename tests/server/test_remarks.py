"""Tests for the remarks that players leave on moments of finished games."""

import json
from typing import Any

import pytest

from companion.service.replays.file import LONGEST_REMARK
from companion.service.replays.finished import MOST_BY_SEAT
from companion.service.replays.reading import Unreadable, parse_game
from tests.support.servers.server import Party, RealServer


@pytest.fixture
def party(server: RealServer) -> Party:
    """Play a short game in which the host explodes at the first card."""
    party = server.create_table("Ana", "Ben").begin().instruct()
    ana = {"as": party.seats[0]}
    party.host.send_command("draw", **ana, cell=[0, 0])
    party.host.send_command("report", **ana, outcome="kitten")
    party.host.send_command("explode", **ana)
    return party


def post_remark(party: Party, token: str | None, moment: Any, text: Any) -> Any:
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    body = {"moment": moment, "text": text}
    return party.server.post(f"/api/tables/{party.table}/games/1/remarks", body, **headers)


def test_players_of_the_game_leave_remarks_that_go_into_its_file(party: Party) -> None:
    path = f"/api/tables/{party.table}/games/1"
    moments = [event["version"] for event in party.server.get(path).json["events"]]
    before = party.server.get(path).body
    assert party.server.get(f"{path}/remarks").json == []
    response = post_remark(
        party, party.tokens[1], moments[-1], "  That\tNope! 👩\u200d👧 می\u200cخواهم "
    )
    assert response.status == 201
    (remark,) = party.server.get(f"{path}/remarks").json
    assert response.json == [remark]
    assert (remark["moment"], remark["seat"], remark["text"]) == (
        moments[-1], party.seats[1], "That Nope! 👩\u200d👧 می\u200cخواهم",
    )  # fmt: skip
    file = party.server.get(path).body
    assert file != before
    assert parse_game(file).remarks == [remark]
    assert parse_game(file).bytes == file
    version = party.host.view["version"]
    assert version == moments[-1], "a line is no event of the log"


def test_an_invalid_remark_is_refused_and_changes_nothing(party: Party) -> None:
    path = f"/api/tables/{party.table}/games/1"
    moment = party.host.view["version"]
    refused = {
        401: [(None, moment, "hello")],
        400: [
            (party.tokens[1], moment, ""), (party.tokens[1], moment, " \n"),
            (party.tokens[1], moment, "x" * (LONGEST_REMARK + 1)),
            (party.tokens[1], moment, "a\u202eb"),
            (party.tokens[1], moment, "\u2800\u200d"),
            (party.tokens[1], moment + 999, "hello"), (party.tokens[1], "x", "hello"),
        ],
    }  # fmt: skip
    for status, attempts in refused.items():
        for token, remark_moment, text in attempts:
            assert post_remark(party, token, remark_moment, text).status in (status, 403), (
                remark_moment,
                text,
            )
    assert party.server.get(f"{path}/remarks").json == []
    for number in range(MOST_BY_SEAT):
        assert post_remark(party, party.tokens[1], moment, f"line {number}").status == 201
    assert post_remark(party, party.tokens[1], moment, "one too many").error["facts"] == {
        "what": "remarks"
    }
    assert len(party.server.get(f"{path}/remarks").json) == MOST_BY_SEAT


def test_a_file_with_a_remark_of_a_non_player_is_refused(party: Party) -> None:
    path = f"/api/tables/{party.table}/games/1"
    assert post_remark(party, party.tokens[1], party.host.view["version"], "hello").status == 201
    file = party.server.get(path).json
    file["remarks"][0]["seat"] = "s99"
    with pytest.raises(Unreadable, match=r"\$\.remarks\[0\]\.seat: there is no seat 's99'"):
        parse_game(json.dumps(file).encode())
