"""Requests that the server must not trust, and limits that don't hold up other people."""

import gzip
import json
import socket
import sqlite3
import statistics
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from companion.settings import Settings
from companion.web.address import PublicAddress
from companion.web.request_guards import RequestGuards
from tests.support.servers.server import Client, Party, RealServer, Reply
from tests.support.timed import LENIENCE

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")

Serve = Callable[..., RealServer]


# --- Promises 40 and 41 in docs/promises.md: rates ------------------------------------


def test_40_guesses_from_an_address_delay_no_seat_at_that_address(serve: Serve) -> None:
    server = serve(COMPANION_JOIN_RATE="3/hour")
    party = server.create_table("Ana", "Ben")
    bearer = {"Authorization": f"Bearer {party.tokens[1]}"}
    path = f"/api/tables/{party.table}"
    claim = server.post(f"{path}/seats/{party.seats[0]}/claim",
                        Authorization=f"Bearer {party.tokens[0]}").json["claim"]  # fmt: skip
    for _ in range(25):
        last = server.get("/api/tables/AAAAAA").status
    assert last == 429
    # the table's code is right, but this address has tried too many wrong codes
    for headers in ({"Authorization": "Bearer nothing"}, {}):
        assert server.get(path, **headers).error["code"] == "rate_limited"
    assert server.connect_client(party.table).refused["data"]["code"] == "rate_limited"
    assert server.connect_client(party.table, "nothing").refused["data"]["code"] == "rate_limited"
    assert server.connect_client(party.table, party.tokens[1]).view["you"]["seat"] == party.seats[1]
    cookie = {"Cookie": f"companion_{party.table}={party.tokens[1]}"}
    assert server.connect_client(party.table, headers=cookie).view["you"]["seat"] == party.seats[1]
    for headers in (bearer, cookie):
        assert (
            server.get(path, **headers).status == server.get(f"{path}/log", **headers).status == 200
        )
    assert server.post(f"{path}/seats/{party.seats[1]}/claim", **bearer).status == 201
    assert server.post(f"/api/claims/{claim}").status == 201


def test_41_a_rate_limit_belongs_to_the_seat_and_outlives_its_connections(serve: Serve) -> None:
    server = serve(COMPANION_COMMAND_RATE="10/hour")
    party = server.create_table("Ana", "Ben")
    other = server.create_table("Dan")
    codes: list[Any] = []
    for _ in range(3):
        ben = server.connect_client(party.table, party.tokens[1])
        codes += [ben.expect_refusal("draw", cell=[0, 0])["code"] for _ in range(4)]
    assert codes == ["refused"] * 10 + ["rate_limited"] * 2
    assert party.host.try_command("prepare")["ok"] and other.host.try_command("note")["error"]
    codes = []
    for _ in range(3):  # spectators share the rate limit of their address
        stranger = server.connect_client(party.table)
        codes += [stranger.expect_refusal("draw", cell=[0, 0])["code"] for _ in range(4)]
    assert codes == ["forbidden"] * 10 + ["rate_limited"] * 2


# --- Promises 42, 43, 44 and 45 in docs/promises.md: origins, host names and addresses ---


def test_42_another_page_can_take_no_seat(serve: Serve) -> None:
    server = serve(COMPANION_ORIGINS="https://friends.example")
    party = server.create_table("Ana")
    bearer = {"Authorization": f"Bearer {party.tokens[0]}"}
    seats = f"/api/tables/{party.table}/seats"
    claims = f"/api/tables/{party.table}/seats/s1/claim"
    before = party.host.view["version"]
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        for path in ("/api/tables", seats, claims, "/api/claims/nothing"):
            answer = server.post(path, {"name": "Eve"}, **{"Content-Type": kind}, **bearer)
            assert (answer.status, answer.error["facts"]["at"]) == (400, "Content-Type"), path
            assert "Set-Cookie" not in answer.headers
    own = f"http://127.0.0.1:{server.port}"
    for foreign in ({"Origin": "https://evil.example"}, {"Origin": "null"}, {"Origin": f"{own}1"},
                    {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"},
                    {"Origin": own, "Sec-Fetch-Site": "cross-site"}):  # fmt: skip
        answer = server.post(seats, {"name": "Eve"}, **foreign)
        assert (answer.status, answer.error["code"]) == (403, "forbidden"), foreign
    image = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "image"}
    # The server refuses this request before it looks up the code, so the code isn't counted as a
    # guess.
    assert server.get("/api/tables/AAAAAA", **image).status == 403
    assert party.host.socket.call("sync")["version"] == before
    for number, good in enumerate(({}, {"Origin": own}, {"Sec-Fetch-Site": "same-origin"},
                                   {"Origin": "https://friends.example"})):  # fmt: skip
        assert server.post(seats, {"name": f"Ben {'ABCD'[number]}"}, **good).status == 201, good
    json = {"Content-Type": "application/json; charset=utf-8"}
    assert server.post(claims, **json, **bearer).status == 201


def _send_raw(server: RealServer, *lines: str, body: bytes = b"") -> bytes:
    """Send these lines as a request. Returns the whole answer."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as raw:
        raw.sendall("\r\n".join([*lines, "Connection: close", "", ""]).encode("latin-1") + body)
        return b"".join(iter(lambda: raw.recv(65536), b""))


def _get_status_under(server: RealServer, host: str, path: str = "/healthz", *more: str) -> int:
    """Send a request with this host name. Returns the status of the answer."""
    return int(_send_raw(server, f"GET {path} HTTP/1.1", f"Host: {host}", *more).split()[1])


def test_43_the_server_answers_only_under_its_own_host_names(serve: Serve) -> None:
    server = serve()
    port = server.port
    polling = "/socket.io/?EIO=4&transport=polling"
    upgrade = ("Upgrade: websocket", "Sec-WebSocket-Version: 13",
               "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==")  # fmt: skip
    for own in ("127.0.0.1", f"localhost:{port}", "192.168.1.20:80", "[::1]:80", "companion:8000",
                "laptop.local", socket.gethostname()):  # fmt: skip
        assert _get_status_under(server, own) == _get_status_under(server, own, polling) == 200, own
    sockets = "/socket.io/?EIO=4&transport=websocket"
    for path in ("/", "/healthz", "/api/variants", polling, sockets):
        for foreign in ("evil.example", f"evil.example:{port}", "127.0.0.1.evil.example",
                        "localhost.evil.example", "evil.example.", "", "a;b"):  # fmt: skip
            for origin in ((), (f"Origin: http://{foreign}",)):
                got = _get_status_under(server, foreign, path, *upgrade, *origin)
                assert got == 400, (foreign, path)
    answer = _send_raw(server, "GET / HTTP/1.1", "Host: evil.example")
    assert b"--hosts" in answer and b"Content-Security-Policy" in answer
    named = serve(COMPANION_HOSTS="kittens.example .friends.example")
    for host, status in (("kittens.example", 200), ("kittens.example:8000", 200),
                         ("a.friends.example", 200), ("127.0.0.1", 200), ("[::1]:1", 200),
                         ("evil.example", 400), ("192.168.1.20", 400)):  # fmt: skip
        assert _get_status_under(named, host) == status, host
    proxied = serve(COMPANION_TRUST_PROXY="1")
    assert _get_status_under(proxied, "kittens.example") == 200
    assert _get_status_under(serve(COMPANION_HOSTS="*"), "evil.example") == 200


def test_43_checking_a_host_name_queries_no_dns(monkeypatch: pytest.MonkeyPatch) -> None:
    for asks in ("getfqdn", "gethostbyaddr", "gethostbyname", "getaddrinfo"):
        monkeypatch.setattr(socket, asks, None)
    gates = RequestGuards(Settings(database="", variants_dir=Path()), PublicAddress())
    assert gates.has_own_host({"HTTP_HOST": socket.gethostname()})
    assert not gates.has_own_host({"HTTP_HOST": "evil.example"})


def test_43_a_session_id_alone_cant_act_for_its_seat(serve: Serve) -> None:
    server = serve(COMPANION_TRUST_PROXY="1")
    party = server.create_table("Ana", "Ben")
    polling = "/socket.io/?EIO=4&transport=polling"

    def open_session(**headers: str) -> tuple[str, str]:
        """Open a polling session with these headers. Returns its path and its cookie."""
        opened = server.get(polling, **headers)
        path = f"{polling}&sid={json.loads(opened.body[1:])['sid']}"
        return path, opened.headers.get("Set-Cookie", "").partition(";")[0]

    def connect(path: str, **headers: str) -> None:
        hello = "40" + json.dumps({"table": party.table, "token": party.tokens[0]})
        assert server.request("POST", path, hello.encode(), **headers).body == b"OK"
        assert b'"sid"' in server.get(path, **headers).body

    prepare = json.dumps(["command", {"id": str(uuid4()), "type": "prepare"}])
    for mine, keeps in (({"X-Forwarded-For": "10.0.0.1"}, True),
                        ({"X-Forwarded-For": "10.0.0.1"}, False)):  # fmt: skip
        path, cookie = open_session(**mine)
        mine |= {"Cookie": f"theme=dark; {cookie}"} if keeps else {}
        connect(path, **mine)
        for stranger in ({"X-Forwarded-For": "10.0.0.2"},
                         {"X-Forwarded-For": "10.0.0.2", "Cookie": f"{cookie}x"},
                         *([{"X-Forwarded-For": "10.0.0.1"}] if keeps else [])):  # fmt: skip
            assert server.request("POST", path, f"42{prepare}".encode(), **stranger).status == 400
            assert server.get(path, **stranger).status == 400
            upgrade = server.get(path.replace("=polling", "=websocket"), **stranger,
                                 Upgrade="websocket", Connection="Upgrade")  # fmt: skip
            assert upgrade.status == 400
        assert '"accepted"' not in "".join(server.log_lines)
        roaming = mine | ({"X-Forwarded-For": "10.0.0.9"} if keeps else {})
        assert server.request("POST", path, b"3", **roaming).body == b"OK"
    # A client that keeps cookies has the same cookie in all its sessions.
    path, other = open_session(Cookie=cookie)
    assert other == cookie
    connect(path, Cookie=cookie)


def test_44_a_request_with_an_ambiguous_length_is_refused(server: RealServer) -> None:
    host = f"Host: 127.0.0.1:{server.port}"
    kind = "Content-Type: application/json"
    body = b'{"name": "Ana"}'
    pieces = b"5\r\n" + body[:5] + b"\r\na\r\n" + body[5:] + b"\r\n0\r\n\r\n"
    post = ("POST /api/tables HTTP/1.1", host, kind)
    answer = _send_raw(server, *post, "Transfer-Encoding: chunked", body=pieces)
    assert b" 201 " in answer.splitlines()[0], answer
    long = b"1388\r\n" + b"x" * 5000 + b"\r\n0\r\n\r\n"
    assert (
        b" 413 "
        in _send_raw(server, *post, "Transfer-Encoding: chunked", body=long).splitlines()[0]
    )
    for unclear in (("Content-Length: 15", "Content-Length: 15"),
                    ("Content-Length: 15", "Content-Length: 0"),
                    ("Content-Length: +15",), ("Content-Length: 1_5",),
                    ("Content-Length: 15", "Transfer-Encoding: chunked"),
                    ("Content-Length: 15", "Transfer-Encoding : chunked"),
                    ("Transfer-Encoding: gzip, chunked",),
                    ("Transfer-Encoding: chunked", "Transfer-Encoding: identity")):  # fmt: skip
        answer = _send_raw(server, *post, *unclear, body=body)
        assert b" 400 " in answer.splitlines()[0] and b"bad_request" in answer, unclear
        assert answer.count(b"HTTP/1.1 ") == 1


def test_44_an_address_is_the_same_for_every_port_a_proxy_sends(serve: Serve) -> None:
    server = serve(COMPANION_TRUST_PROXY="1", COMPANION_JOIN_RATE="2/hour")
    for format_address in (lambda port: f"10.1.1.1:{port}", lambda port: f"[2001:db8::1]:{port}"):
        for port in range(5000, 5004):
            reply = server.get("/api/tables/AAAAAA", **{"X-Forwarded-For": format_address(port)})
        assert reply.status == 429
    assert server.get("/api/tables/AAAAAA", **{"X-Forwarded-For": "10.1.1.1"}).status == 429
    assert server.get("/api/tables/AAAAAA", **{"X-Forwarded-For": "10.1.1.2:5000"}).status == 404


def test_45_the_metrics_need_this_machine_or_a_token(serve: Serve) -> None:
    server = serve()
    assert server.get("/metrics").status == 200
    for key in ("X-Forwarded-For", "Forwarded", "X-Real-IP"):  # headers of an untrusted proxy
        assert server.get("/metrics", **{key: "127.0.0.1"}).error["code"] == "forbidden"
    proxied = serve(COMPANION_TRUST_PROXY="1")
    assert proxied.get("/metrics").status == 200
    for key in ("X-Forwarded-For", "Forwarded", "X-Real-IP", "Via", "X-Forwarded-Server"):
        for address in ("10.0.0.1", "127.0.0.1"):  # the proxy forwards another client's request
            assert proxied.get("/metrics", **{key: address}).status == 403, key
    guarded = serve(COMPANION_METRICS_TOKEN="höher", COMPANION_TRUST_PROXY="1")
    for headers in ({}, {"Authorization": "Bearer nothing"}):
        assert guarded.get("/metrics", **headers).error["code"] == "unauthenticated"
    token = "höher".encode().decode("latin-1")
    reply = guarded.get("/metrics", Authorization=f"Bearer {token}",
                       **{"X-Forwarded-For": "10.0.0.1"})  # fmt: skip
    assert b"companion_commands" in reply.body


def test_46_cookies_of_other_programs_are_ignored(server: RealServer) -> None:
    party = server.create_table("Ana", "Ben")
    odd = f"theme=\xe9\xff; companion_{party.table}={party.tokens[1]}; \x80=1"
    path = f"/api/tables/{party.table}"
    assert server.get(f"{path}/log", Cookie=odd).status == 200
    assert server.get(path, Cookie="\xff\xfe").status == 200
    assert (
        server.connect_client(party.table, headers={"Cookie": odd}).view["you"]["seat"]
        == party.seats[1]
    )


# --- Promises 165 and 166 in docs/promises.md: the cookies of seats -------------------

TLS = {"X-Forwarded-Proto": "https"}


def _get_cookies(answer: Reply) -> dict[str, str]:
    """Return the cookies that an answer sets, each with its value and attributes."""
    attributes = [header.partition("=") for header in answer.headers.get_all("Set-Cookie", [])]
    return {name: more for name, _, more in attributes}


@pytest.mark.parametrize(
    ("prefix", "guard", "path"), [("", "__Host-", "/"), ("/hiss", "__Secure-", "/hiss/")]
)
def test_165_over_tls_a_seats_cookie_has_a_name_that_no_neighbour_can_set(
    serve: Serve, prefix: str, guard: str, path: str
) -> None:
    server = serve(COMPANION_TRUST_PROXY="1", COMPANION_PREFIX=prefix)
    created = server.post("/api/tables", {"name": "Ana"}, **TLS)
    table = created.json["table"]
    token = created.json["token"]
    [(name, attributes)] = _get_cookies(created).items()
    assert name == f"{guard}companion_{table}"
    flags = {flag.strip() for flag in attributes.split(";")[1:]}
    assert {"Secure", "HttpOnly", f"Path={path}"} <= flags and "Domain" not in attributes
    # With spectators off, only a seat can read the log.
    server.connect_client(table, token).send_command("options", spectators=False)
    log = f"/api/tables/{table}/log"
    plain = f"companion_{table}={token}"
    guarded = f"{guard}{plain}"
    assert server.get(log, Cookie=guarded, **TLS).status == 200
    assert server.get(log, Cookie=plain, **TLS).status == 403
    # without TLS, every cookie name can be set by others
    assert server.get(log, Cookie=plain).status == 200
    assert server.get(log, Cookie=guarded).status == 403
    handshake = server.get("/socket.io/?EIO=4&transport=polling", **TLS)
    assert [*_get_cookies(handshake)] == [f"{guard}companion_line"]

    def connect(cookie: str) -> Client:
        # This client's WebSocket would send an http origin, which differs from the https address.
        return server.connect_client(
            table, transports=["polling"], headers={"Cookie": cookie, **TLS}
        )

    assert connect(guarded).view["you"]["seat"] == created.json["seat"]
    assert connect(plain).refused["data"]["code"] == "forbidden"


def test_165_a_page_can_leave_a_cookies_seat_unused(server: RealServer) -> None:
    party = server.create_table("Ana", "Ben")
    cookie = {"Cookie": f"companion_{party.table}={party.tokens[1]}"}
    unused = Client(server.url, {"table": party.table, "cookie": False}, headers=cookie)
    server.clients.append(unused)
    assert unused.view["you"] is None


@pytest.mark.parametrize(("days", "status"), [(29, 200), (31, 403)])
def test_165_an_older_seats_cookie_counts_for_thirty_days_after_the_upgrade(
    serve: Serve, days: int, status: int
) -> None:
    server = serve(COMPANION_TRUST_PROXY="1")
    party = server.create_table("Ana")
    party.host.send_command("options", spectators=False)
    server.kill()
    # Turn the database into one of the earlier version.
    with closing(sqlite3.connect(server.database)) as database, database:
        database.execute("ALTER TABLE tokens DROP COLUMN old_cookie_until")
        database.execute("UPDATE alembic_version SET version_num = '1'")
    server.start()
    ben = server.post(f"/api/tables/{party.table}/seats", {"name": "Ben"}).json
    with closing(sqlite3.connect(server.database)) as database, database:  # days go by
        database.execute(
            "UPDATE tokens SET old_cookie_until = old_cookie_until - ? WHERE old_cookie_until > 0",
            (days * 24 * 3600 * 1000,),
        )

    def get_log_status(token: str) -> int:
        cookie = f"companion_{party.table}={token}"
        return server.get(f"/api/tables/{party.table}/log", Cookie=cookie, **TLS).status

    assert get_log_status(party.tokens[0]) == status
    assert get_log_status(ben["token"]) == 403  # this seat was taken after the upgrade


def test_166_a_browser_keeps_the_twenty_seats_that_were_used_last(server: RealServer) -> None:
    cookies: dict[str, str] = {}
    tables: list[Any] = []
    for number in range(25):
        header = "; ".join(f"{name}={value}" for name, value in cookies.items())
        answer = server.post("/api/tables", {"name": f"Ana {number}"}, Cookie=header)
        tables.append(answer.json)
        for name, attributes in _get_cookies(answer).items():
            cookies[name] = attributes.partition(";")[0]
        cookies = {name: value for name, value in cookies.items() if value}
        assert len(cookies) == min(number + 1, 20)
        if number == 18:  # use table 0 again, so that it isn't among the oldest
            server.connect_client(tables[0]["table"], tables[0]["token"]).send_command(
                "options", nope_seconds=5
            )
    expected = [tables[0], *tables[6:]]
    assert cookies == {f"companion_{table['table']}": table["token"] for table in expected}


def test_166_cookies_that_open_no_seat_expire_first(server: RealServer) -> None:
    party = server.create_table("Ana", "Ben")
    void = "; ".join(f"companion_{code}=void" for code in _make_codes(100))
    mine = f"theme=dark; companion_{party.table}={party.tokens[1]}"
    answer = server.post("/api/tables", {"name": "Ana"}, Cookie=f"{mine}; {void}")
    expired = {
        name
        for name, attributes in _get_cookies(answer).items()
        if attributes.startswith("; Max-Age=0;")
    }
    # One answer expires only as many cookies as fit into the headers that a proxy accepts.
    assert len(expired) == 40 and f"companion_{party.table}" not in expired
    size = sum(len(name) + len(value) + 4 for name, value in answer.headers.items())
    assert size < 4096


def _make_codes(count: int) -> list[str]:
    letters = "ABCDEFGHJK"
    return ["AAA" + letters[n // 100] + letters[n // 10 % 10] + letters[n % 10]
            for n in range(count)]  # fmt: skip


def test_166_a_practice_table_leaves_no_cookie(server: RealServer) -> None:
    reply = server.post("/api/practice", {"name": "Ana"})
    assert reply.status == 201 and "Set-Cookie" not in reply.headers


@pytest.mark.parametrize(
    "engine", ["eventlet", pytest.param("threads", marks=pytest.mark.repetition)]
)
def test_166_sixteen_kilobytes_of_cookies_are_answered(serve: Serve, engine: str) -> None:
    server = serve(COMPANION_SERVER=engine)
    party = server.create_table("Ana")
    others = "; ".join(f"companion_{code}={'x' * 43}" for code in _make_codes(280))
    cookie = f"{others}; companion_{party.table}={party.tokens[0]}"
    assert len(cookie) > 16_384
    assert server.get("/", Cookie=cookie).status == 200
    view = server.connect_client(party.table, headers={"Cookie": cookie}).view
    assert view["you"]["seat"] == party.seats[0]


# --- Promise 47 in docs/promises.md: lost answers -------------------------------------


def test_47_a_repeated_call_gets_its_first_answer_and_happens_once(serve: Serve) -> None:
    server = serve(COMPANION_JOIN_RATE="6/hour")
    keys = [str(uuid4()) for _ in range(4)]

    def send_with_key(path: str, key: str, body: Any = None, **headers: str) -> Reply:
        return server.post(path, body, **{"Idempotency-Key": key}, **headers)

    table = send_with_key("/api/tables", keys[0], {"name": "Ana"}).json
    seats = f"/api/tables/{table['table']}/seats"
    with ThreadPoolExecutor(4) as pool:  # the same request and key four times at once
        replies = [*pool.map(lambda _: send_with_key(seats, keys[1], {"name": "Ben"}), range(4))]
    ben = replies[0].json
    assert [(reply.status, reply.json) for reply in replies] == [(201, ben)] * 4
    host = {"Authorization": f"Bearer {table['token']}"}
    link = send_with_key(f"{seats}/{ben['seat']}/claim", keys[2], **host).json
    moved = send_with_key(f"/api/claims/{link['claim']}", keys[3]).json
    for again in range(3):
        for path, key, body, more, first in (
            ("/api/tables", keys[0], {"name": "Ana"}, {}, table),
            (seats, keys[1], {"name": "Ben"}, {}, ben),
            (f"{seats}/{ben['seat']}/claim", keys[2], None, host, link),
            (f"/api/claims/{link['claim']}", keys[3], None, {}, moved),
        ):
            answer = send_with_key(path, key, body, **more)
            assert (answer.status, answer.json) == (201, first), path
            cookie = f"companion_{table['table']}={first.get('token')};"
            assert "claim" in first or answer.headers["Set-Cookie"].startswith(cookie)
        if again == 1:
            server.kill()
            server.start()
    view = server.get(f"/api/tables/{table['table']}").json
    assert [seat["name"] for seat in view["seats"]] == ["Ana", "Ben"]
    mine = server.connect_client(table["table"], moved["token"])
    assert mine.view["you"]["seat"] == ben["seat"] and ben["token"] != moved["token"]
    # Another request with a used key, or a repetition without the key, is refused.
    for path, body in ((seats, {"name": "Cleo"}), ("/api/tables", {"name": "Ben"})):
        assert send_with_key(path, keys[1], body).error["code"] == "id_reused"
    assert send_with_key(seats, "short", {"name": "Cleo"}).error["facts"]["at"] == "Idempotency-Key"
    assert server.post(seats, {"name": "Ben"}).error["ruling"] == "unique-names"
    assert send_with_key(seats, str(uuid4()), {"name": "Ben"}).error["ruling"] == "unique-names"
    assert server.stop() == 0
    stored = b"".join(file.read_bytes() for file in server.database.parent.iterdir())
    for secret in (*keys, table["token"], ben["token"], moved["token"], link["claim"]):
        assert secret.encode() not in stored and secret not in "\n".join(server.log_lines)


# --- Promises 48 and 49 in docs/promises.md: long logs --------------------------------


def test_48_a_log_has_a_limit_and_the_host_is_warned_before(serve: Serve) -> None:
    server = serve(COMPANION_LOG_EVENTS="40")
    party = server.create_table("Ana", "Ben", "Cleo").begin()
    ben = party.clients[1]
    while party.host.view["version"] < 36:
        assert "log_room" not in party.host.view["you"]
        party.host.send_command("options", nope_seconds=3 + party.host.view["version"] % 20)
    assert party.host.view["you"]["log_room"] == 4
    assert "log_room" not in ben.wait_for_version(36)["you"]
    while party.host.view["version"] < 40:
        party.host.send_command("options", nope_seconds=3 + party.host.view["version"] % 20)
    view = party.host.view
    assert view["you"]["log_room"] == 0 and view["you"]["may"] == []
    for client, command in ((party.host, {"type": "undo"}), (party.host, {"type": "instruct", "as":
                            party.seats[2], "cell": [0, 0]}),
                            (ben, {"type": "note", "cell": [0, 0], "card": None})):  # fmt: skip
        error = client.expect_refusal(**command)
        assert (error["code"], error["ruling"]) == ("refused", "log-full") and error["text"]
    path = f"/api/tables/{party.table}"
    assert server.post(f"{path}/seats", {"name": "Dan"}).error["ruling"] == "log-full"
    ben.send_command("leave")
    assert party.host.wait_for_version(41)["seats"][1]["out"] == "left"
    server.kill()
    server.start()
    party.reconnect()
    assert party.host.expect_refusal("undo")["ruling"] == "log-full"
    assert len(server.get(f"{path}/log").json) >= 41


def _lengthen_log(server: RealServer, party: Party, events: int) -> None:
    """Lengthen the table's log to this many events by copying the last event."""
    party.host.send_command("options", nope_seconds=5)
    version = party.host.view["version"]
    server.stop()
    with closing(sqlite3.connect(server.database)) as stored, stored:
        row = stored.execute("SELECT at, body FROM events WHERE code = ? AND version = ?",
                             (party.table, version)).fetchone()  # fmt: skip
        rows = [(party.table, number, *row) for number in range(version + 1, events + 1)]
        stored.executemany("INSERT INTO events (code, version, at, body) VALUES (?, ?, ?, ?)", rows)
    server.start()


@pytest.mark.slow
@pytest.mark.timed
def test_49_a_long_log_slows_no_other_table(serve: Serve) -> None:
    server = serve()
    party = server.create_table("Ana", "Ben")
    _lengthen_log(server, party, 5000)
    calm = server.create_table("Dan")
    path = f"/api/tables/{party.table}/log"
    log = server.get(path).json
    assert len(log) == 5000 and [line["version"] for line in log] == [*range(1, 5001)]
    packed = server.get(path, **{"Accept-Encoding": "gzip"}).body
    assert json.loads(gzip.decompress(packed)) == log and len(packed) < 300_000

    def measure_p99(rounds: int) -> float:
        seconds = []
        for _ in range(rounds):
            began = time.perf_counter()
            calm.host.socket.call("sync")
            seconds.append(time.perf_counter() - began)
        return statistics.quantiles(seconds, n=100)[-1]

    def measure_while_requesting() -> float:
        stop = threading.Event()

        def request_until_stopped() -> int:
            done = 0
            while not stop.is_set():
                done += server.get(path, **{"Accept-Encoding": "gzip"}).status == 200
            return done

        with ThreadPoolExecutor(4) as pool:
            loops = [pool.submit(request_until_stopped) for _ in range(4)]
            try:
                return measure_p99(60)
            finally:
                stop.set()
                assert sum(loop.result() for loop in loops) > 0

    quiet = measure_p99(60)
    busy = measure_while_requesting()
    assert busy < LENIENCE * (0.3 + 5 * quiet), (busy, quiet)


def test_49_requests_for_the_log_are_rate_limited(serve: Serve) -> None:
    server = serve(COMPANION_COMMAND_RATE="5/hour")
    party = server.create_table("Ana", "Ben")
    path = f"/api/tables/{party.table}/log"
    for token in (*party.tokens, None):
        bearer = {"Authorization": f"Bearer {token}"} if token else {}
        answers = [server.get(path, **bearer).status for _ in range(7)]
        assert answers == [200] * 5 + [429] * 2


def test_49_claims_count_in_the_rate_limit_of_the_seat_that_makes_them(serve: Serve) -> None:
    server = serve(COMPANION_COMMAND_RATE="5/hour")
    party = server.create_table("Ana", "Ben")
    path = f"/api/tables/{party.table}/seats/{party.seats[1]}/claim"
    bearer = {"Authorization": f"Bearer {party.tokens[0]}"}
    assert [server.post(path, **bearer).status for _ in range(7)] == [201] * 5 + [429] * 2


def test_46_a_seat_that_reconnects_often_does_not_fill_the_log(serve: Serve) -> None:
    server = serve(COMPANION_COMMAND_RATE="1/hour")
    party = server.create_table("Ana", "Ben")
    for _ in range(9):
        ben = server.connect_client(party.table, party.tokens[1])
        for _ in range(18):
            ben.try_command("draw", cell=[0, 0])
    server.stop()
    lines = [json.loads(line) for line in server.log_lines]
    assert 0 < sum(line.get("code") == "rate_limited" for line in lines) < 120
    assert [line["what"] for line in lines].count("too_many") == 1


def test_46_refusals_of_one_address_do_not_fill_the_log(serve: Serve) -> None:
    server = serve(COMPANION_TRUST_PROXY="1")
    for _ in range(150):
        server.get("/api/tables/AAAAAA", **{"X-Forwarded-For": "10.0.0.1"})
    server.get("/api/tables/AAAAAA", **{"X-Forwarded-For": "10.0.0.2"})
    server.stop()
    lines = [json.loads(line) for line in server.log_lines]
    assert sum(line["what"] == "refused" for line in lines) == 119 + 1
    warnings = [line for line in lines if line["what"] == "too_many"]
    assert [line["address"] for line in warnings] == ["10.0.0.1"]
