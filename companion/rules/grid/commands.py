"""The commands of a game on the draw grid."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from companion.rules.core import commands
from companion.rules.core.commands import Bytes32, Command, SeatId, Title

Index = Annotated[int, Meta(ge=0, le=99)]
Cell = tuple[Index, Index]


class SetOptions(commands.SetOptions, frozen=True, kw_only=True, tag="options"):
    """Change some of the table's options (host only)."""

    roll_call: bool | UnsetType = UNSET
    device_decks: bool | UnsetType = UNSET


class ChooseDeck(Command, frozen=True, kw_only=True, tag="deck"):
    """Choose between real cards and a deck that the seat's device keeps."""

    kind: Literal["table", "device"]
    commit: Bytes32 | None = None  # the device's commitment to its secret; None for real cards

    def __post_init__(self) -> None:
        if (self.kind == "device") != (self.commit is not None):
            raise ValueError("a device's deck, and no other, has a `commit`")


class ReportDeck(Command, frozen=True, kw_only=True, tag="deck_here"):
    """Report whether the device has its seat's deck."""

    here: bool


class OpenDeck(Command, frozen=True, kw_only=True, tag="open"):
    """Reveal the secret from which the device dealt its deck."""

    secret: Bytes32


class CallNext(Command, frozen=True, kw_only=True, tag="call_next"):
    """Name the next player in the roll call (caller only)."""

    next: SeatId


class SkipRollCall(Command, frozen=True, kw_only=True, tag="skip_roll_call"):
    """Skip the rest of the roll call (host only)."""


class Instruct(Command, frozen=True, kw_only=True, tag="instruct"):
    """Choose the card that the turn player must draw (instructor only)."""

    cell: Cell


class PlayCard(Command, frozen=True, kw_only=True, tag="play"):
    """Play a card. A Favor names a target and one of the target's cells."""

    card: Title
    target: SeatId | None = None
    cell: Cell | None = None


class Look(Command, frozen=True, kw_only=True, tag="look"):
    """Look at a card of the turn player's own grid, after See the Future."""

    cell: Cell


class Shuffled(Command, frozen=True, kw_only=True, tag="shuffled"):
    """Report that the turn player has shuffled their grid."""

    # the cells that hold a card afterwards, or None if they are the same as before
    cells: tuple[Cell, ...] | None = None


class Reveal(Command, frozen=True, kw_only=True, tag="reveal"):
    """Report which card a Favor's target turned up (target only)."""

    card: Title


class Draw(Command, frozen=True, kw_only=True, tag="draw"):
    """Touch the card that the instructor chose."""

    cell: Cell


class Defuse(Command, frozen=True, kw_only=True, tag="defuse"):
    """Play a Defuse. All cards of the grid then lie face down again."""

    # the cells that hold a card afterwards, or None if they are the same as before
    cells: tuple[Cell, ...] | None = None
    still: bool = False  # True if the Kitten only swapped places with one card
    hidden: Bytes32 | None = None
    """The commitment to the Kitten's cell, if the seat's device keeps the deck."""


class Explode(Command, frozen=True, kw_only=True, tag="explode"):
    """Go out of the game, because the player has no Defuse for the Kitten."""


class MakeNote(Command, frozen=True, kw_only=True, tag="note"):
    """Write a private note about the card in a cell of the seat's own grid.

    If ``card`` is None, remove the note.
    """

    cell: Cell
    card: Title | None
