"""Real cards of the draw grid, and every layout of the cards that the players think possible.

This model shares no code with the deduction. It keeps every possible layout with its weight
(the number of equally likely ways that lead to it), and removes the layouts that contradict an
observation.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache
from itertools import permutations
from random import Random

from companion.rules.grid.deduction import (
    Deck,
    DrewFaceUp,
    DrewHidden,
    Hidden,
    Knowledge,
    Left,
    Observation,
    TurnedUp,
)

FIFTEEN = Deck(
    counts=(
        ("kitten", 1),
        ("defuse", 2),
        ("see_future", 3),
        ("favor", 2),
        ("nope", 2),
        ("shuffle", 2),
        ("skip", 3),
    ),
    kitten="kitten",
    defuse="defuse",
    away=4,
    hand=4,
    laid=5,
)

Cell = tuple[str, bool] | None
"""A card, and True if it is face up. None stands for an empty cell."""
Layout = tuple[tuple[str, ...], tuple[str, ...], tuple[Cell, ...]]
"""A layout of the cards: the sorted hand, the sorted cards put away, and the cells."""
Action = tuple[str, int]
"""The kind of action (``leave defuse turn draw shuffle place``), and the index of its cell (0 if
the action has no cell)."""
Outcome = tuple[Observation, int, Layout]
"""An outcome of an action: what the players observe, the number of equally likely ways in which it
happens, and the layout afterwards."""


def list_shuffled_cards(deck: Deck) -> list[str]:
    """Return the cards that are shuffled: all except the Kittens and the Defuses that are set
    aside."""
    cards = Counter(dict(deck.counts))
    cards.subtract({deck.kitten: deck.kittens})
    cards.subtract({deck.defuse: deck.aside})
    return sorted(cards.elements())


def make_deal(deck: Deck, order: Iterable[str], slid: Iterable[int]) -> Layout:
    """Deal the shuffled cards in this order, and put the Kittens at these indexes of the grid."""
    cards = [*order]
    away = cards[: deck.away]
    hand = cards[deck.away : deck.away + deck.hand]
    laid = cards[deck.away + deck.hand :]
    for place in slid:
        laid.insert(place, deck.kitten)
    hand += [deck.defuse] * deck.aside
    return tuple(sorted(hand)), tuple(sorted(away)), tuple((c, False) for c in laid)


def count_deals(deck: Deck) -> Counter[Layout]:
    """Return all possible deals, each with the number of orders of the cards that lead to it."""
    slides: list[tuple[int, ...]] = [()]
    for kitten in range(deck.kittens):
        slides = [(*s, p) for s in slides for p in range(deck.laid + kitten + 1)]
    lies: Counter[Layout] = Counter()
    for order, ways in Counter(permutations(list_shuffled_cards(deck))).items():
        for slid in slides:
            lies[make_deal(deck, order, slid)] += ways
    return lies


def remove_card(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]


def with_card_at(cells: tuple[Cell, ...], place: int, cell: Cell) -> tuple[Cell, ...]:
    return (*cells[:place], cell, *cells[place + 1 :])


@cache
def count_arrangements(cards: tuple[str, ...]) -> tuple[tuple[tuple[str, ...], int], ...]:
    return tuple(Counter(permutations(cards)).items())


def list_outcomes(deck: Deck, lie: Layout, action: Action) -> Iterator[Outcome]:
    """Yield the possible outcomes of an action in this layout."""
    hand, away, cells = lie
    match action:
        case "leave", _:
            for card in hand:
                yield Left(card), 1, (remove_card(hand, card), away, cells)
        case "defuse", _:
            if deck.defuse in hand:
                left = (remove_card(hand, deck.defuse), away, cells)
                yield Left(deck.defuse, forced=True), 1, left
        case "turn" | "draw" as what, place:
            yield from list_card_outcomes(deck, lie, place, draw=what == "draw")
        case "shuffle" | "place" as what, _:
            seen = Hidden(placed=what == "place")
            held = [place for place, cell in enumerate(cells) if cell]
            for cards, ways in count_arrangements(tuple(sorted(c[0] for c in cells if c))):
                changed = list(cells)
                for place, card in zip(held, cards, strict=True):
                    changed[place] = card, False
                yield seen, ways, (hand, away, tuple(changed))


def list_card_outcomes(deck: Deck, lie: Layout, place: int, *, draw: bool) -> Iterator[Outcome]:
    hand, away, cells = lie
    if not (cell := cells[place]):
        return
    card, up = cell
    if not up and (not draw or card == deck.kitten):
        yield TurnedUp(card), 1, (hand, away, with_card_at(cells, place, (card, True)))
    elif draw and card != deck.kitten:
        drawn = tuple(sorted((*hand, card))), away, with_card_at(cells, place, None)
        yield (DrewFaceUp(card) if up else DrewHidden()), 1, drawn


ACTION_WEIGHTS = {"leave": 2, "defuse": 1, "turn": 4, "draw": 4, "shuffle": 2, "place": 1}
"""Relative frequency with which each kind of action is chosen in a random history."""


def list_actions(lie: Layout) -> list[Action]:
    """Return all actions, including those without a possible outcome."""
    places = range(len(lie[2]))
    cells = [(what, place) for what in ("turn", "draw") for place in places]
    return [("leave", 0), ("defuse", 0), ("shuffle", 0), ("place", 0), *cells]


def choose_action(deck: Deck, lie: Layout, rng: Random) -> Action:
    """Choose a random action that has an outcome in this layout."""
    possible = [a for a in list_actions(lie) if any(True for _ in list_outcomes(deck, lie, a))]
    kinds = sorted({kind for kind, _ in possible})
    (kind,) = rng.choices(kinds, [ACTION_WEIGHTS[kind] for kind in kinds])
    return rng.choice([action for action in possible if action[0] == kind])


def choose_outcome(
    deck: Deck, lie: Layout, action: Action, rng: Random
) -> tuple[Observation, Layout]:
    """Choose a random outcome of the action. Returns the observation and the layout afterwards."""
    seen, _, after = rng.choice([*list_outcomes(deck, lie, action)])
    return seen, after


class World:
    """All possible layouts of the cards, and the true one."""

    def __init__(self, deck: Deck, rng: Random) -> None:
        self.deck = deck
        self.layouts = count_deals(deck)
        self.truth = rng.choice([*self.layouts])
        self.seen: tuple[Observation, ...] = ()

    def act_at_random(self, rng: Random) -> None:
        """Apply a random action to the true layout, and remove the layouts that contradict its
        outcome."""
        action = choose_action(self.deck, self.truth, rng)
        seen, self.truth = choose_outcome(self.deck, self.truth, action, rng)
        self.seen = (*self.seen, seen)
        lies: Counter[Layout] = Counter()
        for lie, weight in self.layouts.items():
            for shown, ways, after in list_outcomes(self.deck, lie, action):
                if shown == seen:
                    lies[after] += weight * ways
        self.layouts = lies

    def find_hidden_cells(self) -> list[int]:
        """Return the indexes of the cells with a face-down card."""
        cells = enumerate(self.truth[2])
        return [place for place, cell in cells if cell and not cell[1]]

    def odds_in_cell(self, place: int, title: str) -> Fraction:
        """Return the odds that this cell holds a face-down card of this title."""
        return self._compute_odds(lie for lie in self.layouts if lie[2][place] == (title, False))

    def odds_in_hand(self, title: str) -> Fraction:
        """Return the odds that the title is in the hand."""
        return self._compute_odds(lie for lie in self.layouts if title in lie[0])

    def _compute_odds(self, lies: Iterable[Layout]) -> Fraction:
        return Fraction(sum(self.layouts[lie] for lie in lies), self.layouts.total())

    def list_observations(self) -> set[Observation]:
        """Return every next observation that is possible in at least one layout."""
        return {
            seen
            for lie in self.layouts
            for action in list_actions(lie)
            if action[0] not in ("shuffle", "place")
            for seen, _, _ in list_outcomes(self.deck, lie, action)
        } | {Hidden(placed=False), Hidden(placed=True)}


def cell_odds(known: Knowledge) -> dict[str, Fraction]:
    """Return the odds of each title in a face-down cell, or an empty dict if there is no
    such cell."""
    numbers, whole = known.odds[0]
    return {t: Fraction(n, whole) for t, n in zip(known.titles, numbers, strict=False)}


def hand_odds(known: Knowledge) -> dict[str, Fraction]:
    """Return the odds that the hand contains each title except the Kitten."""
    numbers, whole = known.odds[1]
    named = zip(known.titles, numbers, strict=False)
    return {t: Fraction(n, whole) for t, n in named if t != known.deck.kitten}
