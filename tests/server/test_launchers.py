"""Tests for ``/t/new?room=<word>``, by which a launcher brings everybody to one table."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from sqlite3 import connect
from typing import Any

import pytest

from companion.service.requests import hash_secret
from tests.support.servers.server import RealServer, Reply, wait_until

Serve = Callable[..., RealServer]
WORD = "i-1234567890123456789-gc-912345678901234567"


def enter(server: RealServer, name: str, word: str = WORD, **more: Any) -> Reply:
    return server.post("/api/rooms", {"room": word, "name": name}, **more)


def count_tables(server: RealServer) -> int:
    with closing(connect(server.database)) as database:
        return int(database.execute("SELECT count(*) FROM tables").fetchone()[0])


def test_opening_a_launchers_link_creates_nothing(serve: Serve) -> None:
    server = serve()
    for method in ("GET", "HEAD"):
        answer = server.request(method, f"/t/new?room={WORD}&name=Ana", Accept="text/html")
        assert answer.status == 200
        assert "Set-Cookie" not in answer.headers
    assert server.get("/api/rooms").status == 405
    assert count_tables(server) == 0


def test_all_who_come_with_the_same_word_sit_at_one_table(serve: Serve) -> None:
    server = serve()
    with ThreadPoolExecutor() as pool:
        names = [f"Cat {number}" for number in range(4)]
        answers = list(pool.map(lambda name: enter(server, name), names))
    assert [answer.status for answer in answers] == [201] * 4
    (code,) = {answer.json["table"] for answer in answers}
    view = server.get(f"/api/tables/{code}").json
    assert sorted(seat["name"] for seat in view["seats"]) == names
    # the first one is the host
    (host,) = [answer for answer in answers if answer.json["seat"] == view["host"]]
    assert host.json["token"]
    assert enter(server, "Dan", WORD + "2").json["table"] != code
    assert count_tables(server) == 2


def test_somebody_who_comes_again_keeps_their_seat(serve: Serve) -> None:
    server = serve()
    first = enter(server, "Ana")
    cookie = first.headers["Set-Cookie"].partition(";")[0]
    code = first.json["table"]
    assert enter(server, "Ana", Cookie=cookie).json == {"table": code}
    bearer = {"Authorization": f"Bearer {first.json['token']}"}
    again = enter(server, "Ana", **bearer)
    assert (again.status, again.json) == (200, {"table": code})
    assert enter(server, "Ana").error["ruling"] == "unique-names"


def test_somebody_who_comes_too_late_is_brought_to_the_table(serve: Serve) -> None:
    server = serve()
    host = enter(server, "Ana").json
    ana = server.connect_client(host["table"], host["token"])
    ana.send_command("options", locked=True)
    late = enter(server, "Ben")
    assert (late.status, late.json) == (200, {"table": host["table"]})


@pytest.mark.parametrize("word", ["short", "w" * 21, "w" * 65, "w" * 22 + "!", "é" * 30, ""])
def test_a_word_that_could_be_guessed_or_mistyped_is_refused(serve: Serve, word: str) -> None:
    server = serve()
    assert enter(server, "Ana", word).error["facts"]["at"].startswith("$")
    assert count_tables(server) == 0


def test_a_word_is_stored_as_a_hash_until_its_table_is_deleted(serve: Serve) -> None:
    server = serve("tests.guarantees.sweeping", SWEEP="0.2")
    first = enter(server, "Ana").json["table"]
    server.stop()
    assert WORD.encode() not in server.database.read_bytes()
    with closing(connect(server.database)) as database:
        rows = database.execute("SELECT hash, code FROM rooms").fetchall()
        assert rows == [(hash_secret(f"room {WORD}"), first)]
        # the table's last event is so old that the server deletes the table
        database.execute("UPDATE events SET at = 1")
        database.execute("UPDATE tables SET created = 1")
        database.commit()
    server.start()
    wait_until(lambda: count_tables(server) == 0)
    assert enter(server, "Ben").status == 201
    with closing(connect(server.database)) as database:
        codes = [code for (code,) in database.execute("SELECT code FROM rooms")]
    assert len(codes) == 1 and codes != [first]


def test_words_are_guessed_at_the_rate_of_codes(serve: Serve) -> None:
    server = serve(COMPANION_JOIN_RATE="3/minute", COMPANION_GUESS_RATE="2/minute")
    assert [enter(server, "Ana", f"{WORD}-{n}").status for n in range(3)] == [201, 201, 429]


def test_an_answer_that_was_lost_can_be_requested_again(serve: Serve) -> None:
    server = serve()
    key = {"Idempotency-Key": "a-key-of-this-launcher"}
    first = enter(server, "Ana", **key)
    assert enter(server, "Ana", **key).json == first.json
    assert count_tables(server) == 1
