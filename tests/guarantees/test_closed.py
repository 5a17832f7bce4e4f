"""Nobody reads or changes data that isn't theirs (the promises under "Closed")."""

import json
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args
from uuid import uuid4

import pytest

from tests.support.servers.server import Party, RealServer

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")

Serve = Callable[..., RealServer]
HOST = {"options", "add_seat", "remove_seat", "prepare", "to_lobby", "begin", "skip_roll_call",
        "undo", "pass_host", "end_game", "rematch"}  # fmt: skip
OWN = {
    "auto_pass": "everyone-passed",
    "note": "private-notes",
    "deck": "own-deck",
    "deck_here": "own-deck",
}
"""Commands that not even the host may send for another seat, each with the ruling that forbids it.
"""

COMMANDS: dict[str, dict[str, Any]] = {
    "add_seat": {"name": "Zoe"}, "rename": {"name": "Zoe"}, "emblem": {"emblem": "cat"},
    "remove_seat": {"seat": "SEAT"},
    "options": {"locked": True}, "house_rules": {"rules": None}, "prepare": {},
    "to_lobby": {}, "ready": {"ready": True},
    "begin": {"first": "lot"}, "call_next": {"next": "SEAT"}, "skip_roll_call": {},
    "instruct": {"cell": [0, 0]}, "play": {"card": "skip"}, "nope": {"window": 1},
    "pass": {"window": 1}, "hold": {"window": 1}, "release": {"window": 1},
    "auto_pass": {"on": True},
    "look": {"cell": [0, 0]}, "shuffled": {}, "reveal": {"card": "skip"},
    "draw": {"cell": [0, 0]}, "report": {"outcome": "safe"}, "defuse": {}, "explode": {},
    "note": {"cell": [0, 0], "card": None}, "leave": {}, "undo": {},
    "ask_back": {}, "agree": {"asked": 1},
    "deck": {"kind": "table"}, "deck_here": {"here": False}, "open": {"secret": "ab" * 32},
    "pass_host": {"seat": "SEAT"}, "claim_host": {}, "end_game": {}, "rematch": {},
}  # fmt: skip


# --- Promises 17 and 18 in docs/promises.md: origins and tokens -----------------------


def _send_handshake(server: RealServer, **headers: str) -> bytes:
    """Send a WebSocket handshake. Returns the first line of the answer."""
    lines = [f"{key.replace('_', '-')}: {value}" for key, value in headers.items()]
    request = ["GET /socket.io/?EIO=4&transport=websocket HTTP/1.1",
               f"Host: 127.0.0.1:{server.port}", "Upgrade: websocket", "Connection: Upgrade",
               "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13",
               *lines, "", ""]  # fmt: skip
    with socket.create_connection(("127.0.0.1", server.port)) as raw:
        raw.sendall("\r\n".join(request).encode())
        return raw.recv(4096).split(b"\r\n")[0]


def test_17_a_foreign_origin_is_refused_at_the_handshake(serve: Serve) -> None:
    server = serve(COMPANION_ORIGINS="https://friends.example http://other.example:81")
    own = f"http://127.0.0.1:{server.port}"
    for good in (own, "https://friends.example", "http://other.example:81"):
        assert b"101" in _send_handshake(server, Origin=good), good
    for bad in (own.replace("http:", "https:"), f"{own}1", "http://127.0.0.1", "null",
                "https://friends.example.evil", "http://friends.example",
                "https://friends.example,http://evil"):  # fmt: skip
        assert b"400" in _send_handshake(server, Origin=bad), bad
        assert server.get("/socket.io/?EIO=4&transport=polling", Origin=bad).status == 400
    assert b"101" in _send_handshake(server)  # no browser
    forwarded = {"X_Forwarded_Proto": "https", "X_Forwarded_Host": "evil.example"}
    assert b"400" in _send_handshake(server, Origin="https://evil.example", **forwarded)


def test_17_a_trusted_proxy_sets_the_address_and_allowed_sites_may_frame_the_pages(
    serve: Serve,
) -> None:
    server = serve(COMPANION_TRUST_PROXY="1", COMPANION_FRAME_ANCESTORS="https://call.example",
                   COMPANION_JOIN_RATE="2/minute")  # fmt: skip
    proxied = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "kittens.example"}
    over_tls = {key.replace("-", "_"): value for key, value in proxied.items()}
    assert b"101" in _send_handshake(server, Origin="https://kittens.example", **over_tls)
    assert b"400" in _send_handshake(server, Origin=f"http://127.0.0.1:{server.port}", **over_tls)
    page = server.get("/", **proxied)
    policy = page.headers["Content-Security-Policy"]
    assert "frame-ancestors https://call.example" in policy
    assert "connect-src 'self' wss://kittens.example" in policy
    assert "max-age" in page.headers["Strict-Transport-Security"]
    reply = server.post("/api/tables", {"name": "Ana"}, **proxied)
    assert "Secure" in reply.headers["Set-Cookie"]
    # Each client address has its own rate limit. In X-Forwarded-For only the last entry counts,
    # because the trusted proxy adds it; clients can invent the others.
    for number in range(4):
        headers = {"X-Forwarded-For": f"10.0.0.{number}, 1.2.3.4"}
        reply = server.get("/api/tables/AAAAAA", **headers)
    assert reply.status == 429
    assert server.get("/api/tables/AAAAAA", **{"X-Forwarded-For": "1.2.3.5"}).status == 404
    for number in range(4):  # all IPv6 addresses of a household share one limit
        reply = server.get("/api/tables/AAAAAA", **{"X-Forwarded-For": f"2001:db8::{number}"})
    assert reply.status == 429
    assert server.get("/api/tables/AAAAAA", **{"X-Forwarded-For": "2001:db8:0:1::"}).status == 404


def test_18_tokens_are_long_stored_hashed_never_logged_and_hidden_from_scripts(
    serve: Serve,
) -> None:
    server = serve()
    party = server.create_table("Ana", "Ben")
    reply = server.post("/api/tables", {"name": "Ana"})
    path = f"/api/tables/{party.table}/seats/{party.seats[1]}/claim"
    claims = [server.post(path, Authorization=f"Bearer {party.tokens[0]}").json["claim"]
              for _ in range(2)]  # fmt: skip
    party.tokens[1] = server.post(f"/api/claims/{claims[0]}").json["token"]
    for token in (*party.tokens, "nothing"):
        server.connect_client(party.table, token)
        server.get(f"/api/tables/{party.table}/log", Authorization=f"Bearer {token}")
    secrets = [*party.tokens, reply.json["token"], *claims]
    assert all(len(secret) * 6 >= 128 for secret in secrets) and len(set(secrets)) == 5
    flags = {flag.strip() for flag in reply.headers["Set-Cookie"].split(";")[1:]}
    assert {"HttpOnly", "SameSite=Lax"} <= flags and "Secure" not in flags
    server.stop()
    stored = b"".join(file.read_bytes() for file in server.database.parent.iterdir())
    logged = "\n".join(server.log_lines)
    assert '"what":"accepted"' in logged or '"what":"refused"' in logged
    for secret in secrets:
        assert secret.encode() not in stored and secret not in logged


# --- Promise 19 in docs/promises.md: who may send which command -----------------------


@pytest.mark.slow
def test_19_every_command_checks_who_may_send_it(serve: Serve) -> None:
    server = serve()
    lobby = server.create_table("Ana", "Ben", "Cleo")
    play = server.create_table("Ana", "Ben", "Cleo").begin()
    for party in (lobby, play):
        stranger = server.connect_client(party.table)
        before = party.host.socket.call("sync")["version"]
        for kind, more in COMMANDS.items():
            keys = {key: party.seats[2] if value == "SEAT" else value
                    for key, value in more.items()}  # fmt: skip
            for extra in ({}, {"as": party.seats[0]}):
                assert stranger.expect_refusal(kind, **keys, **extra)["code"] == "forbidden", kind
            error = party.clients[1].expect_refusal(kind, **keys, **{"as": party.seats[2]})
            ruling = OWN.get(kind, "host-acts-for")
            assert (error["code"], error["ruling"]) == ("forbidden", ruling), kind
            if kind in HOST:
                error = party.clients[1].expect_refusal(kind, **keys)
                assert (error["code"], error["ruling"]) == ("refused", "host-only"), kind
        assert party.host.socket.call("sync")["version"] == before
    documented = Path("docs/protocol.md").read_text().split("### Commands")[1].split("###")[0]
    assert all(f"`{kind}`" in documented for kind in COMMANDS)
    from companion.rules.families import FAMILIES

    known = {kind.__struct_config__.tag for kind in get_args(FAMILIES["grid"].command)}
    assert known == set(COMMANDS)


def test_19_a_command_acts_for_its_connections_seat_only(serve: Serve) -> None:
    server = serve()
    party = server.create_table("Ana", "Ben")
    other = server.create_table("Dan")
    ben = party.clients[1]
    for event in ("connect", "disconnect"):
        forged = {"REMOTE_ADDR": "9.9.9.9"}, {"table": other.table, "token": other.tokens[0]}
        client = server.connect_client(party.table, party.tokens[1])
        client.socket.emit(event, forged)
        client.wait(lambda client=client: client.get_received("disconnect"))
    again = server.connect_client(party.table, party.tokens[1])
    assert again.expect_refusal("prepare")["ruling"] == "host-only"
    assert (
        server.connect_client(party.table, other.tokens[0]).refused["data"]["code"]
        == "unauthenticated"
    )
    assert ben.get_received("superseded")


# --- Promises 23 and 24 in docs/promises.md: headers and private notes ----------------


def test_23_every_page_has_a_strict_policy_and_the_headers(
    shared_server: tuple[RealServer, Party],
) -> None:
    server, party = shared_server
    for path in ("/", f"/t/{party.table}", "/t/nothing", "/nothing", "/healthz", "/static/x.js"):
        headers = server.get(path).headers
        policy = dict(rule.split(" ", 1) for rule in headers["Content-Security-Policy"].split("; "))
        assert policy["default-src"] == "'self'"
        assert "unsafe" not in headers["Content-Security-Policy"]
        assert policy["frame-ancestors"] == "'none'"
        assert policy["object-src"] == policy["base-uri"] == "'none'"
        assert policy["connect-src"] == f"'self' ws://127.0.0.1:{server.port}"
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert "X-Frame-Options" not in headers
        assert "Access-Control-Allow-Origin" not in headers


def test_24_a_private_note_reaches_only_its_author(serve: Serve) -> None:
    server = serve()
    party = server.create_table("Ana", "Ben", "Cleo").begin()
    ben = party.clients[1]
    stranger = server.connect_client(party.table)
    marker = f"marker-{uuid4().hex[:20]}"
    answer = ben.try_command("note", cell=[0, 1], card=marker)
    # the answer quotes the invalid card, but only the sender gets it
    assert marker in json.dumps(answer)
    noted = ben.send_command("note", cell=[1, 2], card="see_future")["version"]
    assert {"cell": [1, 2], "card": "see_future"} in ben.wait_for_version(noted)["you"]["notes"]
    others = [party.clients[0], party.clients[2], stranger]
    for client in others:
        client.wait_for_version(noted)
        client.socket.call("sync")
    party.instruct()
    path = f"/api/tables/{party.table}"
    tokens = [party.tokens[0], party.tokens[2]]
    bodies = [server.get(path).body, server.get(f"{path}/log").body]
    bodies += [server.get(f"{path}/log", Authorization=f"Bearer {token}").body for token in tokens]
    received_texts = [json.dumps(client.received) for client in others] + [
        body.decode() for body in bodies
    ]
    received_texts += ["\n".join(server.log_lines), server.get("/metrics").body.decode()]
    for text in received_texts:
        assert marker not in text and "note_made" not in text
        plain = text.replace(" ", "")
        assert '"cell":[1,2],"card":"see_future"' not in plain and '"notes":[{' not in plain
    mine = server.get(f"{path}/log", Authorization=f"Bearer {party.tokens[1]}").body
    assert b"note_made" in mine
