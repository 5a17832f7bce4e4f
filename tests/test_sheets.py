"""docs/sheets.md: the statements of the rule sheets with their places, and every ruling."""

import json
import re
from pathlib import Path

import pytest

from companion.rules.families import load
from companion.rules.grid.texts import RULINGS as GRID
from companion.rules.pile.texts import RULINGS as PILE
from tests.game_script import play_script
from tests.pile.script import PileScript

HERE = Path(__file__).parent
ROOT = HERE.parent
SAID, RULED = (ROOT / "docs/sheets.md").read_text("utf-8").split("## Every ruling")
ROWS = [[cell.strip() for cell in row.split("|")] for row in re.findall(r"^\|(.+)\|$", SAID, re.M)]
FAMILIES = ("grid", "pile")
"""The columns of a row after the first one."""
NONE = "—"


def panel_words(family: str) -> set[str]:
    """Return the texts of a family's panel: its own late words and no other family's."""
    files = ROOT.glob("static/text/**/en.json")
    others = {name for name in FAMILIES if name != family}
    return {
        key
        for file in files
        if file.parent.name not in others
        for key in json.loads(file.read_text("utf-8"))
        if not key.startswith("lesson.") or key[7:] in LESSONS[family]
    }


LESSONS = {
    family: set(
        re.findall(
            r"[\w.]+",
            "".join(
                (ROOT / f"static/js/{room}/lessons.js").read_text("utf-8")
                for room in ("shell", family)
            ),
        )
    )
    for family in FAMILIES
}
"""The keys in a family's lessons module."""
WORDS = {family: panel_words(family) for family in FAMILIES}
VARIANTS = {
    name: load(ROOT / "variants" / name)
    for name in ("quarantined", "party-120", "party-122", "original-56")
}


def named_rulings(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


@pytest.mark.parametrize("row", ROWS[2:], ids=lambda row: row[0])
def test_every_statement_of_a_sheet_points_to_existing_texts(row: list[str]) -> None:
    """With either family: a dash, where it hasn't what the row speaks of."""
    what, *cells, rulings = row
    assert not {*named_rulings(rulings)} - (GRID | PILE)
    assert {NONE} != {*cells}, what
    for family, cell in zip(FAMILIES, cells, strict=True):
        assert named_rulings(cell) or cell == NONE, (what, family)
        assert not {*named_rulings(cell)} - WORDS[family], (what, family)


TIPS = {"lesson.keep", "lesson.mix", "lesson.danger", "lesson.grab", "lesson.play.table"}


def test_the_sheets_recommendations_appear_at_their_moment_in_both_families() -> None:
    for family, column in zip(FAMILIES, (1, 2), strict=True):
        said = {key for row in ROWS[2:] for key in named_rulings(row[column])}
        assert said >= TIPS, family
    assert {"lesson.slip", "lesson.watch", "lesson.save", "lesson.more"} <= {
        key for row in ROWS[2:] for key in named_rulings(row[2])
    }


def test_every_ruling_has_its_row_its_sources_and_a_game_that_shows_it() -> None:
    rows = {
        named_rulings(row[0])[0]: row[1:]
        for row in re.findall(r"^\|(.+)\|(.*)\|(.*)\|$", RULED, re.M)[2:]
    }
    assert rows.keys() == GRID | PILE
    party = VARIANTS["party-120"].sources
    for slug, (grid, pile) in rows.items():
        assert bool(grid.strip()) == (slug in GRID) and bool(pile.strip()) == (slug in PILE), slug
        if slug in GRID:
            assert VARIANTS["quarantined"].sources[slug] in grid, slug
            assert slug in shown_rulings("games", grid), slug
        if slug in PILE:
            others = {
                f"{short} {VARIANTS[name].sources[slug]}"
                for name, short in (("party-122", "older"), ("original-56", "original"))
                if VARIANTS[name].sources[slug] != party[slug]
            }
            sources = pile.strip().split(",")[0].split(" · ")
            assert sources[0] == party[slug] and {*sources[1:]} == others, slug
            assert slug in shown_rulings("pile/games", pile), slug


GAMES: dict[tuple[str, str], frozenset[str]] = {}


def shown_rulings(folder: str, cell: str) -> frozenset[str]:
    """The rulings that the game shows which the cell names."""
    (game,) = named_rulings(cell)
    if (folder, game) not in GAMES:
        kind = (PileScript,) if folder.startswith("pile") else ()
        GAMES[folder, game] = frozenset(play_script(HERE / folder / f"{game}.game", *kind))
    return GAMES[folder, game]


DONT_LOOK = {
    "en": ("don.t look", "below the table"),
    "it": ("guardarl|senza guardare|non si guardano|nessuno guarda", "sotto il tavolo"),
}


@pytest.mark.parametrize("language", DONT_LOOK)
@pytest.mark.parametrize(
    ("variant", "place"),
    [("quarantined", "defuse-hides-the-grid"), ("party-120", "defuse-in-secret")],
)
def test_a_player_who_hides_a_kitten_reads_not_to_look_and_how(
    variant: str, place: str, language: str
) -> None:
    texts = VARIANTS[variant].with_filled_texts.texts[language]
    for wanted in DONT_LOOK[language]:
        assert re.search(wanted, texts.rulings[place].text, re.IGNORECASE)
    assert DONT_LOOK[language][1] in texts.cards["defuse"].here
    file = (
        ROOT / "static/text" / ("pile" if variant.startswith("party") else "") / f"{language}.json"
    )
    assert DONT_LOOK[language][1] in json.loads(file.read_text("utf-8"))["now.kitten.me.hint"]


READINGS = {
    "quarantined": ("un-nopeable",),
    "party-120": ("attack-stacks", "targeted-attack", "pick-no-kitten"),
    "original-56": ("pick-no-kitten",),
}
"""Rulings on a sentence of the rule sheet that can be understood in more than one way."""


@pytest.mark.parametrize("variant", READINGS)
def test_readings_of_a_sheet_are_marked_as_readings(variant: str) -> None:
    texts = VARIANTS[variant].with_filled_texts.texts
    for slug in READINGS[variant]:
        assert re.search(r"\bwe read\b", texts["en"].rulings[slug].text), slug
        assert re.search(r"\bleggiamo\b", texts["it"].rulings[slug].text), slug


def test_a_boxs_remark_on_special_combos_stands_beside_them() -> None:
    assert VARIANTS["party-120"].special_combos == VARIANTS["party-122"].special_combos == "later"
    assert VARIANTS["original-56"].special_combos == "beyond"
    for language in ("en", "it"):
        words = json.loads((ROOT / f"static/text/pile/{language}.json").read_text("utf-8"))
        assert words["options.special_combos.later"] != words["options.special_combos.beyond"]


AT_ITS_MOMENT = [
    ("", "window.show", "to the camera", "alla webcam"),
    ("", "now.look.me.hint", "back in the same place", "allo stesso posto"),
    ("lessons", "lesson.look.table", "back in the same place", "allo stesso posto"),
    ("", "now.reveal.me.hint", "you draw it, shuffle or defuse", "mescoli o disinneschi"),
    ("", "now.kitten.me.hint", "face down again", "tutte coperte"),
    ("pile", "now.kitten.me.hint", "don.t move", "non si spostano"),
    ("lessons", "lesson.slip", "or move them", "né spostare"),
    ("lessons", "lesson.defuse.table", "don.t look", "senza guardare"),
]
"""Instructions of the rule sheet for handling cards: file, key, and the words in both languages."""


@pytest.mark.parametrize(("folder", "key", "english", "italian"), AT_ITS_MOMENT)
def test_prompts_for_hands_appear_at_their_moment_in_both_languages(
    folder: str, key: str, english: str, italian: str
) -> None:
    for language, words in (("en", english), ("it", italian)):
        file = ROOT / "static/text" / folder / f"{language}.json"
        assert re.search(words, json.loads(file.read_text("utf-8"))[key]), language
