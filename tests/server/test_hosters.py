"""Tests for the hosting providers' files in ``deploy/`` and for the headers their proxies send."""

import socket
import tomllib
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import yaml

from companion.settings import Hops, read_hops
from tests.server.test_cli import companion
from tests.support.paths import ROOT
from tests.support.servers.server import RealServer

DEPLOY = ROOT / "deploy"
UPGRADE = {
    "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}  # fmt: skip
CLIENT = "203.0.113.7"
OTHER = "198.51.100.9"
FORGED = "192.0.2.55"

Serve = Callable[..., RealServer]
Headers = dict[str, str]


def read_fly_settings() -> Headers:
    return dict(tomllib.loads((DEPLOY / "fly.toml").read_text("utf-8"))["env"])


def read_render_settings() -> Headers:
    file = yaml.safe_load((DEPLOY / "render.yaml").read_text("utf-8"))
    return {variable["key"]: variable["value"] for variable in file["services"][0]["envVars"]}


def make_fly_headers(client: str, **sent: str) -> Headers:
    """Return the headers that Fly.io's proxy sends (fly.io/docs/networking/request-headers).

    The proxy appends the client's and the application's address to the X-Forwarded-For header that
    it
    received, and passes on unknown headers.
    """
    received = sent.pop("X-Forwarded-For", None)
    addresses = [*([received] if received else []), client, "2a09:8280:1::af:1aa1:0"]
    return {
        **sent,
        "Host": "hiss.fly.dev",
        "X-Forwarded-For": ", ".join(addresses),
        "X-Forwarded-Proto": "https",
        "X-Forwarded-Port": "443",
        "X-Forwarded-SSL": "on",
        "Fly-Client-IP": client,
        "Fly-Forwarded-Port": "443",
        "Via": "2 fly.io",
    }


def make_render_headers(client: str, **sent: str) -> Headers:
    """Return the headers that Render's proxies send behind Cloudflare.

    Cloudflare appends the client's address; each of Render's two proxies appends the address of its
    own client.
    """
    received = sent.pop("X-Forwarded-For", None)
    addresses = ",".join([*([received] if received else []), client])
    return {
        **sent,
        "Host": "hiss.onrender.com",
        "X-Forwarded-For": f"{addresses}, 172.71.195.123, 10.226.90.65",
        "X-Forwarded-Proto": "https",
        "CF-Connecting-IP": client,
        "CF-Visitor": '{"scheme":"https"}',
        "True-Client-IP": client,
    }


def send_handshake(server: RealServer, headers: Headers) -> int:
    """Request a WebSocket with these headers. Returns the status of the answer."""
    lines = [
        "GET /socket.io/?EIO=4&transport=websocket HTTP/1.1",
        *(f"{key}: {value}" for key, value in (UPGRADE | headers).items()),
    ]
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as raw:
        raw.sendall("\r\n".join([*lines, "", ""]).encode())
        return int(raw.recv(4096).split()[1])


@pytest.fixture(params=["fly", "render"])
def hosted_server(request: pytest.FixtureRequest, serve: Serve) -> Iterator[Any]:
    """Start a server with a provider's settings.

    Yield the server and a function that makes the headers of the provider's proxies.
    """
    settings, make_headers = {
        "fly": (read_fly_settings, make_fly_headers),
        "render": (read_render_settings, make_render_headers),
    }[request.param]
    variables = {key: value for key, value in settings().items() if key != "PORT"}
    yield serve(**variables, COMPANION_JOIN_RATE="2/hour"), make_headers


def test_155_at_a_host_each_caller_has_their_own_rate_despite_forged_headers(
    hosted_server: Any,
) -> None:
    server, make_headers = hosted_server
    for number in range(3):
        forged = {"X-Forwarded-For": f"192.0.2.{number}"} if number else {}
        last = server.get("/api/tables/AAAAAA", **make_headers(CLIENT, **forged))
    assert last.status == 429
    assert server.get("/api/tables/AAAAAA", **make_headers(OTHER)).status == 404
    forged_as_client = make_headers(FORGED, **{"X-Forwarded-For": CLIENT})
    assert server.get("/api/tables/AAAAAA", **forged_as_client).status == 404


def test_155_at_a_host_the_pages_own_socket_connects_and_no_other_pages(hosted_server: Any) -> None:
    server, make_headers = hosted_server
    headers = make_headers(CLIENT)
    assert send_handshake(server, headers | {"Origin": f"https://{headers['Host']}"}) == 101
    assert send_handshake(server, headers | {"Origin": f"http://{headers['Host']}"}) == 400
    assert send_handshake(server, headers | {"Origin": "https://evil.example"}) == 400
    forged = make_headers(CLIENT, **{"X-Forwarded-Host": "evil.example"})
    assert send_handshake(server, forged | {"Origin": "https://evil.example"}) == 400


def test_155_at_a_host_cookies_are_secure_and_links_lead_to_its_name(hosted_server: Any) -> None:
    server, make_headers = hosted_server
    headers = make_headers(
        CLIENT, **{"X-Forwarded-Host": "evil.example", "X-Forwarded-Prefix": "/evil"}
    )
    page = server.get("/", **headers)
    assert "max-age" in page.headers["Strict-Transport-Security"]
    assert f"wss://{headers['Host']};" in page.headers["Content-Security-Policy"]
    response = server.post("/api/tables", {"name": "Ana"}, **headers)
    assert "Secure" in response.headers["Set-Cookie"]
    assert "Path=/;" in response.headers["Set-Cookie"]
    assert server.get("/api/address", **headers).json == {"origin": f"https://{headers['Host']}"}
    assert server.get("/metrics", **headers).status == 403
    # the provider's health check bypasses the proxy
    assert server.get("/readyz").json["ok"] is True


def test_155_proxies_are_counted_for_all_headers_or_for_each() -> None:
    assert read_hops("0") == Hops() and not read_hops("for=0").any
    assert read_hops(" 2 ") == Hops(2, 2, 2, 2)
    assert read_hops("for=2,proto=1") == read_hops("Proto=1 FOR=2") == Hops(2, 1, 0, 0)
    assert read_hops("prefix=1,host=10") == Hops(0, 0, 10, 1)


@pytest.mark.parametrize(
    "text", ["11", "-1", "one", "for", "for=", "for=x", "for=2,for=3", "port=1", "for=11", ",", "²"]
)
def test_155_an_impossible_number_of_proxies_is_refused_in_a_sentence(text: str) -> None:
    result = companion("serve", "--trust-proxy", text)
    assert result.returncode == 2 and "for=2,proto=1" in result.stderr
    assert "Traceback" not in result.stderr and "Ready" not in result.stdout
