"""Compare the deductions about small decks with every possible deal and hidden choice."""

import re
from collections import Counter
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules.grid.cases import DOWN, HAND
from companion.rules.grid.deduction import (
    Deck,
    DrewFaceUp,
    DrewHidden,
    Hidden,
    Knowledge,
    Left,
    Observation,
    TurnedUp,
    assume_notes,
    knowledge,
    reason_against,
)
from tests.support.iterations import scale_count
from tests.support.paths import ROOT
from tests.support.real_cards import (
    FIFTEEN,
    World,
    cell_odds,
    choose_action,
    choose_outcome,
    hand_odds,
    list_shuffled_cards,
    make_deal,
)


def list_observations(deck: Deck) -> list[Observation]:
    titles = [title for title, _ in deck.counts]
    observations: list[Observation] = [
        kind(t) for kind in (Left, TurnedUp, DrewFaceUp) for t in (*titles, "stranger")
    ]
    forced = Left(deck.defuse, forced=True)
    return [*observations, forced, DrewHidden(), Hidden(placed=False), Hidden(placed=True)]


@st.composite
def small_decks(draw: st.DrawFn) -> Deck:
    """Generate small decks, some of them with many Defuses or two Kittens."""
    shuffled = draw(st.integers(4, 6))
    laid = draw(st.integers(2, min(4, shuffled)))
    away = draw(st.integers(0, shuffled - laid))
    kittens = draw(st.sampled_from([1, 1, 1, 2])) if laid < 4 else 1
    aside = draw(st.integers(0, 2))
    titles = ["skip", "nope", "defuse", "favor"][: draw(st.integers(2, 4))]
    dealt = st.lists(st.sampled_from(titles), min_size=shuffled, max_size=shuffled)
    cards = Counter(draw(dealt))
    cards["kitten"], cards["defuse"] = kittens, cards["defuse"] + aside
    return Deck(
        counts=tuple((t, cards[t]) for t in ("skip", "kitten", "nope", "defuse", "favor")),
        kitten="kitten",
        defuse="defuse",
        away=away,
        hand=shuffled - away - laid,
        laid=laid,
        kittens=kittens,
        aside=aside,
    )


# -- Odds and possible observations ----------------------------------------------------


def check_odds(world: World, known_cards: Knowledge, except_places: tuple[int, ...] = ()) -> None:
    """Compare the odds of each face-down cell and of the hand with a count of all deals."""
    titles = [title for title, _ in world.deck.counts]
    for place in set(world.find_hidden_cells()) - {*except_places}:
        assert cell_odds(known_cards) == {
            title: world.odds_in_cell(place, title) for title in titles
        }
    titles.remove(world.deck.kitten)
    assert hand_odds(known_cards) == {title: world.odds_in_hand(title) for title in titles}


def check_reason(world: World, known_cards: Knowledge, observation: Observation) -> None:
    """Check that the reason for refusing this observation is true in every possible deal."""
    reason, facts = reason_against(known_cards, observation)
    hands = [Counter(lie[0]) for lie in world.layouts]
    downs = [Counter(c[0] for c in lie[2] if c and not c[1]) for lie in world.layouts]
    ups = Counter(c[0] for c in world.truth[2] if c and c[1])
    discarded = Counter(s.card for s in world.seen if isinstance(s, Left))
    card = facts.get("card", "")
    match reason:
        case "all_open" | "all_seen":
            assert facts["total"] == dict(world.deck.counts).get(card, 0)
            assert (facts["discard"], facts["up"]) == (discarded[card], ups[card])
            surely = min(h[card] for h in hands), min(d[card] for d in downs)
            accounted = discarded[card] + ups[card]
            if reason == "all_seen":
                assert surely == (facts["hand"], facts["down"])
                accounted += sum(surely)
            assert accounted == facts["total"]
        case "nothing_face_down":
            assert not any(downs)
        case "only_the_kitten":
            assert all([*down] == ["kitten"] for down in downs)
        case "kitten_is_up":
            assert ups["kitten"] == world.deck.kittens
        case "up_is_the_kitten":
            assert observation == DrewFaceUp("kitten")
        case "not_face_up":
            assert not ups[card]
        case "empty_hand":
            assert not any(hands)
        case "known_hand":
            assert {*facts["titles"]} == set().union(*hands) != set()
            assert card not in facts["titles"]
        case "known_cells":
            assert {*facts["titles"]} == set().union(*downs) != set()
            assert card not in facts["titles"]
        case _:
            pytest.fail(reason)


@pytest.mark.slow
@settings(max_examples=scale_count(20, 100), deadline=None)
@given(deck=small_decks(), seed=st.integers(0, 2**32), steps=st.integers(4, 12))
def test_agrees_with_every_deal_counted_one_by_one(deck: Deck, seed: int, steps: int) -> None:
    rng = Random(seed)
    world = World(deck, rng)
    for _ in range(steps):
        check_knowledge(world)
        world.act_at_random(rng)
    check_knowledge(world)


def check_knowledge(world: World) -> None:
    known_cards = knowledge(world.deck, world.seen)
    check_odds(world, known_cards)
    possible = world.list_observations()
    for observation in list_observations(world.deck):
        assert (
            known_cards.allows(observation)
            == known_cards.after(observation).possible
            == (observation in possible)
        ), observation
        if observation not in possible:
            check_reason(world, known_cards, observation)


@settings(max_examples=scale_count(15, 60), deadline=None)
@given(deck=small_decks(), seed=st.integers(0, 2**32), steps=st.integers(0, 8))
def test_notes_count_only_the_deals_that_have_them(deck: Deck, seed: int, steps: int) -> None:
    rng = Random(seed)
    world = World(deck, rng)
    for _ in range(steps):
        world.act_at_random(rng)
    places = world.find_hidden_cells()
    noted = {p: world.truth[2][p] for p in rng.sample(places, rng.randint(0, len(places)))}
    for lie in [*world.layouts]:
        if any(lie[2][place] != cell for place, cell in noted.items()):
            del world.layouts[lie]
    notes = tuple(cell[0] for cell in noted.values() if cell)
    check_odds(world, assume_notes(knowledge(deck, world.seen), notes), except_places=(*noted,))


def test_an_impossible_note_is_ignored() -> None:
    known = knowledge(FIFTEEN, (TurnedUp("kitten"),))
    assert cell_odds(assume_notes(known, ("kitten", "skip"))) == cell_odds(
        known.after(TurnedUp("skip"))
    )


# -- The full deck of fifteen ------------------------------------------------------------


def test_the_truth_is_never_refused_in_many_games() -> None:
    for game in range(scale_count(50, 40)):
        rng = Random(game)
        order = rng.sample(list_shuffled_cards(FIFTEEN), 13)
        lie = make_deal(FIFTEEN, order, [rng.randrange(6)])
        seen: tuple[Observation, ...] = ()
        for _ in range(rng.randint(5, 25)):
            action = choose_action(FIFTEEN, lie, rng)
            observation, lie = choose_outcome(FIFTEEN, lie, action, rng)
            assert knowledge(FIFTEEN, seen).allows(observation), (seen, observation)
            seen = (*seen, observation)
        known = knowledge(FIFTEEN, seen)
        assert all(cell_odds(known)[cell[0]] for cell in lie[2] if cell and not cell[1])
        assert all(hand_odds(known)[card] for card in lie[0])
        assert {t for t, odds in hand_odds(known).items() if odds == 1} <= {*lie[0]}


def test_the_odds_after_the_deal() -> None:
    known = knowledge(FIFTEEN, ())
    assert sum(cell_odds(known).values()) == 1
    assert cell_odds(known)["kitten"] == Fraction(1, 6)
    assert cell_odds(known)["skip"] == Fraction(5, 6) * Fraction(3, 13)
    assert hand_odds(known)["defuse"] == 1
    assert hand_odds(known)["nope"] == 1 - Fraction(9 * 8, 13 * 12)
    assert "kitten" not in hand_odds(known)
    assert not known.has_placed_kitten


def test_the_kitten_is_placed_until_it_is_shuffled_or_seen() -> None:
    placed = (TurnedUp("kitten"), Left("defuse", forced=True), Hidden(placed=True))
    assert knowledge(FIFTEEN, placed).has_placed_kitten
    assert knowledge(FIFTEEN, (*placed, DrewHidden(), TurnedUp("skip"))).has_placed_kitten
    assert not knowledge(FIFTEEN, placed[:2]).has_placed_kitten
    assert not knowledge(FIFTEEN, (*placed, TurnedUp("kitten"))).has_placed_kitten
    assert not knowledge(FIFTEEN, (*placed, Hidden(placed=False))).has_placed_kitten
    assert not knowledge(FIFTEEN, (Hidden(placed=False),)).has_placed_kitten


def test_an_impossible_history_stays_impossible() -> None:
    known = knowledge(FIFTEEN, (TurnedUp("kitten"), TurnedUp("kitten"), DrewHidden()))
    assert not known.possible
    assert cell_odds(known) == hand_odds(known) == {}
    assert not any(known.allows(observation) for observation in list_observations(FIFTEEN))


def test_the_example_in_the_documentation_is_right() -> None:
    page = (ROOT / "docs" / "deduction.md").read_text("utf-8")
    ben = [knowledge(FIFTEEN, ())]
    for observation in (
        Left("nope"),
        TurnedUp("skip"),
        Left("shuffle"),
        Hidden(placed=False),
        DrewHidden(),
        Left("skip"),
    ):
        ben.append(ben[-1].after(observation))
    assert [Fraction(odds) for odds in re.findall(r"\*\*(\d+/\d+)\*\*", page)] == [
        cell_odds(ben[0])["kitten"],
        hand_odds(ben[0])["nope"],
        hand_odds(ben[1])["nope"],
        compute_odds_of_skip(ben[5], HAND),
        compute_odds_of_skip(ben[6], DOWN),
        cell_odds(ben[6])["skip"],
        cell_odds(ben[6])["kitten"],
    ]
    assert sorted(ben[6].weights.values()) == [2, 5, 12]


def compute_odds_of_skip(known_cards: Knowledge, place: int) -> Fraction:
    """Return the probability that the Skip is in ``place``: in the hand, or in a face-down cell.

    The Skip was turned up before it was shuffled into the grid. So the players know its title, but
    not its place.
    """
    skip = known_cards.titles.index("skip")
    matching = sum(case.weight for case in known_cards.cases if case.known[place][skip])
    return Fraction(matching, sum(case.weight for case in known_cards.cases))
