"""A variant of the classic games: what a box holds, how it is dealt, which combos count."""

from collections.abc import Iterator
from functools import cached_property
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from companion.rules.core import files, variant
from companion.rules.core.files import Fields
from companion.rules.core.variant import Players, Strict
from companion.rules.pile.deduction import Deal

Kind = Literal["pair", "triple", "five"]
"""What several cards are, played together."""

KINDS: dict[str, int] = {"pair": 2, "triple": 3, "five": 5}
"""How many cards each kind of combo takes."""


class Card(variant.Card, frozen=True, kw_only=True):
    """A title of the box: how many bear a paw print, and how many don't."""

    paw: int
    plain: int


class Size(Strict, frozen=True, kw_only=True):
    """Which cards serve so many players: those with a paw print, those without, or both."""

    least: int
    most: int
    paw: bool
    plain: bool


class Variant(
    variant.Variant, frozen=True, kw_only=True, dict=True, tag_field="family", tag="pile"
):
    """One classic box. ``hand``: cards dealt to each besides their Defuse; ``extra_defuses``:
    when the Defuses that nobody got go back; ``attack_stacks``: whether an attacked player's
    Attack hands on what they still owe; ``worlds``: how many ways in which the unseen cards
    may lie are followed up, before it is only counted."""

    family: ClassVar[str] = "pile"

    cards: tuple[Card, ...]
    hand: int
    extra_defuses: Literal["before", "after"]
    attack_stacks: bool
    worlds: int = 2000
    combos: tuple[Kind, ...]
    sizes: tuple[Size, ...]

    @cached_property
    def cats(self) -> tuple[str, ...]:
        """The plain cats."""
        return tuple(card.id for card in self.cards if card.effect == "cat")

    @cached_property
    def feral(self) -> str | None:
        """The cat that stands for any, if the box has one."""
        return next((card.id for card in self.cards if card.effect == "feral"), None)

    def in_play(self, players: int) -> dict[str, int]:
        """How many of each title so many players use, without Kittens (ruling paw-prints)."""
        return _in_play(self.cards, self.sizes, players)

    def deal(self, seats: tuple[str, ...]) -> Deal:
        """How these seats are dealt, as deduction wants it."""
        return Deal(
            counts=tuple(self.in_play(len(seats)).items()),
            defuse=self.defuse,
            seats=seats,
            dealt=self.hand,
            kittens=len(seats) - 1,
            apart=self.extra_defuses == "after",
            most=self.worlds,
        )


WORLDS = 10_000

FIELDS: dict[str, object] = {
    "hand": int,
    "extra_defuses": Literal["before", "after"],
    "attack_stacks": bool,
    "worlds": Annotated[int, Meta(ge=1)],
    "combos": tuple[Kind, ...],
    "sizes": tuple[Size, ...],
}
"""The family's own keys of ``variant.toml``."""


def _in_play(cards: tuple[Card, ...], sizes: tuple[Size, ...], players: int) -> dict[str, int]:
    size = next(size for size in sizes if size.least <= players <= size.most)
    counts = {card.id: size.paw * card.paw + size.plain * card.plain for card in cards}
    kittens = [card.id for card in cards if card.effect == "kitten"]
    return {title: count for title, count in counts.items() if count and title not in kittens}


def beyond(fields: Fields) -> Iterator[tuple[str, str]]:
    """Which numbers are out of bounds: place and reason."""
    yield from files.counts(fields["cards"], lambda card: card.paw + card.plain)
    yield from files.over("hand", fields["hand"], files.HAND)
    yield from files.over("worlds", fields["worlds"], WORLDS)
    least, most = files.PLAYERS
    for number, size in enumerate(fields["sizes"]):
        if not least <= size.least <= size.most <= most:
            yield f"sizes[{number}]", f"must be {least} to {most} players, least first"


def unplayable(fields: Fields) -> Iterator[tuple[str, str]]:
    """Why a game can't be dealt or played from these numbers: place and reason."""
    cards: tuple[Card, ...] = fields["cards"]
    sizes: tuple[Size, ...] = fields["sizes"]
    players: Players = fields["players"]
    for card in cards:
        if min(card.paw, card.plain) < 0 or not card.paw + card.plain:
            yield f"cards.{card.id}", "there must be at least 1, and none less than 0"
        if card.id in KINDS:
            yield "cards", f"no card can be called {card.id!r}: that is a combo"
    if sum(card.effect == "feral" for card in cards) > 1:
        yield "cards", "no more than one title can have the effect 'feral'"
    if len({*fields["combos"]}) < len(fields["combos"]):
        yield "combos", "one stands there twice"
    served = [number for size in sizes for number in range(size.least, size.most + 1)]
    if sorted(served) != [*range(players.least, players.most + 1)]:
        yield "sizes", f"must serve {players.least} to {players.most} players, each number once"
    elif fields["hand"] < 1:
        yield "hand", "must be at least 1"
    else:
        yield from _too_few(fields)


def _too_few(fields: Fields) -> Iterator[tuple[str, str]]:
    """Which cards the box lacks for a number of players that it should serve."""
    cards: tuple[Card, ...] = fields["cards"]
    kittens, defuses = (
        next((card for card in cards if card.effect == effect), None)
        for effect in ("kitten", "defuse")
    )
    if kittens is None or defuses is None:
        return
    for players in range(fields["players"].least, fields["players"].most + 1):
        counts = _in_play(cards, fields["sizes"], players)
        extra = counts.get(defuses.id, 0) - players
        if extra < 0 or kittens.paw + kittens.plain < players - 1:
            yield "cards", f"there are too few Kittens or Defuses for {players} players"
        apart = extra if fields["extra_defuses"] == "after" else 0
        if sum(counts.values()) - apart < players * (fields["hand"] + 1):
            yield "cards", f"there are too few to deal {players} players a hand"
