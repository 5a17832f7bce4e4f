"""Exact deduction of one player's hidden cards on the draw grid.

Every player has the same deck, and everybody sees every card that leaves a hand or is turned up. So
everybody can work out, for each player, which titles the hand and the face-down cells may still
hold, and how likely each title is. ``knowledge(deck, observations)`` does that. It counts in whole
numbers and samples nothing. The referee uses it to refuse a report that no deal allows
(``Knowledge.allows``, with the reason from ``reason_against``), and the views show the odds.

A player's hidden cards lie in three places: in the hand, face down in the grid, or away (the cards
that were put away at the deal). Listing every arrangement would be far too slow: a usual deck has
90,090 of them at the deal. But nearly all are alike, so they are grouped into a few *cases*
(``cases.Case``). A case says

- which cards are *known*: nobody sees them now, but their title and place are certain (the first
  Defuse is in the hand, the Kitten in the grid, a card that was face up before a Shuffle is face
  down);
- that all other cards, the *pool*, fill the *free* slots of the three places in any order, each
  order as likely as any other;
- what its *weight* is: how likely the case is, compared with the others.

An observation turns each case into one or more cases of the same kind. The pool stays evenly
shuffled when one of its cards is shown or moved, so a case splits only on the question "was it a
known card, or one from the pool?". The weight of each new case is multiplied by the chance of what
was observed. Equal cases are merged.

An example with a small deck: a Kitten, a Defuse, a Nope and three Skips. Ben is dealt the Defuse
and one unknown card; his grid has the Kitten and two unknown cards; one card is away.

1. *The deal.* There is one case. Known: the Defuse in the hand, the Kitten in the grid. The pool of
   a Nope and three Skips fills four free slots: one in the hand, two in the grid, one away. So Ben
   holds a Nope with odds 1/4, and each of his three cells is the Kitten with odds 1/3.
2. *A Favor turns up a Skip in his grid* (``TurnedUp``). The pool is a Nope and two Skips in three
   slots: he holds the Nope with odds 1/3.
3. *He shuffles his grid* (``Hidden``). That Skip is now a known card, face down like the others.
4. *He draws a card that is no Kitten* (``DrewHidden``). It was either that Skip or the pool's card
   in the grid, and both are equally likely. There are two cases, of weight 1 each:

   - A: the Skip is known to be in his hand, which has one free slot: Nope with odds 1/3;
   - B: the Skip is still in his grid; his hand has two free slots: Nope with odds 2/3.

   On average he holds the Nope with odds 1/2.
5. *He plays the Nope* (``Left``). Case B made that twice as likely as case A. The weights become
   1 : 2, so the known Skip is still in his grid with odds 2/3.

Only a forced play disturbs the shuffle: a Defuse shows only that the hand held at least one. So
``cases.play_forced`` makes a case for each way to divide the pool's Defuses among the three places.

Which titles *may* lie somewhere is deduced without any assumption about how people play. The odds
need some: docs/deduction.md lists the assumptions, and works through an example with a full deck.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from msgspec import Struct

from companion.rules.core.types import Json
from companion.rules.grid import cases
from companion.rules.grid.cases import DOWN, HAND, Branch, Case, Counts, Known


class Deck(Struct, frozen=True, kw_only=True, cache_hash=True):
    """One player's deck, and how it is dealt (rulings deck-of-fifteen, prepare-in-order)."""

    counts: tuple[tuple[str, int], ...]  # each title of the deck, with its number of cards
    kitten: str  # the title of the Kitten
    defuse: str  # the title of the Defuse
    away: int  # number of cards that are put away unseen
    hand: int  # number of cards dealt to the hand unseen; the Defuses set aside aren't counted
    laid: int  # number of cards laid in the grid unseen; the Kittens aren't counted
    kittens: int = 1  # number of Kittens, which are shuffled into the grid
    aside: int = 1  # number of Defuses set aside, which join the hand


class Left(Struct, frozen=True, cache_hash=True):
    """A card was played from the hand, face up: an action, a Nope or a Defuse.

    The odds assume that a hand with two cards of the title is twice as likely to play one of them
    as a hand with a single card. If the play was forced, the odds don't assume this.
    """

    card: str
    forced: bool = False  # True for a Defuse, because a player who touched a Kitten has no choice


class TurnedUp(Struct, frozen=True, cache_hash=True):
    """A face-down card was turned face up by a Favor, or because it is the touched Kitten."""

    card: str


class DrewHidden(Struct, frozen=True, cache_hash=True):
    """A face-down card that is not the Kitten went to the hand unseen."""


class DrewFaceUp(Struct, frozen=True, cache_hash=True):
    """A face-up card went to the hand, so everyone knows that it is there."""

    card: str


class Hidden(Struct, frozen=True, cache_hash=True):
    """All cards of the grid were turned face down and rearranged secretly."""

    placed: bool
    """True after a Defuse, when the player chose the Kitten's cell; False after a Shuffle."""


# a numerator for each title, and the common denominator of all numerators
Odds = tuple[list[int], int]
Observation = Left | TurnedUp | DrewHidden | DrewFaceUp | Hidden


@dataclass(frozen=True, eq=False, kw_only=True)
class Knowledge:
    """Everything that everybody at the table can know about one player's cards."""

    # This is a dataclass without slots, because its cached properties need a ``__dict__``.

    deck: Deck
    titles: tuple[str, ...]
    hand: int  # number of cards in the hand
    down: int  # number of face-down cards in the grid
    discard: Counts  # the cards on the player's discard pile, by title
    up: Counts  # the face-up cards in the grid, by title
    # True if the grid was last arranged for a Defuse, so that its owner chose the Kitten's cell
    chosen: bool = False
    weights: Mapping[Known, int]
    """The cases with their weights; empty if no deal agrees with the observations."""

    @property
    def possible(self) -> bool:
        """True if some deal agrees with all observations."""
        return bool(self.weights)

    @property
    def has_placed_kitten(self) -> bool:
        """True if the Kitten lies face down in a cell that the grid's owner chose.

        The odds of a cell then assume that the owner chose each cell with the same chance.
        """
        return self.chosen and self.up[self.kitten] < self.deck.kittens

    def allows(self, seen: Observation) -> bool:
        """Return True if some deal agrees with all observations so far and with this one (ruling
        possible-report)."""
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
        """Return the knowledge after this observation.

        The property ``possible`` of the result is False if no deal allows the observation.
        """
        branches = [*self._branches(seen)]
        if not branches:
            return replace(self, weights={})
        return replace(self._update_counts(seen), weights=cases.merge_branches(branches))

    @cached_property
    def in_hand(self) -> tuple[str, ...]:
        """The titles that the hand may hold."""
        return tuple(self.titles[title] for title in cases.possible_titles(self.cases, HAND))

    @cached_property
    def face_down(self) -> tuple[str, ...]:
        """The titles that may lie face down in the grid."""
        return tuple(self.titles[title] for title in cases.possible_titles(self.cases, DOWN))

    @cached_property
    def kitten(self) -> int:
        """The index of the Kitten's title."""
        return self.titles.index(self.deck.kitten)

    @cached_property
    def cases(self) -> tuple[Case, ...]:
        """All cases, with their pools and free slots."""
        return tuple(self._complete_case(known, weight) for known, weight in self.weights.items())

    def _complete_case(self, known: Known, weight: int) -> Case:
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
        """Yield the new cases that follow from the current cases with this observation."""
        match seen:
            case Hidden():
                for known, weight in self.weights.items():
                    yield known._replace(down=cases.add_counts(known.down, self.up)), weight, 1
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

    def _update_counts(self, seen: Observation) -> "Knowledge":
        """Return this knowledge with updated counts of the open and the hidden cards."""
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
        """The odds that a face-down cell holds each title, and the odds that the hand holds at
        least one card of each title."""
        cell = cases.odds_in_a_cell(self.cases) if self.down else ([], 1)
        return cell, cases.odds_in_the_hand(self.cases)


@lru_cache(maxsize=64)
def knowledge_after_deal(deck: Deck) -> Knowledge:
    """Return the knowledge right after the deal (ruling prepare-in-order)."""
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
    """Return the knowledge after these observations, which are given oldest first.

    The result is computed from the knowledge before the last observation. That knowledge is cached.
    """
    return knowledge(deck, seen[:-1]).after(seen[-1]) if seen else knowledge_after_deal(deck)


@lru_cache(maxsize=1024)
def assume_notes(known: Knowledge, notes: tuple[str, ...]) -> Knowledge:
    """Return the knowledge of a player who noted these titles, each for a face-down cell.

    The result has the odds for the cells without a note. If no deal allows a note, the note is a
    mistake and is ignored.
    """
    for title in notes:
        noted = known.after(TurnedUp(title))
        known = noted if noted.possible else known
    return known


@lru_cache(maxsize=1024)
def assume_held(known: Knowledge, held: tuple[str, ...]) -> Knowledge:
    """Return the knowledge about the other cards, given that the hand holds these titles.

    If no deal allows one of the titles, that title is ignored.
    """
    for title in held:
        without = known.after(Left(title, forced=title == known.deck.defuse))
        known = without if without.possible else known
    return known


@lru_cache(maxsize=1024)
def assume_safe_cells(known: Knowledge, cells: int) -> Knowledge:
    """Return the knowledge about the other cells, given that ``cells`` cells hold no Kitten."""
    for _ in range(cells):
        without = known.after(DrewHidden())
        known = without if without.possible else known
    return known


def reason_against(known: Knowledge, seen: Observation) -> tuple[str, Json]:
    """Return the reason why no deal allows this observation, with values for the message's
    placeholders.

    - ``all_open``: every card of the title lies face up (ruling deck-count)
    - ``all_seen``: every card of the title lies face up or certainly in another place. The
    placeholders ``hand`` and ``down`` are the numbers of these cards in the hand and face down in
    the grid
    - ``known_hand``, ``known_cells``: the hand (or the face-down cells) can only hold ``titles``
    - ``no_deal``: no deal agrees with the earlier observations

    The names of the other reasons, such as ``empty_hand``, describe the reason.
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
            return _reason_not_there(known, card, held=False)
        case Left(card):
            return _reason_not_there(known, card, held=True)
        case _:
            raise AssertionError(seen)


def _reason_not_there(known: Knowledge, card: str, held: bool) -> tuple[str, Json]:
    """Return the reason why the card can't be in the hand (``held`` is True) or face down in the
    grid."""
    if card == known.deck.kitten and not held:
        return "kitten_is_up", {"card": card}
    if not (known.hand if held else known.down):
        return ("empty_hand" if held else "nothing_face_down"), {"card": card}
    facts = _count_copies(known, card)
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


def _count_copies(known: Knowledge, card: str) -> Json:
    """Return the total number of cards of a title, and for each place the number that certainly
    lies there.

    All numbers are 0 for an unknown title.
    """
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
