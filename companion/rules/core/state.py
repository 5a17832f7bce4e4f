"""Immutable records for the state of a game. Each family of games extends them.

A value that can be computed from the state, such as the next player, is a property or a function,
never a field.
"""

from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache, partial
from operator import attrgetter
from typing import ClassVar, Generic, Self, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from companion.rules.core import moves
from companion.rules.core.family import Family
from companion.rules.core.moves import CommandT
from companion.rules.core.options import Options
from companion.rules.core.types import Emblem, Event, Json, OutReason, Phase
from companion.rules.variants.form import Form, HouseRuleChanges
from companion.rules.variants.variant import Variant

HOLD_MS = 60_000  # a held window's clock runs again by itself after this time (ruling hold)


class HasSeat(Struct, frozen=True, kw_only=True):
    """The base of all records that belong to a seat."""

    seat: str


Seated = TypeVar("Seated", bound=HasSeat)


def with_seat(records: tuple[Seated, ...], seat: str, **changes: object) -> tuple[Seated, ...]:
    """Return the records, with these fields changed in the record of this seat."""
    return tuple(
        [replace(record, **changes) if record.seat == seat else record for record in records]
    )


def at_seat(records: Iterable[Seated], seat: str | None) -> Seated | None:
    """Return the seat's record, or None."""
    for record in records:
        if record.seat == seat:
            return record
    return None


@lru_cache(2048)
def next_living(order: tuple[str, ...], living: tuple[str, ...], seat: str, way: int = 1) -> str:
    """Return the next living seat in order of play, or the previous living seat if ``way`` is -1.

    Return ``seat`` itself if nobody else is alive.
    """
    start = order.index(seat)
    count = len(order)
    for step in range(1, count):
        other = order[(start + way * step) % count]
        if other in living:
            return other
    return seat


previous_living = partial(next_living, way=-1)


class Player(HasSeat, frozen=True, kw_only=True):
    """One player of a game."""

    hand: int  # number of cards in hand
    out: OutReason | None = None  # None while alive
    # True if the player passes automatically in every window until their next turn
    auto_pass: bool = False

    @property
    def alive(self) -> bool:
        return self.out is None

    def with_notes_of(self, now: Self) -> Self:
        """Return this earlier state of the player, with the notes from the newer state ``now``.

        An undo restores an earlier state of the player, but keeps the player's notes. A note that
        isn't valid in the earlier state is left out.
        """
        return self

    def with_facts_of(self, undone: object) -> Self:
        """Return this player with the knowledge about their cards that the undone event made
        public."""
        return self


class Window(Struct, frozen=True, kw_only=True):
    """The time in which the card on top can be Noped (see ``windows.py``)."""

    id: int  # the version of the event that opened the window
    seconds: int  # the window's full length
    closes_at: int
    """The time at which the window closes, in ms since the epoch. While a player holds the clock,
    this is the latest time at which the window can close."""
    passed: tuple[str, ...] = ()  # seats that won't Nope the card on top
    held: tuple[str, ...] = ()  # seats that have held this window
    held_by: str | None = None  # the seat that holds the clock now, or None
    left_ms: int = 0  # the time left, while the clock is held


class Played(Struct, frozen=True, kw_only=True):
    """The card that waits for its window to close or its effect to be carried out."""

    card: str  # the card's id, the kind of the combo, or ``INSTRUCTION``
    by: str
    target: str | None = None
    nopes: tuple[str, ...] = ()  # the seats that Noped the card or a Nope on it, the latest last

    @property
    def counts(self) -> bool:
        """True if the card would take effect if the window closed now (rulings nope-cancels,
        yup)."""
        return len(self.nopes) % 2 == 0

    @property
    def seat_of_top_card(self) -> str:
        """The seat that played the card on top: the last Nope, or the card itself if there is no
        Nope."""
        return self.nopes[-1] if self.nopes else self.by


class Turn(Struct, frozen=True, kw_only=True):
    """One player's turn."""

    number: int  # 1 for the first turn of the game
    seat: str
    step: str
    owed: int = 1  # turns that the player has to take in a row, including this one


PlayerT = TypeVar("PlayerT", bound=Player, covariant=True)
TurnT = TypeVar("TurnT", bound=Turn, covariant=True)
PlayedT = TypeVar("PlayedT", bound=Played, covariant=True)


class GameOf(Struct, Generic[PlayerT, TurnT, PlayedT], frozen=True, kw_only=True, dict=True):
    """The state of one game."""

    players: tuple[PlayerT, ...]  # in order of play
    turn: TurnT | None = None  # None before the first turn and after the game
    played: PlayedT | None = None
    window: Window | None = None  # the open Nope window, if any
    winner: str | None = None  # None until the game is over

    @property
    def phase(self) -> Phase:
        return "play" if self.winner is None else "over"

    @cached_property
    def order(self) -> tuple[str, ...]:
        return tuple([player.seat for player in self.players])

    turn_order: ClassVar[cached_property[tuple[str, ...]]] = cached_property(attrgetter("order"))
    """All seats in the order in which turns pass from player to player."""

    @cached_property
    def living(self) -> tuple[str, ...]:
        return tuple([player.seat for player in self.players if player.out is None])

    @cached_property
    def by_seat(self) -> Mapping[str, PlayerT]:
        return {player.seat: player for player in self.players}

    def player(self, seat: str) -> PlayerT:
        """Return the player at this seat; raises ``KeyError`` if there is none."""
        return self.by_seat[seat]

    @property
    def current_turn(self) -> TurnT:
        """The current turn. Use this only where a turn is known to exist."""
        assert self.turn is not None
        return self.turn

    @property
    def pending(self) -> PlayedT:
        """The card being played. Use this only while a card is known to be played."""
        assert self.played is not None
        return self.played

    @property
    def refusal_facts(self) -> Json:
        """Values for a refusal's placeholders: the turn player, the card being played, and the
        holder of the window's clock."""
        turn = self.turn
        played = self.played
        window = self.window
        facts: Json = {"turn": turn.seat} if turn else {}
        if played is not None:
            facts |= {"card": played.card, "by": played.by, "target": played.target}
        if window is not None and window.held_by is not None:
            facts["holder"] = window.held_by
        return facts

    def refusal_case(self, step: str) -> str:
        """Return the case of the sentence with which a command is refused in this step."""
        return step

    def next_living(self, seat: str) -> str:
        """Return the next living seat (ruling turn-ends)."""
        return next_living(self.turn_order, self.living, seat)

    def previous_living(self, seat: str) -> str:
        """Return the previous living seat."""
        return previous_living(self.turn_order, self.living, seat)

    def with_player(self, seat: str, **changes: object) -> Self:
        return replace(self, players=with_seat(self.players, seat, **changes))

    def with_auto_pass_of(self, now: Self) -> Self:
        """Return this earlier state of the game, with each player's ``auto_pass`` from ``now``.

        An undo brings back an earlier state, but doesn't change the players' choice to pass
        automatically.
        """
        if all(a.auto_pass == b.auto_pass for a, b in zip(self.players, now.players, strict=True)):
            return self
        choices = {player.seat: player.auto_pass for player in now.players}
        players = [replace(player, auto_pass=choices[player.seat]) for player in self.players]
        return replace(self, players=tuple(players))

    def without_auto_pass(self, seat: str) -> Self:
        """Return the game after the player's automatic passing has ended."""
        player = self.by_seat.get(seat)
        if player is None or not player.auto_pass:
            return self
        return self.with_player(seat, auto_pass=False)

    def with_turn(self, **changes: object) -> Self:
        return self if self.turn is None else replace(self, turn=replace(self.turn, **changes))

    def with_window_closed(self, counts: bool) -> Self:
        """Return the game after its window has closed. If the played card doesn't count, the card
        is lost."""
        closed = replace(self, window=None)
        return closed if counts else replace(closed.with_turn(step="act"), played=None)

    def holders(self, card: str) -> tuple[str, ...]:
        """Return the living seats that may have this card in hand, judging by what
        everybody knows."""
        raise NotImplementedError

    def discard_from_hand(self, seat: str, card: str, /) -> Self:
        """Return the game after a card was discarded from the hand, face up (ruling from-hand)."""
        raise NotImplementedError

    def with_winner(self, seat: str) -> Self:
        return replace(self, winner=seat, turn=None, played=None, window=None)

    def with_notes_of(self, now: Self) -> Self:
        """Return this earlier state of the game, with the notes from the newer state ``now``.

        An undo brings back an earlier state, but the players keep their newest private notes.
        """
        players = tuple([player.with_notes_of(now.player(player.seat)) for player in self.players])
        return replace(self, players=players)

    def with_facts_of(self, undone: object) -> Self:
        """Return this game with the knowledge about cards that the undone event made public."""
        players = tuple([player.with_facts_of(undone) for player in self.players])
        return replace(self, players=players)


Game = GameOf[Player, Turn, Played]


HOST_AWAY_MS = 60_000  # after this absence another player can become host (ruling host-is-gone)


class Seat(HasSeat, frozen=True, kw_only=True):
    """One person's place at the table."""

    name: str
    panel: bool  # False for a player without the panel, for whom the host sends commands
    ready: bool = False  # True if the player is ready for the next game
    gone: bool = False  # True if the player has left and won't be part of a rematch
    robot: str | None = None  # the personality of the robot at this seat; None without a robot
    lent: bool = False  # True if the robot stands in for a person, for the current game
    emblem: Emblem = "paw"


class Waiting(HasSeat, frozen=True, kw_only=True):
    """A newcomer who waits for the next game and will get this seat in it."""

    name: str


class UndoPoint(Struct, frozen=True, kw_only=True):
    """A snapshot of the game that an undo can go back to."""

    version: int  # the snapshot shows the game before the event with this version
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
    """True if the seat's device has the deck, False if the device reported that the deck is
    missing. None after the seat was opened on another device, until that device reports."""


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
    """A snapshot of the game before each command that can be undone, oldest first (ruling undo)."""
    ended: "Table | None" = None
    """The table as it was before the host ended the game, or None if an undo can't restore that
    game."""
    waiting: tuple[Waiting, ...] = ()
    asked: UndoRequest | None = None
    """The open request for an undo, or None. The next command of the game cancels the request."""
    decks: tuple[Deck, ...] = ()
    """Device decks for the next game. A player without a device deck uses real cards (ruling
    own-deck)."""
    dealt: tuple[Deck, ...] = ()
    """Device decks of the current game, or of the last game if no game is running."""
    house: HouseRuleChanges | None = None  # None if the table has no house rules
    base: Variant | None = None  # the variant without the house rules; None if the table has none

    @property
    def form(self) -> Form:
        """The fields that house rules can change, for the current number of seats."""
        base = self.base or self.variant
        return base.form(base.players.nearest_number(len(self.seats)))

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
        """True if a device has published the secret of its deck for the newest game. From then on,
        nothing can be undone."""
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

    def find_waiting(self, seat: str | None) -> Waiting | None:
        """Return the newcomer who will get this seat in the next game, or None."""
        return at_seat(self.waiting, seat) if self.waiting else None

    @property
    def undo_points(self) -> tuple[UndoPoint, ...]:
        """The snapshots that an undo can go back to, oldest first. If the host has ended the game,
        the last snapshot shows the game just before its end."""
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


# The context of a command that needs a running game.
GameContext = moves.CommandContext[Table, Game, CommandT]


# The context of a command of the table. Its ``game`` is None while no game is running.
TableContext = moves.CommandContext[Table, Game | None, CommandT]
