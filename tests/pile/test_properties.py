"""What must hold at every table with a pile, whatever was said there."""

import random
import statistics
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.rules.core.commands import Undo
from companion.rules.core.events import Deed, evolve
from companion.rules.core.referee import decide, legal_commands
from companion.rules.core.view import only_for
from companion.rules.pile.order import Note
from tests.invariants import accepted, is_told, replays, waits_for_the_clock
from tests.pile.at_random import BOXES, everything_that_can_be_said, played, stored
from tests.pile.script import events, listed, say
from tests.play_at_random import at_length
from tests.shown import public_view, you

PRIVATE = (events.NoteMade, events.TopNoted, events.KittenPlaced)


tables = st.builds(
    played,
    box=st.sampled_from([*BOXES]),
    players=st.integers(2, 6),
    options=st.fixed_dictionaries({"special_combos": st.booleans(), "odds": st.booleans()}),
    numbers=st.lists(st.integers(0, 10_000), max_size=40) | at_length,
)


@settings(max_examples=20, deadline=None)
@given(tables)
def test_what_may_be_said_is_accepted_and_nothing_else(game: Any) -> None:
    table = game.table
    window = table.game.window if table.game else None
    if window and not window.held_by:
        game.now = min(game.now, window.closes_at)
    legal = legal_commands(table)
    assert len(set(map(repr, legal))) == len(legal) <= 80
    for said in everything_that_can_be_said(table):
        right = listed(table, said, legal)
        assert accepted(game, said, table.host) == right, said
        assert not accepted(game, said, None)
        if right:
            assert accepted(game, said, said.seat), said


@settings(max_examples=50, deadline=None)
@given(tables)
def test_replaying_the_stored_log_gives_the_state(game: Any) -> None:
    replays(game, stored)


@settings(max_examples=50, deadline=None)
@given(tables)
def test_every_event_has_its_line_in_the_log(game: Any) -> None:
    is_told(game)


@settings(max_examples=50, deadline=None)
@given(tables, st.lists(st.sampled_from(["kitten", "skip", "favor"]), min_size=3, max_size=3))
def test_nobody_sees_what_others_noted(game: Any, cards: list[str]) -> None:
    table = game.table
    if table.game is None:
        return
    for player in table.game.players:
        noted = replace(
            player, notes=tuple(Note(place, card) for place, card in enumerate(cards, 1))
        )
        others = tuple(noted if p.seat == player.seat else p for p in table.game.players)
        changed = replace(table, game=replace(table.game, players=others))
        assert public_view(changed, game.now) == public_view(table, game.now)
        assert legal_commands(changed) == legal_commands(table)
        for other in table.seats:
            if other.seat != player.seat:
                assert you(changed, other.seat) == you(table, other.seat)


@settings(max_examples=50, deadline=None)
@given(tables)
def test_what_was_told_in_private_changes_no_other_view(game: Any) -> None:
    """The same game without its private events looks the same to all but who noted."""
    table, version = game.first, 0
    told: set[str] = set()
    for event, after in zip(game.events, game.states[1:], strict=False):
        version += 1
        if isinstance(event, events.Undone):
            return  # it names a version
        if isinstance(event, PRIVATE):
            told.add(event.seat)
            continue
        table = evolve(replace(table, version=version - 1), event)
        views = [{**public_view(t, game.now), "window": None, "version": 0} for t in (table, after)]
        assert views[0] == views[1]
        for seat in after.seats:
            if seat.seat not in told:
                assert you(table, seat.seat).get("odds") == you(after, seat.seat).get("odds")


@settings(max_examples=50, deadline=None)
@given(tables)
def test_a_private_event_is_seen_by_its_seat_alone(game: Any) -> None:
    for event in game.events:
        assert only_for(event) == (event.seat if isinstance(event, PRIVATE) else None)


@settings(max_examples=50, deadline=None)
@given(tables)
def test_undo_gives_back_the_game_as_it_was(game: Any) -> None:
    table = game.table
    while table.phase in ("play", "over") and table.past:
        past = table.past[-1]
        (undone,) = decide(table, Undo(), sender=table.host, moment=game.moment)
        assert isinstance(game.events[past.version - 1], Deed)
        table = evolve(table, undone)
        was = past.game
        assert table.game is not None
        unnoted = tuple(replace(p, notes=()) for p in table.game.players)
        assert replace(table.game, window=None, players=unnoted) == replace(
            was, window=None, players=tuple(replace(p, notes=()) for p in was.players)
        )
        assert (table.game.window is None) == (was.window is None)


@settings(max_examples=50, deadline=None)
@given(tables)
def test_no_card_is_made_or_lost(game: Any) -> None:
    for table in game.states:
        board = table.game
        if board is None:
            continue
        known = board.known
        assert known.possible
        assert known.pile == board.pile
        kitten = table.variant.kitten
        noted = [card for card in board.discard if card != kitten]
        assert {card: noted.count(card) for card in noted} == known.noted
        shown = board.turn is not None and board.turn.shown is not None
        out = board.discard.count(kitten) + shown
        assert known.kittens + out == board.deal.kittens
        assert known.kittens >= len(board.living) - 1 - shown
        for player in board.players:
            assert player.hand == known.hand(player.seat)


@settings(max_examples=50, deadline=None)
@given(tables)
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


@settings(max_examples=50, deadline=None)
@given(tables)
def test_the_clock_does_nothing_before_its_time(game: Any) -> None:
    waits_for_the_clock(game)


def test_ten_players_can_choose_among_some_eighty_things() -> None:
    game = played("party-120", 10, {}, [0])
    legal = legal_commands(game.table)
    assert 60 <= len(legal) <= 80
    favors = [s for s in legal if isinstance(s, say.PlayCard) and s.card == "favor"]
    assert len(favors) == 9
    pairs = [s for s in legal if isinstance(s, say.Combos) and s.kind == "pair"]
    assert {len(pair.targets) for pair in pairs} == {9}


def test_a_box_whose_every_id_is_renamed_plays() -> None:
    party = BOXES["party-120"]
    cards = tuple(replace(card, id=f"my-{card.id}") for card in party.cards)
    texts = {
        name: replace(spoken, cards={f"my-{id}": text for id, text in spoken.cards.items()})
        for name, spoken in party.texts.items()
    }
    mine = replace(party, cards=cards, texts=texts)
    for seed in range(4):
        rng = random.Random(seed)
        numbers = [rng.randrange(10_000) for _ in range(200)]
        game = played(mine, 2 + seed, {}, numbers)
        same = played(party, 2 + seed, {}, numbers)
        assert [type(event) for event in game.events] == [type(event) for event in same.events]
        assert game.table.game is None or game.table.game.known.possible


def test_a_command_at_ten_players_costs_milliseconds() -> None:
    """The processor's time for what may be said and all views, the median of a random game."""
    rng = random.Random(1)
    for _ in range(3):  # measured again before it is believed
        game, spent = played("party-120", 10, {}, [0]), []
        for _ in range(120):
            game.step(1 + 7 * rng.randrange(1400))
            before = time.process_time()
            legal_commands(game.table)
            public_view(game.table, game.now)
            for seat in game.table.seats:
                you(game.table, seat.seat)
            spent.append(time.process_time() - before)
        if statistics.median(spent) < 0.05:
            return
    pytest.fail(f"{statistics.median(spent)} s")
