"""Tests for robots that share one pile, in memory: their reports match the shared cards."""

import re
import shutil
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.robots.pile.cards import Cards, deal
from companion.rules import families
from companion.rules.variants.variant import Variant
from tests.support.in_memory_table import InMemoryTable, variant_as_json
from tests.support.iterations import scale_count
from tests.support.pile_script import WITH_EXPANSION, events
from tests.support.pile_truthful import BOXES, count_cards


def get_shared_cards(parlour: InMemoryTable) -> Cards:
    """Return the cards that the table's robots share."""
    player = next(iter(parlour.players.values()))
    cards: Cards = player.dealer.cards
    return cards


def play_and_check(players: int, seed: int, variant: Variant, rules: Any = None) -> InMemoryTable:
    """Play a whole game and check the cards after each command."""
    parlour = InMemoryTable(players, seed, variant, rules)
    while parlour.table.phase != "play":
        parlour.take_step()
    parlour.take_step()
    whole = count_cards(get_shared_cards(parlour))
    while parlour.table.phase != "over":
        parlour.take_step()
        gone = whole - count_cards(get_shared_cards(parlour))
        assert not gone or (gone.total() == 1 and variant.imploding in gone)
        assert parlour.table.phase == "over" or get_shared_cards(parlour).match(
            parlour.render_public_view()
        )
    return parlour


GAMES = [
    ("original-56", 2),
    ("party-120", 3),
    ("party-122", 7),
    pytest.param("imploding-original-56", 6, marks=pytest.mark.repetition),
    pytest.param("imploding-party-120", 2, marks=pytest.mark.repetition),
    pytest.param("imploding-party-122", 4, marks=pytest.mark.repetition),
    pytest.param("original-56", 5, marks=pytest.mark.repetition),
    pytest.param("party-120-it", 10, marks=pytest.mark.repetition),
]


@pytest.mark.parametrize(("box", "players"), GAMES)
def test_robots_play_to_the_end_and_are_never_refused(box: str, players: int) -> None:
    parlour = play_and_check(players, players, BOXES[box])
    assert parlour.table.game is not None
    assert len(parlour.table.game.living) == 1


@pytest.mark.slow
@pytest.mark.parametrize("box", WITH_EXPANSION)
def test_207_robots_end_every_game_with_an_expansion(box: str) -> None:
    """Two to six robots play each game, no report is refused, and somebody wins."""
    first = WITH_EXPANSION.index(box)
    for seed in range(first, first + scale_count(1, 300)):
        parlour = play_and_check(2 + seed % 5, seed, BOXES[box])
        assert len(parlour.table.require_game().living) == 1


@pytest.mark.slow
def test_robots_make_every_kind_of_move() -> None:
    seen = set[type]()
    kinds = set[str]()
    wanted = {
        events.NopePlayed,
        events.Held,
        events.Looked,
        events.TopNoted,
        events.PileShuffled,
        events.CardGiven,
        events.CardTaken,
        events.Answered,
        events.CardPicked,
        events.KittenDefused,
        events.KittenPlaced,
        events.HandTold,
    }
    plays = {card.id for card in BOXES["party-120"].cards} - {*BOXES["party-120"].cats}
    plays -= {"kitten", "defuse", "nope", "feral_cat"}
    plays |= {"pair", "triple", "five"}
    for seed in (47, 48, *range(10)):  # the first two games make every kind of move
        parlour = InMemoryTable(4 + seed % 2, seed, BOXES["party-122" if seed % 2 else "party-120"])
        parlour.play_game()
        seen |= {*map(type, parlour.events)}
        kinds.update(e.kind for e in parlour.events if isinstance(e, events.ComboPlayed))
        kinds.update(e.card for e in parlour.events if isinstance(e, events.CardPlayed))
        if seen >= wanted and kinds >= plays:
            break
    assert not wanted - seen
    assert not plays - kinds


def test_undone_cards_return_to_their_places() -> None:
    for seed in range(scale_count(1, 30)):
        parlour = InMemoryTable(3, seed, BOXES["party-120"])
        while parlour.table.phase != "over":
            parlour.take_step()
            playing = parlour.table.phase == "play" and parlour.table.past
            if playing and parlour.chance.random() < 0.1:
                parlour.send_command({"type": "undo"}, parlour.host)


def test_a_robot_waits_while_its_view_is_older_than_the_cards() -> None:
    """Robots see a command at different times. A robot whose view is older than the shared cards
    must wait for a newer view."""
    parlour = InMemoryTable(2, 1, BOXES["party-120"])
    while parlour.table.phase != "play":
        parlour.take_step()
    before = parlour.render_views()
    parlour.take_step()
    while not [e for e in parlour.events if isinstance(e, events.CardDrawn)]:
        parlour.take_step()
    for seat, player in parlour.players.items():
        assert player.choose(before[seat]) is None
        assert not player.cards_match(before[seat])


@pytest.mark.slow
def test_robots_recognise_cards_by_their_effect_not_their_id(tmp_path: Path) -> None:
    box = BOXES["party-120"]
    folder = Path(shutil.copytree(Path("variants/party-120"), tmp_path / "house"))
    for file in folder.glob("*.toml"):
        text = file.read_text("utf-8").replace('id = "party-120"', 'id = "house"')
        for card in box.cards:
            text = text.replace(f'[[cards]]\nid = "{card.id}"', f'[[cards]]\nid = "x_{card.id}"')
            text = re.sub(rf"(?m)^(\[cards\.){card.id}\]$", rf"\1x_{card.id}]", text)
        file.write_text(text, "utf-8")
    house = families.load(folder)
    assert all(card.id.startswith("x_") for card in house.cards)
    for seed in range(scale_count(1, 20)):
        play_and_check(4, seed, house)


def test_cards_are_dealt_as_the_rulebook_says() -> None:
    """This checks the rulings one-defuse-each, extra-defuses, the-deal and one-fewer-kitten."""
    for box, variant in BOXES.items():
        for players in range(variant.players.least, variant.players.most + 1):
            seats = [f"s{place}" for place in range(players)]
            cards = deal(Random(players), variant_as_json(variant), seats)
            for hand in cards.hands.values():
                assert len(hand) == variant.hand + 1
                assert variant.kitten not in hand
                assert hand.count(variant.defuse) == 1 or variant.extra_defuses == "before"
                assert variant.defuse in hand
            if variant.imploding:
                kittens = {variant.kitten: max(1, players - 2), variant.imploding: 1}
            else:
                kittens = {variant.kitten: players - 1}
            assert {title: cards.pile.count(title) for title in variant.kittens} == kittens, box
            assert count_cards(cards) == Counter(variant.in_play(players)) + Counter(kittens)
