"""The state of a table, as frozen records without derived fields. Each family extends them."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Generic, Literal, TypeVar

from msgspec import Struct

from companion.rules.core import moves
from companion.rules.core.commands import TakeBack
from companion.rules.core.family import Family
from companion.rules.core.game import Game, HasSeat, at_seat
from companion.rules.core.house_rules import Form, HouseRuleChanges
from companion.rules.core.moves import CommandT, Phase
from companion.rules.core.variant import Variant

if TYPE_CHECKING:
    from companion.rules.core.events import Event

HOST_AWAY_MS = 60_000  # a host away for this time can be replaced (ruling host-is-gone)


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The host's choices for the table. Each family adds its own."""

    nope_seconds: int  # the full time of a Nope window
    spectators: bool = True  # whether people without a seat may watch
    locked: bool = False  # refuses newcomers; the host can still add players without a panel
    odds: bool = True  # whether panels show the odds
    remind_seconds: Literal[30, 60] | None = None
    """Panels remind a player whom the game has waited for this long; None: never."""
    take_back: TakeBack = "host"
    """Who can undo: the host, also players by agreement, or nobody (rulings undo, by-agreement)."""
    signs: bool = True  # whether people who only watch may send signs

    def resolve_for(self, players: int) -> "Options":
        """Return the options with each open choice decided by the number of players."""
        return self


class Seat(HasSeat, frozen=True, kw_only=True):
    """One person's place at the table."""

    name: str
    panel: bool  # whether the player uses the companion
    ready: bool = False  # for the next game
    gone: bool = False  # has left, and won't be in a rematch
    robot: str | None = None  # the temper of the robot that plays here
    lent: bool = False  # whether the robot plays for a person, for one game


class Waiting(HasSeat, frozen=True, kw_only=True):
    """A newcomer who waits for the next game, in which ``seat`` will be theirs."""

    name: str


class UndoPoint(Struct, frozen=True, kw_only=True):
    """A snapshot of the game that an undo can go back to."""

    version: int  # the snapshot was taken before the event with this version
    game: Game
    seat: str | None = None  # issued the command of that event
    event: "Event | None" = None  # None for the end of the game by the host


class UndoRequest(Struct, frozen=True, kw_only=True):
    """A player's request to undo their own last command."""

    id: int  # the version of the event that opened it
    seat: str
    until: int  # times out then, in ms since the epoch
    agreed: tuple[str, ...] = ()  # the seats that have agreed


class Deck(HasSeat, frozen=True, kw_only=True):
    """A deck that the seat's device keeps instead of the table."""

    commit: str  # the commitment to the secret
    secret: str | None = None  # None until the device opens it
    name: str = ""  # the player's name; the player may have left since
    here: bool | None = True
    """Whether the seat's device has the deck. None: the seat was opened on another device, which
    hasn't yet reported whether it has it."""


GameT = TypeVar("GameT", bound=Game, covariant=True)


class TableOf(Struct, Generic[GameT], frozen=True, kw_only=True):
    """A group of people on one call, with the game of the ``family`` that they play."""

    family: Family
    code: str
    variant: Variant  # with the house rules applied
    options: Options
    version: int = 0  # the number of events in the log
    newest_window: int = 0
    """The id of the newest Nope window in any game of the table, even if an undo removed it."""
    host: str | None = None
    seats: tuple[Seat, ...] = ()
    games: int = 1  # the number of the game that is prepared or played, from 1
    setup: bool = False
    game: GameT | None = None
    past: tuple[UndoPoint, ...] = ()
    """A snapshot of the game before each command, oldest first (ruling undo)."""
    ended: "Table | None" = None
    """The table before the host ended its game, as long as that can be undone."""
    waiting: tuple[Waiting, ...] = ()
    asked: UndoRequest | None = None
    """The open request for an undo; the next command of the game ends it."""
    decks: tuple[Deck, ...] = ()
    """The decks that devices will keep in the next game. All others lie on the table (ruling
    own-deck)."""
    dealt: tuple[Deck, ...] = ()
    """The decks that devices keep in the current game, or kept in the last one."""
    house: HouseRuleChanges | None = None  # the house rules
    base: Variant | None = None  # the variant without house rules; None if there are none

    @property
    def form(self) -> Form:
        """The fields that house rules can change, for the current number of seats."""
        base = self.base or self.variant
        return base.form(base.players.next_to(len(self.seats)))

    def deck(self, seat: str) -> Deck | None:
        """Return the seat's device deck in the game that is prepared or played, or None."""
        decks = self.dealt if self.game else self.decks
        return at_seat(decks, seat) if decks else None

    def keeps_deck(self, seat: str) -> bool:
        """Return True if the seat has a device deck that its device hasn't reported missing."""
        deck = self.deck(seat)
        return deck is not None and deck.here is not False

    @property
    def any_deck_opened(self) -> bool:
        """True if a deck of the newest game is open; from then on nothing can be undone."""
        return any(deck.secret for deck in self.dealt)

    @property
    def seats_with_closed_decks(self) -> frozenset[str]:
        """The seats whose devices still have to open a deck of the newest game."""
        return frozenset(deck.seat for deck in self.dealt if deck.secret is None)

    @property
    def remaining_seats(self) -> tuple[Seat, ...]:
        """The seats of the next game, without players who have left."""
        return tuple(seat for seat in self.seats if not seat.gone)

    def waiter(self, seat: str | None) -> Waiting | None:
        """Return the person who waits for this seat, or None."""
        return at_seat(self.waiting, seat) if self.waiting else None

    @property
    def undo_points(self) -> tuple[UndoPoint, ...]:
        """The points that an undo can go back to, oldest first. If the host has ended the game, the
        last one is from before its end."""
        ended = self.ended
        if ended is None or ended.game is None:
            return self.past
        return (*ended.past, UndoPoint(version=ended.version + 1, game=ended.game))

    @property
    def phase(self) -> Phase:
        if self.game is None:
            return "setup" if self.setup else "lobby"
        return self.game.phase

    def seat(self, seat: str) -> Seat:
        """Return the seat with this id; raises ``KeyError`` if there is none."""
        record = at_seat(self.seats, seat)
        if record is None:
            raise KeyError(seat)
        return record

    @property
    def in_order(self) -> tuple[Seat, ...]:
        """The seats in order of play; before a game, in the order in which they were taken."""
        return self.seats if self.game is None else self.by_id(self.game.order)

    def by_id(self, order: Iterable[str]) -> tuple[Seat, ...]:
        """Return the seats with these ids, in this order."""
        seats = {seat.seat: seat for seat in self.seats}
        return tuple([seats[seat] for seat in order])

    def playing(self) -> GameT:
        """Return the game. Only for callers that know there is one."""
        assert self.game is not None
        return self.game


Table = TableOf[Game]

# The context of a command in a game, and of one at a table with or without a game.
GameContext = moves.CommandContext[Table, Game, CommandT]
TableContext = moves.CommandContext[Table, Game | None, CommandT]
