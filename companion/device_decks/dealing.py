"""Deals and shuffles the deck that a player's device keeps, so that nobody can choose the order.

The problem
-----------
A player without cards lets their device deal. The others can't see those cards, and the server
must not see them either, so nobody watches the dealing. Two kinds of cheating must be impossible,
or at least be found out afterwards: choosing an order that one likes, and reporting another card
than the one that lies in a cell.

Commit and reveal
-----------------
1. Before the game the device draws a *secret*, 32 random bytes, and keeps it. It publishes the
   *commitment*, the SHA-256 of the secret. The hash gives nothing away, but no other secret has
   the same hash, so the device can't change its mind.
2. When all have committed, the server draws a *salt*, 32 random bytes, and writes it into the log.
3. Secret and salt together decide every shuffle. The device chose its part before it knew the
   salt; the server chose its part without knowing the secret. Neither can choose the outcome,
   unless the two work together.
4. After the game the device *opens* the deck: it publishes the secret. Now anyone can deal again
   and compare each card that was shown with the card that really lay there (``check.py``).

Randomness from secret and salt
-------------------------------
``words`` turns secret, salt and a purpose (``deal``, ``grid``, ``shuffle``, ``defuse``) into an
endless sequence of 32-bit numbers, by HMAC-SHA256 of a counter. The purpose keeps two shuffles
with the same salt independent. ``shuffle`` is Fisher-Yates over these numbers. It skips numbers
that would make some orders more likely than others. Each Shuffle or Defuse during the game brings
a new salt, so the device can't work out the next order in advance.

Sealing a place
---------------
A player who defuses a Kitten puts it back into a cell of their choice. The others must not learn
the cell, and the player must not be able to claim another one later. So the command carries a
*seal*: an HMAC of the table's version and the cell, with the secret as its key. After the opening,
the checker computes the seal of each cell; the one that matches is where the Kitten lies.

Example
-------
>>> secret, salt = "5e" * 32, "a1" * 32     # in a game: secrets.token_hex(32), each on its own side
>>> published = commitment(secret)          # 1. the device, before the game
>>> next(words(secret, "deal", salt))       # 3. the first of the numbers that decide the deal
2042785176
>>> shuffle("abc", words(secret, "deal", salt))
('b', 'c', 'a')
>>> hidden = seal(secret, 7, (1, 2))        # a Kitten hidden in row 2, column 3, at version 7
>>> commitment(secret) == published         # 4. anyone, once the secret is open
True
>>> [cell for cell in [(0, 0), (1, 2)] if seal(secret, 7, cell) == hidden]
[(1, 2)]

With a variant's ``Pack``, ``deal(pack, secret, salt)`` returns hand and grid as ``Cards``. Each
method of ``Cards`` returns new ``Cards``, so a device undoes a move by going back to the old ones.

The derivation is part of the wire contract (docs/fair.md) and is implemented a second time in
``static/js/grid/fair.js``. Secrets, salts, commitments and seals are hexadecimal strings, as on
the wire."""

import hmac
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, TypeVar

T = TypeVar("T")
Json = Mapping[str, Any]  # a JSON object from the wire (docs/protocol.md)
Cell = tuple[int, int]  # row and column, from 0

WORDS = 2**32  # number of different 32-bit words
LIMIT = 10_000  # maximum number of cells in a grid, and of cards in a deck


def cell_of(place: Iterable[int]) -> Cell:
    """Convert a cell from a list, its form on the wire, to a tuple."""
    row, column = place
    return row, column


def commitment(secret: str) -> str:
    """Return the commitment: the hash of the secret, which a device publishes before the game."""
    return sha256(bytes.fromhex(secret)).hexdigest()


def words(secret: str, purpose: str, salt: str) -> Iterator[int]:
    """Yield an endless sequence of 32-bit numbers: HMAC-SHA256 of purpose, salt and a counter."""
    key = bytes.fromhex(secret)
    prefix = purpose.encode() + b"\0" + bytes.fromhex(salt)
    for counter in range(WORDS):
        block = hmac.digest(key, prefix + counter.to_bytes(4), "sha256")
        yield from (int.from_bytes(block[start : start + 4]) for start in range(0, 32, 4))


def shuffle(items: Sequence[T], random_words: Iterator[int]) -> tuple[T, ...]:
    """Return the items in a random order (Fisher-Yates), which the random words decide. Every order
    is equally likely."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        # Skip words from `limit` up, because they would make low indexes more likely.
        limit = WORDS // (last + 1) * (last + 1)
        other = next(word for word in random_words if word < limit) % (last + 1)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def seal(secret: str, version: int, cell: tuple[int, int]) -> str:
    """Return the seal of a Kitten's cell, which a ``defuse`` command contains as ``hidden``.

    The seal hides the cell until the secret is published. ``version`` is the table's version when
    the command is sent.
    """
    message = b"place\0" + version.to_bytes(4) + bytes(cell)
    return hmac.digest(bytes.fromhex(secret), message, "sha256").hex()


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """A variant's deck for one player, and how it is dealt."""

    cards: tuple[str, ...]
    """The ids of all cards, in the variant's order. If a card has several copies, its id is
    repeated."""

    kitten: str
    """Id of the Exploding Kitten."""

    defuse: str
    """Id of the Defuse."""

    away: int
    """Number of cards that are put away unseen from the top of the shuffled deck."""

    hand: int
    """Number of cards that are dealt to the hand, in addition to a Defuse."""

    cells: tuple[Cell, ...]
    """All cells of the grid, row by row."""

    @classmethod
    def parse(cls, variant: Json) -> "Pack":
        """Read a variant from the wire. Raise ``ValueError`` if its size exceeds ``LIMIT``."""
        titles = variant["cards"]
        shape = variant["grid"]
        deal = variant["deal"]
        if max(shape["rows"] * shape["columns"], sum(title["count"] for title in titles)) > LIMIT:
            raise ValueError(f"more than {LIMIT} cells or cards")
        by_effect = {title["effect"]: title["id"] for title in titles}
        return cls(
            cards=tuple(title["id"] for title in titles for _ in range(title["count"])),
            kitten=by_effect["kitten"],
            defuse=by_effect["defuse"],
            away=deal["put_away"],
            hand=deal["hand"],
            cells=tuple((r, c) for r in range(shape["rows"]) for c in range(shape["columns"])),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Cards:
    """One player's cards at one moment. Immutable: each method returns new ``Cards``."""

    hand: tuple[str, ...]
    """Cards in the hand; the order has no meaning."""

    grid: Mapping[Cell, str]
    """The card in each occupied cell, in reading order."""

    discard: tuple[str, ...] = ()
    """The player's discard pile; the last card is on top."""

    seen: frozenset[Cell] = frozenset()
    """Cells whose face-down card the player has looked at."""

    def play(self, card: str) -> "Cards":
        """Move a card from the hand to the discard pile (ruling from-hand)."""
        return replace(self, hand=without(self.hand, card), discard=(*self.discard, card))

    def look(self, cell: Cell) -> "Cards":
        """Mark a cell as seen by the player (ruling look-at-one)."""
        return replace(self, seen=self.seen | {cell})

    def draw(self, cell: Cell) -> "Cards":
        """Move a card to the hand and empty its cell (rulings safe-draw, grid-shrinks)."""
        grid = {place: card for place, card in self.grid.items() if place != cell}
        hand = (*self.hand, self.grid[cell])
        seen = self.seen - {cell}
        return replace(self, hand=hand, grid=grid, seen=seen)

    def shuffle(self, secret: str, salt: str, cells: Iterable[Cell]) -> "Cards":
        """Shuffle the grid's cards and put one card into each of ``cells``.

        Afterwards the player has seen none of the cards.
        """
        cards = shuffle(tuple(self.grid.values()), words(secret, "shuffle", salt))
        grid = dict(zip(sorted(cells), cards, strict=True))
        return replace(self, grid=grid, seen=frozenset())

    def defuse(
        self,
        secret: str,
        salt: str,
        cells: Iterable[Cell],
        kitten: tuple[str, Cell],
        *,
        still: bool = False,
    ) -> "Cards":
        """Put the Kitten back into the grid and shuffle the other cards into the other ``cells``.

        ``kitten`` is the Kitten's id and the cell that the player chose for it. If ``still`` is
        true, nothing is shuffled: the Kitten and the card in the chosen cell change places.
        """
        card, place = kitten
        if still:
            origin = next(cell for cell, in_cell in self.grid.items() if in_cell == card)
            grid = {**self.grid, origin: self.grid[place], place: card}
            moved = {origin} if place in self.seen else set()
            return replace(self, grid=grid, seen=self.seen - {origin} | moved | {place})
        others = [in_cell for in_cell in self.grid.values() if in_cell != card]
        free = [cell for cell in sorted(cells) if cell != place]
        order = shuffle(others, words(secret, "defuse", salt))
        grid = {place: card, **dict(zip(free, order, strict=True))}
        return replace(self, grid=dict(sorted(grid.items())), seen=frozenset({place}))


def deal(pack: Pack, secret: str, salt: str) -> Cards:
    """Deal a game (ruling prepare-in-order).

    The Kitten and one Defuse are set aside, and the rest of the deck is shuffled. Some of these
    cards are put away, and some go to the hand together with the Defuse. The remaining cards are
    shuffled again with the Kitten, and fill the grid.
    """
    deck = without(pack.cards, pack.kitten, pack.defuse)
    order = shuffle(deck, words(secret, "deal", salt))
    end = pack.away + pack.hand
    grid_cards = shuffle((*order[end:], pack.kitten), words(secret, "grid", salt))
    grid = dict(zip(pack.cells, grid_cards, strict=True))
    return Cards(hand=(*order[pack.away : end], pack.defuse), grid=grid)


def without(cards: Sequence[str], *removed: str) -> tuple[str, ...]:
    """Return the cards without one copy of each card in ``removed``.

    Raise ``ValueError`` if a card in ``removed`` is missing.
    """
    remaining = list(cards)
    for card in removed:
        remaining.remove(card)
    return tuple(remaining)
