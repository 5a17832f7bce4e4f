"""The hosts' files in ``deploy/``: their settings, and the headers that those hosts send."""

import socket
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from companion.settings import Hops, read_hops
from tests.server import RealServer
from tests.test_cli import companion

DEPLOY = Path(__file__).parent.parent / "deploy"
UPGRADE = {
    "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}  # fmt: skip
CLIENT = "203.0.113.7"
OTHER = "198.51.100.9"
FORGED = "192.0.2.55"

Serve = Callable[..., RealServer]
Headers = dict[str, str]


def of_fly() -> Headers:
    return dict(tomllib.loads((DEPLOY / "fly.toml").read_text("utf-8"))["env"])


def of_render() -> Headers:
    file = yaml.safe_load((DEPLOY / "render.yaml").read_text("utf-8"))
    return {one["key"]: one["value"] for one in file["services"][0]["envVars"]}


def by_fly(client: str, **own: str) -> Headers:
    """The headers that Fly.io's proxy sends (fly.io/docs/networking/request-headers).

    It appends the client's address and the application's own to the headers it received, and passes
    on unknown headers.
    """
    came = own.pop("X-Forwarded-For", None)
    told = [*([came] if came else []), client, "2a09:8280:1::af:1aa1:0"]
    return {
        **own,
        "Host": "hiss.fly.dev",
        "X-Forwarded-For": ", ".join(told),
        "X-Forwarded-Proto": "https",
        "X-Forwarded-Port": "443",
        "X-Forwarded-SSL": "on",
        "Fly-Client-IP": client,
        "Fly-Forwarded-Port": "443",
        "Via": "2 fly.io",
    }


def by_render(client: str, **own: str) -> Headers:
    """The headers that Render's proxies send behind Cloudflare.

    Cloudflare appends the client's address; each of Render's two proxies appends the address of its
    own client.
    """
    came = own.pop("X-Forwarded-For", None)
    told = ",".join([*([came] if came else []), client])
    return {
        **own,
        "Host": "hiss.onrender.com",
        "X-Forwarded-For": f"{told}, 172.71.195.123, 10.226.90.65",
        "X-Forwarded-Proto": "https",
        "CF-Connecting-IP": client,
        "CF-Visitor": '{"scheme":"https"}',
        "True-Client-IP": client,
    }


def handshake(server: RealServer, headers: Headers) -> int:
    """The status of the answer to a WebSocket's handshake with these headers."""
    lines = [
        "GET /socket.io/?EIO=4&transport=websocket HTTP/1.1",
        *(f"{key}: {value}" for key, value in (UPGRADE | headers).items()),
    ]
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as raw:
        raw.sendall("\r\n".join([*lines, "", ""]).encode())
        return int(raw.recv(4096).split()[1])


@pytest.fixture(params=["fly", "render"])
def host(request: pytest.FixtureRequest, serve: Serve) -> Iterator[Any]:
    """A server with the file's settings, and what makes the host's headers."""
    settings, proxied = {"fly": (of_fly, by_fly), "render": (of_render, by_render)}[request.param]
    variables = {key: value for key, value in settings().items() if key != "PORT"}
    yield serve(**variables, COMPANION_JOIN_RATE="2/hour"), proxied


def test_155_at_a_host_each_caller_has_their_own_rate_despite_forged_headers(host: Any) -> None:
    server, proxied = host
    for number in range(3):
        forged = {"X-Forwarded-For": f"192.0.2.{number}"} if number else {}
        last = server.get("/api/tables/AAAAAA", **proxied(CLIENT, **forged))
    assert last.status == 429
    assert server.get("/api/tables/AAAAAA", **proxied(OTHER)).status == 404
    led_to_another = proxied(FORGED, **{"X-Forwarded-For": CLIENT})
    assert server.get("/api/tables/AAAAAA", **led_to_another).status == 404


def test_155_at_a_host_the_pages_own_socket_connects_and_no_other_pages(host: Any) -> None:
    server, proxied = host
    own = proxied(CLIENT)
    assert handshake(server, own | {"Origin": f"https://{own['Host']}"}) == 101
    assert handshake(server, own | {"Origin": f"http://{own['Host']}"}) == 400
    assert handshake(server, own | {"Origin": "https://evil.example"}) == 400
    forged = proxied(CLIENT, **{"X-Forwarded-Host": "evil.example"})
    assert handshake(server, forged | {"Origin": "https://evil.example"}) == 400


def test_155_at_a_host_cookies_are_secure_and_links_lead_to_its_name(host: Any) -> None:
    server, proxied = host
    own = proxied(CLIENT, **{"X-Forwarded-Host": "evil.example", "X-Forwarded-Prefix": "/evil"})
    page = server.get("/", **own)
    assert "max-age" in page.headers["Strict-Transport-Security"]
    assert f"wss://{own['Host']};" in page.headers["Content-Security-Policy"]
    made = server.post("/api/tables", {"name": "Ana"}, **own)
    assert "Secure" in made.headers["Set-Cookie"]
    assert "Path=/;" in made.headers["Set-Cookie"]
    assert server.get("/api/address", **own).json == {"origin": f"https://{own['Host']}"}
    assert server.get("/metrics", **own).status == 403
    assert server.get("/readyz").json["ok"] is True  # the host's own check comes without a proxy


def test_155_proxies_are_counted_for_all_headers_or_for_each() -> None:
    assert read_hops("0") == Hops() and not read_hops("for=0").any
    assert read_hops(" 2 ") == Hops(2, 2, 2, 2)
    assert read_hops("for=2,proto=1") == read_hops("Proto=1 FOR=2") == Hops(2, 1, 0, 0)
    assert read_hops("prefix=1,host=10") == Hops(0, 0, 10, 1)


@pytest.mark.parametrize(
    "text", ["11", "-1", "one", "for", "for=", "for=x", "for=2,for=3", "port=1", "for=11", ",", "²"]
)
def test_155_an_impossible_number_of_proxies_is_refused_in_a_sentence(text: str) -> None:
    ended = companion("serve", "--trust-proxy", text)
    assert ended.returncode == 2 and "for=2,proto=1" in ended.stderr
    assert "Traceback" not in ended.stderr and "Ready" not in ended.stdout
