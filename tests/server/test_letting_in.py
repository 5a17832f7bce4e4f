"""Tests for the operator's API: the console's key, and opening and closing a way in."""

import json
import re
from collections.abc import Callable
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from companion.web.address import find_network_address
from tests.server.test_tunnel import NAME, programs, request_through
from tests.support.servers.server import RealServer, Reply, wait_until

__all__ = ["programs"]  # a fixture

Serve = Callable[..., RealServer]


def read_key(server: RealServer) -> str:
    """Return the key in the link that the console prints."""
    wait_until(lambda: "#operator=" in "\n".join(server.output_lines))
    printed = "\n".join(server.output_lines)
    match = re.search(r"http://127\.0\.0\.1:\d+/#operator=([\w-]+)", printed)
    assert match
    assert match[1] not in "\n".join(server.log_lines)  # the log contains no secrets
    return match[1]


class Operator:
    """The operator's browser."""

    def __init__(self, server: RealServer) -> None:
        self.server = server
        answer = server.post("/api/operator", {"key": read_key(server)})
        assert answer.status == 201
        self.token = answer.json["token"]
        self.bearer = {"Authorization": f"Bearer {self.token}"}

    def state(self) -> Any:
        answer = self.server.get("/api/access", **self.bearer)
        assert answer.status == 200
        return answer.json

    def open(self, way: str, **headers: str) -> Reply:
        return self.server.post("/api/access", {"way": way}, **self.bearer, **headers)

    def close(self) -> Reply:
        return self.server.post("/api/access/close", **self.bearer)


@pytest.mark.parametrize(
    "kind", ["eventlet", pytest.param("threads", marks=pytest.mark.repetition)]
)
def test_201_a_way_opens_and_closes_while_the_server_runs(
    serve: Serve, programs: Path, kind: str
) -> None:
    server = serve(COMPANION_SERVER=kind)
    operator = Operator(server)
    party = server.create_table("Ana")
    assert server.get("/api/server").json["origin"] is None
    assert operator.state()["way"] is None
    assert {"way": "cloudflared", "program": "cloudflared", "through": "Cloudflare",
            "encrypted": True} in operator.state()["choices"]  # fmt: skip
    assert operator.open("cloudflared").status == 201
    wait_until(lambda: operator.state()["origin"] == f"https://{NAME}")
    # a table that was created before has the tunnel's address in its links, and stays connected
    assert server.get("/api/server").json["origin"] == f"https://{NAME}"
    assert request_through(programs, "GET", "/healthz")[0] == 200
    assert party.clients[0].send_command("rename", name="Anna")["ok"]
    assert operator.close().json["way"] is None
    assert server.get("/api/server").json == {
        **server.get("/api/server").json, "origin": None,
    }  # fmt: skip
    assert "tunnel" not in server.get("/api/server").json
    with pytest.raises(OSError, match="refused"):
        request_through(programs, "GET", "/healthz")
    assert party.clients[0].send_command("rename", name="Ana")["ok"]


def test_201_the_consoles_key_works_once(serve: Serve) -> None:
    server = serve()
    key = read_key(server)
    assert server.post("/api/operator", {"key": key + "x"}).status == 404
    assert server.post("/api/operator", {"key": key}).status == 201
    assert server.post("/api/operator", {"key": key}).status == 404


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "kittens.local"},
        {"X-Forwarded-For": "127.0.0.1"},
        {"Via": "1.1 proxy"},
        {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"},
        {"Authorization": "Bearer wrong"},
        {"Authorization": ""},
        {"Content-Type": "text/plain"},
    ],
)
def test_201_nobody_else_opens_a_way(serve: Serve, programs: Path, headers: dict[str, str]) -> None:
    server = serve()
    operator = Operator(server)
    sent = {**operator.bearer, **headers}
    answer = server.post("/api/access", {"way": "cloudflared"}, **sent)
    assert answer.status in (400, 401, 403)
    assert operator.state()["way"] is None
    assert not (programs / "ran").exists()


def test_201_who_comes_through_the_tunnel_is_not_the_operator(serve: Serve, programs: Path) -> None:
    """Requests through the tunnel are refused even with the operator's token and a local host name.

    They come from this machine, because the tunnel's program runs here.
    """
    server = serve()
    operator = Operator(server)
    operator.open("cloudflared")
    wait_until(lambda: operator.state()["origin"])
    for host in (NAME, "127.0.0.1", "localhost"):
        for method, path, body in (
            ("GET", "/api/access", None),
            ("POST", "/api/access", {"way": "cloudflared"}),
            ("POST", "/api/access/close", {}),
            ("POST", "/api/operator", {"key": "x"}),
        ):
            sent = {**operator.bearer, "Host": host}
            assert request_through(programs, method, path, body, **sent)[0] == 403
    assert operator.state()["origin"] == f"https://{NAME}"


def test_201_only_a_way_from_the_list_can_be_opened(serve: Serve) -> None:
    operator = Operator(serve())
    for way in ("touch /tmp/{url}", "ssh:me@example.com", "--help"):
        assert operator.open(way).error["facts"]["at"] == "$.way"


def test_201_a_server_for_others_has_no_operator(serve: Serve) -> None:
    """The console prints no key if other machines can already reach the server."""
    server = serve(COMPANION_HOST="0.0.0.0")
    assert server.post("/api/operator", {"key": "x"}).status == 403
    assert "operator" not in "\n".join(server.output_lines)


@pytest.mark.skipif(find_network_address() is None, reason="this machine is on no network")
@pytest.mark.parametrize(
    "kind", ["eventlet", pytest.param("threads", marks=pytest.mark.repetition)]
)
def test_201_the_same_house_comes_by_the_networks_address(serve: Serve, kind: str) -> None:
    server = serve(COMPANION_SERVER=kind)
    operator = Operator(server)
    state = operator.open("house").json
    origin = state["origin"]
    assert origin == f"http://{find_network_address()}:{server.port}"
    client = HTTPConnection(origin.partition("://")[2], timeout=20)
    client.request("GET", "/api/server")
    assert json.loads(client.getresponse().read())["origin"] == origin
    for path in ("/metrics", "/api/access"):
        client.request("GET", path, headers={**operator.bearer, "Host": "127.0.0.1"})
        answer = client.getresponse()
        assert answer.status == 403
        answer.read()
    operator.close()
    client.close()
    with pytest.raises(OSError, match="refused"):
        client.request("GET", "/healthz")


@pytest.mark.skipif(find_network_address() is None, reason="this machine is on no network")
def test_201_the_same_house_follows_the_machine_to_another_network(
    serve: Serve, tmp_path: Path
) -> None:
    network = tmp_path / "network"
    server = serve("tests.support.servers.with_changing_network", TEST_NETWORK=str(network))
    operator = Operator(server)
    origin = operator.open("house").json["origin"]
    client = HTTPConnection(origin.partition("://")[2], timeout=20)
    client.connect()  # this connection is closed only if its address is lost
    network.write_text("192.0.2.7")  # a VPN, beside which the old address goes on working
    assert operator.state()["origin"] == origin
    client.request("GET", "/healthz")
    assert client.getresponse().read()
    network.write_text("")
    state = operator.state()
    assert (state["way"], state["origin"], state["ended"]) == ("house", None, None)
    assert state["reason"] == "no-network"
    client.close()
    with pytest.raises(OSError, match="refused"):
        client.request("GET", "/healthz")
    client.close()
    network.unlink()
    state = operator.state()
    assert (state["way"], state["origin"], state["reason"]) == ("house", origin, None)
    client.request("GET", "/healthz")
    assert client.getresponse().status == 200
    client.close()
