"""What can be said in a game on the draw grid, in the imperative."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from companion.rules.core import commands
from companion.rules.core.commands import Bytes32, Command, SeatId, Title

Index = Annotated[int, Meta(ge=0, le=99)]
Cell = tuple[Index, Index]


class SetOptions(commands.SetOptions, frozen=True, kw_only=True, tag="options"):
    """The host changes some of the options."""

    roll_call: bool | UnsetType = UNSET


class SayDeck(Command, frozen=True, kw_only=True, tag="deck"):
    """A seat's cards lie on its table, or its device keeps them and commits to a secret."""

    kind: Literal["table", "device"]
    commit: Bytes32 | None = None

    def __post_init__(self) -> None:
        if (self.kind == "device") != (self.commit is not None):
            raise ValueError("a device's deck, and no other, has a `commit`")


class ReportDeck(Command, frozen=True, kw_only=True, tag="deck_here"):
    """A device says whether it has its seat's deck."""

    here: bool


class OpenDeck(Command, frozen=True, kw_only=True, tag="open"):
    """A device gives away the secret from which its deck was dealt."""

    secret: Bytes32


class CallNext(Command, frozen=True, kw_only=True, tag="call_next"):
    """The roll call's caller names the player after them."""

    next: SeatId


class SkipRollCall(Command, frozen=True, kw_only=True, tag="skip_roll_call"):
    """The host does without the rest of the roll call."""


class Instruct(Command, frozen=True, kw_only=True, tag="instruct"):
    """The instructor says which card the turn player must draw."""

    cell: Cell


class PlayCard(Command, frozen=True, kw_only=True, tag="play"):
    """The turn player plays a card; a Favor names a target and one of their cells."""

    card: Title
    target: SeatId | None = None
    cell: Cell | None = None


class Look(Command, frozen=True, kw_only=True, tag="look"):
    """See the Future: which card of their own grid its player looks at."""

    cell: Cell


class Shuffled(Command, frozen=True, kw_only=True, tag="shuffled"):
    """The turn player has shuffled their grid; ``cells``: where the cards lie now."""

    cells: tuple[Cell, ...] | None = None


class Reveal(Command, frozen=True, kw_only=True, tag="reveal"):
    """A Favor's target says which card was turned up."""

    card: Title


class Draw(Command, frozen=True, kw_only=True, tag="draw"):
    """The turn player touches the told card."""

    cell: Cell


class Defuse(Command, frozen=True, kw_only=True, tag="defuse"):
    """The Kitten is defused; ``cells``: where the cards lie now. ``still``: they lie as they did,
    but for the Kitten and what lay where it is now. ``hidden``: the Kitten's place, sealed by a
    device that keeps the deck."""

    cells: tuple[Cell, ...] | None = None
    still: bool = False
    hidden: Bytes32 | None = None


class Explode(Command, frozen=True, kw_only=True, tag="explode"):
    """No Defuse: out."""


class MakeNote(Command, frozen=True, kw_only=True, tag="note"):
    """A seat notes for itself what lies under a cell of its grid; null forgets it."""

    cell: Cell
    card: Title | None
