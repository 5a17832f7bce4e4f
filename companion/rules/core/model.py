"""Immutable records for the state of a table. Each family of games subclasses them."""

from collections.abc import Iterable
from typing import Generic, TypeVar

from msgspec import Struct

from companion.rules.core import moves
from companion.rules.core.family import Family
from companion.rules.core.game import Game, HasSeat, at_seat
from companion.rules.core.moves import CommandT
from companion.rules.core.options import Options
from companion.rules.core.types import Event, Phase
from companion.rules.variants.form import Form, HouseRuleChanges
from companion.rules.variants.variant import Variant

HOST_AWAY_MS = 60_000  # after this absence another player can become host (ruling host-is-gone)


class Seat(HasSeat, frozen=True, kw_only=True):
    """One person's place at the table."""

    name: str
    panel: bool  # False for a player without the panel, for whom the host sends commands
    ready: bool = False  # ready for the next game
    gone: bool = False  # the player has left and won't be part of a rematch
    robot: str | None = None  # the personality of the robot that plays here, if any
    lent: bool = False  # True if the robot stands in for a person, for the current game


class Waiting(HasSeat, frozen=True, kw_only=True):
    """A newcomer who waits for the next game and will get this seat in it."""

    name: str


class UndoPoint(Struct, frozen=True, kw_only=True):
    """A snapshot of the game that an undo can go back to."""

    version: int  # the snapshot was taken before the event with this version
    game: Game
    seat: str | None = None  # the seat whose command caused that event
    event: Event | None = None  # None if the host ended the game


class UndoRequest(Struct, frozen=True, kw_only=True):
    """A player's request to undo their own last command."""

    id: int  # the version of the event that opened the request
    seat: str
    until: int  # when the request times out, in ms since the epoch
    agreed: tuple[str, ...] = ()  # the seats that have agreed


class Deck(HasSeat, frozen=True, kw_only=True):
    """A virtual deck, dealt and kept by the player's device in place of real cards."""

    commit: str  # the hash of the device's secret, published before the game
    secret: str | None = None  # the secret; None until the device publishes it
    name: str = ""  # the player's name, stored in case the player leaves
    here: bool | None = True
    """True if the seat's device has the deck. None after the seat was opened on another device,
    until that device reports."""


GameT = TypeVar("GameT", bound=Game, covariant=True)


class TableOf(Struct, Generic[GameT], frozen=True, kw_only=True):
    """A table: a group of people on one video call, and the game that they play."""

    family: Family
    code: str
    variant: Variant  # with the house rules applied
    options: Options
    version: int = 0  # the number of events in the log
    newest_window: int = 0
    """The id of the newest Nope window ever opened at this table, even if an undo removed it."""
    host: str | None = None
    seats: tuple[Seat, ...] = ()
    games: int = 1  # the number of the current or upcoming game, from 1
    setup: bool = False
    game: GameT | None = None
    past: tuple[UndoPoint, ...] = ()
    """A snapshot of the game before each command, oldest first (ruling undo)."""
    ended: "Table | None" = None
    """The table as it was before the host ended the game, while that can still be undone."""
    waiting: tuple[Waiting, ...] = ()
    asked: UndoRequest | None = None
    """The open request for an undo. The next command of the game cancels it."""
    decks: tuple[Deck, ...] = ()
    """Device decks for the next game. Players without one use real cards (ruling own-deck)."""
    dealt: tuple[Deck, ...] = ()
    """Device decks of the current game, or of the last one if no game is running."""
    house: HouseRuleChanges | None = None  # None if there are none
    base: Variant | None = None  # the variant without house rules; None if there are none

    @property
    def form(self) -> Form:
        """The fields that house rules can change, for the current number of seats."""
        base = self.base or self.variant
        return base.form(base.players.next_to(len(self.seats)))

    def deck(self, seat: str) -> Deck | None:
        """Return the seat's device deck in the current or upcoming game, or None."""
        decks = self.dealt if self.game else self.decks
        return at_seat(decks, seat) if decks else None

    def keeps_deck(self, seat: str) -> bool:
        """Return True if the seat has a device deck that its device hasn't reported missing."""
        deck = self.deck(seat)
        return deck is not None and deck.here is not False

    @property
    def any_deck_opened(self) -> bool:
        """True once a device has published its secret after the newest game; undo ends then."""
        return any(deck.secret for deck in self.dealt)

    @property
    def seats_with_closed_decks(self) -> frozenset[str]:
        """The seats whose devices haven't yet published the secret of their deck in the newest
        game."""
        return frozenset(deck.seat for deck in self.dealt if deck.secret is None)

    @property
    def remaining_seats(self) -> tuple[Seat, ...]:
        """The seats of the next game: all seats except those of players who have left."""
        return tuple(seat for seat in self.seats if not seat.gone)

    def waiter(self, seat: str | None) -> Waiting | None:
        """Return the newcomer who will get this seat in the next game, or None."""
        return at_seat(self.waiting, seat) if self.waiting else None

    @property
    def undo_points(self) -> tuple[UndoPoint, ...]:
        """The snapshots that an undo can go back to, oldest first. If the host has ended the game,
        the last one was taken just before that."""
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

    def require_game(self) -> GameT:
        """Return the game. Call this only where a game is known to exist."""
        assert self.game is not None
        return self.game


Table = TableOf[Game]

# The contexts of commands: in a game, and at a table that may have no game.
GameContext = moves.CommandContext[Table, Game, CommandT]
TableContext = moves.CommandContext[Table, Game | None, CommandT]
