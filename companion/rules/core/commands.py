"""The commands that every table accepts.

Each command is an immutable class whose name is an imperative, such as ``AddSeat``. The fields of
these classes are part of the wire contract. A client's message is decoded into one of the command
classes of the table's family. A malformed message is rejected then, and the form of a command isn't
checked anywhere else.
"""

from typing import Annotated, Literal
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType, field

from companion.rules.core.types import Emblem
from companion.rules.variants.limits import Fields

Title = Annotated[str, Meta(min_length=1, max_length=40)]
SeatId = Annotated[str, Meta(min_length=1, max_length=40)]
Text = Annotated[str, Meta(max_length=200)]
Seconds = Annotated[int, Meta(ge=1, le=600)]
TakeBack = Literal["host", "agreement", "nobody"]
Number = Annotated[int, Meta(ge=0, le=2**53)]
# 32 bytes, as hexadecimal digits
Bytes32 = Annotated[str, Meta(pattern="^[0-9a-fA-F]{64}$", max_length=64)]


class Command(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True,
    tag_field="type",
):  # fmt: skip
    """A request to change a table."""

    id: UUID | None = None  # idempotency key: the server executes an id only once
    seat: SeatId | None = field(name="as", default=None)
    """The seat that the command acts for, or None for the sender's own seat."""
    version: Number | None = None
    """The only version of the table at which the command is valid, or None for any version."""


class AddSeat(Command, frozen=True, kw_only=True, tag="add_seat"):
    """Add a seat for a player who has no panel (host only)."""

    name: Text


class Rename(Command, frozen=True, kw_only=True, tag="rename"):
    """Change a seat's name."""

    name: Text


class ChooseEmblem(Command, frozen=True, kw_only=True, tag="emblem"):
    """Choose a seat's emblem, if no other seat has it."""

    emblem: Emblem


class RemoveSeat(Command, frozen=True, kw_only=True, tag="remove_seat"):
    """Remove a seat (host only). If the seat's player is still in a running game, the player goes
    out."""

    # On the wire, "seat" is the seat to remove, and "as" is the seat that the command acts for.
    removed_seat: SeatId = field(name="seat")


class SetOptions(Command, frozen=True, kw_only=True, tag="options"):
    """Change some of the table's options (host only). Each family adds its own options."""

    nope_seconds: Seconds | UnsetType = UNSET
    spectators: bool | UnsetType = UNSET
    locked: bool | UnsetType = UNSET
    odds: bool | UnsetType = UNSET
    remind_seconds: Literal[30, 60] | UnsetType | None = UNSET
    take_back: TakeBack | UnsetType = UNSET
    signs: bool | UnsetType = UNSET


class HouseRules(Command, frozen=True, kw_only=True, tag="house_rules"):
    """Replace the table's house rules (host only). ``None`` removes them."""

    rules: Fields | None


class Prepare(Command, frozen=True, kw_only=True, tag="prepare"):
    """Move the table from the lobby to the setup, where decks are prepared (host only)."""


class ToLobby(Command, frozen=True, kw_only=True, tag="to_lobby"):
    """Move the table back to the lobby, before the first turn (host only)."""


class SayReady(Command, frozen=True, kw_only=True, tag="ready"):
    """Mark a seat's deck as prepared, or as not prepared any more."""

    ready: bool


class Begin(Command, frozen=True, kw_only=True, tag="begin"):
    """Begin the game (host only)."""

    first: SeatId  # the first player's seat, or "lot" to draw one at random


class WindowCommand(Command, frozen=True, kw_only=True):
    """A command that concerns an open Nope window."""

    window: Number  # the window's id


class PlayNope(WindowCommand, frozen=True, kw_only=True, tag="nope"):
    """Play a Nope on the card on top, which is the played card or the last Nope on it."""


class Pass(WindowCommand, frozen=True, kw_only=True, tag="pass"):
    """Declare that the seat won't Nope the card on top, which is the played card or the last Nope
    on it."""


class Hold(WindowCommand, frozen=True, kw_only=True, tag="hold"):
    """Stop the clock of the open window, for at most 60 seconds (``state.HOLD_MS``)."""


class Release(WindowCommand, frozen=True, kw_only=True, tag="release"):
    """Let the clock of the open window run again after a ``Hold``."""


class SetAutoPass(Command, frozen=True, kw_only=True, tag="auto_pass"):
    """If ``on`` is true, pass automatically in every window until the seat's next turn. If it is
    false, stop doing so."""

    on: bool


class Report(Command, frozen=True, kw_only=True, tag="report"):
    """Report whether the card that the turn player drew is safe or a Kitten."""

    outcome: Literal["safe", "kitten"]


class Leave(Command, frozen=True, kw_only=True, tag="leave"):
    """Leave the table."""


class Undo(Command, frozen=True, kw_only=True, tag="undo"):
    """Undo the last command of the game (host only)."""


class AskBack(Command, frozen=True, kw_only=True, tag="ask_back"):
    """Ask the other players to agree to undo the sender's last command."""


class Agree(Command, frozen=True, kw_only=True, tag="agree"):
    """Agree to the undo that another player has asked for."""

    asked: Number  # the id of the request


class PassHost(Command, frozen=True, kw_only=True, tag="pass_host"):
    """Pass the role of host to another seat (host only)."""

    to: SeatId = field(name="seat")


class ClaimHost(Command, frozen=True, kw_only=True, tag="claim_host"):
    """Take over the role of a host who has been away for too long."""


class EndGame(Command, frozen=True, kw_only=True, tag="end_game"):
    """End the running game and move the table back to the lobby (host only)."""


class Rematch(Command, frozen=True, kw_only=True, tag="rematch"):
    """Start a rematch with the same seats, beginning with the setup (host only)."""


class InternalCommand(Command, frozen=True, kw_only=True):
    """A command that only the server itself issues. A client that sends it gets an error."""


class TakeSeat(InternalCommand, frozen=True, kw_only=True):
    """Add a seat for a newcomer who has a panel. The event that follows holds the seat's id."""

    name: str


class AskPlace(InternalCommand, frozen=True, kw_only=True):
    """Ask for a seat in the next game, while a game is running."""

    name: str


class ClaimSeat(InternalCommand, frozen=True, kw_only=True):
    """Open a seat on another device. A seat without a panel gets a panel."""


class SeatRobot(InternalCommand, frozen=True, kw_only=True):
    """Add a seat for a robot (host only)."""

    name: str
    robot: str  # the robot's personality


class LendSeat(InternalCommand, frozen=True, kw_only=True):
    """Let a robot take over the seat of a player who goes away."""

    robot: str  # the robot's personality
    secret: str  # the secret of the seat's device deck


class ReturnSeat(InternalCommand, frozen=True, kw_only=True):
    """Give a lent seat back to its player."""


class Tick(InternalCommand, frozen=True, kw_only=True):
    """Carry out what is due by the clock, such as closing a window whose time is up."""


class Resume(InternalCommand, frozen=True, kw_only=True):
    """Make sure that an open window lasts long enough after a restart of the server."""


class DecisionInputs(Struct, frozen=True, kw_only=True):
    """The time, random numbers and other facts from outside that a decision depends on.

    The rules themselves read no clock and use no random generator.
    """

    now: int  # ms since the epoch
    lot: int = 0  # a random number
    salt: str = ""  # 32 random bytes, as hexadecimal digits
    grace_ms: int = 0
    """Extra time for a Nope to arrive over the sender's slow connection. For a ``Tick``, this is
    the grace period of the slowest connection that may still Nope."""
    # time for which the host has been disconnected; 0 while the host is connected
    host_away_ms: int = 0
    here: frozenset[str] = frozenset()  # the connected seats
    room: int = 1  # the number of events that still fit into the log
