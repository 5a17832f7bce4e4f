"""Every script of a game on the draw grid plays as written, and together the scripts show every
ruling."""

import re
from functools import cache
from pathlib import Path

import pytest

from companion.rules.grid.family import GRID
from companion.rules.text.rulings import TABLE_RULINGS
from tests.support.game_script import play_script
from tests.support.paths import ROOT

RULINGS = GRID.rulings
GAMES = sorted((ROOT / "tests" / "scripts" / "grid").glob("*.game"))


@cache
def play_and_list_rulings(path: Path) -> frozenset[str]:
    return frozenset(play_script(path))


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_the_game_plays_as_written(path: Path) -> None:
    assert play_and_list_rulings(path)


def test_every_ruling_is_shown_by_a_game() -> None:
    missing = RULINGS - frozenset().union(*map(play_and_list_rulings, GAMES))
    assert not missing, f"no game shows {sorted(missing)}"


def test_the_referee_names_no_ruling_that_does_not_exist() -> None:
    rules = Path("companion/rules")
    for package, rulings in {"core": TABLE_RULINGS, "grid": RULINGS}.items():
        source = "".join(path.read_text() for path in (rules / package).glob("*.py"))
        used = {*re.findall(r'(?:Refused|Forbidden|Stale)\(\s*"([a-z-]+)"', source)}
        assert used, package
        assert used <= rulings, package


def test_no_game_names_a_ruling_that_does_not_exist() -> None:
    assert frozenset().union(*map(play_and_list_rulings, GAMES)) <= RULINGS
