"""Closed: who is trusted, and that nobody is held up by what others try."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.server import RealServer

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")

Serve = Callable[..., RealServer]


# --- 40, 41: rates ---------------------------------------------------------------------


def test_40_guesses_from_its_address_hold_up_nobody_who_has_a_seat(serve: Serve) -> None:
    server = serve(COMPANION_JOIN_RATE="3/hour")
    party = server.table("Ana", "Ben")
    bearer = {"Authorization": f"Bearer {party.tokens[1]}"}
    path = f"/api/tables/{party.table}"
    claim = server.post(f"{path}/seats/{party.seats[0]}/claim",
                        Authorization=f"Bearer {party.tokens[0]}").json["claim"]  # fmt: skip
    for _ in range(25):
        last = server.get("/api/tables/AAAAAA").status
    assert last == 429
    for wrong in ({"Authorization": "Bearer nothing"}, {}):  # a good code is no way around it
        assert server.get(path, **wrong).error["code"] == "rate_limited"
    assert server.client(party.table).refused["data"]["code"] == "rate_limited"
    assert server.client(party.table, "nothing").refused["data"]["code"] == "rate_limited"
    assert server.client(party.table, party.tokens[1]).view["you"]["seat"] == party.seats[1]
    cookie = {"Cookie": f"companion_{party.table}={party.tokens[1]}"}
    assert server.client(party.table, headers=cookie).view["you"]["seat"] == party.seats[1]
    for known in (bearer, cookie):
        assert server.get(path, **known).status == server.get(f"{path}/log", **known).status == 200
    assert server.post(f"{path}/seats/{party.seats[1]}/claim", **bearer).status == 201
    assert server.post(f"/api/claims/{claim}").status == 201


def test_41_a_rate_is_the_seats_and_outlives_its_connections(serve: Serve) -> None:
    server = serve(COMPANION_COMMAND_RATE="10/hour")
    party, other = server.table("Ana", "Ben"), server.table("Dan")
    codes: list[Any] = []
    for _ in range(3):
        ben = server.client(party.table, party.tokens[1])
        codes += [ben.refusal("draw", cell=[0, 0])["code"] for _ in range(4)]
    assert codes == ["refused"] * 10 + ["rate_limited"] * 2
    assert party.host.try_to("prepare")["ok"] and other.host.try_to("note")["error"]
    codes = []
    for _ in range(3):  # a spectator has no seat: they count by their address
        stranger = server.client(party.table)
        codes += [stranger.refusal("draw", cell=[0, 0])["code"] for _ in range(4)]
    assert codes == ["forbidden"] * 10 + ["rate_limited"] * 2
