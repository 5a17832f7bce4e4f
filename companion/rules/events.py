"""What has happened at a table, one frozen record for each kind, in the past tense.

The log is made of these, for ever: a name or field that has been stored once keeps its
meaning, new fields get defaults. This module must not know what is allowed.
"""

from typing import Literal

from msgspec import Struct

from companion.rules.grid import Cell
from companion.rules.model import Options, Step


class Happened(Struct, frozen=True, kw_only=True, tag_field="type"):
    """The root of all events."""


class SeatTaken(Happened, frozen=True, kw_only=True, tag="seat_taken"):
    """A seat was taken; the first becomes the host's."""

    seat: str
    name: str
    panel: bool


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


class OptionsChanged(Happened, frozen=True, kw_only=True, tag="options_changed"):
    """The options as they are now."""

    options: Options


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


class GameBegan(Happened, frozen=True, kw_only=True, tag="game_began"):
    """The cards are dealt; ``caller`` opens the roll call, if there is one."""

    order: tuple[str, ...]
    first: str
    caller: str | None


class NextCalled(Happened, frozen=True, kw_only=True, tag="next_called"):
    """In the roll call, ``seat`` named ``next``; ``caller`` is up to call."""

    seat: str
    next: str
    caller: str | None


class CallerChanged(Happened, frozen=True, kw_only=True, tag="caller_changed"):
    """Somebody left the roll call: these two go on."""

    caller: str | None
    first: str


class RollCallSkipped(Happened, frozen=True, kw_only=True, tag="roll_call_skipped"):
    """The host did without the rest of the roll call."""


class TurnBegan(Happened, frozen=True, kw_only=True, tag="turn_began"):
    """A player is up and waits to be told."""

    seat: str
    instructor: str
    number: int


class Instructed(Happened, frozen=True, kw_only=True, tag="instructed"):
    """The instructor ``seat`` told ``target`` which card to draw."""

    seat: str
    target: str
    cell: Cell


class CardPlayed(Happened, frozen=True, kw_only=True, tag="card_played"):
    """A card was played; without ``closes_at`` nobody could Nope it."""

    seat: str
    card: str
    target: str | None = None
    cell: Cell | None = None
    seconds: int
    closes_at: int | None


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
    step: Step


class Looked(Happened, frozen=True, kw_only=True, tag="looked"):
    """A player looked at one card of their grid."""

    seat: str
    cell: Cell


class GridShuffled(Happened, frozen=True, kw_only=True, tag="grid_shuffled"):
    """A grid was shuffled; its cards lie face down in ``cells``."""

    seat: str
    cells: tuple[Cell, ...]


class CardRevealed(Happened, frozen=True, kw_only=True, tag="card_revealed"):
    """A Favor turned up ``card`` in ``seat``'s grid."""

    seat: str
    cell: Cell
    card: str


class FavorOver(Happened, frozen=True, kw_only=True, tag="favor_over"):
    """A Favor's target left: nothing is turned up, the turn goes on."""

    seat: str


class CardTouched(Happened, frozen=True, kw_only=True, tag="card_touched"):
    """The turn player touched the told card."""

    seat: str
    cell: Cell


class CardDrawn(Happened, frozen=True, kw_only=True, tag="card_drawn"):
    """A safe draw: the card is in the hand; ``card`` when it was face up, else ``None``."""

    seat: str
    cell: Cell
    card: str | None


class KittenShown(Happened, frozen=True, kw_only=True, tag="kitten_shown"):
    """The touched card is the Kitten, which lies face up now."""

    seat: str
    cell: Cell
    kitten: str


class KittenDefused(Happened, frozen=True, kw_only=True, tag="kitten_defused"):
    """A Defuse was played; the grid's cards lie face down in ``cells``."""

    seat: str
    card: str
    cells: tuple[Cell, ...]


class WentOut(Happened, frozen=True, kw_only=True, tag="went_out"):
    """A player is out, by the Kitten or because they left."""

    seat: str
    out: Literal["kitten", "left"]


class GameWon(Happened, frozen=True, kw_only=True, tag="game_won"):
    """The last one standing."""

    seat: str


class Undone(Happened, frozen=True, kw_only=True, tag="undone"):
    """The game is as it was before the event ``version``, the last thing that was said.

    A window that is open again is a new one that closes at ``closes_at``.
    """

    version: int
    closes_at: int | None


class NoteMade(Happened, frozen=True, kw_only=True, tag="note_made"):
    """Private: a seat noted a card under a cell of its own grid, or forgot it."""

    seat: str
    cell: Cell
    card: str | None


Event = (
    SeatTaken | PlaceAsked | PlaceGivenUp | SeatRenamed | SeatRemoved | SeatClaimed
    | OptionsChanged | HostChanged
    | Prepared | ReturnedToLobby | ReadySaid | GameEnded | Rematched | GameBegan | NextCalled
    | CallerChanged | RollCallSkipped | TurnBegan | Instructed | CardPlayed | NopePlayed
    | Passed | Held | Released | WindowExtended | WindowClosed | StepBegan | Looked
    | GridShuffled | CardRevealed | FavorOver | CardTouched | CardDrawn | KittenShown
    | KittenDefused | WentOut | GameWon | Undone | NoteMade
)  # fmt: skip
"""Everything that can stand in a log."""
