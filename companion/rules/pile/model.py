"""The state of a classic game: frozen values, nothing derived.

This module must not know how a state comes about.
"""

from companion.rules.core import model
from companion.rules.pile.deduction import Knowledge, knowledge
from companion.rules.pile.observations import Deal, Drew, DrewKitten, Observation, PutBack
from companion.rules.pile.order import End, Notes, Order
from companion.rules.pile.variant import Variant


class Options(model.Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the host chose for the table."""

    special_combos: bool = True


class Player(model.Player, frozen=True, kw_only=True):
    """One seat in the game. ``notes`` are their own of the pile; ``touched`` has, for each card
    they drew, how much everybody had seen before. ``changes`` counts how often their notes lost
    their meaning."""

    notes: Notes = ()
    touched: tuple[int, ...] = ()
    changes: int = 0


class Played(model.Played, frozen=True, kw_only=True):
    """A card or combo that waits; ``name``: the title that a triple asks for."""

    cards: tuple[str, ...]
    name: str | None = None


class Turn(model.Turn, frozen=True, kw_only=True):
    """One player's turn; ``attacked``: those they owe come of an Attack.

    ``end``: where in the pile the touched card lies, or the Kitten came from, which is
    ``shown`` by its title.
    """

    step: str = "act"
    attacked: bool = False
    end: End | None = None
    shown: str | None = None


_KITTENS: dict[type, int] = {DrewKitten: -1, PutBack: 1}
_CARDS: dict[type, int] = {Drew: -1, **_KITTENS}
"""How many Kittens, and how many cards, the pile has more after an observation."""


class Game(model.Game, frozen=True, kw_only=True):
    """One game.

    ``seen`` is what everybody saw since the ``deal``, the ground of every deduction and of the
    pile's size. ``discard`` are the noted cards of the discard pile, oldest first; ``chosen``
    what somebody chose of the pile's order.
    """

    players: tuple[Player, ...]
    deal: Deal
    turn: Turn | None = None
    played: Played | None = None
    seen: tuple[Observation, ...] = ()
    discard: tuple[str, ...] = ()
    chosen: Order = Order()

    @property
    def known(self) -> Knowledge:
        """What everybody can know of the cards."""
        return knowledge(self.deal, self.seen)

    @property
    def pile(self) -> int:
        """How many cards the pile has, with its Kittens."""
        dealt = len(self.deal.seats) * (1 + self.deal.dealt)
        moved = sum(_CARDS.get(type(seen), 0) for seen in self.seen)
        return sum(count for _, count in self.deal.counts) + self.deal.kittens - dealt + moved

    @property
    def kittens(self) -> int:
        """How many of them are Kittens."""
        return self.deal.kittens + sum(_KITTENS.get(type(seen), 0) for seen in self.seen)

    def player(self, seat: str) -> Player:
        """The player at this seat."""
        return next(player for player in self.players if player.seat == seat)


class Table(model.Table, frozen=True, kw_only=True):
    """A table that plays a classic game; its seats stand as people sit, clockwise."""

    variant: Variant
    options: Options
    game: Game | None = None

    def playing(self) -> Game:
        """The game; to be asked only where there is one."""
        assert self.game is not None
        return self.game
