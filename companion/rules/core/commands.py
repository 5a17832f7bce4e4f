"""The commands of any table: one frozen record per kind, named in the imperative.

Their fields are the wire contract. Decoding a message into a family's union of commands is the
whole check for malformed input.
"""

from typing import Annotated, Literal
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType, field

from companion.rules.core.limits import Fields

Title = Annotated[str, Meta(min_length=1, max_length=40)]
SeatId = Annotated[str, Meta(min_length=1, max_length=40)]
Text = Annotated[str, Meta(max_length=200)]
Seconds = Annotated[int, Meta(ge=1, le=600)]
TakeBack = Literal["host", "agreement", "nobody"]
Number = Annotated[int, Meta(ge=0, le=2**53)]
Bytes32 = Annotated[str, Meta(pattern="^[0-9a-fA-F]{64}$", max_length=64)]  # as hexadecimal digits


class Command(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True,
    tag_field="type",
):  # fmt: skip
    """A request to change a table."""

    id: UUID | None = None  # idempotency key: the server carries out a command only once
    seat: SeatId | None = field(name="as", default=None)  # the seat it acts for; None: the sender's
    version: Number | None = None  # if given, refused as stale unless it is the table's version


class AddSeat(Command, frozen=True, kw_only=True, tag="add_seat"):
    """Host adds a seat for a player who has no panel."""

    name: Text


class Rename(Command, frozen=True, kw_only=True, tag="rename"):
    """Change a seat's name."""

    name: Text


class RemoveSeat(Command, frozen=True, kw_only=True, tag="remove_seat"):
    """Host removes a seat; in a running game its player is out without a Kitten."""

    # On the wire "seat" is the seat to remove, and "as" the seat that the command acts for.
    removed_seat: SeatId = field(name="seat")


class SetOptions(Command, frozen=True, kw_only=True, tag="options"):
    """Host changes some of the table's options; each family adds its own."""

    nope_seconds: Seconds | UnsetType = UNSET
    spectators: bool | UnsetType = UNSET
    locked: bool | UnsetType = UNSET
    odds: bool | UnsetType = UNSET
    remind_seconds: Literal[30, 60] | UnsetType | None = UNSET
    take_back: TakeBack | UnsetType = UNSET
    signs: bool | UnsetType = UNSET


class HouseRules(Command, frozen=True, kw_only=True, tag="house_rules"):
    """Host replaces the table's house rules; ``None`` removes them."""

    rules: Fields | None


class Prepare(Command, frozen=True, kw_only=True, tag="prepare"):
    """Host moves the table from the lobby to the setup, where decks are prepared."""


class ToLobby(Command, frozen=True, kw_only=True, tag="to_lobby"):
    """Host returns the table to the lobby, before the first turn."""


class SayReady(Command, frozen=True, kw_only=True, tag="ready"):
    """Mark a seat's deck as prepared, or as not prepared after all."""

    ready: bool


class Begin(Command, frozen=True, kw_only=True, tag="begin"):
    """Host begins the game."""

    first: SeatId  # the first player's seat, or "lot" to draw one at random


class WindowCommand(Command, frozen=True, kw_only=True):
    """A command that concerns an open Nope window."""

    window: Number  # the window's id


class PlayNope(WindowCommand, frozen=True, kw_only=True, tag="nope"):
    """Play a Nope on the card on top."""


class Pass(WindowCommand, frozen=True, kw_only=True, tag="pass"):
    """Declare that this seat won't Nope the card on top."""


class Hold(WindowCommand, frozen=True, kw_only=True, tag="hold"):
    """Stop the window's clock."""


class Release(WindowCommand, frozen=True, kw_only=True, tag="release"):
    """Let the window's clock run again."""


class Report(Command, frozen=True, kw_only=True, tag="report"):
    """Report what the touched card was."""

    outcome: Literal["safe", "kitten"]


class Leave(Command, frozen=True, kw_only=True, tag="leave"):
    """Leave the table."""


class Undo(Command, frozen=True, kw_only=True, tag="undo"):
    """Host undoes the last command of the game."""


class AskBack(Command, frozen=True, kw_only=True, tag="ask_back"):
    """Ask the other players to agree to an undo of one's own last command."""


class Agree(Command, frozen=True, kw_only=True, tag="agree"):
    """Agree that another player takes back their last command."""

    asked: Number  # the id of the request


class PassHost(Command, frozen=True, kw_only=True, tag="pass_host"):
    """Host hands the role to another seat."""

    to: SeatId = field(name="seat")


class ClaimHost(Command, frozen=True, kw_only=True, tag="claim_host"):
    """Take over the role of a host who has been away for too long."""


class EndGame(Command, frozen=True, kw_only=True, tag="end_game"):
    """Host ends the running game and returns the table to the lobby."""


class Rematch(Command, frozen=True, kw_only=True, tag="rematch"):
    """Host starts another game with the same seats, from the setup."""


class InternalCommand(Command, frozen=True, kw_only=True):
    """A command that the server itself issues; clients can't send it as a ``command`` event."""


class TakeSeat(InternalCommand, frozen=True, kw_only=True):
    """Take a new seat with a panel; the resulting event holds the seat's id."""

    name: str


class AskPlace(InternalCommand, frozen=True, kw_only=True):
    """Ask for a seat in the next game, while one is running."""

    name: str


class ClaimSeat(InternalCommand, frozen=True, kw_only=True):
    """Open a seat on another device; a seat without a panel gets one."""


class SeatRobot(InternalCommand, frozen=True, kw_only=True):
    """Host adds a robot."""

    name: str
    robot: str  # its temper


class LendSeat(InternalCommand, frozen=True, kw_only=True):
    """Let a robot play on at a seat whose player goes away."""

    robot: str  # its temper
    secret: str  # the secret of the seat's device deck


class ReturnSeat(InternalCommand, frozen=True, kw_only=True):
    """Give a lent seat back to its player."""


class Tick(InternalCommand, frozen=True, kw_only=True):
    """Carry out what is due by the clock, such as closing a window whose time is up."""


class Resume(InternalCommand, frozen=True, kw_only=True):
    """Give an open window its minimum time after the server has restarted."""


class DecisionInputs(Struct, frozen=True, kw_only=True):
    """Everything from outside that a decision rests on: time, chance and presence.

    The rules themselves read no clock and draw no random number.
    """

    now: int  # ms since the epoch
    lot: int = 0  # a random number
    salt: str = ""  # 32 random bytes, as hexadecimal digits
    grace_ms: int = 0
    """How late a Nope may arrive, because the sender's connection is slow. For a ``Tick`` it is the
    grace period of the slowest connection that may still Nope."""
    host_away_ms: int = 0  # how long the host has been disconnected; 0 while connected
    here: frozenset[str] = frozenset()  # the connected seats
    room: int = 1  # how many more events the log can hold
