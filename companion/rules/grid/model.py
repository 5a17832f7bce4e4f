"""The state of a game on the draw grid: frozen values, nothing derived.

This module must not know how a state comes about.
"""

from functools import cached_property

from companion.rules.core import chain, model
from companion.rules.core.machine import Phase
from companion.rules.core.model import Seat
from companion.rules.grid import deduction
from companion.rules.grid.places import Cell, Grid
from companion.rules.grid.variant import Variant


class Options(model.Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the host chose for the table."""

    roll_call: bool = True


class Player(model.Player, frozen=True, kw_only=True, dict=True):
    """One seat in the game, with a grid.

    ``arranged`` counts how often the grid was shuffled or rearranged: notes made under
    another arrangement mean nothing. ``seen`` is what the call saw of this player's cards
    since the ``deal``, the ground of every deduction; ``touched`` has, for each draw, how much
    was seen before it and what lay in the cell.
    """

    grid: Grid
    deal: deduction.Deck
    discard: tuple[str, ...] = ()
    notes: tuple[tuple[Cell, str], ...] = ()
    arranged: int = 0
    seen: tuple[deduction.Observation, ...] = ()
    touched: tuple[tuple[int, str], ...] = ()

    @cached_property
    def known(self) -> deduction.Knowledge:
        """What the call can know of their cards."""
        return deduction.knowledge(self.deal, self.seen)


class Played(model.Played, frozen=True, kw_only=True):
    """A card that waits; a Favor's names a ``cell`` of its target's grid."""

    cell: Cell | None = None


class Turn(model.Turn, frozen=True, kw_only=True):
    """One player's turn; ``told`` is the cell which they must draw, once instructed."""

    step: str = "tell"
    told: Cell | None = None


class Game(model.Game, frozen=True, kw_only=True):
    """One game; ``caller`` is who calls next while the roll call goes on."""

    players: tuple[Player, ...]
    first: str
    caller: str | None = None
    turn: Turn | None = None
    played: Played | None = None

    @property
    def phase(self) -> Phase:
        """The roll call comes before the first turn."""
        began = self.winner is not None or self.turn is not None
        return super().phase if began else "roll_call"

    def player(self, seat: str) -> Player:
        """The player at this seat."""
        for player in self.players:
            if player.seat == seat:
                return player
        raise KeyError(seat)


class Table(model.Table, frozen=True, kw_only=True):
    """A table that plays on the draw grid."""

    variant: Variant
    options: Options
    game: Game | None = None

    @property
    def in_order(self) -> tuple[Seat, ...]:
        """From the setup on in alphabetical order (ruling alphabetical-order)."""
        if self.setup and self.game is None:
            return tuple(sorted(self.seats, key=lambda seat: chain.alphabetical(seat.name)))
        return super().in_order

    def playing(self) -> Game:
        """The game; to be asked only where there is one."""
        assert self.game is not None
        return self.game
