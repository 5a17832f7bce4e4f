"""Tests for docs/sheets.md: each statement of the rule sheets has its texts, and every ruling is
listed."""

import json
import re

import pytest

from companion.rules.grid.texts import RULINGS as GRID
from companion.rules.pile.family import PILE as PILE_FAMILY
from tests.support.game_script import play_script
from tests.support.own_variants import load_own
from tests.support.paths import ROOT
from tests.support.pile_script import PileScript

PILE = PILE_FAMILY.rulings
TESTS = ROOT / "tests"
ROOT = TESTS.parent
STATEMENTS, RULING_ROWS = (ROOT / "docs/sheets.md").read_text("utf-8").split("## Every ruling")
ROWS = [
    [cell.strip() for cell in row.split("|")] for row in re.findall(r"^\|(.+)\|$", STATEMENTS, re.M)
]
FAMILIES = ("grid", "pile")
"""The families, in the order of their columns in the table of statements. The table's first column
has the statements themselves."""
NONE = "—"


def list_text_keys(family: str) -> set[str]:
    """Return the keys of the texts that a family's panel uses."""
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
"""For each family, all words in the source code of its two files ``lessons.js``.

Among these words are the keys of all its lessons, without the prefix ``lesson.``.
"""
WORDS = {family: list_text_keys(family) for family in FAMILIES}
VARIANTS = {
    name: load_own(name)
    for name in (
        "quarantined",
        "party-120",
        "party-122",
        "original-56",
        *(f"imploding-{box}" for box in ("party-120", "party-122", "original-56")),
    )
}


def find_code_words(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


@pytest.mark.parametrize("row", ROWS[2:], ids=lambda row: row[0])
def test_every_statement_of_a_sheet_points_to_existing_texts(row: list[str]) -> None:
    """A dash stands for a family to which the statement doesn't apply."""
    statement, *cells, rulings = row
    assert not {*find_code_words(rulings)} - (GRID | PILE)
    assert {NONE} != {*cells}, statement
    for family, cell in zip(FAMILIES, cells, strict=True):
        assert find_code_words(cell) or cell == NONE, (statement, family)
        assert not {*find_code_words(cell)} - WORDS[family], (statement, family)


TIPS = {"lesson.keep", "lesson.mix", "lesson.danger", "lesson.grab", "lesson.play.table"}


def test_the_sheets_recommendations_appear_at_their_moment_in_both_families() -> None:
    for family, column in zip(FAMILIES, (1, 2), strict=True):
        named_keys = {key for row in ROWS[2:] for key in find_code_words(row[column])}
        assert named_keys >= TIPS, family
    assert {"lesson.slip", "lesson.watch", "lesson.save", "lesson.more"} <= {
        key for row in ROWS[2:] for key in find_code_words(row[2])
    }


def read_ruling_rows(table: str) -> dict[str, tuple[list[str], str]]:
    """Read a table of docs/sheets.md that has a row for each ruling.

    Return two values for each ruling's slug: the words in backticks from the column with the
    sources, and the name of the game in ``tests/scripts`` that shows the ruling.
    """
    rows = re.findall(r"^\| `([\w-]+)` \| (.+) \| `(\w+)` \|$", table, re.M)
    return {slug: (find_code_words(source), game) for slug, source, game in rows}


@pytest.mark.slow
def test_every_ruling_has_its_row_its_sources_and_a_game_that_shows_it() -> None:
    grid, pile = map(read_ruling_rows, RULING_ROWS.split("### One pile"))
    assert grid.keys() == GRID
    assert pile.keys() == PILE
    for slug, (sources, game) in grid.items():
        assert sources == [VARIANTS["quarantined"].sources[slug]], slug
        assert slug in play_named_game("grid", game), slug
    for slug, ((source, *others), game) in pile.items():
        box = "" if slug in VARIANTS["party-120"].sources else "imploding-"
        assert source == VARIANTS[f"{box}party-120"].sources[slug], slug
        assert dict(zip(others[::2], others[1::2], strict=True)) == {
            name: VARIANTS[box + name].sources[slug]
            for name in ("party-122", "original-56")
            if VARIANTS[box + name].sources[slug] != source
        }, slug
        assert slug in play_named_game("pile", game), slug


GAMES: dict[tuple[str, str], frozenset[str]] = {}


def play_named_game(folder: str, game: str) -> frozenset[str]:
    """Return the rulings that come up in the game with this name in ``tests/scripts``."""
    if (folder, game) not in GAMES:
        kind = (PileScript,) if folder == "pile" else ()
        GAMES[folder, game] = frozenset(
            play_script(ROOT / "tests" / "scripts" / folder / f"{game}.game", *kind)
        )
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
def test_a_player_who_hides_a_kitten_reads_how_to_do_it_without_looking(
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
"""Rulings about statements of the sheets that can be read in more than one way."""


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
"""Instructions for handling the physical cards: for each, its file, its key, and words that it must
contain in both languages."""


@pytest.mark.parametrize(("folder", "key", "english", "italian"), AT_ITS_MOMENT)
def test_prompts_for_hands_appear_at_their_moment_in_both_languages(
    folder: str, key: str, english: str, italian: str
) -> None:
    for language, words in (("en", english), ("it", italian)):
        file = ROOT / "static/text" / folder / f"{language}.json"
        assert re.search(words, json.loads(file.read_text("utf-8"))[key]), language
