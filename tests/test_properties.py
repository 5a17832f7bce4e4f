"""Invariants of every table of every family after any commands."""

import random
import statistics
import sys
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.rules.core.commands import Undo
from companion.rules.core.events import UndoableEvent, evolve
from companion.rules.core.model import Deck
from companion.rules.core.referee import allowed_commands, decide, legal_commands
from companion.rules.core.view import only_viewer
from companion.rules.grid import places as grid
from companion.rules.pile.order import Note
from tests.invariants import check_clock_waits, check_log_replays, check_log_sentences, is_accepted
from tests.pile.script import PARTY, events, is_listed, say
from tests.play_at_random import FAMILIES, long_numbers, play_at_random, random_games
from tests.public_view import private_view, public_view

LISTS = {
    "grid": st.lists(st.integers(0, 10_000), max_size=60),
    "pile": st.lists(st.integers(0, 10_000), max_size=40) | long_numbers,
}
DRAWN = {family: random_games(family, LISTS[family]) for family in FAMILIES}
GRIDS = DRAWN["grid"]
PILES = DRAWN["pile"]
PRIVATE = ("note_made", "top_noted", "kitten_placed")
"""The types of events that only their own seat may see."""

of_each_family = pytest.mark.parametrize("drawn", DRAWN.values(), ids=DRAWN)

some = st.sets(st.integers(0, 5))
"""The indexes of some seats."""


def in_time(game: Any) -> Any:
    """The table, before its window closes."""
    table = game.table
    window = table.game.window if table.game else None
    if window and not window.held_by:
        game.now = min(game.now, window.closes_at)
    return table


@settings(max_examples=40, deadline=None)
@given(GRIDS, some, some)
def test_legal_commands_at_a_grid_are_exactly_the_accepted_ones(
    game: Any, kept: set[int], away: set[int]
) -> None:
    """Draws the seats whose devices keep decks and the seats that are connected."""
    seats = [seat.seat for seat in game.table.seats]
    decks = [Deck(seat=s, commit="ab" * 32) for n, s in enumerate(seats) if n in kept]
    game.table = replace(game.table, dealt=tuple(decks))
    game.away = frozenset(s for n, s in enumerate(seats) if n in away)
    table = in_time(game)
    legal = legal_commands(table)
    listed = set(map(repr, legal))
    assert len(listed) == len(legal)
    hosts = set(map(repr, allowed_commands(table, legal, table.host, game.decision_inputs.here)))
    for said in game.family.all_commands(table):
        assert is_accepted(game, said, table.host) == (repr(said) in hosts), said
        assert is_accepted(game, said, said.seat) == (repr(said) in listed), said
        assert not is_accepted(game, said, None)


@settings(max_examples=20, deadline=None)
@given(PILES)
def test_legal_commands_at_a_pile_are_exactly_the_accepted_ones(game: Any) -> None:
    table = in_time(game)
    legal = legal_commands(table)
    assert len(set(map(repr, legal))) == len(legal) <= 80
    for said in game.family.all_commands(table):
        right = is_listed(table, said, legal)
        assert is_accepted(game, said, table.host) == right, said
        assert not is_accepted(game, said, None)
        if right:
            assert is_accepted(game, said, said.seat), said


@of_each_family
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_replaying_the_stored_log_gives_the_state(drawn: Any, data: Any) -> None:
    check_log_replays(data.draw(drawn))


@of_each_family
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_every_event_has_its_line_in_the_log(drawn: Any, data: Any) -> None:
    check_log_sentences(data.draw(drawn))


@of_each_family
@settings(max_examples=60, deadline=None)
@given(
    data=st.data(),
    cards=st.lists(st.sampled_from(["kitten", "skip", "favor"]), min_size=6, max_size=6),
)
def test_nobody_sees_what_others_noted(drawn: Any, data: Any, cards: list[str]) -> None:
    game = data.draw(drawn)
    table = game.table
    if table.game is None:
        return
    for player in table.game.players:
        if hasattr(player, "grid"):
            notes = tuple(zip(grid.face_down(player.grid), cards, strict=False))
        else:
            notes = tuple(Note(place, card) for place, card in enumerate(cards[:3], 1))
        noted = replace(player, notes=notes)
        others = tuple(noted if p.seat == player.seat else p for p in table.game.players)
        changed = replace(table, game=replace(table.game, players=others))
        assert public_view(changed, game.now) == public_view(table, game.now)
        assert legal_commands(changed) == legal_commands(table)
        for other in table.seats:
            if other.seat != player.seat:
                assert private_view(changed, other.seat) == private_view(table, other.seat)


@of_each_family
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_private_event_is_seen_by_its_seat_alone(drawn: Any, data: Any) -> None:
    for event in data.draw(drawn).events:
        assert only_viewer(event) == (event.seat if is_private(event) else None)


def is_private(event: Any) -> bool:
    """Return True if only its own seat may see the event."""
    return event.__struct_config__.tag in PRIVATE


@of_each_family
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_undo_gives_back_the_game_as_it_was(drawn: Any, data: Any) -> None:
    game = data.draw(drawn)
    table = game.table
    while table.phase in ("play", "over") and table.past:
        past = table.past[-1]
        (undone,) = decide(table, Undo(), sender=table.host, inputs=game.decision_inputs)
        assert isinstance(game.events[past.version - 1], UndoableEvent)
        table = evolve(table, undone)
        assert table.game is not None
        assert without_notes(table.game) == without_notes(past.game)
        window = table.game.window
        assert (window is None) == (past.game.window is None)
        if window:
            assert window.passed == window.held == ()


def without_notes(game: Any) -> Any:
    """The game without its window, and without what anybody noted or everybody knows."""
    known = {"notes": (), "remembered": ()}
    players = [
        replace(one, **{key: known[key] for key in known if hasattr(one, key)})
        for one in game.players
    ]
    known = {"remembered": (), "public_notes": ()}
    public = {key: known[key] for key in known if hasattr(game, key)}
    return replace(game, window=None, players=tuple(players), **public)


@settings(max_examples=60, deadline=None)
@given(GRIDS)
def test_no_card_is_made_or_lost_at_a_grid(game: Any) -> None:
    if game.table.game is None:
        return
    for player in game.table.game.players:
        if player.alive:
            held = player.hand + len(grid.occupied_cells(player.grid)) + len(player.discard)
            assert held == 11, "fifteen cards less the four put away"
            assert player.hand >= 0
            assert player.knowledge.possible


@settings(max_examples=50, deadline=None)
@given(PILES)
def test_no_card_is_made_or_lost_at_a_pile(game: Any) -> None:
    for table in game.states:
        board = table.game
        if board is None:
            continue
        known = board.knowledge
        assert known.possible
        assert known.pile == board.pile
        kitten = table.variant.kitten
        noted = [card for card in board.discard if card != kitten]
        assert {card: noted.count(card) for card in noted} == known.noted_counts
        shown = board.turn is not None and board.turn.shown is not None
        out = board.discard.count(kitten) + shown
        assert known.kittens + out == board.deal.kittens
        assert known.kittens >= len(board.living) - 1 - shown
        for player in board.players:
            assert player.hand == known.hand(player.seat)


@settings(max_examples=50, deadline=None)
@given(PILES)
def test_private_events_change_no_other_view(game: Any) -> None:
    """The same game without its private events looks the same to all but who noted."""
    table = game.first
    version = 0
    told: set[str] = set()
    for event, after in zip(game.events, game.states[1:], strict=False):
        version += 1
        if isinstance(event, events.Undone):
            return  # it names a version
        if is_private(event):
            told.add(event.seat)
            continue
        table = evolve(replace(table, version=version - 1), event)
        views = [{**public_view(t, game.now), "window": None, "version": 0} for t in (table, after)]
        assert views[0] == views[1]
        for seat in after.seats:
            if seat.seat not in told:
                assert private_view(table, seat.seat).get("odds") == private_view(
                    after, seat.seat
                ).get("odds")


@settings(max_examples=50, deadline=None)
@given(PILES)
def test_a_step_shows_what_it_waits_for_and_no_more(game: Any) -> None:
    for table in game.settled:
        board = table.game
        if board is None or board.turn is None:
            continue
        step = board.turn.step
        assert (board.played is None) == (step in ("act", "report", "kitten"))
        assert (board.window is None) == (step != "window")
        assert (board.turn.end is None) == (step not in ("report", "kitten"))
        assert board.player(board.turn.seat).alive


@of_each_family
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_the_clock_does_nothing_before_its_time(drawn: Any, data: Any) -> None:
    check_clock_waits(data.draw(drawn))


def test_ten_players_can_choose_among_some_eighty_things() -> None:
    game = play_at_random(10, {}, [0], PARTY)
    legal = legal_commands(game.table)
    assert 60 <= len(legal) <= 80
    favors = [s for s in legal if isinstance(s, say.PlayCard) and s.card == "favor"]
    assert len(favors) == 9
    pairs = [s for s in legal if isinstance(s, say.Combos) and s.kind == "pair"]
    assert {len(pair.targets) for pair in pairs} == {9}


def test_a_box_whose_every_id_is_renamed_plays() -> None:
    cards = tuple(replace(card, id=f"my-{card.id}") for card in PARTY.cards)
    texts = {
        name: replace(spoken, cards={f"my-{id}": text for id, text in spoken.cards.items()})
        for name, spoken in PARTY.texts.items()
    }
    mine = replace(PARTY, cards=cards, texts=texts)
    for seed in range(4):
        rng = random.Random(seed)
        numbers = [rng.randrange(10_000) for _ in range(200)]
        game = play_at_random(2 + seed, {}, numbers, mine)
        same = play_at_random(2 + seed, {}, numbers, PARTY)
        assert [type(event) for event in game.events] == [type(event) for event in same.events]
        assert game.table.game is None or game.table.game.knowledge.possible


def test_a_command_at_ten_players_costs_milliseconds() -> None:
    """Return the function calls for legal commands and all views: the median of a random game."""
    rng = random.Random(1)
    game = play_at_random(10, {}, [0], PARTY)
    spent = []
    for _ in range(120):
        game.step(1 + 7 * rng.randrange(1400))
        calls = Counter[str]()
        sys.setprofile(lambda _frame, event, _arg, calls=calls: calls.update((event,)))
        legal_commands(game.table)
        public_view(game.table, game.now)
        for seat in game.table.seats:
            private_view(game.table, seat.seat)
        sys.setprofile(None)
        spent.append(calls["call"])
    assert statistics.median(spent) < 4_000, "2,300 when this was written: 3 ms"
