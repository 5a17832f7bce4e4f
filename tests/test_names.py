"""Names: what may stand in one."""

import json
import unicodedata
from pathlib import Path

import pytest

from companion.rules.core.characters import clusters, readable, visible
from companion.rules.core.names import same_name
from companion.service.games.reading import read
from tests.server import RealServer
from tests.test_replay import OLD, resealed

CAT, ALI, FAMILY = "🐈\u200d⬛", "علی\u200cرضا", "👨\u200d👩\u200d👧\u200d👦"
SCOTLAND = "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"
NOT_YET = "\U0001faff"
"""A place that Unicode keeps for a picture and has given to none."""

NAMED = [
    *[CAT, ALI, SCOTLAND, "🫨", NOT_YET, "❤️\u200d🔥", "1️⃣", "葛\U000e0100城", FAMILY * 14],
    *["می\u200cخواهم", "නුවන්ෂ්\u200dය", "ന്\u200d", "क्\u200cष", "กี้" * 24, "བསྒྲུབས", "👍🏽" * 24],
]
UNNAMED = [
    *["a\u200db", "A\u200cB", "\u200d", "🐈\u200d", "\u200d🐈", "ا\u200cب", "A\ufeff", "\u115fA"],
    *["\ufe0f", "a \ufe0f", "a\ufe0f\ufe0f", SCOTLAND[:-1], "a\U000e0041", "\ue000", "\uffff"],
    *["a\nb", "A\u2028B", "A\u202eB", "\u2066A", "\u061c", "\u2800", "a" + "\u0301" * 6],
    *["👍🏽" * 25, FAMILY * 15, "กี้" * 25],
]


@pytest.mark.parametrize("name", NAMED, ids=ascii)
def test_a_name_holds_any_character_and_joiners_where_they_join(name: str) -> None:
    assert visible(name) == unicodedata.normalize("NFC", name)


@pytest.mark.parametrize("name", UNNAMED, ids=ascii)
def test_a_name_holds_nothing_that_hides_turns_or_joins_nothing(name: str) -> None:
    assert visible(name) is None


def test_characters_are_counted_as_a_person_counts_them() -> None:
    assert [clusters(name) for name in (CAT, ALI, FAMILY, SCOTLAND, "क्ष", "กี้")] == [
        1,
        6,
        1,
        1,
        1,
        1,
    ]


def test_a_server_takes_every_name_that_a_person_can_read(server: RealServer) -> None:
    for name in NAMED:
        made = server.post("/api/tables", {"name": name})
        assert made.status == 201, ascii(name)
        found = server.get(f"/api/tables/{made.json['table']}").json["seats"]
        assert [seat["name"] for seat in found] == [unicodedata.normalize("NFC", name)]


@pytest.mark.parametrize("path", OLD, ids=lambda path: path.stem)
@pytest.mark.parametrize("name", [*NAMED, "a\u200db", "e\u0301", "a" + "\u0301" * 24], ids=ascii)
def test_a_game_with_any_name_opens_on_every_python(path: Path, name: str) -> None:
    """Python 3.11 doesn't know 🫨, no Python knows the picture that is not given yet, and earlier
    versions took more marks on a letter."""
    assert unicodedata.category(NOT_YET) == "Cn"
    document = json.loads(path.read_bytes())
    document["seats"][1]["name"] = name
    assert readable(name)
    assert read(resealed(document)).start.seats[1].name == name


def test_names_are_compared_without_joiners() -> None:
    assert same_name(ALI) == same_name("علیرضا") and same_name(CAT) == same_name("🐈⬛")
