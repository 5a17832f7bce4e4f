"""Deduction against brute force: every deal of a small deck, every hidden choice."""

import re
from collections import Counter
from fractions import Fraction
from pathlib import Path
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
    knowledge,
    why_not,
    with_notes,
)
from tests.iterations import often
from tests.real_cards import FIFTEEN, World, cell_odds, choose, deal, hand_odds, happen, pack


def every_observation(deck: Deck) -> list[Observation]:
    titles = [title for title, _ in deck.counts]
    named: list[Observation] = [
        what(t) for what in (Left, TurnedUp, DrewFaceUp) for t in (*titles, "stranger")
    ]
    forced = Left(deck.defuse, forced=True)
    return [*named, forced, DrewHidden(), Hidden(placed=False), Hidden(placed=True)]


@st.composite
def small_decks(draw: st.DrawFn) -> Deck:
    """Decks of few cards in all proportions, some with many Defuses or two Kittens."""
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


# -- The odds and the possible --------------------------------------------------------


def same_odds(world: World, known: Knowledge, but: tuple[int, ...] = ()) -> None:
    """The odds of each face-down cell and of the hand are what counting all deals gives."""
    titles = [title for title, _ in world.deck.counts]
    for place in set(world.places()) - {*but}:
        assert cell_odds(known) == {title: world.odds_of(place, title) for title in titles}
    titles.remove(world.deck.kitten)
    assert hand_odds(known) == {title: world.odds_in_hand(title) for title in titles}


def true_reason(world: World, known: Knowledge, seen: Observation) -> None:
    """The facts of a reason hold in every way the cards may lie."""
    reason, facts = why_not(known, seen)
    hands = [Counter(lie[0]) for lie in world.lies]
    downs = [Counter(c[0] for c in lie[2] if c and not c[1]) for lie in world.lies]
    ups = Counter(c[0] for c in world.truth[2] if c and c[1])
    gone = Counter(s.card for s in world.seen if isinstance(s, Left))
    card = facts.get("card", "")
    match reason:
        case "all_open" | "all_seen":
            assert facts["total"] == dict(world.deck.counts).get(card, 0)
            assert (facts["discard"], facts["up"]) == (gone[card], ups[card])
            surely = min(h[card] for h in hands), min(d[card] for d in downs)
            accounted = gone[card] + ups[card]
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
            assert seen == DrewFaceUp("kitten")
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


@settings(max_examples=200, deadline=None)
@given(deck=small_decks(), seed=st.integers(0, 2**32), steps=st.integers(4, 12))
def test_agrees_with_every_deal_counted_one_by_one(deck: Deck, seed: int, steps: int) -> None:
    rng = Random(seed)
    world = World(deck, rng)
    for _ in range(steps):
        same_knowledge(world)
        world.step(rng)
    same_knowledge(world)


def same_knowledge(world: World) -> None:
    known = knowledge(world.deck, world.seen)
    same_odds(world, known)
    possible = world.next()
    for seen in every_observation(world.deck):
        assert known.allows(seen) == known.after(seen).possible == (seen in possible), seen
        if seen not in possible:
            true_reason(world, known, seen)


@settings(max_examples=100, deadline=None)
@given(deck=small_decks(), seed=st.integers(0, 2**32), steps=st.integers(0, 8))
def test_notes_count_only_the_deals_that_have_them(deck: Deck, seed: int, steps: int) -> None:
    rng = Random(seed)
    world = World(deck, rng)
    for _ in range(steps):
        world.step(rng)
    places = world.places()
    noted = {p: world.truth[2][p] for p in rng.sample(places, rng.randint(0, len(places)))}
    for lie in [*world.lies]:
        if any(lie[2][place] != cell for place, cell in noted.items()):
            del world.lies[lie]
    notes = tuple(cell[0] for cell in noted.values() if cell)
    same_odds(world, with_notes(knowledge(deck, world.seen), notes), but=(*noted,))


def test_a_note_that_cannot_be_is_left_out() -> None:
    known = knowledge(FIFTEEN, (TurnedUp("kitten"),))
    assert cell_odds(with_notes(known, ("kitten", "skip"))) == cell_odds(
        known.after(TurnedUp("skip"))
    )


# -- The whole fifteen ----------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.soak
def test_the_truth_is_never_refused_in_many_games() -> None:
    for game in range(often(200)):
        rng = Random(game)
        order = rng.sample(pack(FIFTEEN), 13)
        lie = deal(FIFTEEN, order, [rng.randrange(6)])
        seen: tuple[Observation, ...] = ()
        for _ in range(rng.randint(5, 25)):
            action = choose(FIFTEEN, lie, rng)
            observation, lie = happen(FIFTEEN, lie, action, rng)
            assert knowledge(FIFTEEN, seen).allows(observation), (seen, observation)
            seen = (*seen, observation)
        known = knowledge(FIFTEEN, seen)
        assert all(cell_odds(known)[cell[0]] for cell in lie[2] if cell and not cell[1])
        assert all(hand_odds(known)[card] for card in lie[0])
        assert {t for t, odds in hand_odds(known).items() if odds == 1} <= {*lie[0]}


def test_the_deal() -> None:
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


def test_a_history_that_cannot_be_stays_so() -> None:
    known = knowledge(FIFTEEN, (TurnedUp("kitten"), TurnedUp("kitten"), DrewHidden()))
    assert not known.possible
    assert cell_odds(known) == hand_odds(known) == {}
    assert not any(known.allows(seen) for seen in every_observation(FIFTEEN))


def test_the_example_of_the_page_is_right() -> None:
    page = (Path(__file__).parents[1] / "docs" / "deduction.md").read_text("utf-8")
    ben = [knowledge(FIFTEEN, ())]
    for seen in (
        Left("nope"),
        TurnedUp("skip"),
        Left("shuffle"),
        Hidden(placed=False),
        DrewHidden(),
        Left("skip"),
    ):
        ben.append(ben[-1].after(seen))
    assert [Fraction(odds) for odds in re.findall(r"\*\*(\d+/\d+)\*\*", page)] == [
        cell_odds(ben[0])["kitten"],
        hand_odds(ben[0])["nope"],
        hand_odds(ben[1])["nope"],
        odds_of_skip(ben[5], HAND),
        odds_of_skip(ben[6], DOWN),
        cell_odds(ben[6])["skip"],
        cell_odds(ben[6])["kitten"],
    ]
    assert sorted(ben[6].weights.values()) == [2, 5, 12]


def odds_of_skip(known: Knowledge, place: int) -> Fraction:
    """Return the probability that the place holds the Skip, the one card known among the shuffled
    ones."""
    skip = known.titles.index("skip")
    there = sum(case.weight for case in known.cases if case.known[place][skip])
    return Fraction(there, sum(case.weight for case in known.cases))
