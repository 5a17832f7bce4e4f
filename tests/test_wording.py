"""What the server says: everybody is named, and nothing is left open in a sentence."""

from typing import Any

import pytest
from msgspec.structs import replace

from companion.rules import wording
from tests.game_script import QUARANTINED, Script


@pytest.fixture
def three() -> Script:
    """Ana is up and waits to be told by Cleo."""
    script = Script()
    script.seated(["Ana", "Ben", "Cleo"])
    return script


@pytest.mark.parametrize("language", ["en", "it"])
def test_the_servers_words_speak_about_everybody(three: Script, language: str) -> None:
    words = QUARANTINED.texts[language].log
    for key, sentence in words.items():
        text = wording._filled(sentence, _facts(three), three.table, three.table)
        assert not set("{}|*") & set(text), (key, text)
    played: dict[str, Any] = {"seat": three.seat("ana"), "card": "skip", "target": None}
    variant = replace(QUARANTINED, language=language)
    table = replace(three.table, variant=variant)
    said = wording.happened("card_played", played, table, table)
    assert said == {"en": "Ana plays Skip.", "it": "Ana gioca Salta."}[language]


def _facts(script: Script) -> dict[str, Any]:
    ana, ben = script.seat("ana"), script.seat("ben")
    return {"seat": ana, "by": ben, "target": ben, "first": ana, "next": ben, "instructor": ben,
            "card": "skip", "kitten": "kitten", "name": "Dora", "cell": (0, 0)}  # fmt: skip
