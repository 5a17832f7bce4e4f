"""Exact knowledge of the hidden cards in a classic game, deduced from what all players saw.

``knowledge(deal, observations)`` returns that knowledge. If an observation contradicts the
knowledge, ``reason_against`` in ``reasons.py`` gives the reason. Both functions work with seats and
titles. The deduction itself works with numbers; ``hidden_cards.py`` explains it with an example.

The deal and the observations are part of a game's state. Kittens are never in a hand, so only their
number is counted. *Kittens* in this module are Exploding Kittens; the Imploding Kitten of an
expansion is counted separately.
"""

from collections import OrderedDict
from dataclasses import dataclass, replace
from functools import lru_cache

from msgspec import Struct

from companion.rules.pile.hidden_cards import HiddenCards, total_marks
from companion.rules.pile.marks import marks_of

KEPT = 2048  # maximum number of cached steps for all games together

PILE, UNNOTED, AWAY, HANDS = range(4)
"""The numbers of the places: the pile without its Kittens, the cards of unknown title on the
discard pile, the hands that left the game, and the first player's hand. The other players' hands
have the numbers after ``HANDS``, in the order of the seats."""


class Deal(Struct, frozen=True, kw_only=True, cache_hash=True):
    """The cards in play and how they were dealt (paw-prints, one-defuse-each, the-deal)."""

    # each title in play with its number of cards; Kittens are left out
    counts: tuple[tuple[str, int], ...]
    defuse: str  # the title of the Defuse
    seats: tuple[str, ...]
    dealt: int  # number of cards dealt to each hand, not counting the Defuse
    kittens: int  # number of Exploding Kittens in the pile
    apart: bool = False
    """True if the extra Defuses were put in the pile after the deal, as in the original box. False
    if they were shuffled into the deck before the deal, as in the party pack."""
    most: int = 2000
    """Maximum number of worlds (``hidden_cards.py``) before the deduction becomes coarser."""
    imploding: int = 0  # 1 if there is an Imploding Kitten in the pile


class Laid(Struct, frozen=True, cache_hash=True):
    """Cards were played from a hand, face up: an action, a combo, a Nope or a Defuse."""

    seat: str
    cards: tuple[str, ...]


class Drew(Struct, frozen=True, cache_hash=True):
    """A player drew a card that isn't a Kitten. The other players didn't see the card."""

    seat: str


class DrewKitten(Struct, frozen=True, cache_hash=True):
    """A Kitten was drawn from the pile and shown."""


class PutBack(Struct, frozen=True, cache_hash=True):
    """A Kitten was put back in the pile."""


class DrewImploding(Struct, frozen=True, cache_hash=True):
    """The Imploding Kitten was drawn from the pile, face down or face up, and everybody saw it."""


class PutBackImploding(Struct, frozen=True, cache_hash=True):
    """The Imploding Kitten was put back in the pile, face up."""


class Moved(Struct, frozen=True, cache_hash=True):
    """A card went unseen from one hand to another, because of a Favor or a pair."""

    giver: str
    taker: str


class Gave(Struct, frozen=True, cache_hash=True):
    """A card went from one hand to another, after the taker had asked for its title."""

    giver: str
    taker: str
    card: str


class HasNone(Struct, frozen=True, cache_hash=True):
    """A player who was asked for a card of this title had none."""

    seat: str
    card: str


class Holds(Struct, frozen=True, cache_hash=True):
    """Everybody knows that a hand holds these cards, because a play that was undone showed them."""

    seat: str
    cards: tuple[str, ...]


class Picked(Struct, frozen=True, cache_hash=True):
    """A card went from the discard pile to a hand.

    If the panel knew of a card of this title on the discard pile, that card was taken. Otherwise,
    one of the cards of unknown title was taken.
    """

    seat: str
    card: str


class Exploded(Struct, frozen=True, cache_hash=True):
    """All cards of a hand went to the discard pile, because its player exploded."""

    seat: str
    cards: tuple[str, ...] | None = None  # None if the player didn't name the cards


class Went(Struct, frozen=True, cache_hash=True):
    """All cards of a hand left the game with its player. Nobody saw these cards."""

    seat: str


KITTENS: dict[type, int] = {DrewKitten: -1, PutBack: 1}
"""Maps a type of observation to the change in the number of Exploding Kittens in the pile."""

IMPLODING: dict[type, int] = {DrewImploding: -1, PutBackImploding: 1}
"""Maps a type of observation to the change in the number of Imploding Kittens in the pile."""

Observation = (
    Laid | Drew | DrewKitten | PutBack | DrewImploding | PutBackImploding | Moved | Gave | HasNone
    | Holds | Picked | Exploded | Went
)  # fmt: skip


class Remembered(Struct, frozen=True, cache_hash=True):
    """Something about a hand that everybody still knows after an undo (ruling undo)."""

    fact: Holds | HasNone
    at: int  # the number of observations before the undone play


@dataclass(frozen=True, kw_only=True, eq=False)
class Knowledge:
    """Everything that everybody at the table can know about the hidden cards."""

    deal: Deal
    titles: tuple[str, ...]
    hidden_cards: HiddenCards
    kittens: int  # number of Exploding Kittens in the pile
    imploding: int = 0  # 1 if the Imploding Kitten is in the pile
    exact: bool = True  # False once there were more than ``Deal.most`` possible worlds
    seen: tuple[Observation, ...] = ()

    @property
    def possible(self) -> bool:
        """True if some deal agrees with all observations."""
        return bool(self.hidden_cards.worlds)

    @property
    def pile_size(self) -> int:
        """The number of cards in the pile, including its Kittens."""
        return self.hidden_cards.sizes[PILE] + self.kittens + self.imploding

    @property
    def unnoted_count(self) -> int:
        return self.hidden_cards.sizes[UNNOTED]

    @property
    def noted_counts(self) -> dict[str, int]:
        """The number of noted cards of each title on the discard pile (the panel knows their
        titles)."""
        counts = zip(self.titles, self.hidden_cards.noted, strict=True)
        return {title: number for title, number in counts if number}

    def hand_size(self, seat: str) -> int:
        return self.hidden_cards.sizes[self.place_of_hand(seat)]

    def certain_cards(self, seat: str) -> dict[str, int]:
        """Return the titles that are certainly in the hand, each with its minimum
        number of cards."""
        return self.certain_titles(self.place_of_hand(seat))

    def impossible_cards(self, seat: str) -> tuple[str, ...]:
        """Return the titles that are certainly not in the hand, or no titles for an empty hand."""
        may = self.hidden_cards.titles_by_place[self.place_of_hand(seat)]
        titles = enumerate(self.titles)
        return tuple(name for title, name in titles if not may >> title & 1) if may else ()

    def may_hold(self, seat: str, cards: tuple[str, ...]) -> bool:
        """Return True if the hand may hold all these cards at the same time.

        ``cards`` may contain a title several times.
        """
        return self._may_lie(self.place_of_hand(seat), cards)

    def may_hold_five(self, seat: str, cats: tuple[str, ...], feral: str | None = None) -> bool:
        """Return True if the hand may hold five different cards. A Feral Cat counts as any cat."""
        # A Feral Cat even counts as a cat that house rules have removed from the game.
        titles = (*self.titles, *(cat for cat in cats if cat not in self.titles))
        feral_cat = 1 << titles.index(feral) if feral in titles else 0
        plain = sum(1 << titles.index(cat) for cat in cats)
        return self.hidden_cards.may_hold_five(self.place_of_hand(seat), plain, feral_cat)

    def allows(self, seen: Observation) -> bool:
        """Return True if some deal agrees with all observations so far and with this one (ruling
        possible-report)."""
        return self.possible and self._allows(seen)

    def after(self, seen: Observation) -> "Knowledge":
        """Return the knowledge after this observation.

        The property ``possible`` of the result is False if no deal allows the observation.
        """
        if not self.allows(seen):
            return replace(self, hidden_cards=replace(self.hidden_cards, worlds={}))
        hidden_cards = self._hidden_cards_after(seen)
        exact = hidden_cards.world_count <= self.deal.most
        return replace(
            self,
            hidden_cards=hidden_cards if exact else hidden_cards.widen(),
            kittens=self.kittens + KITTENS.get(type(seen), 0),
            imploding=self.imploding + IMPLODING.get(type(seen), 0),
            exact=self.exact and exact,
            seen=(*self.seen, seen),
        )

    def _allows(self, seen: Observation) -> bool:
        match seen:
            case Laid(seat, cards) | Holds(seat, cards):
                return self.may_hold(seat, cards)
            case Drew():
                return self.hidden_cards.sizes[PILE] > 0
            case DrewKitten():
                return self.kittens > 0
            case PutBack():
                return self.kittens < self.deal.kittens
            case DrewImploding():
                return self.imploding > 0
            case PutBackImploding():
                return self.imploding < self.deal.imploding
            case Moved(giver):
                return self.hand_size(giver) > 0
            case Gave(giver, _, card):
                return self.may_hold(giver, (card,))
            case HasNone(seat, card):
                return card not in self.certain_cards(seat)
            case Picked(_, card):
                return card in self.noted_counts or self._may_lie(UNNOTED, (card,))
            case Exploded(seat, cards):
                whole = cards is None or len(cards) == self.hand_size(seat)
                return whole and self.may_hold(seat, cards or ())
            case Went():
                return True

    def _may_lie(self, place: int, cards: tuple[str, ...]) -> bool:
        if not {*cards} <= {*self.titles}:
            return False
        return self.hidden_cards.place_may_hold(place, tuple(map(self.titles.index, cards)))

    def certain_titles(self, place: int) -> dict[str, int]:
        """Return the titles that certainly lie in the place, each with its minimum
        number of cards."""
        titles = enumerate(self.titles)
        return {
            name: n
            for title, name in titles
            if (n := self.hidden_cards.certain_count(place, title))
        }

    def place_of_hand(self, seat: str) -> int:
        """Return the number that stands for the seat's hand as a place."""
        return HANDS + self.deal.seats.index(seat)

    def _hidden_cards_after(self, seen: Observation) -> HiddenCards:
        hidden_cards = self.hidden_cards
        place = self.place_of_hand
        title = self.titles.index
        match seen:
            case Laid(seat, cards):
                for card in cards:
                    hidden_cards = hidden_cards.reveal(place(seat), title(card))
                return hidden_cards
            case Holds(seat, cards):
                for card in cards:
                    hidden_cards = hidden_cards.reveal(place(seat), title(card))
                for card in cards:
                    hidden_cards = hidden_cards.take_noted(place(seat), title(card))
                return hidden_cards
            case Drew(seat):
                return hidden_cards.move_unseen(PILE, place(seat))
            case DrewKitten() | PutBack() | DrewImploding() | PutBackImploding():
                return hidden_cards
            case Moved(giver, taker):
                return hidden_cards.move_unseen(place(giver), place(taker))
            case Gave(giver, taker, card):
                return hidden_cards.move_seen(place(giver), place(taker), title(card))
            case HasNone(seat, card) if card in self.titles:
                return hidden_cards.rule_out(place(seat), title(card))
            case HasNone():
                return hidden_cards
            case Picked(seat, card) if card in self.noted_counts:
                return hidden_cards.take_noted(place(seat), title(card))
            case Picked(seat, card):
                return hidden_cards.move_seen(UNNOTED, place(seat), title(card))
            case Exploded(seat, None):
                return hidden_cards.move_all_unseen(place(seat), UNNOTED)
            case Exploded(seat, cards):
                return hidden_cards.reveal_all(place(seat), tuple(map(title, cards or ())))
            case Went(seat):
                return hidden_cards.move_all_unseen(place(seat), AWAY)


@lru_cache(maxsize=64)
def knowledge_after_deal(deal: Deal) -> Knowledge:
    titles = tuple(title for title, _ in deal.counts)
    counts = tuple(number for _, number in deal.counts)
    defuse = 1 << titles.index(deal.defuse)
    anything = (1 << len(titles)) - 1
    players = len(deal.seats)
    pile = sum(counts) - players * (1 + deal.dealt)
    extra = counts[titles.index(deal.defuse)] - players
    assert extra >= 0, deal
    apart = extra if deal.apart else 0
    assert pile >= apart, deal
    hand = marks_of([(defuse, 1), (anything, deal.dealt)])
    world = (marks_of([(defuse, apart), (anything, pile - apart)]), (), (), *[hand] * players)
    hidden_cards = HiddenCards(
        unseen=counts,
        noted=(0,) * len(counts),
        sizes=(pile, 0, 0, *[1 + deal.dealt] * players),
        worlds={},
    ).with_worlds([(total_marks(world), world)])
    return Knowledge(
        deal=deal,
        titles=titles,
        hidden_cards=hidden_cards,
        kittens=deal.kittens,
        imploding=deal.imploding,
    )


_knowledge: OrderedDict[tuple[Deal, tuple[Observation, ...]], Knowledge] = OrderedDict()
"""The knowledge after each step of recent games, the most recent last.

``lru_cache`` isn't used here, because with it each step would need a recursive call.
"""


def knowledge(deal: Deal, seen: tuple[Observation, ...]) -> Knowledge:
    """Return the knowledge after these observations, which are given oldest first.

    The computation starts from the last step that is cached.
    """
    steps = len(seen)
    while steps and (deal, seen[:steps]) not in _knowledge:
        steps -= 1
    known = _knowledge[deal, seen[:steps]] if steps else knowledge_after_deal(deal)
    for step, observation in enumerate(seen[steps:], steps + 1):
        known = known.after(observation)
        _knowledge[deal, seen[:step]] = known
    if seen:
        _knowledge.move_to_end((deal, seen))
    while len(_knowledge) > KEPT:
        _knowledge.popitem(last=False)
    return known


@lru_cache(maxsize=1024)
def knowledge_with_undone(
    deal: Deal, seen: tuple[Observation, ...], remembered: tuple[Remembered, ...]
) -> Knowledge:
    """Return the knowledge from ``seen`` and from the plays that were undone.

    A play in ``remembered`` that contradicts the observations is left out. In that case the player
    had reported the wrong card, and undid the report.
    """
    known = knowledge(deal, _insert_facts(seen, remembered))
    if known.possible:
        return known
    agreeing: tuple[Remembered, ...] = ()
    for fact in remembered:
        if knowledge(deal, _insert_facts(seen, (*agreeing, fact))).possible:
            agreeing = (*agreeing, fact)
    return knowledge(deal, _insert_facts(seen, agreeing))


def _insert_facts(
    seen: tuple[Observation, ...], remembered: tuple[Remembered, ...]
) -> tuple[Observation, ...]:
    """Return the observations, with the facts in ``remembered`` inserted among them.

    Each fact stands where the observation of its undone play would stand.
    """
    observations = [*seen]
    for fact in sorted(remembered, key=lambda fact: fact.at, reverse=True):
        observations.insert(fact.at, fact.fact)
    return tuple(observations)
