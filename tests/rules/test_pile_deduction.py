"""Compare the deductions about a pile with every possible deal and hidden choice."""

import re
import statistics
from collections import Counter
from itertools import combinations
from random import Random
from time import thread_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules.pile.deduction import (
    KEPT,
    Deal,
    Drew,
    DrewImploding,
    DrewKitten,
    Gave,
    HasNone,
    Holds,
    Knowledge,
    Laid,
    Moved,
    Observation,
    Picked,
    PutBack,
    PutBackImploding,
    Remembered,
    knowledge,
    knowledge_with_undone,
)
from companion.rules.pile.reasons import RULINGS, reason_against
from tests.support.iterations import scale_count
from tests.support.paths import ROOT
from tests.support.pile_cards import Cards, World, contains_cards
from tests.support.pile_play import BOXES, CATS, FERAL, Table
from tests.support.pile_play import make_deal as table_of

TWO_CATS = ("tacocat", "beard_cat")


def find_ruling(reason: str) -> str:
    return next((name for name, reasons in RULINGS.items() if reason in reasons), "possible-report")


def make_small_deal(rng: Random, most_cards: int = 12, imploding: int = 0) -> Deal:
    """Return a random small deal that follows the rules of one of the boxes."""
    players = rng.choice((2, 2, 3))
    dealt = rng.randint(1, 3 if players == 2 else 2)
    apart = rng.random() < 0.3
    titles = ["defuse", "nope", "skip", FERAL, *TWO_CATS][: rng.randint(2, 6)]
    pile = rng.randint(1, max(1, min(4, most_cards - players * (dealt + 1))))
    counts = Counter(dict.fromkeys(titles, 0)) + Counter()
    others = titles[1:] if apart else titles
    counts.update(rng.choices(others, k=players * dealt + pile))
    counts["defuse"] += players
    if apart:
        counts["defuse"] += rng.randint(0, 2)
    return Deal(
        counts=tuple((title, counts[title]) for title in titles),
        defuse="defuse",
        seats=("ana", "ben", "cem")[:players],
        dealt=dealt,
        kittens=players - 1,
        apart=apart,
        imploding=imploding,
    )


def is_five(cards: Cards, cats: tuple[str, ...], feral: str) -> bool:
    """Return True for five different titles. A Feral Cat can stand for a missing cat."""
    ferals = cards.count(feral)
    others = [card for card in cards if card != feral]
    present_cats = [card for card in others if card in cats]
    return len({*others}) == len(others) and ferals + len(present_cats) <= len(cats) + 1


def check_knowledge(world: World) -> None:
    known = knowledge(world.deal, world.seen)
    assert known.possible and known.exact
    check_world(world, known)
    for seen in world.list_observations():
        may_be = world.is_possible(seen)
        assert known.allows(seen) == known.after(seen).possible == may_be, seen
        if not may_be and not isinstance(seen, DrewImploding | PutBackImploding):
            assert_reason_is_true(world, known, seen)


def assert_reason_is_true(world: World, known: Knowledge, seen: Observation) -> None:
    """Check that a reason is true in every possible deal."""
    reason, facts = reason_against(known, seen)
    seat = seen.giver if isinstance(seen, Gave | Moved) else getattr(seen, "seat", None)
    hands = [*world.possible_cards[world.index_of_hand(seat)]] if seat else [()]
    card = facts.get("card", "")
    hand = len(hands[0])
    total = dict(world.deal.counts).get(card, 0)
    most = max(each.count(card) for each in hands)
    least = min(each.count(card) for each in hands)
    if isinstance(seen, Laid):
        assert facts.get("number", 0) <= len(seen.cards)
    assert facts.get("total", total) == total
    assert facts.get("noted", world.noted[card]) == world.noted[card]
    unnoted = [*world.possible_cards[world.unnoted]]
    assert {
        "only_kittens": lambda: (
            facts["kittens"] == known.pile_size == world.kittens + world.imploding
        ),
        "no_kittens": lambda: world.kittens == 0 < known.pile_size,
        "empty_pile": lambda: known.pile_size == 0,
        "all_back": lambda: world.kittens == world.deal.kittens,
        "empty_hand": lambda: hand == 0,
        "small_hand": lambda: hand == facts["hand"] < facts["number"],
        "not_in_play": lambda: total == 0,
        "all_open": lambda: world.noted[card] == total > 0,
        "too_few": lambda: 0 < total - world.noted[card] < facts["number"],
        "all_seen": lambda: most == 0 and facts["hands"] <= total - world.noted[card],
        "said_none": lambda: (
            most <= facts["came"] - facts["shown"] == count_arrivals(world, seat, card)
        ),
        "known_hand": lambda: {*facts["titles"]} == {*hands[0]} and len({*hands}) == 1,
        "elsewhere": lambda: most == 0 < total - world.noted[card],
        "not_so_many": lambda: facts["most"] == most < facts["number"],
        "not_together": lambda: not any(contains_cards(each, facts["cards"]) for each in hands),
        "must_hold": lambda: facts["least"] == least > 0,
        "not_whole": lambda: hand == facts["hand"] != facts["number"],
        "left_out": lambda: facts["least"] == least > facts["number"],
        "not_discarded": lambda: (
            not world.noted[card]
            and not any(card in each for each in unnoted)
            and facts["unnoted"] == len(unnoted[0])
        ),
    }[reason](), (reason, facts, seen)


def count_arrivals(world: World, seat: str, card: str) -> int:
    """Return the largest number of copies of ``card`` that can have come into the seat's hand since
    the hand was last known to have none."""
    number = 0
    for seen in world.seen:
        match seen:
            case HasNone(who, what) if (who, what) == (seat, card):
                number = 0
            case Drew(taker) | Moved(_, taker):
                number += taker == seat
            case Gave(giver, taker, what) if what == card:
                number += (taker == seat) - (giver == seat)
            case Picked(taker, what) if what == card:
                number += taker == seat
            case Laid(who, cards) if who == seat:
                number -= cards.count(card)
    return number


def check_world(world: World, known: Knowledge) -> None:
    titles = [*dict(world.deal.counts)]
    for seat in world.deal.seats:
        hands = [*world.possible_cards[world.index_of_hand(seat)]]
        least = {title: min(hand.count(title) for hand in hands) for title in titles}
        assert known.certain_cards(seat) == {title: n for title, n in least.items() if n}
        never = [title for title in titles if not any(title in hand for hand in hands)]
        assert known.impossible_cards(seat) == (tuple(never) if any(hands) else ())
        assert known.hand_size(seat) == len(hands[0])
        cats = tuple(cat for cat in TWO_CATS if cat in titles)
        if FERAL in titles:
            five = any(is_five(some, cats, FERAL) for h in hands for some in combinations(h, 5))
            assert known.may_hold_five(seat, cats, FERAL) == five
    lie = world.truth
    assert known.pile_size == len(lie[world.pile]) + world.kittens + world.imploding
    assert known.unnoted_count == len(lie[world.unnoted])
    assert known.noted_counts == +world.noted


def play_history(seed: int, steps: int, imploding: int = 0) -> None:
    rng = Random(seed)
    world = World(make_small_deal(rng, imploding=imploding), rng)
    for _ in range(steps):
        check_knowledge(world)
        world.observe_at_random(rng)
    check_knowledge(world)


@pytest.mark.slow
@settings(max_examples=scale_count(8, 75), deadline=None)
@given(seed=st.integers(0, 2**32), steps=st.integers(2, 10))
def test_agrees_with_every_deal_one_by_one(seed: int, steps: int) -> None:
    play_history(seed, steps)


@settings(max_examples=scale_count(4, 75), deadline=None)
@given(seed=st.integers(0, 2**32), steps=st.integers(2, 10))
def test_agrees_with_every_deal_with_an_imploding_kitten(seed: int, steps: int) -> None:
    play_history(seed, steps, imploding=1)


THREE = Deal(
    counts=(("defuse", 3), ("nope", 2), ("skip", 2), ("favor", 2)),
    defuse="defuse",
    seats=("ana", "ben", "cem"),
    dealt=1,
    kittens=2,
)


def test_unknown_cards_with_different_restrictions_meet_in_one_hand() -> None:
    """Cem gets a card that can't be a Nope and another one that can't be a Skip. Then he plays a
    Favor, which may be either of them."""
    before = (HasNone("ana", "nope"), HasNone("ben", "skip"))
    after = (Moved("ana", "cem"), Moved("ben", "cem"), Laid("cem", ("favor",)))
    matching = 0
    for seed in range(scale_count(8, 30)):
        rng = Random(seed)
        world = World(THREE, rng)
        for seen in (*before, *after):
            if not world.is_consistent(world.truth[world.find_observed_place(seen)], seen):
                break
            world.apply_observation(seen, rng)
            check_knowledge(world)
        else:
            matching += 1
    assert matching


# -- Real tables ----------------------------------------------------------------------


def check_truth(table: Table, known: Knowledge) -> None:
    """Check that the real deal is possible according to the deductions."""
    for seat in table.living:
        hand = Counter(table.hands[seat])
        assert known.hand_size(seat) == hand.total()
        assert all(hand[card] >= least for card, least in known.certain_cards(seat).items())
        assert not {*hand} & {*known.impossible_cards(seat)}
        assert known.may_hold(seat, tuple(hand.elements()))
        ferals = hand.pop(FERAL, 0)
        if ferals + len(hand) >= 5:
            feral = FERAL if FERAL in known.titles else None
            assert known.may_hold_five(seat, CATS, feral)
    assert known.pile_size == len(table.pile)


def play_truthfully(box: str, players: int, seed: int, most: int = 2000) -> Knowledge:
    """Play a whole game with real cards, so that every observation is true. Returns the deductions
    at the end."""
    rng = Random(f"{box} {players} {seed}")
    table = Table(table_of(box, players, most), rng, busy=rng.choice((0.5, 0.8, 0.95)))
    known = knowledge(table.deal, ())
    for seen in table.play_game():
        assert known.allows(seen), (box, players, seed, seen)
        known = known.after(seen)
        if rng.random() < 0.1:
            check_truth(table, known)
    return known


EVERY_TABLE = [
    (box, players) for box in BOXES for players in range(2, 6 if box == "original-56" else 11)
]


@pytest.mark.parametrize(("box", "players"), EVERY_TABLE)
def test_no_truth_is_refused_at_any_table(box: str, players: int) -> None:
    for seed in range(scale_count(1, 50)):
        assert play_truthfully(box, players, seed).exact


@pytest.mark.slow
def test_a_command_among_ten_players_is_deduced_quickly() -> None:
    """The goal is 2 ms (tools/benchmarks/deduction.py). This test fails at 20 ms."""

    def measure_median() -> float:
        table = Table(table_of("party-120", 10), Random(1), busy=0.9)
        times = []
        known = knowledge(table.deal, ())
        for seen in table.play_game():
            start = thread_time()
            known = known.after(seen)
            for seat in table.deal.seats:
                (
                    known.certain_cards(seat),
                    known.impossible_cards(seat),
                    known.allows(Laid(seat, ("nope",))),
                )
            times.append(thread_time() - start)
        return statistics.median(times)

    assert min(measure_median() for _ in range(3)) < 0.02


def test_a_coarser_world_refuses_no_true_command() -> None:
    """If there are too many possible worlds, the deduction replaces them with a coarser one, which
    must still allow every true observation."""
    coarse = 0
    for seed in range(scale_count(2, 30)):
        for box, players in (("original-56", 5), ("party-120", 4), ("party-122", 10)):
            coarse += not play_truthfully(box, players, seed, most=3).exact
    assert coarse


def test_the_example_of_the_page_is_right() -> None:
    page = (ROOT / "docs" / "deduction.md").read_text("utf-8")
    ana, ben, cem, _ = table_of("party-120", 4).seats
    known = [knowledge(table_of("party-120", 4), ())]
    for seen in (
        Moved(ben, ana),
        HasNone(ben, "nope"),
        Moved(ana, cem),
        Laid(ana, ("defuse",)),
        Laid(cem, ("defuse",)),
        Laid(cem, ("defuse",)),
        Drew(ben),
        Laid(ben, ("nope",)),
    ):
        known.append(known[-1].after(seen))
    worlds = [sum(map(len, each.hidden_cards.worlds.values())) for each in known]
    assert [int(n) for n in re.findall(r"^\|[^|]+\| (\d+) \|", page, re.M)] == worlds
    assert [each.certain_cards(ana) for each in known[:4]] == [{"defuse": 1}] * 3 + [{}]
    assert [each.certain_cards(ben) for each in known[:2]] == [{"defuse": 1}, {}]
    assert [each.certain_cards(cem) for each in known[3:6]] == [{"defuse": 1}] * 2 + [{}]
    assert [each.impossible_cards(ben) for each in known[2:]] == [("nope",)] * 5 + [(), ("nope",)]
    assert not known[6].may_hold(ben, ("nope",)) and known[7].may_hold(ben, ("nope",))
    refused = Laid(ben, ("nope",))
    assert not known[7].may_hold(ben, ("nope", "nope")) and not known[8].allows(refused)
    assert reason_against(known[8], refused) == (
        "said_none",
        {"card": "nope", "came": 1, "shown": 1},
    )


def test_a_history_that_cannot_be_stays_so() -> None:
    known = knowledge(THREE, (HasNone("ana", "defuse"), Drew("ben")))
    assert not known.possible
    assert not known.allows(Drew("ana"))
    assert reason_against(known, Drew("ana")) == ("no_deal", {})
    assert (known.certain_cards("ben"), known.impossible_cards("ben")) == ({}, ())


@pytest.mark.slow
def test_a_long_game_is_read_from_its_beginning() -> None:
    deal = table_of("party-120", 4)
    known = knowledge(deal, (DrewKitten(), PutBack()) * KEPT)
    assert known.kittens == deal.kittens
    assert knowledge(deal, (DrewKitten(), PutBack()) * KEPT) is known


def test_a_large_hand_known_in_many_ways_is_computed_at_once() -> None:
    known = knowledge(table_of("party-122", 10), ())
    for n, card in enumerate(("nope", "skip", "favor", "shuffle", "attack"), 1):
        known = known.after(HasNone(f"s{n}", card))
        for _ in range(4):
            known = known.after(Moved(f"s{n}", "s0"))
    hand = known.hand_size("s0")
    assert hand == 28
    assert not known.may_hold("s0", ("tacocat",) * 7 + ("beard_cat",) * 7 + ("favor",) * 14)
    assert known.may_hold("s0", ("tacocat",) * 7 + ("beard_cat",) * 7 + ("nope",) * 3)


def test_the_first_defuses_by_box() -> None:
    """Rulings what-everybody-saw, one-defuse-each and extra-defuses."""
    party = knowledge(table_of("party-120", 4), ())
    assert party.certain_cards("s0") == {"defuse": 1} and party.impossible_cards("s0") == ()
    assert party.may_hold("s0", ("defuse",) * 4) and not party.may_hold("s0", ("defuse",) * 5)
    original = knowledge(table_of("original-56", 4), ())
    assert original.certain_cards("s0") == {"defuse": 1}
    assert not original.may_hold("s0", ("defuse", "defuse"))
    assert original.after(Drew("s0")).may_hold("s0", ("defuse", "defuse"))
    assert not original.allows(HasNone("s0", "defuse"))
    assert reason_against(original, HasNone("s0", "defuse")) == (
        "must_hold",
        {"card": "defuse", "least": 1},
    )


def test_card_count_and_kitten_count() -> None:
    """The reasons follow from the rulings card-count and kitten-count."""
    known = knowledge(table_of("party-120", 2), ())
    for _ in range(2):
        known = known.after(Laid("s0", ("attack",)))
    reason, facts = reason_against(known, Laid("s1", ("attack",)))
    assert (reason, facts, find_ruling(reason)) == (
        "all_open",
        {"card": "attack", "total": 2},
        "card-count",
    )
    known = known.after(DrewKitten())
    reason, facts = reason_against(known, DrewKitten())
    assert (reason, facts, find_ruling(reason)) == ("no_kittens", {}, "kitten-count")
    assert known.pile_size == 28
    for _ in range(28):
        known = known.after(Drew("s0"))
    assert reason_against(known, Drew("s0")) == ("empty_pile", {})
    known = known.after(PutBack())
    reason, facts = reason_against(known, Drew("s0"))
    assert (reason, facts, find_ruling(reason)) == ("only_kittens", {"kittens": 1}, "kitten-count")


def test_later_observations_replace_those_of_an_undone_play() -> None:
    deal = Deal(
        counts=(("defuse", 2), ("nope", 1), ("skip", 3)),
        defuse="defuse",
        seats=("ana", "ben"),
        dealt=1,
        kittens=1,
    )
    shown = (Remembered(Holds("ana", ("nope",)), 0),)
    assert knowledge_with_undone(deal, (), shown).certain_cards("ana") == {"defuse": 1, "nope": 1}
    elsewhere = (Laid("ben", ("nope",)),)
    corrected = knowledge_with_undone(deal, elsewhere, shown)
    assert corrected.certain_cards("ana") == knowledge(deal, elsewhere).certain_cards("ana")
