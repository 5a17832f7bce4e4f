"""What must hold at every table, whatever was said there."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.rules.core.commands import Undo
from companion.rules.core.events import Deed, evolve
from companion.rules.core.model import Deck
from companion.rules.core.referee import decide, legal_commands, sayable
from companion.rules.core.view import only_for
from companion.rules.grid import places as grid
from tests.invariants import accepted, is_told, replays, waits_for_the_clock
from tests.play_at_random import everything_that_can_be_said, played, stored
from tests.say import events
from tests.shown import public_view, you

tables = st.builds(
    played,
    players=st.integers(2, 5),
    options=st.fixed_dictionaries({"roll_call": st.booleans(), "odds": st.booleans()}),
    numbers=st.lists(st.integers(0, 10_000), max_size=60),
)


some = st.sets(st.integers(0, 4))
"""Some seats, by their place."""


@settings(max_examples=40, deadline=None)
@given(tables, some, some)
def test_what_may_be_said_is_accepted_and_nothing_else(
    game: Any, kept: set[int], away: set[int]
) -> None:
    """Whoever's devices keep the decks, and whoever is here."""
    seats = [seat.seat for seat in game.table.seats]
    decks = [Deck(seat=s, commit="ab" * 32) for n, s in enumerate(seats) if n in kept]
    table = game.table = replace(game.table, dealt=tuple(decks))
    game.away = frozenset(s for n, s in enumerate(seats) if n in away)
    window = table.game.window if table.game else None
    if window and not window.held_by:
        game.now = min(game.now, window.closes_at)
    legal = legal_commands(table)
    assert len(set(map(repr, legal))) == len(legal)
    listed = set(map(repr, legal))
    hosts = set(map(repr, sayable(table, legal, table.host, game.moment.here)))
    for said in everything_that_can_be_said(table):
        assert accepted(game, said, table.host) == (repr(said) in hosts), said
        own = repr(said) in listed
        assert accepted(game, said, said.seat) == own, said
        assert not accepted(game, said, None)


@settings(max_examples=60, deadline=None)
@given(tables)
def test_replaying_the_stored_log_gives_the_state(game: Any) -> None:
    replays(game, stored)


@settings(max_examples=60, deadline=None)
@given(tables)
def test_every_event_has_its_line_in_the_log(game: Any) -> None:
    is_told(game)


@settings(max_examples=60, deadline=None)
@given(tables, st.lists(st.sampled_from(["kitten", "skip", "favor"]), min_size=6, max_size=6))
def test_nobody_sees_what_others_noted(game: Any, cards: list[str]) -> None:
    table = game.table
    if table.game is None:
        return
    for player in table.game.players:
        cells = grid.face_down(player.grid)
        noted = replace(player, notes=tuple(zip(cells, cards, strict=False)))
        others = tuple(noted if p.seat == player.seat else p for p in table.game.players)
        changed = replace(table, game=replace(table.game, players=others))
        assert public_view(changed, game.now) == public_view(table, game.now)
        assert legal_commands(changed) == legal_commands(table)
        for other in table.seats:
            if other.seat != player.seat:
                assert you(changed, other.seat) == you(table, other.seat)


@settings(max_examples=60, deadline=None)
@given(tables)
def test_a_private_event_is_seen_by_its_seat_alone(game: Any) -> None:
    for event in game.events:
        assert only_for(event) == (event.seat if isinstance(event, events.NoteMade) else None)


@settings(max_examples=60, deadline=None)
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
        assert table.game.turn == was.turn
        assert table.game.played == was.played
        assert (table.game.window is None) == (was.window is None)
        if table.game.window:
            assert table.game.window.passed == table.game.window.held == ()
        for now, then in zip(table.game.players, was.players, strict=True):
            assert replace(now, notes=()) == replace(then, notes=())


@settings(max_examples=60, deadline=None)
@given(tables)
def test_no_card_is_made_or_lost(game: Any) -> None:
    if game.table.game is None:
        return
    for player in game.table.game.players:
        if player.alive:
            held = player.hand + len(grid.filled(player.grid)) + len(player.discard)
            assert held == 11, "fifteen cards less the four put away"
            assert player.hand >= 0
            assert player.known.possible


@settings(max_examples=60, deadline=None)
@given(tables)
def test_the_clock_does_nothing_before_its_time(game: Any) -> None:
    waits_for_the_clock(game)
