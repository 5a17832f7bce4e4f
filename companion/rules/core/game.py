"""Immutable records for the state of a game. Each family of games extends them.

Anything that can be computed from the state (the next player, whether a card counts, who may Nope)
is a property or a function, never a field.
"""

from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache, partial
from typing import Generic, Self, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from companion.rules.core.types import Json, OutReason, Phase

HOLD_MS = 60_000  # a held window's clock runs again by itself after this time (ruling hold)


class HasSeat(Struct, frozen=True, kw_only=True):
    """The base of all records that belong to a seat."""

    seat: str


Seated = TypeVar("Seated", bound=HasSeat)


def with_seat(records: tuple[Seated, ...], seat: str, **changes: object) -> tuple[Seated, ...]:
    """Return the records, with ``changes`` applied to the one of this seat."""
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
def after(order: tuple[str, ...], living: tuple[str, ...], seat: str, way: int = 1) -> str:
    """Return the next living seat in the ring, or with ``way`` -1 the previous one.

    Returns ``seat`` itself if nobody else is alive.
    """
    start = order.index(seat)
    count = len(order)
    for step in range(1, count):
        other = order[(start + way * step) % count]
        if other in living:
            return other
    return seat


before = partial(after, way=-1)


class Player(HasSeat, frozen=True, kw_only=True):
    """One player of a game."""

    hand: int  # number of cards in hand
    out: OutReason | None = None  # None while alive

    @property
    def alive(self) -> bool:
        return self.out is None

    def with_notes_of(self, now: Self) -> Self:
        """Return this player with those notes of ``now`` that are still valid.

        An undo calls this: it restores an earlier state of the player but keeps the notes made
        since.
        """
        return self

    def with_facts_of(self, undone: object) -> Self:
        """Return this player with what the undone event showed everybody about their cards."""
        return self


class Window(Struct, frozen=True, kw_only=True):
    """The time in which the card on top can be Noped (see ``windows``)."""

    id: int  # the version of the event that opened it
    seconds: int  # its full length
    closes_at: int
    """In ms since the epoch. While the clock is held: the latest time at which it will close."""
    passed: tuple[str, ...] = ()  # seats that won't Nope the card on top
    held: tuple[str, ...] = ()  # seats that have held this window
    held_by: str | None = None  # the seat that holds the clock now
    left_ms: int = 0  # the time left, while the clock is held


class Played(Struct, frozen=True, kw_only=True):
    """The card that waits for its window to close or its effect to be carried out."""

    card: str  # its id, or the kind of a combo of several cards
    by: str
    target: str | None = None
    nopes: tuple[str, ...] = ()  # the seats that Noped it, the newest last

    @property
    def counts(self) -> bool:
        """True if the card would take effect if the window closed now (rulings nope-cancels,
        yup)."""
        return len(self.nopes) % 2 == 0

    @property
    def seat_on_top(self) -> str:
        """The seat whose card is on top: the last Nope's player, or the card's own."""
        return self.nopes[-1] if self.nopes else self.by


class Turn(Struct, frozen=True, kw_only=True):
    """One player's turn."""

    number: int
    seat: str
    step: str
    owed: int = 1  # turns that the player has to take in a row, including this one


PlayerT = TypeVar("PlayerT", bound=Player, covariant=True)
TurnT = TypeVar("TurnT", bound=Turn, covariant=True)
PlayedT = TypeVar("PlayedT", bound=Played, covariant=True)


class GameOf(Struct, Generic[PlayerT, TurnT, PlayedT], frozen=True, kw_only=True, dict=True):
    """The state of one game."""

    players: tuple[PlayerT, ...]  # in order of play
    turn: TurnT | None = None
    played: PlayedT | None = None
    window: Window | None = None
    winner: str | None = None

    @property
    def phase(self) -> Phase:
        return "play" if self.winner is None else "over"

    @cached_property
    def order(self) -> tuple[str, ...]:
        return tuple([player.seat for player in self.players])

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
    def current(self) -> TurnT:
        """The current turn. Use this only where a turn is known to exist."""
        assert self.turn is not None
        return self.turn

    @property
    def pending(self) -> PlayedT:
        """The card being played. Use this only where one is known to exist."""
        assert self.played is not None
        return self.played

    @property
    def facts(self) -> Json:
        """The turn player and the pending card, as facts for the sentence of a refusal."""
        turn = self.turn
        played = self.played
        window = self.window
        facts: Json = {"turn": turn.seat} if turn else {}
        if played is not None:
            facts |= {"card": played.card, "by": played.by, "target": played.target}
        if window is not None and window.held_by is not None:
            facts["holder"] = window.held_by
        return facts

    def after(self, seat: str) -> str:
        """Return the next living seat (ruling turn-ends)."""
        return after(self.order, self.living, seat)

    def before(self, seat: str) -> str:
        """Return the previous living seat."""
        return before(self.order, self.living, seat)

    def with_player(self, seat: str, **changes: object) -> Self:
        return replace(self, players=with_seat(self.players, seat, **changes))

    def with_turn(self, **changes: object) -> Self:
        return self if self.turn is None else replace(self, turn=replace(self.turn, **changes))

    def holders(self, card: str) -> tuple[str, ...]:
        """Return the living seats that may have this card in hand, as far as everybody can know."""
        raise NotImplementedError

    def discard_from_hand(self, seat: str, card: str, /) -> Self:
        """Return the game after a card went from the hand face up to the discard pile
        (from-hand)."""
        raise NotImplementedError

    def with_winner(self, seat: str) -> Self:
        return replace(self, winner=seat, turn=None, played=None, window=None)

    def with_notes_of(self, now: Self) -> Self:
        """Return this game with the private notes of the game ``now``, which an undo keeps."""
        players = tuple([player.with_notes_of(now.player(player.seat)) for player in self.players])
        return replace(self, players=players)

    def with_facts_of(self, undone: object) -> Self:
        """Return this game with what the undone event showed everybody."""
        players = tuple([player.with_facts_of(undone) for player in self.players])
        return replace(self, players=players)


Game = GameOf[Player, Turn, Played]
