"""What everybody at the table can know of the unseen cards: exactly, from what all saw.

Interface::

    deal = Deal(counts=(("defuse", 7), ("skip", 6), ...), defuse="defuse",
                seats=("s1", "s2", "s3", "s4"), dealt=7, kittens=3)
    seen = (Laid("s1", ("skip",)), Drew("s2"), Moved("s3", "s1"), HasNone("s4", "nope"))
    known = knowledge(deal, seen)            # since the deal, oldest first; a bounded cache
    known.possible                           # some deal agrees with all of it
    known.allows(Laid("s4", ("nope",)))      # some deal agrees with this next, too
    known.after(Laid("s4", ("nope",)))       # the same one observation later
    known.known("s1")                        # title -> how many its hand surely holds
    known.never("s1")                        # the titles that are surely not in it
    known.exact                              # False once there were too many worlds

and ``why_not(known, observation)`` in ``reasons.py`` where it is not allowed. What is
possible needs no model of how people play; docs/deduction.md says how it is worked out.
"""

from collections import OrderedDict
from dataclasses import dataclass, replace
from functools import lru_cache

from companion.rules.pile import worlds as ways
from companion.rules.pile.account import Account
from companion.rules.pile.marks import marked
from companion.rules.pile.observations import (
    Deal,
    Denial,
    Drew,
    DrewKitten,
    Exploded,
    Gave,
    HasNone,
    Laid,
    Moved,
    Observation,
    Picked,
    PutBack,
    Went,
    after_observation,
)

KEPT = 2048
"""How many steps of how many games are kept: a game in play asks for its last."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Knowledge:
    """What everybody at the table can know.

    The places of the ``account`` are the hands in the seats' order, the pile without its
    Kittens, the unnoted cards of the discard pile, and the hands that left the game.
    """

    deal: Deal
    titles: tuple[str, ...]
    account: Account
    kittens: int
    exact: bool = True
    denials: tuple[Denial, ...] = ()

    @property
    def possible(self) -> bool:
        """Some deal agrees with all that was seen."""
        return bool(self.account.worlds)

    @property
    def pile(self) -> int:
        """How many cards the pile has, with its Kittens."""
        return self.account.sizes[self.pile_place] + self.kittens

    @property
    def unnoted(self) -> int:
        """How many cards lie unnoted on the discard pile."""
        return self.account.sizes[self.unnoted_place]

    @property
    def noted(self) -> dict[str, int]:
        """How many of which titles lie noted on the discard pile."""
        return {t: many for t, many in zip(self.titles, self.account.noted, strict=True) if many}

    def hand(self, seat: str) -> int:
        """How many cards the hand has."""
        return self.account.sizes[self.place(seat)]

    def known(self, seat: str) -> dict[str, int]:
        """The titles that the hand surely holds, and how many of each at least."""
        return self.surely(self.place(seat))

    def never(self, seat: str) -> tuple[str, ...]:
        """The titles that are surely not in the hand; none for an empty one."""
        may = self.account.may_be(self.place(seat))
        titles = enumerate(self.titles)
        return tuple(name for title, name in titles if not may >> title & 1) if may else ()

    def may_hold(self, seat: str, cards: tuple[str, ...]) -> bool:
        """Whether the hand may hold all of these at once; a title may be there twice."""
        return self._may_lie(self.place(seat), cards)

    def some_five(self, seat: str, cats: tuple[str, ...], feral: str | None = None) -> bool:
        """Whether the hand may hold five different cards, a Feral Cat being any cat."""
        feral_cat = 1 << self.titles.index(feral) if feral else 0
        plain = sum(1 << self.titles.index(cat) for cat in cats)
        return self.account.some_five(self.place(seat), plain, feral_cat)

    def allows(self, seen: Observation) -> bool:
        """Some deal agrees with ``seen`` coming next (ruling possible-report)."""
        return self.possible and self._allows(seen)

    def after(self, seen: Observation) -> "Knowledge":
        """What is known once ``seen`` was seen; not ``possible`` if it can't be."""
        if not self.allows(seen):
            return replace(self, account=replace(self.account, worlds={}))
        account = self._happened(seen)
        exact = ways.number(account.worlds) <= self.deal.most
        return replace(
            self,
            account=account if exact else account.widened(),
            kittens=self.kittens + _kittens(seen),
            exact=self.exact and exact,
            denials=after_observation(self.denials, seen),
        )

    # -- What can be ------------------------------------------------------------------

    def _allows(self, seen: Observation) -> bool:
        match seen:
            case Laid(seat, cards):
                return self.may_hold(seat, cards)
            case Drew():
                return self.pile > self.kittens
            case DrewKitten():
                return self.kittens > 0
            case PutBack():
                return self.kittens < self.deal.kittens
            case Moved(giver):
                return self.hand(giver) > 0
            case Gave(giver, _, card):
                return self.may_hold(giver, (card,))
            case HasNone(seat, card):
                return card not in self.known(seat)
            case Picked(_, card):
                return card in self.noted or self._may_lie(self.unnoted_place, (card,))
            case Exploded(seat, cards):
                whole = cards is None or len(cards) == self.hand(seat)
                return whole and self.may_hold(seat, cards or ())
            case Went():
                return True

    def _may_lie(self, place: int, cards: tuple[str, ...]) -> bool:
        if not {*cards} <= {*self.titles}:
            return False
        return self.account.may_lie(place, tuple(map(self.titles.index, cards)))

    def surely(self, place: int) -> dict[str, int]:
        """The titles that surely lie in the place, and how many of each at least."""
        titles = enumerate(self.titles)
        return {name: n for title, name in titles if (n := self.account.least(place, title))}

    # -- Where it is ------------------------------------------------------------------

    def place(self, seat: str) -> int:
        """The seat's hand among the places."""
        return self.deal.seats.index(seat)

    @property
    def pile_place(self) -> int:
        """The pile's place."""
        return len(self.deal.seats)

    @property
    def unnoted_place(self) -> int:
        """The place of the unnoted cards on the discard pile."""
        return len(self.deal.seats) + 1

    @property
    def away_place(self) -> int:
        """The place of the hands that left the game."""
        return len(self.deal.seats) + 2

    # -- What happened ----------------------------------------------------------------

    def _happened(self, seen: Observation) -> Account:
        account, place, title = self.account, self.place, self.titles.index
        match seen:
            case Laid(seat, cards):
                for card in cards:
                    account = account.shown(place(seat), title(card))
                return account
            case Drew(seat):
                return account.moved(self.pile_place, place(seat))
            case DrewKitten() | PutBack():
                return account
            case Moved(giver, taker):
                return account.moved(place(giver), place(taker))
            case Gave(giver, taker, card):
                return account.given(place(giver), place(taker), title(card))
            case HasNone(seat, card) if card in self.titles:
                return account.lacking(place(seat), title(card))
            case HasNone():
                return account
            case Picked(seat, card) if card in self.noted:
                return account.taken(place(seat), title(card))
            case Picked(seat, card):
                return account.given(self.unnoted_place, place(seat), title(card))
            case Exploded(seat, None):
                return account.poured(place(seat), self.unnoted_place)
            case Exploded(seat, cards):
                return account.told(place(seat), tuple(map(title, cards or ())))
            case Went(seat):
                return account.poured(place(seat), self.away_place)


def _kittens(seen: Observation) -> int:
    """How many Kittens more the pile has."""
    return isinstance(seen, PutBack) - isinstance(seen, DrewKitten)


@lru_cache(maxsize=64)
def dealt(deal: Deal) -> Knowledge:
    """What is known right after the deal."""
    titles = tuple(title for title, _ in deal.counts)
    counts = tuple(number for _, number in deal.counts)
    defuse, anything = 1 << titles.index(deal.defuse), (1 << len(titles)) - 1
    players = len(deal.seats)
    pile = sum(counts) - players * (1 + deal.dealt)
    extra = counts[titles.index(deal.defuse)] - players
    assert extra >= 0, deal
    apart = extra if deal.apart else 0
    assert pile >= apart, deal
    hand = marked({defuse: 1, anything: deal.dealt})
    world = (*[hand] * players, marked({defuse: apart, anything: pile - apart}), (), ())
    account = Account(
        unseen=counts,
        noted=(0,) * len(counts),
        sizes=(*[1 + deal.dealt] * players, pile, 0, 0),
        worlds={},
    ).settled([(ways.total(world), world)])
    return Knowledge(deal=deal, titles=titles, account=account, kittens=deal.kittens)


_known: OrderedDict[tuple[Deal, tuple[Observation, ...]], Knowledge] = OrderedDict()
"""What was worked out last. (``lru_cache`` would go back step by step, a call in a call.)"""


def knowledge(deal: Deal, seen: tuple[Observation, ...]) -> Knowledge:
    """What is known after all of ``seen``, oldest first: from the last step that is kept."""
    steps = len(seen)
    while steps and (deal, seen[:steps]) not in _known:
        steps -= 1
    known = _known[deal, seen[:steps]] if steps else dealt(deal)
    for step, observation in enumerate(seen[steps:], steps + 1):
        known = known.after(observation)
        _known[deal, seen[:step]] = known
    if seen:
        _known.move_to_end((deal, seen))
    while len(_known) > KEPT:
        _known.popitem(last=False)
    return known
