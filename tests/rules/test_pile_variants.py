"""Tests for the variants of the classic boxes.

Their files must agree with the tables of the rulebook (rulings paw-prints, the-deal,
one-fewer-kitten, extra-defuses, player-count), and their texts may name only their own cards.
"""

import shutil
from pathlib import Path
from typing import Any

import pytest

from companion.rules.families import load
from companion.rules.variants.loading import Faults
from tests.support.own_variants import load_own
from tests.support.paths import ROOT
from tests.support.pile_play import PARTY_120, PARTY_122

VARIANTS = ROOT / "variants"

ORIGINAL = {
    "defuse": (6,),
    "attack": (4,),
    "skip": (4,),
    "see_future": (5,),
    "shuffle": (4,),
    "favor": (4,),
    "nope": (5,),
    "tacocat": (4,),
    "cattermelon": (4,),
    "hairy_potato_cat": (4,),
    "beard_cat": (4,),
    "rainbow_ralphing_cat": (4,),
}
PARTY_SIZES = ((2, 3), (4, 7), (8, 10))

# The fields of a box: the number of cards and of Kittens, the numbers of players for each set of
# paw prints, the counts of each title, and the sums of these counts. The last two fields have a
# number for each number of players: the extra Defuses, and the size of the pile before the first
# turn.
Box = tuple[int, int, Any, dict[str, Any], tuple[int, ...], tuple[int, ...], tuple[int, ...]]
EXTRA = (1, 0, 3, 2, 1, 0, 2, 1, 0)
PILE_120 = (29, 22, 38, 31, 24, 17, 54, 47, 40)
PILE_122 = (29, 22, 40, 33, 26, 19, 56, 49, 42)
BOXES: dict[str, Box] = {
    "original-56": (56, 4, ((2, 5),), ORIGINAL, (52,), (4, 3, 2, 1), (43, 39, 35, 31)),
    "party-120": (120, 9, PARTY_SIZES, PARTY_120, (44, 67, 111), EXTRA, PILE_120),
    "party-120-it": (120, 9, PARTY_SIZES, PARTY_120, (44, 67, 111), EXTRA, PILE_120),
    "party-122": (122, 9, PARTY_SIZES, PARTY_122, (44, 69, 113), EXTRA, PILE_122),
}


@pytest.fixture(params=sorted(BOXES))
def box(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_the_box_holds_what_is_printed_on_it(box: str) -> None:
    cards, kittens, *_ = BOXES[box]
    variant = load_own(box)
    assert sum(card.paw + card.plain for card in variant.cards) == cards
    (kitten,) = (card for card in variant.cards if card.effect == "kitten")
    assert (kitten.paw, kitten.plain) == (0, kittens)


def test_paw_prints_choose_the_cards_in_play(box: str) -> None:
    _, _, sizes, titles, totals, *_ = BOXES[box]
    variant = load_own(box)
    assert tuple((size.least, size.most) for size in variant.sizes) == sizes
    for i, (size, total) in enumerate(zip(variant.sizes, totals, strict=True)):
        for players in range(size.least, size.most + 1):
            in_play = variant.in_play(players)
            assert in_play == {title: of[i] for title, of in titles.items()}
            assert sum(in_play.values()) == total


def test_the_deal_leaves_the_pile_of_the_rulebook(box: str) -> None:
    _, kittens, _, _, _, extra, piles = BOXES[box]
    variant = load_own(box)
    numbers = range(variant.players.least, variant.players.most + 1)
    for players, spare, pile in zip(numbers, extra, piles, strict=True):
        in_play = variant.in_play(players)
        assert players - 1 <= kittens  # ruling one-fewer-kitten
        # rulings one-defuse-each and extra-defuses
        assert in_play[variant.defuse] - players == spare
        hands = players * (variant.hand + 1)
        assert sum(in_play.values()) - hands + players - 1 == pile  # ruling the-deal


def test_a_box_speaks_of_what_is_printed_on_its_own_cards_and_sheet() -> None:
    original, party = (load_own(name) for name in ("original-56", "party-120"))
    for language, texts in original.with_filled_texts.texts.items():
        assert not [card.title for card in texts.cards.values() if "(" in card.title], language
        titles = [card.title for card in party.with_filled_texts.texts[language].cards.values()]
        assert sum(title.endswith(("(2x)", "(3x)")) for title in titles) == 4, language
    # The rule sheet's page about combos in the original box wasn't available for this project. So
    # the source of the ruling about combos is "house", our own, for that box.
    assert original.sources["matching-cards"] == "house"
    assert party.sources["matching-cards"] == "box"


def test_the_boxes_differ_in_data_only() -> None:
    found = {name: load_own(name) for name in BOXES}
    assert {name: variant.hand for name, variant in found.items()} == {
        "original-56": 4,
        "party-120": 7,
        "party-120-it": 7,
        "party-122": 7,
    }
    assert {name for name, variant in found.items() if not variant.attack_stacks} == {"original-56"}
    assert {name for name, variant in found.items() if variant.extra_defuses == "after"} == {
        "original-56"
    }
    assert {name for name, variant in found.items() if "five" in variant.combos} == {
        "original-56",
        "party-122",
    }
    assert found["party-120-it"].words == found["party-120-it"].with_filled_texts.texts["it"]


@pytest.mark.parametrize("language", ["en", "it"])
def test_no_sentence_promises_a_card_that_the_box_lacks(box: str, language: str) -> None:
    """A text may name a card that the box lacks only if it is about that card."""
    words = load_own(box).with_filled_texts.texts[language]
    lacking = [title.partition(" (")[0] for title in words.elsewhere.values()]
    for slug, ruling in words.rulings.items():
        for title in lacking:
            assert title not in ruling.text, (slug, title)
            assert title not in ruling.title or ruling.title.startswith(("No ", "Niente ")), slug
    for card, text in words.cards.items():
        assert not any(title in text.here for title in lacking), card


FAULTS: list[tuple[str, str, str]] = [
    ("party-120", "grid = { rows = 2, columns = 3 }", "grid: belongs to the family 'grid'"),
    ("quarantined", "hand = 7", "hand: belongs to the family 'pile'"),
    ("party-120", 'family = "fish"', "family: must be one of grid, pile"),
    ("party-120", 'extra_defuses = "never"', "extra_defuses: Invalid enum value 'never'"),
    ("party-120", 'combos = ["pair", "quadruple"]', "combos[1]: Invalid enum value 'quadruple'"),
    ("party-120", 'combos = ["pair", "pair"]', "combos: one stands there twice"),
    ("party-120", "players.most = 12", "players: must be 2 to 10, least first"),
    ("party-120", "players.most = 7", "sizes: must serve 2 to 7 players, each number once"),
    ("original-56", "players.least = 3", "sizes: must serve 3 to 5 players, each number once"),
    ("party-120", "hand = 0", "hand: must be at least 1"),
    ("party-120", "hand = 14", "cards: there are too few to deal 3 players a hand"),
    (
        "original-56",
        "players.most = 6\nsizes = [{ least = 2, most = 6, paw = true, plain = true }]",
        "cards: there are too few Kittens or Defuses for 6 players",
    ),
]


@pytest.mark.parametrize(("other", "line", "fault"), FAULTS)
def test_a_fault_is_reported_with_its_place(
    tmp_path: Path, other: str, line: str, fault: str
) -> None:
    for name in ("quarantined", "party-120", "original-56"):
        shutil.copytree(VARIANTS / name, tmp_path / name)
    folder = tmp_path / "house"
    folder.mkdir()
    main = f'format = 1\nlike = "{other}"\nid = "house"\n{line}\n'
    (folder / "variant.toml").write_text(main, "utf-8")
    with pytest.raises(Faults) as told:
        load(folder)
    assert f"house/variant.toml: {fault}" in "\n".join(told.value.lines), told.value.lines


EXPANSION = {
    "reverse": 4,
    "targeted_attack": 3,
    "alter_future": 4,
    "draw_from_bottom": 4,
    "feral_cat": 4,
}
WITH_EXPANSION = ("original-56", "party-120", "party-122")


@pytest.mark.parametrize("box", WITH_EXPANSION)
def test_an_expansion_adds_its_cards_to_the_box_for_any_number_of_players(box: str) -> None:
    variant, base = load_own(f"imploding-{box}"), load_own(box)
    assert (variant.expansion, variant.expands) == ("imploding", box)
    assert sum(variant.counts.values()) == sum(base.counts.values()) + 20
    for players in base.players.range:
        counts = dict.fromkeys({*base.in_play(players), *EXPANSION}, 0)
        for titles in (base.in_play(players), EXPANSION):
            counts = {title: n + titles.get(title, 0) for title, n in counts.items()}
        assert variant.in_play(players) == counts
    assert (variant.hand, variant.attack_stacks) == (base.hand, base.attack_stacks)
    assert (variant.combos, variant.extra_defuses) == (base.combos, base.extra_defuses)
    most = 6 if box == "original-56" else 10
    assert variant.players.range == range(2, most + 1)


@pytest.mark.parametrize("box", WITH_EXPANSION)
def test_the_imploding_kitten_takes_an_exploding_ones_place_except_with_two_players(
    box: str,
) -> None:
    variant = load_own(f"imploding-{box}")
    for players in variant.players.range:
        deal = variant.deal(tuple(f"s{number}" for number in range(players)))
        assert deal.imploding == 1
        assert deal.kittens + deal.imploding == max(2, players - 1)


@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize("box", WITH_EXPANSION)
def test_an_expansion_names_no_card_that_the_game_lacks(box: str, language: str) -> None:
    variant = load_own(f"imploding-{box}")
    words = variant.with_filled_texts.texts[language]
    assert [*words.elsewhere] == [*variant.elsewhere] == ["streaking_kitten"]
    assert words.expansion == "Imploding Kittens"
    for slug in ("targeted-attack", "alter-three", "draw-from-the-bottom", "feral-cat"):
        assert not words.rulings[slug].title.startswith(
            ("No ", "Only ", "Niente ", "Nessun", "Solo ")
        )


def test_a_box_without_an_expansion_has_no_trace_of_one() -> None:
    for box in BOXES:
        document = load_own(box).to_json()
        for word in (b'"expansion":', b'"expands":', b"imploding-", b"order_reversed"):
            assert word not in document, (box, word)


def test_an_unknown_expansion_is_reported_with_its_place(tmp_path: Path) -> None:
    for name in ("party-120", "imploding-party-120"):
        shutil.copytree(VARIANTS / name, tmp_path / name)
    with pytest.raises(Faults) as caught:
        load(tmp_path / "imploding-party-120")
    assert caught.value.lines == [
        "imploding-party-120/variant.toml: expansion: there is no expansion 'imploding'"
    ]


def test_there_is_at_most_one_imploding_kitten(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(VARIANTS, tmp_path / "variants"))
    file = folder / "imploding" / "expansion.toml"
    file.write_text(file.read_text("utf-8").replace("expansion = 1", "expansion = 2"), "utf-8")
    with pytest.raises(Faults, match="there is one Imploding Kitten, and it can't be Noped"):
        load(folder / "imploding-party-120")
