"""What the call can know of one player's hidden cards: exactly, from what everyone saw.
``knowledge(deck, seen)`` is what is known after all that was seen since the deal; what it does not
allow next, ``why_not`` gives the reason for. The odds are those of the model in
docs/deduction.md; what is possible needs no model."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from msgspec import Struct

from companion.rules.core.family import Json
from companion.rules.grid import cases
from companion.rules.grid.cases import DOWN, HAND, Branch, Case, Counts, Known


class Deck(Struct, frozen=True, kw_only=True, cache_hash=True):
    """What one player's deal is made of (rulings deck-of-fifteen, prepare-in-order). ``counts``
    names every card of the deck; ``hand`` and ``laid`` are what is dealt unseen, before the
    ``aside`` Defuses join the hand and the ``kittens`` the grid."""

    counts: tuple[tuple[str, int], ...]
    kitten: str
    defuse: str
    away: int
    hand: int
    laid: int
    kittens: int = 1
    aside: int = 1


class Left(Struct, frozen=True, cache_hash=True):
    """A card left the hand, seen by all: played, or a Nope; ``forced``: a Defuse. A hand with two
    of the title shows it twice as likely, unless it was forced."""

    card: str
    forced: bool = False


class TurnedUp(Struct, frozen=True, cache_hash=True):
    """A face-down card was turned face up: by a Favor, or a Kitten that was touched."""

    card: str


class DrewHidden(Struct, frozen=True, cache_hash=True):
    """A face-down card that is not the Kitten went to the hand unseen."""


class DrewFaceUp(Struct, frozen=True, cache_hash=True):
    """A face-up card went to the hand: everyone knows that it is there."""

    card: str


class Hidden(Struct, frozen=True, cache_hash=True):
    """Every face-up card is face down again among the others, in an order nobody knows. ``placed``:
    by a Defuse, whose player chose the Kitten's place; else by a Shuffle."""

    placed: bool


Odds = tuple[list[int], int]  # numbers by title, and out of how many
Observation = Left | TurnedUp | DrewHidden | DrewFaceUp | Hidden


@dataclass(frozen=True, eq=False, kw_only=True)
class Knowledge:
    """What everyone at the table can know of one player's cards. ``hand`` and ``down`` say how many
    cards lie there; ``discard`` and ``up`` count the open ones by title; ``weights`` is empty when
    no deal agrees with what was seen. (Without slots: the cached properties need the room.)"""

    deck: Deck
    titles: tuple[str, ...]
    hand: int
    down: int
    discard: Counts
    up: Counts
    chosen: bool = False
    weights: Mapping[Known, int]

    @property
    def possible(self) -> bool:
        """Some deal agrees with all that was seen."""
        return bool(self.weights)

    @property
    def has_placed_kitten(self) -> bool:
        """A face-down Kitten lies where its owner chose: the odds are an even guess."""
        return self.chosen and self.up[self.kitten] < self.deck.kittens

    def allows(self, seen: Observation) -> bool:
        """Some deal agrees with ``seen`` coming next (ruling possible-report)."""
        match seen:
            case Left(card):
                return card in self.in_hand
            case TurnedUp(card):
                return card in self.face_down
            case DrewHidden():
                return any(card != self.deck.kitten for card in self.face_down)
            case DrewFaceUp():
                return any(True for _ in self._branches(seen))
            case Hidden():
                return self.possible

    def after(self, seen: Observation) -> "Knowledge":
        """What is known once ``seen`` was seen; not ``possible`` if it can't be."""
        branches = [*self._branches(seen)]
        if not branches:
            return replace(self, weights={})
        return replace(self._branch_on_unseen(seen), weights=cases.merge(branches))

    @cached_property
    def in_hand(self) -> tuple[str, ...]:
        """The titles of which the hand may hold a card."""
        return tuple(self.titles[title] for title in cases.may_lie(self.cases, HAND))

    @cached_property
    def face_down(self) -> tuple[str, ...]:
        """The titles of which a card may lie face down in the grid."""
        return tuple(self.titles[title] for title in cases.may_lie(self.cases, DOWN))

    @cached_property
    def kitten(self) -> int:
        return self.titles.index(self.deck.kitten)

    @cached_property
    def cases(self) -> tuple[Case, ...]:
        """The cases with their pools and free slots worked out."""
        return tuple(self._case(known, weight) for known, weight in self.weights.items())

    def _case(self, known: Known, weight: int) -> Case:
        pool = tuple(
            copies - discard - up - hand - down - away
            for (_, copies), discard, up, hand, down, away in zip(
                self.deck.counts, self.discard, self.up, *known, strict=True
            )
        )
        free = (
            self.hand - sum(known.hand),
            self.down - sum(known.down),
            self.deck.away - sum(known.away),
        )
        return Case(known, weight, pool, free, sum(free))

    def _branches(self, seen: Observation) -> Iterator[Branch]:
        match seen:
            case Hidden():
                for known, weight in self.weights.items():
                    yield known._replace(down=cases.plus(known.down, self.up)), weight, 1
            case DrewHidden():
                for case in self.cases:
                    yield from cases.draw_unseen(case, but=self.kitten)
            case _ if seen.card in self.titles:
                yield from self._branch_on_title(seen, self.titles.index(seen.card))

    def _branch_on_title(self, seen: Left | TurnedUp | DrewFaceUp, title: int) -> Iterator[Branch]:
        match seen:
            case DrewFaceUp():
                if self.up[title] and title != self.kitten:
                    for known, weight in self.weights.items():
                        yield known._replace(hand=cases.add_to(known.hand, title)), weight, 1
            case Left(forced=True):
                for case in self.cases:
                    yield from cases.play_forced(case, title)
            case _:
                place = HAND if isinstance(seen, Left) else DOWN
                for case in self.cases:
                    yield from cases.reveal(case, place, title)

    def _branch_on_unseen(self, seen: Observation) -> "Knowledge":
        """The same with what ``seen`` changes in the open."""
        hand = self.hand
        down = self.down
        up = self.up
        number = self.titles.index
        match seen:
            case Left(card):
                return replace(
                    self, hand=hand - 1, discard=cases.add_to(self.discard, number(card))
                )
            case TurnedUp(card):
                return replace(self, down=down - 1, up=cases.add_to(up, number(card)))
            case DrewHidden():
                return replace(self, hand=hand + 1, down=down - 1)
            case DrewFaceUp(card):
                return replace(self, hand=hand + 1, up=cases.add_to(up, number(card), -1))
            case Hidden(placed):
                down = down + sum(up)
                up = (0,) * len(up)
                return replace(self, down=down, up=up, chosen=placed)

    @cached_property
    def odds(self) -> tuple[Odds, Odds]:
        """The odds of what lies face down in any one cell, and that the hand holds one or more.
        Both by title: a number, out of how many."""
        cell = cases.in_a_cell(self.cases) if self.down else ([], 1)
        return cell, cases.in_the_hand(self.cases)


@lru_cache(maxsize=64)
def after_deal(deck: Deck) -> Knowledge:
    """What is known right after the deal (ruling prepare-in-order)."""
    counts = dict(deck.counts)
    unseen = deck.away + deck.hand + deck.laid
    assert sum(counts.values()) == unseen + deck.kittens + deck.aside, deck
    assert counts[deck.kitten] == deck.kittens, deck
    titles = tuple(counts)
    nothing = (0,) * len(titles)
    hand = cases.add_to(nothing, titles.index(deck.defuse), deck.aside)
    down = cases.add_to(nothing, titles.index(deck.kitten), deck.kittens)
    return Knowledge(
        deck=deck,
        titles=titles,
        hand=deck.hand + deck.aside,
        down=deck.laid + deck.kittens,
        discard=nothing,
        up=nothing,
        weights={Known(hand, down, nothing): 1},
    )


@lru_cache(maxsize=4096)
def knowledge(deck: Deck, seen: tuple[Observation, ...]) -> Knowledge:
    """What is known after all of ``seen``, oldest first: a step from the one before."""
    return knowledge(deck, seen[:-1]).after(seen[-1]) if seen else after_deal(deck)


@lru_cache(maxsize=1024)
def with_notes(known: Knowledge, notes: tuple[str, ...]) -> Knowledge:
    """What their owner can know who saw these titles under as many face-down cells; ``counted`` is
    then about the others. A note with which no deal agrees is a slip of the pen and left out."""
    for title in notes:
        noted = known.after(TurnedUp(title))
        known = noted if noted.possible else known
    return known


@lru_cache(maxsize=1024)
def with_hand(known: Knowledge, held: tuple[str, ...]) -> Knowledge:
    """What is known if the hand holds these titles, too; its odds are then of its other cards."""
    for title in held:
        sure = known.after(Left(title, forced=title == known.deck.defuse))
        known = sure if sure.possible else known
    return known


@lru_cache(maxsize=1024)
def with_safe(known: Knowledge, cells: int) -> Knowledge:
    """What is known of the other cells if no Kitten lies in so many of them."""
    for _ in range(cells):
        sure = known.after(DrewHidden())
        known = sure if sure.possible else known
    return known


def why_not(known: Knowledge, seen: Observation) -> tuple[str, Json]:
    """Why ``known`` does not allow ``seen``: a reason, with the facts for its sentence.

    ``all_open``: every copy of the title lies open (ruling deck-count); ``all_seen``: every copy is
    open or surely elsewhere, ``hand`` and ``down`` of them there; ``known_hand``, ``known_cells``:
    there is nothing but ``titles``; ``no_deal``: what was seen before agrees with none already.
    """
    assert not known.allows(seen), seen
    if not known.possible:
        return "no_deal", {}
    match seen:
        case DrewHidden():
            return ("only_the_kitten" if known.down else "nothing_face_down"), {}
        case DrewFaceUp(card):
            kitten = card == known.deck.kitten
            return ("up_is_the_kitten" if kitten else "not_face_up"), {"card": card}
        case TurnedUp(card):
            return _not_there(known, card, held=False)
        case Left(card):
            return _not_there(known, card, held=True)
        case _:
            raise AssertionError(seen)


def _not_there(known: Knowledge, card: str, held: bool) -> tuple[str, Json]:
    """Why no such card can be in the hand (``held``), else face down."""
    if card == known.deck.kitten and not held:
        return "kitten_is_up", {"card": card}
    if not (known.hand if held else known.down):
        return ("empty_hand" if held else "nothing_face_down"), {"card": card}
    facts = _copies(known, card)
    titles = known.in_hand if held else known.face_down
    elsewhere = facts["total"] - facts["discard"] - facts["up"]
    if not elsewhere:
        del facts["hand"], facts["down"]
        return "all_open", facts
    if titles == (known.deck.kitten,):
        return "only_the_kitten", {"card": card}
    if facts["down" if held else "hand"] == elsewhere:
        return "all_seen", facts
    return ("known_hand" if held else "known_cells"), {"card": card, "titles": titles}


def _copies(known: Knowledge, card: str) -> Json:
    """Where the copies of a title are that can be told; all 0 for a strange title."""
    facts = {"card": card, "total": 0, "discard": 0, "up": 0, "hand": 0, "down": 0}
    if card in known.titles:
        title = known.titles.index(card)
        hand, down = (min(case.known[at][title] for case in known.cases) for at in (HAND, DOWN))
        facts |= {
            "total": known.deck.counts[title][1],
            "discard": known.discard[title],
            "up": known.up[title],
            "hand": hand,
            "down": down,
        }
    return facts
