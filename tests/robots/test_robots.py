"""Tests for draw-grid robots, in memory: their reports match the cards that they hold."""

from collections import Counter
from pathlib import Path
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.device_decks.dealing import Cards, Cell, Pack, deal
from companion.robots.grid.player import Player, cards_match_seat
from companion.robots.grid.strategy import find_face_down, find_face_up
from companion.robots.player import TEMPERS
from companion.rules import families
from tests.support.in_memory_table import QUARANTINED, InMemoryTable, variant_as_json
from tests.support.iterations import EVERYTHING, scale_count
from tests.support.own_variants import load_own
from tests.support.renamed_variant import RENAMED, rename_ids
from tests.support.say import events

VARIANT = variant_as_json(QUARANTINED)
PACK = Pack.parse(VARIANT)
CELLS = PACK.cells
SALT = "5a" * 32

secrets = st.binary(min_size=32, max_size=32).map(bytes.hex)


TWO_CELLS = {(0, 0): "skip", (0, 1): "kitten"}


def count_cards(cards: Cards) -> Counter[str]:
    return Counter([*cards.hand, *cards.grid.values(), *cards.discard])


@given(secrets)
def test_a_deck_is_dealt_as_the_rulebook_says(secret: str) -> None:
    cards = deal(PACK, secret, SALT)
    assert len(cards.hand) == 5
    assert "defuse" in cards.hand
    assert "kitten" not in cards.hand
    assert list(cards.grid.values()).count("kitten") == 1
    assert set(cards.grid) == set(CELLS)
    assert count_cards(cards) <= Counter(PACK.cards)


@given(secrets)
def test_rearranging_keeps_every_card(secret: str) -> None:
    cards = deal(PACK, secret, SALT).look((0, 0))
    shuffled = cards.shuffle(secret, SALT, CELLS)
    assert (count_cards(shuffled), shuffled.seen) == (count_cards(cards), frozenset())
    defused = cards.play("defuse").defuse(secret, SALT, CELLS, ("kitten", (1, 1)))
    assert count_cards(defused) == count_cards(cards)
    assert defused.grid[1, 1] == "kitten"
    assert defused.seen == {(1, 1)}


def test_a_drawn_card_goes_to_the_hand() -> None:
    cards = Cards(hand=("nope",), grid=TWO_CELLS).look((0, 0))
    drawn = cards.draw((0, 0))
    assert drawn.hand == ("nope", "skip")
    assert drawn.grid == {(0, 1): "kitten"}
    assert drawn.seen == frozenset()


def test_cards_match_only_a_seat_that_shows_the_same() -> None:
    cards = Cards(hand=("nope",), grid=TWO_CELLS, discard=("favor",))
    seen = {"hand": 1, "discard": ["favor"], "grid": [["skip", "down", None]]}
    assert cards_match_seat(cards, seen)
    assert not cards_match_seat(cards, {**seen, "hand": 2})
    assert not cards_match_seat(cards, {**seen, "discard": []})
    assert not cards_match_seat(cards, {**seen, "grid": [["down", "down", "down"]]})
    assert not cards_match_seat(cards, {**seen, "grid": [["shuffle", "down", None]]})


def check_cards(table: InMemoryTable) -> None:
    """Check that the views agree with the robots' cards."""
    if table.table.phase != "play":
        return
    for seat, shown in table.render_views().items():
        player = table.players[seat]
        if seat in table.table.require_game().living:
            player.follow(shown)
            assert player.cards_match(shown)


@pytest.mark.parametrize(
    "robots", [2, 5, *(pytest.param(n, marks=pytest.mark.repetition) for n in (3, 4, 6, 7, 8))]
)
def test_robots_play_to_the_end_and_are_never_refused(robots: int) -> None:
    for seed in range(scale_count(1)):
        parlour = InMemoryTable(robots, seed)
        parlour.play_game()
        assert parlour.table.game is not None
        assert len(parlour.table.game.living) == 1


NOPED_INSTRUCTIONS = {"instruction_nopes": True}


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4) if EVERYTHING else (0,))
@pytest.mark.parametrize("robots", range(2, 11) if EVERYTHING else (2, 6))
def test_robots_play_to_the_end_where_an_instruction_can_be_noped(robots: int, part: int) -> None:
    """``python3 tests all`` plays 306 games: 34 with each number of robots, in four parts."""
    noped = 0
    for seed in range(part, scale_count(1, 34), 4):
        parlour = InMemoryTable(robots, seed, rules=NOPED_INSTRUCTIONS)
        parlour.play_game()
        assert len(parlour.table.require_game().living) == 1
        assert any(getattr(event, "closes_at", None) for event in parlour.events)
        noped += sum(
            isinstance(event, events.WindowClosed) and event.sentence_case == "no-instruction"
            for event in parlour.events
        )
    assert noped or robots != (10 if EVERYTHING else 6)


@pytest.mark.slow
def test_robots_restore_their_cards_after_an_undo_of_an_instruction_or_a_nope_on_it() -> None:
    undone = 0
    for seed in range(scale_count(1, 10)):
        parlour = InMemoryTable(4, seed, rules=NOPED_INSTRUCTIONS)
        while parlour.table.phase != "over":
            parlour.take_step()
            game = parlour.table.game
            if game and game.waits_for_instruction and parlour.chance.random() < 0.2:
                parlour.send_command({"type": "undo"}, parlour.host)
                undone += 1
            check_cards(parlour)
    assert undone


@pytest.mark.parametrize(
    ("grid", "told", "reaction"),
    [
        ({(0, 0): "kitten", (0, 1): "skip"}, (0, 0), "nope"),
        ({(0, 0): "kitten", (0, 1): "skip"}, (0, 1), "pass"),
        ({(0, 0): "kitten"}, (0, 0), "pass"),
    ],
    ids=["the Kitten", "another card", "the only card"],
)
def test_a_robot_nopes_only_an_instruction_to_draw_its_known_kitten(
    grid: dict[Cell, str], told: Cell, reaction: str
) -> None:
    """With a single card, a Nope is of no use: the same card is told again."""
    shown = [[("kitten" if grid.get((0, n)) == "kitten" else "down") for n in range(len(grid))]]
    view = {
        **OPEN_KITTEN,
        "seats": [{"seat": "a", "alive": True, "hand": 1, "discard": [], "grid": shown}],
        "turn": {"seat": "a", "instructor": "b", "told": [*told], "step": "window"},
        "played": {
            "card": "instruction", "by": "b", "target": "a", "cell": [*told],
            "nopes": [], "counts": True,
        },
        "window": {"id": 5, "held_by": None, "passed": []},
        "you": {"seat": "a", "may": [
            {"type": kind, "as": "a", "window": 5} for kind in ("nope", "pass", "hold")
        ]},
    }  # fmt: skip
    chosen = Counter[str]()
    for seed in range(40):
        player = Player("a", TEMPERS[1], Random(seed), VARIANT)
        player.states = [(1, Cards(hand=("nope",), grid=grid))]
        wish = player.choose(view)
        assert wish is not None
        chosen[wish.command["type"]] += 1
    assert chosen[reaction] >= (30 if reaction == "nope" else 40)


@pytest.mark.slow
def test_robots_recognise_cards_by_their_effect_not_their_id(tmp_path: Path) -> None:
    """The same seed leads to the same game with any card ids."""
    house = families.load(rename_ids(tmp_path))
    for seed in range(scale_count(1, 30)):
        plain = InMemoryTable(4, seed)
        other = InMemoryTable(4, seed, house)
        plain.play_game()
        other.play_game()
        recorded_events = msgspec.json.encode(plain.events).decode()
        for title, new in RENAMED.items():
            for key in ("card", "nope", "kitten"):
                recorded_events = recorded_events.replace(f'"{key}":"{title}"', f'"{key}":"{new}"')
        assert recorded_events == msgspec.json.encode(other.events).decode()


def test_a_variant_with_other_ids_grids_and_hands_plays_whole_games(tmp_path: Path) -> None:
    house = families.load(rename_ids(tmp_path, larger=True))
    for seed in range(scale_count(1, 30)):
        parlour = InMemoryTable(3, seed, house)
        parlour.play_game()
        assert parlour.table.game is not None
        assert len(parlour.table.game.living) == 1


def test_robots_attack_where_there_are_attacks() -> None:
    attacks = 0
    for seed in range(3):
        parlour = InMemoryTable(4, seed, load_own("assault"))
        parlour.play_game()
        attacks += sum(getattr(event, "card", None) == "attack" for event in parlour.events)
        if attacks:
            break
    assert attacks


@pytest.mark.slow
def test_the_robots_cards_match_every_view() -> None:
    parlour = InMemoryTable(4, seed=7)
    while parlour.table.phase != "over":
        parlour.take_step()
        check_cards(parlour)


@pytest.mark.slow
def test_robots_make_every_kind_of_move() -> None:
    seen = set[type[events.Event]]()
    yups = 0
    wanted = {
        events.NopePlayed,
        events.Held,
        events.Looked,
        events.NoteMade,
        events.GridShuffled,
        events.CardRevealed,
        events.KittenDefused,
        events.WentOut,
    }
    for seed in range(16):
        parlour = InMemoryTable(5, seed)
        parlour.play_game()
        seen |= {type(event) for event in parlour.events}
        yups += sum(
            isinstance(now, events.NopePlayed) and isinstance(then, events.NopePlayed)
            for then, now in zip(parlour.events, parlour.events[1:], strict=False)
        )
        if yups and seen >= wanted:
            break
    assert not wanted - seen
    assert yups


def test_robots_restore_their_cards_after_an_undo() -> None:
    for seed in range(scale_count(1, 90)):
        parlour = InMemoryTable(3, seed)
        while parlour.table.phase != "over":
            parlour.take_step()
            if (
                parlour.table.phase == "play"
                and parlour.table.past
                and parlour.chance.random() < 0.1
            ):
                parlour.send_command({"type": "undo"}, parlour.host)


def test_a_robot_instructed_to_draw_the_open_kitten_tries_to_escape() -> None:
    escapes = draws = 0
    for seed in range(60):
        player = Player("a", TEMPERS[1], Random(seed), VARIANT)
        player.states = [(1, Cards(hand=("skip", "defuse"), grid=OPEN))]
        wish = player.choose(OPEN_KITTEN)
        assert wish is not None
        escapes += wish.command["type"] == "play"
        draws += wish.command["type"] == "draw"
    assert (escapes, draws) == (60, 0)


OPEN = {(0, 0): "kitten", (0, 1): "nope"}
OPEN_KITTEN = {
    "table": "T",
    "game": 1,
    "version": 1,
    "log": [],
    "phase": "play",
    "seats": [
        {
            "seat": "a",
            "alive": True,
            "hand": 2,
            "discard": [],
            "grid": [["kitten", "down", None]],
        }
    ],
    "turn": {"seat": "a", "instructor": "b", "told": [0, 0], "step": "act"},
    "played": None,
    "window": None,
    "you": {
        "seat": "a",
        "may": [
            {"type": "play", "as": "a", "card": "skip"},
            {"type": "play", "as": "a", "card": "shuffle"},
            {"type": "draw", "as": "a", "cell": [0, 0]},
        ],
    },
}


def test_cells_of_a_grid_are_face_up_or_face_down() -> None:
    grid = [["down", None, "skip"]]
    assert find_face_down(grid) == [(0, 0)]
    assert find_face_up(grid) == {(0, 2): "skip"}
