"""Every script of a classic game plays as written, and together the scripts show every ruling."""

import re
from functools import cache
from pathlib import Path

import pytest

from companion.rules.pile.family import PILE
from tests.support.game_script import play_script
from tests.support.pile_script import PileScript

RULINGS = PILE.rulings
GAMES = sorted((Path(__file__).parent / "pile").glob("*.game"))


@cache
def rulings_shown(path: Path) -> frozenset[str]:
    return frozenset(play_script(path, PileScript))


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_the_game_plays_as_written(path: Path) -> None:
    assert rulings_shown(path)


def test_every_ruling_is_shown_by_a_game() -> None:
    missing = RULINGS - frozenset().union(*map(rulings_shown, GAMES))
    assert not missing, f"no game shows {sorted(missing)}"


def test_no_game_names_a_ruling_that_does_not_exist() -> None:
    assert frozenset().union(*map(rulings_shown, GAMES)) <= RULINGS


def test_the_referee_names_no_ruling_that_does_not_exist() -> None:
    source = "".join(path.read_text() for path in Path("companion/rules/pile").glob("*.py"))
    named = {*re.findall(r'(?:Refused|Aim|Role)\((?:\s*"[a-z ]+", \w+,)?\s*"([a-z-]+)"', source)}
    assert {"favor-another", "their-own-hand", "matching-cards"} <= named
    assert named <= RULINGS
