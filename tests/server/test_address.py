"""Tests for the address in links and QR codes, which no forged Host header may change."""

from collections.abc import Callable
from pathlib import Path
from urllib.request import Request as HttpRequest
from urllib.request import urlopen

import pytest
from flask import Flask, request

from companion.settings import Settings, default_variants
from companion.web import address
from companion.web.address import Address, PublicAddress, find_network_address, network_origin
from tests.support.servers.server import RealServer

LAN = "192.168.7.5"


@pytest.fixture
def home_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address, "find_network_address", lambda: LAN)


def find_origin(host: str, requested: str) -> str | None:
    """Return the address that a server puts into links, or None if it has no address for links.

    The server listens on ``host``, and a client has requested the URL ``requested`` from it.
    """
    settings = Settings(host=host, database="", variants_dir=default_variants())
    with Flask("here").test_request_context(
        base_url=requested, environ_overrides={"SERVER_PORT": "8000"}
    ):
        return Address(settings, PublicAddress()).origin(request)


@pytest.mark.usefixtures("home_network")
@pytest.mark.parametrize(
    ("host", "requested", "shared"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000", None),
        ("127.0.0.1", "http://localhost:8000", None),
        ("::1", "http://[::1]:8000", None),
        ("127.0.0.1", "https://kittens.example", "https://kittens.example"),
        ("0.0.0.0", "http://127.0.0.1:8000", f"http://{LAN}:8000"),
        ("0.0.0.0", "http://localhost:8000", f"http://{LAN}:8000"),
        ("::", "http://[::1]:8000", f"http://{LAN}:8000"),
        ("0.0.0.0", "http://192.168.7.5:8000", "http://192.168.7.5:8000"),
        ("10.0.0.3", "http://localhost:8000", "http://10.0.0.3:8000"),
    ],
)
def test_a_handed_on_address_can_be_reached(host: str, requested: str, shared: str | None) -> None:
    assert find_origin(host, requested) == shared


def test_without_a_network_there_is_no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address, "find_network_address", lambda: None)
    assert network_origin("0.0.0.0", 8000) is None
    assert find_origin("0.0.0.0", "http://localhost:8000") is None


def test_this_machines_address_is_not_a_loopback_address() -> None:
    local_address = find_network_address()
    assert local_address is None or not address.is_local(local_address)


def test_a_server_on_the_loopback_reports_that_nobody_else_reaches_it(server: RealServer) -> None:
    assert server.get("/api/address").json == {"origin": None}


def test_a_forged_host_never_gets_into_a_link(server: RealServer) -> None:
    expected = server.get("/t/KXQF7H/qr.svg").body
    forged = HttpRequest(f"{server.url}/t/KXQF7H/qr.svg", headers={"Host": "evil.example"})
    with pytest.raises(OSError, match="400"):
        urlopen(forged, timeout=20)
    assert server.get("/t/KXQF7H/qr.svg", **{"X-Forwarded-Host": "evil.example"}).body == expected


def test_behind_a_trusted_proxy_the_address_is_the_proxys(serve: Callable[..., RealServer]) -> None:
    server = serve(COMPANION_TRUST_PROXY="1")
    proxied = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "kittens.example"}
    assert server.get("/api/address", **proxied).json == {"origin": "https://kittens.example"}


def test_one_call_describes_the_server(tmp_path: Path) -> None:
    server = RealServer(tmp_path, COMPANION_SPECTATORS="7", COMPANION_ROBOTS="3")
    answer = server.get("/api/server")
    robots = server.get("/api/robots").json
    assert robots["most"] == 3
    address = server.get("/api/address").json
    assert answer.json == {
        "robots": robots,
        **address,
        "limits": {"file": 512 * 1024, "spectators": 7},
    }
    server.close()
