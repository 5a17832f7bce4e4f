"""A variant of the classic games: the cards of a box, the deal and the combos."""

from functools import cached_property
from itertools import takewhile
from typing import Annotated, ClassVar, Literal, Self

from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import asdict, replace

from companion.rules.pile.deduction import Deal
from companion.rules.variants import limits, variant
from companion.rules.variants import variant as core_variant
from companion.rules.variants.form import Change, Field, Form, SumConstraint, Term
from companion.rules.variants.limits import Fields, VariantError, VariantErrors
from companion.rules.variants.variant import Players, Strict

Kind = Literal["pair", "triple", "five"]  # the kinds of combos (several cards played together)
KINDS: dict[str, int] = {"pair": 2, "triple": 3, "five": 5}  # the number of cards in each kind


_RULINGS_OF: dict[str, tuple[str, ...]] = {
    "hand": ("the-deal",),
    "attack_stacks": ("attack-stacks",),
    "extra_defuses": ("extra-defuses",),
    "pair": ("pair-steals",),
    "triple": ("three-names-a-card", "honest-answer"),
    "five": ("five-different", "pick-from-the-discard"),
}
"""Maps the key of a house rule's field, or the kind of a combo, to the rulings that change with it.
"""


class Size(Strict, frozen=True, kw_only=True):
    """A range of numbers of players, and the cards that are used for them."""

    least: int
    most: int
    paw: bool  # True if the cards with a paw print are used
    plain: bool  # True if the cards without a paw print are used


class Card(variant.Card, frozen=True, kw_only=True):
    """A card title of the box."""

    paw: int = 0  # number of cards with a paw print
    plain: int = 0  # number of cards without a paw print
    expansion: int | UnsetType = UNSET
    """The number of cards of this title in the expansion. All of them are used for any number of
    players."""
    about: bool | UnsetType = UNSET
    """True if the number ``plain`` isn't printed on the box, but computed from the total number of
    cards."""
    count: int | UnsetType = UNSET
    """The number of cards for any number of players, if house rules set it (ruling house-rules)."""

    @property
    def total_count(self) -> int:
        """The maximum number of cards of this title that any game uses."""
        return self.box_count if self.count is UNSET else self.count

    @property
    def box_count(self) -> int:
        """The number of cards of this title in the box and its expansion together."""
        return self.paw + self.plain + (self.expansion or 0)

    def count_in(self, size: Size) -> int:
        if self.count is not UNSET:
            return self.count
        return size.paw * self.paw + size.plain * self.plain + (self.expansion or 0)


class Variant(
    variant.Variant, frozen=True, kw_only=True, dict=True, tag_field="family", tag="pile"
):
    """One box of a classic game."""

    family: ClassVar[str] = "pile"

    cards: tuple[Card, ...]
    hand: int  # number of cards dealt to each player, not counting the Defuse
    extra_defuses: Literal["before", "after"]
    """``before`` if the extra Defuses are added to the deck before the deal, ``after`` if they are
    added later."""
    attack_stacks: bool
    """True if an attacked player who plays an Attack passes on the turns that they still owe."""
    worlds: Annotated[int, Meta(ge=1)] = 2000
    """The maximum number of worlds (``hidden_cards.py``) before the deduction becomes coarser."""
    combos: tuple[Kind, ...]
    special_combos: Literal["later", "beyond"] | UnsetType = UNSET
    """``later`` if the rule sheet recommends special combos (all except pairs of cats) for later
    games, ``beyond`` if special combos are not on the rule sheet."""
    sizes: tuple[Size, ...]

    @property
    def counts(self) -> dict[str, int]:
        return {card.id: card.total_count for card in self.cards}

    @property
    def figures(self) -> dict[str, int | str]:
        """The values of placeholders for the deal, the combos, the rules and the numbers of
        players.

        The value for a combo or a rule is 1 if the box has it, else 0. The values of ``sizes.paw``,
        ``sizes.plain`` and ``sizes.both`` are ranges of numbers of players, such as ``2–3``. With
        these numbers of players, the game uses only the cards with a paw print, only the cards
        without one, or both. A dash stands for an empty range.
        """
        kinds = {"paw": (True, False), "plain": (False, True), "both": (True, True)}
        used = {
            f"sizes.{kind}": ", ".join(
                f"{size.least}–{size.most}" if size.least < size.most else f"{size.least}"
                for size in self.sizes
                if (size.paw, size.plain) == parts
            )
            for kind, parts in kinds.items()
        }
        return {
            **super().figures,
            **{key: numbers or "–" for key, numbers in used.items()},
            **{f"combos.{kind}": int(kind in self.combos) for kind in KINDS},
            "attack.stacks": int(self.attack_stacks),
            "defuses.before": int(self.extra_defuses == "before"),
            "deal.dealt": self.hand,
            "deal.held": self.hand + 1,
        }

    @cached_property
    def cats(self) -> tuple[str, ...]:
        return tuple(card.id for card in self.cards if card.effect == "cat")

    @cached_property
    def feral(self) -> str | None:
        """The title that can stand for any cat, or None if the box has no such card."""
        return next((card.id for card in self.cards if card.effect == "feral"), None)

    @cached_property
    def imploding(self) -> str | None:
        """The title of the Imploding Kitten, or None if the box has none."""
        return next((card.id for card in self.cards if card.effect == "imploding"), None)

    @cached_property
    def kittens(self) -> tuple[str, ...]:
        """The titles of all Kittens, which are never in a hand."""
        return (self.kitten, *([self.imploding] if self.imploding else ()))

    @cached_property
    def can_reverse(self) -> bool:
        """True if the box has a card that turns the order of play round."""
        return any(card.effect == "reverse" for card in self.cards)

    def in_play(self, players: int) -> dict[str, int]:
        """Return the number of cards of each title in play, without the Kittens (ruling
        paw-prints)."""
        return _in_play(self.cards, self.sizes, players)

    def form(self, players: int) -> Form:
        in_hands = (card for card in self.cards if card.id not in self.kittens)
        cards = [self._count_field(card, players) for card in in_hands]
        defuses = (f"cards.{self.defuse}",)
        choices = (
            Field(key="hand", kind="count", value=self.hand, least=1, most=limits.HAND),
            Field(key="combos", kind="many", value=self.combos, of=tuple(KINDS)),
            Field(key="attack_stacks", kind="bool", value=self.attack_stacks),
            Field(key="extra_defuses", kind="choice", value=self.extra_defuses,
                  of=("before", "after")),
        )  # fmt: skip
        dealt = (players, "hand"), (players,)
        others = [(card.key,) for card in cards if (card.key,) != defuses]
        there: dict[str, Term] = {"before": defuses, "after": (players,)}
        sums = tuple(
            SumConstraint(id="dealt", value=dealt, should=(*others, more), evens=("hand",),
            at_most=True,
                when={"extra_defuses": when})
            for when, more in there.items()
        )  # fmt: skip
        return Form(fields=(*cards, *choices, *self._title_fields()), sums=sums)

    def rulings_changed_by(self, change: Change) -> tuple[str, ...]:
        if isinstance(change.was, tuple) and isinstance(change.to, tuple):
            toggled = {*change.was} ^ {*change.to}
            of_kinds = [slug for kind in KINDS if kind in toggled for slug in _RULINGS_OF[kind]]
            return "combos-of-this-edition", *of_kinds
        if change.key.startswith("cards."):
            titles = ("cards-of-this-game",) if not change.was or not change.to else ()
            return "paw-prints", *titles
        return _RULINGS_OF.get(change.key, ())

    def _count_field(self, card: Card, players: int) -> Field:
        numbers = [self.in_play(number).get(card.id, 0) for number in self.players.range]
        defuse = card.effect == "defuse"
        return Field(
            key=f"cards.{card.id}",
            kind="count",
            value=numbers[players - self.players.least],
            least=players if defuse else 0,
            most=limits.DEFUSES if defuse else limits.OF_A_TITLE,
            box=card.box_count,
            varies=len({*numbers}) > 1,
        )

    def limit_players(self, players: int) -> Self:
        fields = asdict(self)
        numbers = self.players.range

        def has_enough_cards(number: int) -> bool:
            return not any(_shortage_errors(fields, number))

        least = min(
            takewhile(has_enough_cards, range(players, numbers.start - 1, -1)), default=players
        )
        most = max(takewhile(has_enough_cards, range(players, numbers.stop)), default=players)
        sizes = (
            replace(size, least=max(least, size.least), most=min(most, size.most))
            for size in self.sizes
            if size.least <= most and size.most >= least
        )
        return replace(self, players=Players(least=least, most=most), sizes=tuple(sizes))

    def deal(self, seats: tuple[str, ...]) -> Deal:
        return Deal(
            counts=tuple(self.in_play(len(seats)).items()),
            defuse=self.defuse,
            seats=seats,
            dealt=self.hand,
            kittens=count_exploding(self.cards, len(seats)),
            apart=self.extra_defuses == "after",
            most=self.worlds,
            imploding=int(self.imploding is not None),
        )


def count_exploding(cards: tuple[Card, ...], players: int) -> int:
    """Return the number of Exploding Kittens that go into the pile.

    With the Imploding Kitten there is one fewer, but always at least one (rulings one-fewer-kitten,
    imploding-kittens).
    """
    has_imploding = any(card.effect == "imploding" for card in cards)
    return max(1, players - 1 - has_imploding)


def _in_play(cards: tuple[Card, ...], sizes: tuple[Size, ...], players: int) -> dict[str, int]:
    size = next(size for size in sizes if size.least <= players <= size.most)
    counts = {card.id: card.count_in(size) for card in cards}
    kittens = [card.id for card in cards if card.effect in ("kitten", "imploding")]
    return {title: count for title, count in counts.items() if count and title not in kittens}


def limit_errors(fields: Fields) -> VariantErrors:
    yield from core_variant.count_errors(fields["cards"], lambda card: card.total_count)
    yield from limits.size_error("hand", fields["hand"], limits.HAND)
    yield from limits.size_error("worlds", fields["worlds"], 10_000)
    least, most = limits.PLAYERS
    for number, size in enumerate(fields["sizes"]):
        if not least <= size.least <= size.most <= most:
            yield VariantError(
                f"sizes[{number}]", f"must be {least} to {most} players, least first"
            )


def unplayable_errors(fields: Fields) -> VariantErrors:
    cards: tuple[Card, ...] = fields["cards"]
    sizes: tuple[Size, ...] = fields["sizes"]
    players: Players = fields["players"]
    for card in cards:
        if min(card.paw, card.plain, card.total_count) < 0 or not card.box_count:
            why = "there must be at least 1, and none less than 0"
            yield VariantError(f"cards.{card.id}", why)
        if card.id in KINDS:
            yield VariantError("cards", f"no card can be called {card.id!r}: that is a combo")
    for effect in ("feral", "imploding"):
        if sum(card.effect == effect for card in cards) > 1:
            yield VariantError("cards", f"no more than one title can have the effect {effect!r}")
    if any(card.total_count != 1 or card.nopeable for card in cards if card.effect == "imploding"):
        yield VariantError("cards", "there is one Imploding Kitten, and it can't be Noped")
    if len({*fields["combos"]}) < len(fields["combos"]):
        yield VariantError("combos", "one stands there twice")
    served = [number for size in sizes for number in range(size.least, size.most + 1)]
    if sorted(served) != [*players.range]:
        why = f"must serve {players.least} to {players.most} players, each number once"
        yield VariantError("sizes", why)
    elif fields["hand"] < 1:
        yield VariantError("hand", "must be at least 1")
    else:
        for number in players.range:
            yield from _shortage_errors(fields, number)


def _shortage_errors(fields: Fields, players: int) -> VariantErrors:
    """Yield an error if there are too few Kittens or Defuses, or too few cards to deal, for this
    number of players."""
    cards: tuple[Card, ...] = fields["cards"]
    kittens, defuses = (
        next((card for card in cards if card.effect == effect), None)
        for effect in ("kitten", "defuse")
    )
    if kittens is None or defuses is None:
        return
    counts = _in_play(cards, fields["sizes"], players)
    extra = counts.get(defuses.id, 0) - players
    if extra < 0 or kittens.total_count < count_exploding(cards, players):
        why = f"there are too few Kittens or Defuses for {players} players"
        yield VariantError("cards", why, {"key": f"cards.{defuses.id}", "least": players})
    apart = extra if fields["extra_defuses"] == "after" else 0
    most = (sum(counts.values()) - apart) // players - 1
    if most < fields["hand"]:
        why = f"there are too few to deal {players} players a hand"
        yield VariantError(
            "cards", why, {"key": "hand", "code": "sum", "is": fields["hand"], "should": most}
        )
