"""A new effect needs one row in ``EFFECTS``: everything else in the program follows from it."""

import re
import shutil
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from msgspec.structs import replace

from companion.rules import families
from companion.rules.families import FAMILIES
from companion.rules.grid import effects as grid_effects
from companion.rules.grid import events as grid_events
from companion.rules.grid import family as grid_family
from companion.rules.pile import effects as pile_effects
from companion.rules.pile import events as pile_events
from companion.rules.pile import family as pile_family
from companion.rules.variants.loading import Faults
from tests.support.in_memory_table import InMemoryTable
from tests.support.paths import ROOT, VARIANTS
from tools import steps

PARTS: dict[str, tuple[ModuleType, ModuleType]] = {
    "grid": (grid_effects, grid_family),
    "pile": (pile_effects, pile_family),
}
BASES = {"grid": ("quarantined",), "pile": ("party-120", "original-56")}
AddEffect = Callable[..., None]


@pytest.fixture
def add_effect(monkeypatch: pytest.MonkeyPatch) -> AddEffect:
    def add(family: str, **texts: Any) -> None:
        """Add the effect "twirl", which does what a Skip does, to a family for this test."""
        effects, module = PARTS[family]
        row = replace(effects.EFFECTS["skip"], **texts)
        monkeypatch.setitem(effects.EFFECTS, "twirl", row)
        monkeypatch.setitem(FAMILIES, family, module.build_family())

    return add


def make_variant(folder: Path, family: str, *, effect: str = "twirl") -> Path:
    """Write a variant in which the cards called Skip have this effect, and return its folder."""
    for base in BASES[family]:
        shutil.copytree(VARIANTS / base, folder / base)
    base = BASES[family][-1]
    main = (VARIANTS / base / "variant.toml").read_text("utf-8")
    cards = "".join(re.findall(r"(?m)^\[\[cards\]\]\n(?:\w+ = .*\n)+", main))
    house = folder / "house"
    house.mkdir()
    (house / "variant.toml").write_text(
        f'format = 1\nlike = "{base}"\nid = "house"\n'
        + cards.replace('effect = "skip"', f'effect = "{effect}"'),
        "utf-8",
    )
    for language in ("en", "it"):
        (house / f"{language}.toml").write_text('title = "House"\n', "utf-8")
    return house


@pytest.mark.slow
@pytest.mark.parametrize("family", PARTS)
def test_robots_play_whole_games_with_an_effect_that_only_its_row_knows(
    family: str, add_effect: AddEffect, tmp_path: Path
) -> None:
    add_effect(family)
    variant = families.load(make_variant(tmp_path, family))
    played = 0
    for seed in range(6):
        table = InMemoryTable(3, seed, variant)
        table.play_game()
        assert table.table.game.winner is not None
        played += sum(getattr(event, "card", None) == "skip" for event in table.events)
    assert played, "no robot has played the card"
    assert "twirl" in steps.render_page()


@pytest.mark.parametrize("family", PARTS)
def test_the_texts_of_an_effect_are_required_only_where_a_card_has_it(
    family: str, add_effect: AddEffect, tmp_path: Path
) -> None:
    event = {"grid": grid_events.FavorOver, "pile": pile_events.EffectOver}[family]
    tag = str(event.__struct_config__.tag)
    add_effect(family, rulings=("twirl-round",), events=(event,))
    with pytest.raises(Faults) as caught:
        families.load(make_variant(tmp_path / "with", family))
    assert {line.partition("/")[2] for line in caught.value.lines} >= {
        "rulings.toml: rulings.twirl-round: is missing",
        "en.toml: rulings.twirl-round: is missing",
        "it.toml: rulings.twirl-round: is missing",
    }
    without = families.load(make_variant(tmp_path / "without", family, effect="skip"))
    assert "twirl-round" not in without.sources
    assert tag not in without.words.log
    topics = [slug for topic in without.topics for slug in topic.rulings]
    assert {*topics} <= without.sources.keys()


def test_the_view_asks_the_game_in_which_order_turns_pass() -> None:
    """To reverse the order of play, a game only has to override ``turn_order``."""
    for family in PARTS:
        table = InMemoryTable(4, 1, families.load(VARIANTS / BASES[family][-1]))
        while table.table.phase != "play":
            table.take_step()
        game = table.table.require_game()

        class Turned(type(game), frozen=True, kw_only=True):  # type: ignore[misc]
            @cached_property
            def turn_order(self) -> tuple[str, ...]:
                return self.order[::-1]

        fields = {name: getattr(game, name) for name in game.__struct_fields__}
        before = {seat: game.previous_living(seat) for seat in game.living}
        instructor = game.next_living(game.current_turn.seat)
        turned = Turned(**fields)
        assert {seat: turned.next_living(seat) for seat in game.living} == before
        table.table = replace(table.table, game=turned)
        view = table.render_public_view()
        assert {seat["seat"]: seat["next"] for seat in view["seats"]} == before
        assert family == "pile" or view["turn"]["instructor"] == instructor


def list_files_for(what: str) -> list[str]:
    """Return the files that docs/architecture.md lists for adding something."""
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    section = page.split(f"\n### {what}\n")[1].split("\n#")[0]
    return re.findall(r"(?m)^\d+\. `([^`]+)`", section)


def test_an_effect_takes_at_most_twelve_files_three_of_them_data() -> None:
    files = list_files_for("An effect")
    assert len(files) <= 12
    assert sum(file.endswith(".toml") for file in files) == 3


@pytest.mark.parametrize(
    "what",
    ["An effect", "A card that takes effect when it is drawn", "Extras of an effect", "A step"],
)
def test_the_listed_files_exist(what: str) -> None:
    assert not [path for path in list_files_for(what) if not (ROOT / path).is_file()]


def test_the_list_of_files_for_an_effect_is_complete() -> None:
    """The lists have every file that names the effect ``targeted_attack``, which stands for any
    effect. The files of the draw grid are an exception: they name it only because they count the
    cards of all boxes."""
    listed = {*list_files_for("An effect"), *list_files_for("Extras of an effect")}
    variants = {path for path in listed if path.startswith("variants/party-120/")}
    kinds = {".py", ".js", ".ts", ".css", ".json", ".md", ".toml"}
    built = {"lean", "vendor"}
    named = {
        path.relative_to(ROOT).as_posix()
        for folder in ("companion", "static", "docs", "variants", "tools")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in kinds
        and not built & {*path.relative_to(ROOT).parts}
        and "targeted_attack" in path.read_text("utf-8")
    }
    same = {
        re.sub("party-120", path.parent.name, name)
        for path in VARIANTS.glob("*/variant.toml")
        for name in variants
    }
    same |= {
        path.relative_to(ROOT).as_posix()
        for expansion in VARIANTS.glob("*/expansion.toml")
        for path in expansion.parent.glob("*.toml")
    }
    missing = {path for path in named - listed - same if "/quarantined/" not in path}
    assert not missing
