"""What can be said at any table, one frozen record for each kind, in the imperative. Their shape is
the wire contract's: decoding into those of a family is the whole check for malformed input."""

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
Bytes32 = Annotated[str, Meta(pattern="^[0-9a-fA-F]{64}$", max_length=64)]  # in hexadecimal digits


class Command(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True,
    tag_field="type",
):  # fmt: skip
    """What every command carries: its once-only id, for whom it speaks, what it builds on."""

    id: UUID | None = None
    seat: SeatId | None = field(name="as", default=None)
    version: Number | None = None


class AddSeat(Command, frozen=True, kw_only=True, tag="add_seat"):
    """The host seats a player who has no panel."""

    name: Text


class Rename(Command, frozen=True, kw_only=True, tag="rename"):
    """A seat changes its name."""

    name: Text


class RemoveSeat(Command, frozen=True, kw_only=True, tag="remove_seat"):
    """The host removes a seat; in a game its player is out without a Kitten."""

    # "seat" on the wire names the seat to remove; whom one speaks for is "as".
    gone: SeatId = field(name="seat")


class SetOptions(Command, frozen=True, kw_only=True, tag="options"):
    """The host changes some of the options; a family has more of them."""

    nope_seconds: Seconds | UnsetType = UNSET
    spectators: bool | UnsetType = UNSET
    locked: bool | UnsetType = UNSET
    odds: bool | UnsetType = UNSET
    remind_seconds: Literal[30, 60] | UnsetType | None = UNSET
    take_back: TakeBack | UnsetType = UNSET
    signs: bool | UnsetType = UNSET


class HouseRules(Command, frozen=True, kw_only=True, tag="house_rules"):
    """The host lays these on the table's variant, in place of those before; ``None``: nothing."""

    rules: Fields | None


class Prepare(Command, frozen=True, kw_only=True, tag="prepare"):
    """From the lobby to the preparation of the decks."""


class ToLobby(Command, frozen=True, kw_only=True, tag="to_lobby"):
    """Back to the lobby, before the first turn."""


class SayReady(Command, frozen=True, kw_only=True, tag="ready"):
    """A seat's deck is prepared, or is not after all."""

    ready: bool


class Begin(Command, frozen=True, kw_only=True, tag="begin"):
    """The game begins; ``first`` is a seat or ``lot``."""

    first: SeatId


class WindowCommand(Command, frozen=True, kw_only=True):
    """Something said while a window is open: this one."""

    window: Number


class PlayNope(WindowCommand, frozen=True, kw_only=True, tag="nope"):
    """A Nope on the card on top."""


class Pass(WindowCommand, frozen=True, kw_only=True, tag="pass"):
    """No Nope from this seat."""


class Hold(WindowCommand, frozen=True, kw_only=True, tag="hold"):
    """Stops the window's clock."""


class Release(WindowCommand, frozen=True, kw_only=True, tag="release"):
    """Lets the window's clock run again."""


class Report(Command, frozen=True, kw_only=True, tag="report"):
    """What the touched card was."""

    outcome: Literal["safe", "kitten"]


class Leave(Command, frozen=True, kw_only=True, tag="leave"):
    """A seat leaves the table."""


class Undo(Command, frozen=True, kw_only=True, tag="undo"):
    """The host takes back the last thing that somebody said."""


class AskBack(Command, frozen=True, kw_only=True, tag="ask_back"):
    """A player asks to take back their own last word."""


class Agree(Command, frozen=True, kw_only=True, tag="agree"):
    """A player agrees that another takes back their last word; ``asked``: which request."""

    asked: Number


class PassHost(Command, frozen=True, kw_only=True, tag="pass_host"):
    """The host hands the role to another seat."""

    to: SeatId = field(name="seat")


class ClaimHost(Command, frozen=True, kw_only=True, tag="claim_host"):
    """A seat takes the role of a host who is gone."""


class EndGame(Command, frozen=True, kw_only=True, tag="end_game"):
    """The host ends the game that is on: back to the lobby."""


class Rematch(Command, frozen=True, kw_only=True, tag="rematch"):
    """The same seats prepare another game."""


class InternalCommand(Command, frozen=True, kw_only=True):
    """What reaches a table by another way than the wire's ``command`` event."""


class TakeSeat(InternalCommand, frozen=True, kw_only=True):
    """Somebody joins with a panel; the event says which seat they got."""

    name: str


class AskPlace(InternalCommand, frozen=True, kw_only=True):
    """Somebody who comes while a game is on asks for a seat in the next one."""

    name: str


class ClaimSeat(InternalCommand, frozen=True, kw_only=True):
    """A seat is opened on another device, which gives it a panel if it had none."""


class SeatRobot(InternalCommand, frozen=True, kw_only=True):
    """The host seats a robot of this temper."""

    name: str
    robot: str


class LendSeat(InternalCommand, frozen=True, kw_only=True):
    """A seat's player goes, and a robot of this temper plays on with the deck of this secret."""

    robot: str
    secret: str


class ReturnSeat(InternalCommand, frozen=True, kw_only=True):
    """Who lent the seat is back."""


class Tick(InternalCommand, frozen=True, kw_only=True):
    """The clock: closes a window whose time is up, lets a held one run again, and so on."""


class Resume(InternalCommand, frozen=True, kw_only=True):
    """The server starts again: an open window gets the least time it must have."""


class DecisionInputs(Struct, frozen=True, kw_only=True):
    """Time, chance and presence, which come in with a command. ``now`` in ms since the epoch;
    ``lot`` a number drawn at random; ``salt`` 32 random bytes in hexadecimal digits; ``grace_ms``
    how late the sender's slow connection may make a Nope; ``host_away_ms`` 0 while the host is
    here; ``here`` the seats that are connected; ``room`` how many events the log still takes."""

    now: int
    lot: int = 0
    salt: str = ""
    grace_ms: int = 0
    host_away_ms: int = 0
    here: frozenset[str] = frozenset()
    room: int = 1
