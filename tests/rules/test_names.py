"""Tests for valid names and for names that look alike (ruling unique-names)."""

import json
import unicodedata
from pathlib import Path

import pytest

from companion.robots.player import NAMES
from companion.rules.core.events import evolve
from companion.rules.families import new_table
from companion.rules.text.characters import count_clusters, is_readable, trim_visible_text
from companion.rules.text.names import look_alike
from companion.service.replays.reading import parse_game
from tests.server.test_replay import SAVED_GAMES, with_new_checksum
from tests.support.game_script import QUARANTINED
from tests.support.public_view import public_view
from tests.support.say import events
from tests.support.servers.server import RealServer

CAT = "🐈\u200d⬛"
ALI = "علی\u200cرضا"
FAMILY = "👨\u200d👩\u200d👧\u200d👦"
SCOTLAND = "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"
UNASSIGNED = "\U0001faff"
"""A code point without a character, which Unicode reserves for an emoji."""

VALID_NAMES = [
    *[CAT, ALI, SCOTLAND, "🫨", UNASSIGNED, "❤️\u200d🔥", "1️⃣", "葛\U000e0100城", FAMILY * 14],
    *["می\u200cخواهم", "නුවන්ෂ්\u200dය", "ന്\u200d", "क्\u200cष", "กี้" * 24, "བསྒྲུབས", "👍🏽" * 24],
]
INVALID_NAMES = [
    *["a\u200db", "A\u200cB", "\u200d", "🐈\u200d", "\u200d🐈", "ا\u200cب", "A\ufeff", "\u115fA"],
    *["\ufe0f", "a \ufe0f", "a\ufe0f\ufe0f", SCOTLAND[:-1], "a\U000e0041", "\ue000", "\uffff"],
    *["a\nb", "A\u2028B", "A\u202eB", "\u2066A", "\u061c", "\u2800", "a" + "\u0301" * 6],
    *["👍🏽" * 25, FAMILY * 15, "กี้" * 25],
]


@pytest.mark.parametrize("name", VALID_NAMES, ids=ascii)
def test_a_name_can_have_any_visible_character_and_working_joiners(name: str) -> None:
    assert trim_visible_text(name) == unicodedata.normalize("NFC", name)


@pytest.mark.parametrize("name", INVALID_NAMES, ids=ascii)
def test_a_name_can_have_no_hidden_or_turning_characters_or_idle_joiners(name: str) -> None:
    assert trim_visible_text(name) is None


def test_characters_are_counted_as_a_person_counts_them() -> None:
    assert [count_clusters(name) for name in (CAT, ALI, FAMILY, SCOTLAND, "क्ष", "กี้")] == [
        1,
        6,
        1,
        1,
        1,
        1,
    ]


def test_a_server_accepts_every_valid_name(server: RealServer) -> None:
    for name in VALID_NAMES:
        created = server.post("/api/tables", {"name": name})
        assert created.status == 201, ascii(name)
        seats = server.get(f"/api/tables/{created.json['table']}").json["seats"]
        assert [seat["name"] for seat in seats] == [unicodedata.normalize("NFC", name)]


@pytest.mark.parametrize("path", SAVED_GAMES, ids=lambda path: path.stem)
@pytest.mark.parametrize(
    "name", [*VALID_NAMES, "a\u200db", "e\u0301", "a" + "\u0301" * 24], ids=ascii
)
def test_a_game_with_any_name_opens_on_every_python(path: Path, name: str) -> None:
    """Python 3.11 doesn't know 🫨, and no Python knows the unassigned character.

    Earlier versions of this program allowed more marks on a letter.
    """
    assert unicodedata.category(UNASSIGNED) == "Cn"
    document = json.loads(path.read_bytes())
    document["seats"][1]["name"] = name
    assert is_readable(name)
    assert parse_game(with_new_checksum(document)).start.seats[1].name == name


ALIKE = [
    *[("Ana", "Аna"), ("ANA", "аnа"), ("ΑΝΑ", "Ana"), ("José", "Jоse"), ("Ａna", "ana")],
    *[("きよ", "きょ"), ("ニ", "二"), ("ırmak", "Irmak"), ("İrem", "irem"), ("Irmak", "IRMAK")],
    *[("Ian", "lan"), ("Bob", "B0b"), ("Arno", "Amo"), (ALI, "علیرضا"), (CAT, "🐈⬛"), ("❤", "❤️")],
]
DIFFERENT = [
    *[("Ana", "Anna"), ("Ian", "Lan"), ("Ben", "Ben 2"), ("Leo", "Lea"), ("Nina", "Mina")],
    *[("Player 1", "Player 2"), ("Кот", "Kit"), ("シ", "ツ"), ("李", "季"), ("Iris", "Kris")],
    *[("か", "が"), ("は", "ぱ"), ("ば", "ぱ"), ("и", "й"), ("ज", "ज़"), ("🐈", "🐕"), ("🫨", "🫩")],
]


@pytest.mark.parametrize(("first", "second"), ALIKE)
def test_names_that_look_the_same_to_most_people_are_alike(first: str, second: str) -> None:
    assert look_alike(first, second) and look_alike(second, first)


@pytest.mark.parametrize(("first", "second"), DIFFERENT)
def test_names_that_people_tell_apart_are_not_alike(first: str, second: str) -> None:
    assert not look_alike(first, second) and not look_alike(second, first)


def test_no_two_robots_have_names_that_look_alike() -> None:
    assert not [(a, b) for a in NAMES for b in NAMES if a < b and look_alike(a, b)]


def test_the_lobbys_view_marks_names_that_look_alike() -> None:
    """Games that earlier versions stored can contain such names."""
    table = new_table("TWINS4", QUARANTINED)
    for seat, name in (("s1", "Ben"), ("s2", "Ana"), ("s3", "Аna"), ("s4", "ANA")):
        table = evolve(table, events.SeatTaken(seat=seat, name=name, panel=True))
    seats = {seat["seat"]: seat for seat in public_view(table, 0)["seats"]}
    assert {seat: seat_view.get("alike") for seat, seat_view in seats.items()} == {
        "s1": None, "s2": None, "s3": "s2", "s4": "s2",
    }  # fmt: skip
    table = evolve(table, events.Prepared())
    assert not any("alike" in seat for seat in public_view(table, 0)["seats"])


def test_a_seat_is_refused_for_a_name_that_looks_like_anothers(server: RealServer) -> None:
    table = server.post("/api/tables", {"name": "Ana"}).json["table"]
    answer = server.post(f"/api/tables/{table}/seats", {"name": "Аna"})
    assert (answer.status, answer.error["ruling"]) == (409, "unique-names")
