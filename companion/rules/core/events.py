"""What has happened at any table, one frozen record for each kind, in the past tense.

The log is made of these, for ever: a name or field that has been stored once keeps its
meaning, new fields get defaults. This module must not know what is allowed.
"""

from typing import Generic, Literal, TypeVar

from msgspec import Struct

Chosen = TypeVar("Chosen")

Out = Literal["kitten", "left"]
"""How a player went out."""


class Happened(Struct, frozen=True, kw_only=True, tag_field="type"):
    """The root of all events."""


class SeatTaken(Happened, frozen=True, kw_only=True, tag="seat_taken", omit_defaults=True):
    """A seat was taken; the first becomes the host's. ``robot``: by one, of this temper."""

    seat: str
    name: str
    panel: bool
    robot: str | None = None


class PlaceAsked(Happened, frozen=True, kw_only=True, tag="place_asked"):
    """Somebody waits for the next game, in which ``seat`` will be theirs (``seat_taken``)."""

    seat: str
    name: str


class PlaceGivenUp(Happened, frozen=True, kw_only=True, tag="place_given_up"):
    """Who waited under this name waits no more."""

    seat: str
    name: str


class SeatRenamed(Happened, frozen=True, kw_only=True, tag="seat_renamed"):
    """A seat has another name."""

    seat: str
    name: str


class SeatRemoved(Happened, frozen=True, kw_only=True, tag="seat_removed"):
    """Before a game: a seat is gone. During and after one: it won't be in a rematch."""

    seat: str


class SeatClaimed(Happened, frozen=True, kw_only=True, tag="seat_claimed"):
    """A seat was opened on another device."""

    seat: str


class SeatLent(Happened, frozen=True, kw_only=True, tag="seat_lent"):
    """A robot of this temper plays on for whoever has the seat."""

    seat: str
    robot: str


class SeatReturned(Happened, frozen=True, kw_only=True, tag="seat_returned"):
    """Whoever lent their seat to a robot is back."""

    seat: str


class OptionsChanged(Happened, Generic[Chosen], frozen=True, kw_only=True, tag="options_changed"):
    """The options as they are now, a family's own."""

    options: Chosen


class HostChanged(Happened, frozen=True, kw_only=True, tag="host_changed"):
    """The host's role went to this seat, or lies vacant."""

    seat: str | None


class Prepared(Happened, frozen=True, kw_only=True, tag="prepared"):
    """The decks are being prepared."""


class ReturnedToLobby(Happened, frozen=True, kw_only=True, tag="returned_to_lobby"):
    """The table is in the lobby again."""


class ReadySaid(Happened, frozen=True, kw_only=True, tag="ready_said"):
    """A seat is ready, or not."""

    seat: str
    ready: bool


class GameEnded(Happened, frozen=True, kw_only=True, tag="game_ended"):
    """The host ended the game: the table is in the lobby, and who left is gone."""


class Rematched(Happened, frozen=True, kw_only=True, tag="rematched"):
    """The same people prepare another game; who left is gone."""


class TurnBegan(Happened, frozen=True, kw_only=True, tag="turn_began", omit_defaults=True):
    """A player is up, with ``owed`` turns to take in a row; a family says more about it."""

    seat: str
    number: int
    owed: int = 1


class NopePlayed(Happened, frozen=True, kw_only=True, tag="nope_played"):
    """A Nope was played on the card on top, which is ``by``'s; ``counts``: so ``card`` stands."""

    seat: str
    card: str
    by: str
    counts: bool
    nope: str
    seconds: int
    closes_at: int | None


class Passed(Happened, frozen=True, kw_only=True, tag="passed"):
    """A seat won't Nope the card on top."""

    seat: str


class Held(Happened, frozen=True, kw_only=True, tag="held"):
    """The window's clock stands with ``left_ms`` to go, until ``until`` at the latest."""

    seat: str
    left_ms: int
    until: int


class Released(Happened, frozen=True, kw_only=True, tag="released"):
    """The clock runs again; ``seat`` is ``None`` when it does so by itself."""

    seat: str | None
    closes_at: int


class WindowExtended(Happened, frozen=True, kw_only=True, tag="window_extended"):
    """The server was away; the window closes later."""

    closes_at: int


class WindowClosed(Happened, frozen=True, kw_only=True, tag="window_closed"):
    """The window closed: ``seat``'s card takes effect if it ``counts``, else it is lost."""

    seat: str
    card: str
    counts: bool


class StepBegan(Happened, frozen=True, kw_only=True, tag="step_began"):
    """A card's effect waits to be carried out by ``seat``."""

    seat: str
    step: str


class WentOut(Happened, frozen=True, kw_only=True, tag="went_out"):
    """A player is out, by the Kitten or because they left."""

    seat: str
    out: Out


class GameWon(Happened, frozen=True, kw_only=True, tag="game_won"):
    """The last one standing."""

    seat: str


class BackAsked(Happened, frozen=True, kw_only=True, tag="back_asked"):
    """A player asks to take back their own last word; who does not agree ``until`` then won't."""

    seat: str
    until: int


class BackAgreed(Happened, frozen=True, kw_only=True, tag="back_agreed"):
    """A player agrees that ``by`` takes back their last word."""

    seat: str
    by: str


class BackLapsed(Happened, frozen=True, kw_only=True, tag="back_lapsed"):
    """Not all agreed in time: the player's last word stands."""

    seat: str


class Undone(Happened, frozen=True, kw_only=True, tag="undone", omit_defaults=True):
    """The game is as it was before the event ``version``, the last thing that was said.

    A window that is open again is a new one that closes at ``closes_at``. ``seat``: whose word it
    was, where they took it back by agreement.
    """

    version: int
    closes_at: int | None
    seat: str | None = None


TableEvent = (
    SeatTaken | PlaceAsked | PlaceGivenUp | SeatRenamed | SeatRemoved | SeatClaimed
    | SeatLent | SeatReturned | HostChanged | Prepared | ReturnedToLobby | ReadySaid | GameEnded
    | Rematched | NopePlayed | Passed | Held | Released | WindowExtended | WindowClosed | StepBegan
    | WentOut | GameWon | BackAsked | BackAgreed | BackLapsed | Undone
)  # fmt: skip
"""What can stand in any log, beside a family's own events."""
