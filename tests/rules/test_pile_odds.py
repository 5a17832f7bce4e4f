"""Compare the odds of the pile's ends with every order of small piles.

Players who arrange the top cards or hide a Kitten follow secret plans. All piles of a test have the
same public history, and the odds of the top and bottom card must be right for every plan. If the
odds are a single number, it must be exact. If they are two bounds, the share of Kittens must lie
between them.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import permutations
from random import Random

import pytest
from msgspec.structs import replace

from companion.rules.pile import order as of
from companion.rules.pile.order import LOOKED_AT, End, Notes, Order, View, end_odds
from tests.support.iterations import scale_count

CardOrder = tuple[str, ...]
"""The order of a pile, from the top: the titles of both kinds of Kittens, and ``SAFE``."""
Plan = dict[CardOrder, CardOrder]
"""A player's plan for an Alter the Future: maps the top cards, sorted, to the order in which the
player puts them back."""

VIEWER = "ana"
OTHER = "ben"
KITTEN = "kitten"
IMPLODING = "imploding"
SAFE = "skip"
CLOSE = 1e-6


def list_orders(cards: Iterable[str]) -> Counter[CardOrder]:
    """Return all different orders of these cards, each with the weight 1."""
    return Counter(sorted({*permutations(cards)}))


class Pile:
    """A pile: its real order, and all orders that fit the public history, with their weights.

    The pile may have an Imploding Kitten. While it lies face up, everybody sees if it is on top.
    """

    def __init__(self, cards: int, kittens: int, rng: Random, *, imploding: bool = False) -> None:
        self.rng = rng
        self.order = Order()
        self.notes = ()
        self.notes: Notes
        titles = [KITTEN] * kittens + [IMPLODING] * imploding
        self.orders = list_orders([*titles, *[SAFE] * (cards - len(titles))])
        self.truth = self.pick_order()

    def pick_order(self) -> CardOrder:
        return self.rng.choices([*self.orders], [*self.orders.values()])[0]

    @property
    def card_count(self) -> int:
        return len(self.truth)

    @property
    def kitten_count(self) -> int:
        return self.truth.count(KITTEN)

    @property
    def deadly(self) -> set[str]:
        """The titles that put out a player who draws them."""
        return {KITTEN, IMPLODING} if self.order.face_up else {KITTEN}

    def shuffle(self) -> None:
        self.orders = list_orders(self.truth)
        self.truth = self.pick_order()
        self.order = of.after_shuffle(self.order)
        self.notes = ()
        self.see_top()

    def see_top(self) -> None:
        """Let everybody see if the Imploding Kitten is on top. If it is, a player says so."""
        if not self.order.face_up or not self.truth:
            return
        on_top = self.truth[0] == IMPLODING
        self.keep(lambda order: (order[0] == IMPLODING) == on_top)
        if on_top:
            self.order = replace(self.order, face_up="top")

    def keep(self, is_possible: Callable[[CardOrder], bool]) -> None:
        self.orders = Counter({order: n for order, n in self.orders.items() if is_possible(order)})

    def rearrange_top(self, seat: str) -> None:
        many = min(LOOKED_AT, self.card_count)
        tops = {tuple(sorted(order[:many])) for order in self.orders}
        plan: Plan = {top: self.rng.choice(sorted(list_orders(top))) for top in sorted(tops)}
        self.apply_change(lambda order: plan[tuple(sorted(order[:many]))] + order[many:])
        self.order = of.after_alter(self.order, self.card_count)
        self.notes = of.notes_after_alter(self.notes)
        self.see_top()
        if seat == VIEWER:
            self.look_at_top()

    def look_at_top(self) -> None:
        """Let the viewer look at the top card or the top three cards, and note them."""
        many = min(self.rng.choice((1, LOOKED_AT)), self.card_count)
        self.notes = of.notes_after_look(self.notes, self.truth[:many])

    def draw(self, end: End) -> str:
        """Draw the card at this end, and return the kind of card that everybody sees."""
        at = 0 if end == "top" else -1
        drawn = self.truth[at]
        self.keep(lambda order: order[at] == drawn)
        if drawn == IMPLODING and self.order.face_up:
            self.order = replace(self.order, face_up="")
        else:
            self.order = of.after_draw(self.order, self.card_count, end, drawn == KITTEN)
        self.notes = of.notes_after_draw(self.notes, self.card_count, end)
        self.apply_change(lambda order: order[1:] if end == "top" else order[:-1])
        return drawn

    def put_back(self, seat: str, kitten: str) -> None:
        at = self.rng.randint(0, self.card_count)
        self.apply_change(lambda order: (*order[:at], kitten, *order[at:]))
        told = seat == VIEWER and self.rng.random() < 0.8
        if kitten == KITTEN:
            self.order = of.after_defuse(self.order, seat)
            self.notes = of.notes_after_defuse(self.notes, at + 1, KITTEN) if told else ()
        elif at == 0:
            self.order = of.after_put_back(self.order, on_top=True)
            self.notes = of.notes_after_put_on_top(self.notes)
        else:
            self.order = of.after_put_back(self.order, on_top=False)
            notes = of.notes_after_defuse(self.notes, at + 1, IMPLODING, own=False)
            self.notes = notes if told else ()
        self.see_top()

    def apply_change(self, change) -> None:
        after: Counter[CardOrder] = Counter()
        for order, ways in self.orders.items():
            after[change(order)] += ways
        self.orders, self.truth = after, change(self.truth)

    def step(self) -> None:
        seat = self.rng.choice((VIEWER, OTHER))
        match self.rng.choice(("top", "top", "top", "bottom", "alter", "look", "shuffle")):
            case "alter":
                self.rearrange_top(seat)
            case "look":
                self.look_at_top()
            case "shuffle":
                self.shuffle()
            case end:
                lay_up = bool(self.order.face_up)
                drawn = self.draw(end)
                if drawn == IMPLODING and not lay_up:
                    self.put_back(seat, IMPLODING)
                elif drawn == KITTEN and self.rng.random() < 0.8:
                    self.put_back(seat, KITTEN)
                else:
                    self.see_top()

    def deadly_share(self, at: int, notes: Notes = ()) -> Fraction:
        """Return the share of the possible orders with a deadly card at this position. Only orders
        that fit the notes count."""
        agreeing = {
            order: n
            for order, n in self.orders.items()
            if all(order[note.place - 1] == note.card for note in notes)
        }
        deadly = sum(n for order, n in agreeing.items() if order[at] in self.deadly)
        return Fraction(deadly, sum(agreeing.values()))


def check_odds(pile: Pile, view: View, notes: Notes = ()) -> None:
    for end, at in (("top", 0), ("bottom", -1)):
        odds = view[end]
        share = pile.deadly_share(at, notes)
        assert odds["least"] - CLOSE <= share <= odds["most"] + CLOSE, (end, odds, share)
        assert odds["least"] <= odds["even"] <= odds["most"]
        if odds["state"] in ("shuffled", "noted"):
            assert odds["least"] == odds["even"] == odds["most"] == round(float(share), 6)


def check_piles(part: int, piles: int, *, imploding: bool) -> Counter[str]:
    """Play with this many random piles, and count the states of the face-up card."""
    seen: Counter[str] = Counter()
    for seed in range(part * piles, (part + 1) * piles):
        rng = Random(seed)
        cards = rng.randint(2, 6 if imploding else 7)
        pile = Pile(cards, rng.randint(1, min(2, cards - imploding)), rng, imploding=imploding)
        for _ in range(12):
            if not pile.card_count:
                break
            size = pile.card_count, pile.kitten_count, pile.order
            title = IMPLODING if imploding else None
            check_odds(pile, end_odds(*size, kitten=KITTEN, imploding=title))
            mine = end_odds(*size, pile.notes, KITTEN, imploding=title)
            check_odds(pile, mine, pile.notes)
            seen[pile.order.face_up] += 1
            pile.step()
    return seen


@pytest.mark.parametrize("part", range(4))
def test_the_odds_hold_in_every_order_under_any_plan(part: int) -> None:
    check_piles(part, scale_count(75, 60), imploding=False)


@pytest.mark.parametrize("part", range(4))
def test_the_odds_hold_in_every_order_with_an_imploding_kitten(part: int) -> None:
    """While the Imploding Kitten lies face up, everybody sees if it is on top. The bounds hold in
    every order that agrees with that."""
    seen = check_piles(part, scale_count(75, 60), imploding=True)
    assert min(seen[place] for place in ("", "placed", "shuffled", "top")) > 10


# -- Examples for each state of the odds ------------------------------------------------


def make_odds(state: str, even: float, least: float, most: float) -> dict[str, str | float]:
    return {"state": state, "even": even, "least": least, "most": most}


def make_equal_odds(state: str, even: float, least: float, most: float) -> View:
    return {end: make_odds(state, even, least, most) for end in ("top", "bottom")}


def test_odds_shuffled() -> None:
    assert end_odds(31, 3, Order()) == make_equal_odds("shuffled", 0.096774, 0.096774, 0.096774)
    looked = of.after_draw(Order(), 31, "top", kitten=False)
    assert end_odds(30, 3, looked) == make_equal_odds("shuffled", 0.1, 0.1, 0.1)


def test_odds_shuffled_when_nothing_but_kittens_is_left() -> None:
    chosen = of.after_alter(of.after_defuse(Order(), "s1"), 2)
    assert end_odds(2, 2, chosen) == make_equal_odds("shuffled", 1.0, 1.0, 1.0)
    assert end_odds(2, 0, chosen) == make_equal_odds("shuffled", 0.0, 0.0, 0.0)
    assert end_odds(0, 0, chosen) == make_equal_odds("shuffled", 0.0, 0.0, 0.0)


def test_odds_placed() -> None:
    once = of.after_defuse(Order(), "s2")
    assert end_odds(31, 3, once) == make_equal_odds("placed", 0.096774, 0.066667, 1.0)
    again = of.after_defuse(once, "s3")
    assert end_odds(31, 3, again) == make_equal_odds("placed", 0.096774, 0.034483, 1.0)
    assert end_odds(30, 1, again) == make_equal_odds("placed", 0.033333, 0.0, 1.0), (
        "never more than there are"
    )
    assert end_odds(30, 1, Order()) == make_equal_odds("shuffled", 0.033333, 0.033333, 0.033333)


def test_odds_arranged() -> None:
    arranged = of.after_alter(Order(), 10)
    untouched = make_odds("arranged", 0.3, 0.008333, 0.708333)
    assert end_odds(10, 3, arranged) == {
        "top": untouched,
        "bottom": make_odds("shuffled", 0.3, 0.3, 0.3),
    }
    touched = of.after_draw(arranged, 10, "top", kitten=False)
    assert end_odds(9, 3, touched) == make_equal_odds("arranged", 0.333333, 0.0, 1.0)
    for cards in (9, 8):
        touched = of.after_draw(touched, cards, "top", kitten=False)
    assert end_odds(7, 3, touched) == make_equal_odds("shuffled", 0.428571, 0.428571, 0.428571)


def test_odds_arranged_where_the_arranged_are_all_there_are() -> None:
    assert end_odds(2, 1, of.after_alter(Order(), 2)) == make_equal_odds("arranged", 0.5, 0.0, 1.0)
    down = of.after_draw(
        of.after_draw(of.after_alter(Order(), 4), 4, "bottom", False), 3, "bottom", False
    )
    assert down.touched
    assert end_odds(2, 1, down) == make_equal_odds("arranged", 0.5, 0.0, 1.0)


def test_odds_arranged_with_a_placed_kitten_as_well() -> None:
    both_chosen = of.after_defuse(of.after_alter(Order(), 9), "s1")
    assert end_odds(10, 3, both_chosen) == {
        "top": make_odds("placed", 0.3, 0.0, 1.0),
        "bottom": make_odds("placed", 0.3, 0.222222, 1.0),
    }
    touched = of.after_draw(both_chosen, 10, "top", kitten=False)
    assert end_odds(9, 3, touched) == make_equal_odds("placed", 0.333333, 0.0, 1.0)


def test_a_note_on_an_arranged_card_below_a_placed_kitten_touches_the_arranged() -> None:
    """Ana arranged three cards and put a Kitten on top, so the third one lies at place 4. Ben
    arranges the top three cards. Ana still knows place 4, which she chose herself."""
    order = of.after_alter(of.after_defuse(of.after_alter(Order(), 4), "ana"), 5)
    mine = end_odds(5, 2, order, of.with_note((), 4, SAFE), KITTEN)
    assert mine["bottom"] == make_odds("placed", 0.5, 0.0, 1.0)


def test_a_kitten_put_among_the_arranged_cards_keeps_them_on_top() -> None:
    order = of.after_defuse(of.after_draw(of.after_alter(Order(), 9), 9, "top", kitten=True), "s1")
    assert (order.arranged, order.among) == (2, 1)
    order = of.after_defuse(of.after_draw(order, 9, "top", kitten=True), "s2")
    assert order.arranged == 2, "the Kitten may have been the one that was put there"
    for cards in (9, 8):
        order = of.after_draw(order, cards, "top", kitten=False)
    assert order == Order(placed=("s1", "s2"))


def test_private_notes_follow_the_pile() -> None:
    notes = of.notes_after_look((), ("skip", "kitten", "nope"))
    assert places_by_card(notes) == {1: "skip", 2: "kitten", 3: "nope"}
    assert places_by_card(of.notes_after_draw(notes, 9, "top")) == {1: "kitten", 2: "nope"}
    assert places_by_card(of.notes_after_draw(notes, 9, "bottom")) == {
        1: "skip",
        2: "kitten",
        3: "nope",
    }
    assert places_by_card(of.notes_after_draw(notes, 3, "bottom")) == {1: "skip", 2: "kitten"}
    deep = of.with_note(notes, 7, "favor")
    assert places_by_card(of.notes_after_alter(deep)) == {7: "favor"}
    told = of.notes_after_defuse(of.notes_after_draw(deep, 9, "top"), 2, KITTEN)
    assert places_by_card(told) == {1: "kitten", 2: "kitten", 3: "nope", 7: "favor"}
    assert places_by_card(of.with_note(deep, 3, None)) == {1: "skip", 2: "kitten", 7: "favor"}
    assert [note.own for note in of.notes_after_look(told, ("kitten", "kitten"))] == [
        False,
        True,
        False,
        False,
    ]


def places_by_card(notes: Notes) -> dict[int, str]:
    return {note.place: note.card for note in notes}


def test_odds_private() -> None:
    notes = of.notes_after_look((), ("skip", "kitten"))
    mine = end_odds(10, 3, Order(), notes, KITTEN)
    assert mine == {
        "top": make_odds("noted", 0.0, 0.0, 0.0),
        "bottom": make_odds("shuffled", 0.25, 0.25, 0.25),
    }


def test_odds_private_are_exact_where_all_that_was_chosen_is_noted() -> None:
    placed = of.after_defuse(Order(), "s1")
    told = of.notes_after_defuse((), 10, KITTEN)
    assert end_odds(10, 3, placed, told, KITTEN) == {
        "top": make_odds("shuffled", 0.222222, 0.222222, 0.222222),
        "bottom": make_odds("noted", 1.0, 1.0, 1.0),
    }
    another = of.after_defuse(placed, "s2")
    assert end_odds(11, 4, another, told, KITTEN)["top"]["state"] == "placed"
    arranged = of.notes_after_look((), ("skip", "nope", "kitten"))
    assert end_odds(10, 3, of.after_alter(Order(), 10), arranged, KITTEN) == {
        "top": make_odds("noted", 0.0, 0.0, 0.0),
        "bottom": make_odds("shuffled", 0.285714, 0.285714, 0.285714),
    }


def test_a_kitten_that_was_seen_need_not_be_the_one_that_was_placed() -> None:
    seen = of.notes_after_look((), ("kitten",))
    mine = end_odds(10, 3, of.after_defuse(Order(), "s2"), seen, KITTEN)
    assert mine["bottom"] == make_odds("placed", 0.222222, 0.125, 1.0)


def test_a_kitten_noted_by_the_player_who_put_it_back_is_that_one() -> None:
    order = of.after_defuse(of.after_defuse(Order(), "s1"), "s2")
    assert of.is_own_kitten(order, "s1", ())
    assert not of.is_own_kitten(order, "s1", of.notes_after_defuse((), 4, KITTEN))
    assert not of.is_own_kitten(order, "s3", ())


def test_a_slip_of_the_pen_makes_no_chance_below_0_or_over_1() -> None:
    too_many = of.notes_after_look((), ("kitten", "kitten", "kitten"))
    assert end_odds(5, 2, Order(), too_many, KITTEN)["bottom"]["even"] == 0
    too_few = of.notes_after_look((), ("skip", "skip", "skip", "skip"))
    assert end_odds(5, 2, Order(), too_few, KITTEN)["bottom"]["even"] == 1
    beyond = of.with_note((), 9, "kitten")
    assert end_odds(5, 2, Order(), beyond, KITTEN) == end_odds(5, 2, Order())
