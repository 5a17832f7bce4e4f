"""Robots around one pile, in memory: their reports are true of the cards they share."""

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
from tests.support.pile_script import events
from tests.support.pile_truthful import BOXES, count_cards


def cards_of(parlour: InMemoryTable) -> Cards:
    """Return the cards that the table's robots share."""
    player = next(iter(parlour.players.values()))
    cards: Cards = player.dealer.cards
    return cards


def play(players: int, seed: int, variant: Variant, rules: Any = None) -> InMemoryTable:
    """Play a whole game and check the cards after each command."""
    parlour = InMemoryTable(players, seed, variant, rules)
    while parlour.table.phase != "play":
        parlour.take_step()
    parlour.take_step()
    whole = count_cards(cards_of(parlour))
    while parlour.table.phase != "over":
        parlour.take_step()
        assert count_cards(cards_of(parlour)) == whole
        assert parlour.table.phase == "over" or cards_of(parlour).match(
            parlour.render_public_view()
        )
    return parlour


GAMES = [
    ("original-56", 2),
    ("original-56", 5),
    ("party-120", 3),
    ("party-120-it", 10),
    ("party-122", 7),
]


@pytest.mark.parametrize(("box", "players"), GAMES)
def test_robots_play_to_the_end_and_are_never_refused(box: str, players: int) -> None:
    parlour = play(players, players, BOXES[box])
    assert parlour.table.game is not None
    assert len(parlour.table.game.living) == 1


def test_in_some_games_everything_happens() -> None:
    seen: Counter[type] = Counter()
    kinds: Counter[str] = Counter()
    for seed in range(10):
        parlour = InMemoryTable(4 + seed % 2, seed, BOXES["party-122" if seed % 2 else "party-120"])
        parlour.play_game()
        seen.update(map(type, parlour.events))
        kinds.update(e.kind for e in parlour.events if isinstance(e, events.ComboPlayed))
        kinds.update(e.card for e in parlour.events if isinstance(e, events.CardPlayed))
    for kind in (
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
    ):
        assert seen[kind], kind
    plays = {card.id for card in BOXES["party-120"].cards} - {*BOXES["party-120"].cats}
    plays -= {"kitten", "defuse", "nope", "feral_cat"}
    assert not {*plays, "pair", "triple", "five"} - {*kinds}


def test_undone_cards_lie_where_they_lay() -> None:
    for seed in range(3):
        parlour = InMemoryTable(3, seed, BOXES["party-120"])
        while parlour.table.phase != "over":
            parlour.take_step()
            playing = parlour.table.phase == "play" and parlour.table.past
            if playing and parlour.chance.random() < 0.1:
                parlour.send_command({"type": "undo"}, parlour.host)


def test_nothing_is_done_in_a_view_older_than_the_cards() -> None:
    """Robots receive a command at different times. A robot with an older view must wait."""
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


def test_a_card_is_known_by_what_it_does_not_by_its_id(tmp_path: Path) -> None:
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
    for seed in range(2):
        play(4, seed, house)


def test_the_deal_is_the_rulebooks() -> None:
    """Rulings one-defuse-each, extra-defuses, the-deal, one-fewer-kitten."""
    for box, variant in BOXES.items():
        for players in range(variant.players.least, variant.players.most + 1):
            seats = [f"s{place}" for place in range(players)]
            cards = deal(Random(players), variant_as_json(variant), seats)
            for hand in cards.hands.values():
                assert len(hand) == variant.hand + 1
                assert variant.kitten not in hand
                assert hand.count(variant.defuse) == 1 or variant.extra_defuses == "before"
                assert variant.defuse in hand
            assert cards.pile.count(variant.kitten) == players - 1, box
            kittens = {variant.kitten: players - 1}
            assert count_cards(cards) == Counter(variant.in_play(players)) + Counter(kittens)
