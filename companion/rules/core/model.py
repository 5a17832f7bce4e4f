"""The state of a table: frozen values, nothing derived. A family extends these records, too."""

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

HOST_AWAY_MS = 60_000  # after so long without the host another may take the role (host-is-gone)


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the host chose for the table; a family has more of them. ``nope_seconds`` is a window's
    full time. ``remind_seconds``: after how long who is waited for is reminded; ``None``: never.
    ``take_back``: whose words can be taken back, by whom (rulings undo, by-agreement). ``signs``:
    whether those who only watch may send a sign."""

    nope_seconds: int
    spectators: bool = True
    locked: bool = False
    odds: bool = True
    remind_seconds: Literal[30, 60] | None = None
    take_back: TakeBack = "host"
    signs: bool = True

    def held_by(self, players: int) -> "Options":
        """What holds among so many players: what the host left open is decided by that."""
        return self


class Seat(HasSeat, frozen=True, kw_only=True):
    """One person's place at the table. ``gone``: they left and will not be in a rematch. ``robot``:
    the temper of the robot that plays there; ``lent``: for a person, for one game."""

    name: str
    panel: bool
    ready: bool = False
    gone: bool = False
    robot: str | None = None
    lent: bool = False


class Waiting(HasSeat, frozen=True, kw_only=True):
    """Somebody who came while a game was on; ``seat`` will be theirs in the next one."""

    name: str


class UndoPoint(Struct, frozen=True, kw_only=True):
    """The game as it was before the event ``version``, which ``seat``'s word brought about:
    ``event``, if it was a word of the game."""

    version: int
    game: Game
    seat: str | None = None
    event: "Event | None" = None


class UndoRequest(Struct, frozen=True, kw_only=True):
    """``seat`` asks to take back their last word, and ``agreed`` are those who agree so far. ``id``
    is the version of the request; it lapses at ``until``, in ms."""

    id: int
    seat: str
    until: int
    agreed: tuple[str, ...] = ()


class Deck(HasSeat, frozen=True, kw_only=True):
    """A deck that ``seat``'s device keeps."""

    commit: str
    secret: str | None = None  # once opened
    name: str = ""  # its player's, who may have left before
    here: bool | None = True
    """Whether the seat's device has the deck. None: a link has opened the seat on another device,
    which hasn't said so yet."""


GameT = TypeVar("GameT", bound=Game, covariant=True)


class TableOf(Struct, Generic[GameT], frozen=True, kw_only=True):
    """A group of people on one call, and what they play: a game of the ``family``.

    ``version`` counts the events in its log. ``newest_window`` is the id of the last window that
    opened, in whichever game, also where the card was taken back.

    ``games`` numbers the game that is prepared or played, from 1. ``past`` holds the game as it was
    before each thing that somebody said, oldest first (ruling undo). ``ended`` is the table as it
    was before the host ended its game, until the next word. ``asked``: what a player asks to take
    back, until the next word. ``house``: its house rules; its ``variant`` is then the ``base`` with
    them. ``decks``: those that devices will keep in the next game; ``dealt``: those which they keep
    or kept in the newest one. All other cards lie on the table (ruling own-deck)."""

    family: Family
    code: str
    variant: Variant
    options: Options
    version: int = 0
    newest_window: int = 0
    host: str | None = None
    seats: tuple[Seat, ...] = ()
    games: int = 1
    setup: bool = False
    game: GameT | None = None
    past: tuple[UndoPoint, ...] = ()
    ended: "Table | None" = None
    waiting: tuple[Waiting, ...] = ()
    asked: UndoRequest | None = None
    decks: tuple[Deck, ...] = ()
    dealt: tuple[Deck, ...] = ()
    house: HouseRuleChanges | None = None
    base: Variant | None = None

    @property
    def form(self) -> Form:
        """What house rules can change, for those who sit here."""
        base = self.base or self.variant
        return base.form(base.players.next_to(len(self.seats)))

    def deck(self, seat: str) -> Deck | None:
        """The seat's deck in the game that is prepared or on, if its device keeps it."""
        decks = self.dealt if self.game else self.decks
        return at_seat(decks, seat) if decks else None

    def keeps_deck(self, seat: str) -> bool:
        """Return True if the seat has a deck on a device, which hasn't said that it is missing."""
        deck = self.deck(seat)
        return deck is not None and deck.here is not False

    @property
    def any_deck_opened(self) -> bool:
        """Whether a deck of the newest game is open: nothing of it is taken back any more."""
        return any(deck.secret for deck in self.dealt)

    @property
    def seats_with_closed_decks(self) -> frozenset[str]:
        """The seats whose devices still have to open a deck of the newest game."""
        return frozenset(deck.seat for deck in self.dealt if deck.secret is None)

    @property
    def stay(self) -> tuple[Seat, ...]:
        """The seats of the next game: all but those of who left."""
        return tuple(seat for seat in self.seats if not seat.gone)

    def waiter(self, seat: str | None) -> Waiting | None:
        return at_seat(self.waiting, seat) if self.waiting else None

    @property
    def undoable(self) -> tuple[UndoPoint, ...]:
        """What can be taken back, oldest first; a game that was ended has its end as well."""
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
        """The seat with this id; KeyError when there is none."""
        found = at_seat(self.seats, seat)
        if found is None:
            raise KeyError(seat)
        return found

    @property
    def in_order(self) -> tuple[Seat, ...]:
        """The seats in order of play once there is one, as they came before."""
        return self.seats if self.game is None else self.by_id(self.game.order)

    def by_id(self, order: Iterable[str]) -> tuple[Seat, ...]:
        seats = {seat.seat: seat for seat in self.seats}
        return tuple([seats[seat] for seat in order])

    def playing(self) -> GameT:
        """The game; to be asked only where there is one."""
        assert self.game is not None
        return self.game


Table = TableOf[Game]

GameContext = moves.CommandContext[Table, Game, CommandT]  # a command in a game
TableContext = moves.CommandContext[
    Table, Game | None, CommandT
]  # a command of the table, where there may be a game
