"""House variants in folders and files: an edited copy can be played, and each fault is reported
with its place."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from companion.rules import families
from companion.rules.families import load, load_all
from companion.rules.grid.variant import Card, Edition
from companion.rules.variants.loading import Faults
from tests.support.game_script import QUARANTINED, Script
from tests.support.own_variants import load_all_own
from tests.support.paths import ROOT
from tests.support.play_at_random import RandomGame
from tests.support.say import say

HERE = ROOT / "variants"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(HERE / "quarantined", tmp_path / "house"))


def edit(folder: Path, name: str, *changes: tuple[str, str]) -> None:
    text = (folder / name).read_text("utf-8")
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    (folder / name).write_text(text, "utf-8")


BIGGER = (
    ('id = "quarantined"', 'id = "house"'),
    ("rows = 2", "rows = 3"),
    ("put_away = 4", "put_away = 2"),
    ("grid = 5", "grid = 8"),
    ("seconds = 8", "seconds = 5"),
    ('id = "skip"\ncount = 3', 'id = "skip"\ncount = 4'),
)


def test_a_house_variant_with_3x3_grids_four_skips_and_5_s_windows_plays(folder: Path) -> None:
    edit(folder, "variant.toml", *BIGGER)
    script = Script(load(folder))
    script.seat_players(["ana", "ben"])
    for line in (
        "= ana's grid: x x x / x x x / x x x",
        "ben tells 1,1",
        '= says "middle row, middle"',
        "ana plays skip",
        "= 5.0s left",
        "... 5s",
        "= ben is up",
        "ana tells 2,0",
        "ben draws 2,0",
        "ben reports safe",
        "= ben's grid: x x x / x x x / . x x",
        "ben tells 0,0",
        "ana plays skip",
        "... 5s",
        "ana tells 0,0",
        "ben draws 0,0",
        "ben reports safe",
        "ben tells 0,0",
        "ana plays skip",
        "... 5s",
        "ana tells 0,1",
        "ben draws 0,1",
        "ben reports safe",
        "ben tells 0,0",
        "ana plays skip",
        "... 5s",
        "= ana's discard: skip skip skip skip",
        "ana tells 0,2",
        "ben draws 0,2",
        "ben reports kitten",
        "ben explodes",
        "= ana wins",
    ):
        script.run_line(line)


def test_a_game_keeps_the_variant_it_began_with(folder: Path) -> None:
    edit(folder, "variant.toml", *BIGGER)
    variant = load(folder)
    again = families.decode_variant(variant.to_json())
    assert again == variant
    assert again.digest == variant.digest != QUARANTINED.digest


def test_every_built_in_variant_has_texts_in_its_own_language() -> None:
    for variant in load_all(HERE).values():
        assert variant.language in variant.texts


def write_variant(tmp_path: Path, main: str) -> Path:
    """Write a variant with only this ``variant.toml``, beside a copy of ``quarantined``. Returns
    the variant's folder."""
    shutil.copytree(HERE / "quarantined", tmp_path / "quarantined")
    folder = tmp_path / "quick"
    folder.mkdir()
    (folder / "variant.toml").write_text(main, "utf-8")
    return folder


def test_a_variant_needs_to_contain_only_its_differences(tmp_path: Path) -> None:
    """The variant is the example in variants/README.md, with a title."""
    readme = (HERE / "README.md").read_text("utf-8")
    example = next(part for part in readme.split("```toml\n") if part.startswith("format"))
    folder = write_variant(tmp_path, example.partition("```")[0])
    (folder / "en.toml").write_text('title = "In a hurry"', "utf-8")
    quick = load_all(tmp_path)["quick"]
    assert quick.window.seconds == 5 != QUARANTINED.window.seconds
    assert (quick.window.least, quick.cards) == (QUARANTINED.window.least, QUARANTINED.cards)
    assert quick.with_filled_texts.texts["en"].title == "In a hurry"
    assert (
        quick.with_filled_texts.texts["en"].rulings
        == QUARANTINED.with_filled_texts.texts["en"].rulings
    )
    assert quick.with_filled_texts.texts["it"] == QUARANTINED.with_filled_texts.texts["it"]


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ('like = "nothing"', "quick/variant.toml: like: there is no variant 'nothing'"),
        ('like = "quick"', "quick/variant.toml: like: it is like itself"),
        ('like = "quarantined"\nnose = 1', "quick/variant.toml: nose: is not known"),
        ('like = "quarantined"\nfamily = "fish"', "quick/variant.toml: family: must be one of"),
        ('like = "quarantined"\nwindow.most = 5', "quick/variant.toml: window: must be"),
    ],
)
def test_a_fault_of_a_base_variant_is_reported_with_its_own_place(
    tmp_path: Path, line: str, fault: str
) -> None:
    folder = write_variant(tmp_path, f'format = 1\nid = "quick"\n{line}\n')
    with pytest.raises(Faults) as error:
        load(folder)
    assert any(fault in line for line in error.value.lines), error.value.lines


def test_a_missing_base_variant_is_a_single_fault(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(HERE / "original-56", tmp_path / "original-56"))
    edit(folder, "variant.toml", ('like = "party-120"\n', ""))
    with pytest.raises(Faults) as error:
        load(folder)
    (line,) = error.value.lines
    assert line.startswith("original-56/variant.toml: like: is missing; without it language, ")


def write_skippy_variant(tmp_path: Path) -> Path:
    """Write a variant with ten Skips in each deck, based on ``quarantined``."""
    folder = write_variant(tmp_path, "")
    cards = (HERE / "quarantined" / "variant.toml").read_text("utf-8")
    cards = cards[cards.index("[[cards]]") : cards.index("# Cards and combos of the classic game")]
    changed_cards = cards.replace('id = "skip"\ncount = 3', 'id = "skip"\ncount = 10')
    main = 'format = 1\nlike = "quarantined"\nid = "quick"\n\n' + changed_cards
    (folder / "variant.toml").write_text(main, "utf-8")
    return folder


def test_a_conflict_with_an_inherited_part_names_the_variants_own_file(tmp_path: Path) -> None:
    folder = write_skippy_variant(tmp_path)
    with pytest.raises(Faults) as error:
        load(folder)
    lines = error.value.lines
    assert all(line.startswith("quick/variant.toml: ") for line in lines), lines
    assert lines[0].endswith("(by what you say of cards)")
    assert "cards.skip: 10 are more than the 4 of the box 'original': say in an edit" in lines[1]


def test_a_count_is_raised_with_boxes_of_its_own(tmp_path: Path) -> None:
    """The box is the example in variants/README.md."""
    folder = write_skippy_variant(tmp_path)
    readme = (HERE / "README.md").read_text("utf-8")
    boxes = next(part for part in readme.split("```toml\n") if part.startswith("[[editions]]"))
    (folder / "editions.toml").write_text(boxes.partition("```")[0], "utf-8")
    named = readme[readme.index("`editions.two-party-packs = ") + 1 :].partition("`")[0]
    for language in ("en", "it"):
        (folder / f"{language}.toml").write_text(named, "utf-8")
    main = (folder / "variant.toml").read_text("utf-8")
    deal = "[deal]\nput_away = 11\n"
    (folder / "variant.toml").write_text(main.replace("[[cards]]", deal + "[[cards]]", 1), "utf-8")
    quick = load(folder)
    assert quick.counts["skip"] == 10
    assert [count_players_served(box, quick.cards) for box in quick.editions] == [1]


def test_house_rules_in_a_file_are_a_variant(tmp_path: Path) -> None:
    """The example in variants/README.md can be loaded from another folder, and faults in it are
    reported."""
    readme = (HERE / "README.md").read_text("utf-8")
    example = readme.partition("```json\n")[2].partition("```")[0]
    (tmp_path / "snoozy.json").write_text(example, "utf-8")
    snoozy = load_all(tmp_path, beside=HERE)["snoozy"]
    assert (snoozy.counts["skip"], snoozy.words.title) == (4, "Snoozy")
    assert snoozy.with_filled_texts.texts["it"].cards["skip"].title == "Snooze"
    script = Script(snoozy)
    script.seat_players(["ana", "ben"])
    script.run_line("= ana's grid: x x x / x x x")
    for name, text in (
        ("a", example.replace("quarantined", "quarantne")),
        ("b", example.replace('"skip": 4', '"skip": 99, "fish": 1')),
        ("c", example[:-9]),
    ):
        (tmp_path / f"{name}.json").write_text(text, "utf-8")
    with pytest.raises(Faults) as error:
        load_all(tmp_path, beside=HERE)
    assert error.value.lines[:3] == [
        "a.json: like: there is no variant 'quarantne'",
        "b.json: rules.cards.skip: must be 0 to 60",
        "b.json: rules.cards.fish: is not known",
    ]
    assert error.value.lines[3].startswith("c.json: can't be read: ")


FAULTS: list[tuple[str, tuple[str, str], str]] = [
    ("variant.toml", ("format = 1", "format = 2"), "house/variant.toml: format: must be 1"),
    ("variant.toml", ("rows = 2", "rows = 2\ndepth = 1"), "house/variant.toml: grid: Object"),
    ("variant.toml", ("[grid]", "[carpet]"), "house/variant.toml: carpet: is not known"),
    ("variant.toml", ("[grid]", "[carpet]"), "house/variant.toml: grid: is missing"),
    ("variant.toml", ("rows = 2", 'rows = "two"'), "house/variant.toml: grid.rows: Expected `int`"),
    ("variant.toml", ('"look"', '"peek"'), "house/variant.toml: cards[2].effect: must be one of"),
    ("variant.toml", ("count = 3", "count = 4"), "house/variant.toml: deal: puts away"),
    ("variant.toml", ("rows = 2", "rows = 3"), "house/variant.toml: grid: 3 × 3 cells for 6"),
    ("variant.toml", ('"skip"', '"hop"'), "house/en.toml: cards.hop: is missing"),
    ("variant.toml", ('"skip"', '"hop"'), "house/en.toml: cards.skip: is not known"),
    ("variant.toml", ('id = "skip"', 'id = "favor"'), "house/variant.toml: cards: 'favor' stands"),
    ("variant.toml", ('effect = "nope"', 'effect = "skip"'), "cards: one title must have the"),
    ("variant.toml", ('effect = "kitten"', 'effect = "skip"'), "effect 'kitten', not 0"),
    ("variant.toml", ('effect = "skip"', 'effect = "kitten"'), "effect 'kitten', not 2"),
    ("variant.toml", ('id = "skip"', 'id = "down"'), "house/variant.toml: cards: no card can be"),
    ("variant.toml", ("attack = ", "skip = "), "elsewhere.skip: is a card of this game"),
    ("variant.toml", ('language = "en"', 'language = "xx"'), "language: there is no xx.toml"),
    ("variant.toml", ("least = 2", "least = 1"), "house/variant.toml: players: must be 2 to 10"),
    ("variant.toml", ("most = 30", "most = 5"), "house/variant.toml: window: must be"),
    ("variant.toml", ('"no-combos"', '"no-fun"'), "elsewhere.cat: there is no ruling 'no-fun'"),
    (
        "en.toml",
        ("{seat:You sit|* sits}", "{seat:* sits}"),
        "en.toml: log.seat_taken: {* sits} is",
    ),
    ("en.toml", ("{seat:You sit|* sits}", "{seat:{name}|*}"), "a place in a place"),
    ("variant.toml", ("format = 1", "format = "), "house/variant.toml: can't be read: "),
    ("rulings.toml", ("yup = ", "yep = "), "house/rulings.toml: rulings.yep: is not known"),
    ("rulings.toml", ("yup = ", "yep = "), "house/rulings.toml: rulings.yup: is missing"),
    ("rulings.toml", ('yup = "sheet"', 'yup = "me"'), "house/rulings.toml: rulings[...]: Inv"),
    ("rulings.toml", ('  "yup",', '  "yep",'), "house/rulings.toml: topics.yep: is not known"),
    ("rulings.toml", ('  "yup",', ""), "house/rulings.toml: topics.yup: is missing"),
    ("rulings.toml", ('  "yup",', '  "hold",'), "rulings.toml: topics: 'hold' stands there twice"),
    ("en.toml", ('nope = "Nope"', ""), "house/en.toml: topics.nope: is missing"),
    ("editions.toml", ("cards = 56", "cards = 57"), "editions.original: has 56 cards by title"),
    ("editions.toml", ("nope = 5", "nope = 1"), "editions.original: lacks cards that a deck"),
    (
        "editions.toml",
        ("skip = 4\nsee_future = 3", "skip = 14\nsee_future = 3"),
        "paw.skip: is more",
    ),
    ("editions.toml", ('"original"', '"first"'), "house/en.toml: editions.first: is missing"),
    ("en.toml", ("own-turn = ", "owned-turn = "), "house/en.toml: refused.own-turn: is missing"),
    ("en.toml", ("{turn:your|*’s} turn", "{who} turn"), "refused.own-turn: {who} is not one of"),
    ("en.toml", ("{turn:your|*’s} turn", "{turn’s turn"), "refused.own-turn: can't be filled in"),
    (
        "en.toml",
        ("{turn:your|*’s} turn", "{of:turn} turn"),
        "own-turn: {of:turn}: 'of' is not one of",
    ),
    (
        "en.toml",
        ('save yourself"', 'save yourself, {of:titles.nope}"'),
        "titles.nope: {of:titles.nope}: 'of' is not one of its small words",
    ),
    (
        "en.toml",
        ("Shuffle your own", "{seat} shuffles"),
        "cards.shuffle.here: {seat} can't be fill",
    ),
    (
        "en.toml",
        ("Shuffle your own", "Shuffle {a:grid.rows:row|rows} of your own"),
        "cards.shuffle.here: {a:grid.rows:row|rows} can't be filled in",
    ),
    (
        "en.toml",
        ('title = "Shuffle"', 'title = "Shuffle}"'),
        "cards.shuffle.title: } can't be fill",
    ),
    ("en.toml", ("[rulings.yup]", "[rulings.yep]"), "house/en.toml: rulings.yup: is missing"),
]


@pytest.mark.parametrize(("name", "change", "fault"), FAULTS)
def test_a_fault_is_reported_with_file_and_place(
    folder: Path, name: str, change: tuple[str, str], fault: str
) -> None:
    edit(folder, name, change)
    with pytest.raises(Faults) as error:
        load(folder)
    assert any(fault in line for line in error.value.lines), error.value.lines


@pytest.mark.parametrize(("title", "phrase"), [("Hop", "a Hop"), ("Attack", "an Attack")])
def test_an_article_suits_the_title_after_it(folder: Path, title: str, phrase: str) -> None:
    edit(folder, "en.toml", ('title = "Skip"', f'title = "{title}"'))
    ruling = load(folder).with_filled_texts.texts["en"].rulings["turn-ends"]
    assert f" {phrase}, " in ruling.text


@pytest.mark.parametrize("name", sorted(load_all_own()))
def test_no_own_text_has_the_wrong_article(name: str) -> None:
    texts = load_all_own()[name].with_filled_texts.texts["en"]
    words = [text for card in texts.cards.values() for text in (card.here, card.base)]
    words += [text for ruling in texts.rulings.values() for text in (ruling.title, ruling.text)]
    wrong = re.compile(r"\b[Aa] [aeio]\w*|\b[Aa]n [^aeiouh\W]\w*", re.IGNORECASE)
    assert not [match[0] for text in words for match in wrong.finditer(text)]


def count_players_served(box: Edition, deck: tuple[Card, ...]) -> int:
    return min(box.titles.get(card.id, 0) // card.count for card in deck if card.count)


def test_a_box_serves_as_many_players_as_its_scarcest_title() -> None:
    served = {box.id: count_players_served(box, QUARANTINED.cards) for box in QUARANTINED.editions}
    assert served == {"original": 1, "party-pack": 2, "party-pack-older": 2}


def test_a_variant_needs_no_boxes(folder: Path) -> None:
    (folder / "editions.toml").unlink()
    for name in ("en.toml", "it.toml"):
        text = (folder / name).read_text("utf-8")
        boxes = text[text.index("[editions.original]") : text.index("[refused]")]
        (folder / name).write_text(text.replace(boxes, ""), "utf-8")
    assert load(folder).editions == ()


def test_all_faults_are_reported_at_once(folder: Path) -> None:
    edit(folder, "variant.toml", ("format = 1", "format = 2"), ("rows = 2", 'rows = "two"'))
    edit(folder, "rulings.toml", ("yup = ", "yep = "))
    (folder / "en.toml").unlink()
    with pytest.raises(Faults) as error:
        load(folder)
    files = {line.split(":")[0] for line in error.value.lines}
    assert files >= {"house/variant.toml", "house/rulings.toml"}
    assert len(error.value.lines) >= 4


def test_a_missing_file_and_an_empty_folder_are_faults(folder: Path, tmp_path: Path) -> None:
    (folder / "rulings.toml").unlink()
    with pytest.raises(Faults, match=r"house/rulings.toml: is missing"):
        load(folder)
    (tmp_path / "empty").mkdir()
    with pytest.raises(Faults, match="holds no variant"):
        load_all(tmp_path / "empty")


def test_a_folder_is_named_after_its_variant(folder: Path) -> None:
    with pytest.raises(Faults, match="id: must be the folder's name"):
        load_all(folder.parent)


def test_a_card_that_cannot_be_noped_opens_no_window(folder: Path) -> None:
    edit(
        folder,
        "variant.toml",
        ('effect = "skip"\nnopeable = true', 'effect = "skip"\nnopeable = false'),
    )
    script: Any = Script(load(folder))
    script.seat_players(["ana", "ben"])
    script.run_line("ben tells top-left")
    script.run_line("ana plays skip")
    script.run_line("= no window")
    script.run_line("= ben is up")


def test_a_house_variants_player_limit_applies(folder: Path) -> None:
    edit(folder, "variant.toml", ("most = 10", "most = 3"))
    game = RandomGame(2, {})
    game.table = Script(load(folder)).table
    for name in ("Ana", "Ben", "Cleo"):
        game.handle_command(say.TakeSeat(name=name), None)
    with pytest.raises(Exception, match="player-count"):
        game.handle_command(say.TakeSeat(name="Dora"), None)
