"""A player who has lost their device gets their seat back."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.support.servers.server import Client, RealServer, wait_until

Serve = Callable[..., RealServer]


def list_seat_requests(client: Client) -> list[Any]:
    return [sign for sign in client.get_received("sign") if sign["sign"] == "door"]


@pytest.mark.parametrize(
    "mode", ["eventlet", pytest.param("threads", marks=pytest.mark.repetition)]
)
def test_162_a_player_without_their_device_is_sent_to_the_host_and_the_host_is_notified(
    serve: Serve, mode: str
) -> None:
    server = serve(COMPANION_SERVER=mode)
    party = server.create_table("Ana", "Ben", "Cleo")
    party.host.send_command("options", locked=True)
    party.begin()
    path = f"/api/tables/{party.table}/waiting"

    def request_seat(name: str) -> Any:
        return server.post(path, {"name": name}).error

    error = request_seat("ben")
    assert (error["ruling"], error["facts"]["case"]) == ("seats-in-the-lobby", "locked"), "here"
    lost = party.seats[1]

    wait_until(lambda: party.host.presence["seats"].get(lost) == "here", 30)
    party.clients[1].close()
    wait_until(lambda: party.host.presence["seats"].get(lost) == "away", 30)
    away = request_seat("BEN")
    assert (away["ruling"], away["facts"]["case"], away["facts"]["seat"]) == (
        "unique-names", "away", lost,
    )  # fmt: skip
    assert away["text"].startswith("Are you Ben? Ask the host for your seat’s link.")
    wait_until(lambda: list_seat_requests(party.host))
    for _ in range(5):
        request_seat("Ben")
    assert request_seat("Dora")["ruling"] == "seats-in-the-lobby"
    assert list_seat_requests(party.host) == [{"seat": lost, "sign": "door"}], (
        "once in half a minute"
    )
    assert not list_seat_requests(party.clients[2]), "only the host"
    claim = server.post(
        f"/api/tables/{party.table}/seats/{lost}/claim",
        Authorization=f"Bearer {party.tokens[0]}",
    ).json["claim"]
    back = server.post(f"/api/claims/{claim}").json
    assert back["seat"] == lost
    assert server.connect_client(party.table, back["token"]).view["you"]["seat"] == lost


def test_162_a_host_without_their_device_is_sent_to_the_other_players(serve: Serve) -> None:
    server = serve()
    party = server.create_table("Ana", "Ben", "Cleo").begin()
    path = f"/api/tables/{party.table}/waiting"
    ana, ben = party.seats[0], party.clients[1]
    party.host.close()
    wait_until(lambda: ben.presence["seats"].get(ana) == "away", 30)
    error = server.post(path, {"name": "Ana"}).error
    assert (error["facts"]["case"], error["facts"]["seat"]) == ("away-host", ana)
    assert error["text"].startswith(
        "Are you Ana? The host is away. Once another player is the host"
    )
    for client in party.clients[1:]:
        wait_until(lambda client=client: list_seat_requests(client))
        assert list_seat_requests(client) == [{"seat": ana, "sign": "door"}]
    ben.close()
    cleo = party.clients[2]
    wait_until(lambda: cleo.presence["seats"].get(party.seats[1]) == "away", 30)
    assert server.post(path, {"name": "Ben"}).error["facts"]["case"] == "away-host"
    wait_until(lambda: {"seat": party.seats[1], "sign": "door"} in list_seat_requests(cleo))


def test_162_in_the_lobby_a_player_on_another_device_is_sent_to_the_host(serve: Serve) -> None:
    server = serve()
    party = server.create_table("Ana", "Ben")
    path = f"/api/tables/{party.table}/seats"
    ben = party.seats[1]
    wait_until(lambda: party.host.presence["seats"].get(ben) == "here")
    error = server.post(path, {"name": "ben"}).error
    assert (error["ruling"], error["facts"].get("case")) == ("unique-names", None), "Ben is here"
    party.clients[1].close()
    wait_until(lambda: party.host.presence["seats"].get(ben) == "away")
    party.host.send_command("options", locked=True)
    error = server.post(path, {"name": "ben"}).error
    assert (error["ruling"], error["facts"]["case"], error["facts"]["seat"]) == (
        "unique-names", "away", ben,
    )  # fmt: skip
    wait_until(lambda: list_seat_requests(party.host) == [{"seat": ben, "sign": "door"}])
    assert server.post(path, {"name": "Cleo"}).error["facts"]["case"] == "locked"
