"""The state of a game: frozen values, which a family extends. What follows from them (who comes
next, whether a card stands, who may Nope) are properties and functions, never fields."""

from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache, partial
from typing import Generic, Literal, Self, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from companion.rules.core.family import Json
from companion.rules.core.moves import Phase

OutReason = Literal["kitten", "left"]  # how a player went out
HOLD_MS = 60_000  # how long a held window waits before it runs again by itself (ruling hold)


class HasSeat(Struct, frozen=True, kw_only=True):
    """Whoever or whatever has a seat."""

    seat: str


Seated = TypeVar("Seated", bound=HasSeat)


def with_seat(those: tuple[Seated, ...], seat: str, **changes: object) -> tuple[Seated, ...]:
    return tuple([replace(one, **changes) if one.seat == seat else one for one in those])


def at_seat(those: Iterable[Seated], seat: str | None) -> Seated | None:
    for one in those:
        if one.seat == seat:
            return one
    return None


@lru_cache(2048)
def after(order: tuple[str, ...], living: tuple[str, ...], seat: str, way: int = 1) -> str:
    """The next living seat in the ring, ``way`` -1: the one before; ``seat`` itself when alone."""
    start = order.index(seat)
    many = len(order)
    for step in range(1, many):
        other = order[(start + way * step) % many]
        if other in living:
            return other
    return seat


before = partial(after, way=-1)


class Player(HasSeat, frozen=True, kw_only=True):
    """One seat in the game; ``hand`` counts cards, ``out`` is ``None`` for the living."""

    hand: int
    out: OutReason | None = None

    @property
    def alive(self) -> bool:
        return self.out is None

    def keeping(self, now: Self) -> Self:
        """This player with the notes that they have ``now``, as far as those still hold."""
        return self

    def remembering(self, undone: object) -> Self:
        """This player with what everybody saw of their cards by the event that is ``undone``."""
        return self


class Window(Struct, frozen=True, kw_only=True):
    """The time in which the card on top can be Noped; ``id`` is the version that opened it.
    ``closes_at`` is in ms since the epoch. While ``held_by`` holds the clock, ``left_ms`` would
    still be left and ``closes_at`` is when it would close if nobody did anything."""

    id: int
    seconds: int
    closes_at: int
    passed: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    held_by: str | None = None
    left_ms: int = 0


class Played(Struct, frozen=True, kw_only=True):
    """What waits for its window or its effect; ``card``: its id, or what several cards are."""

    card: str
    by: str
    target: str | None = None
    nopes: tuple[str, ...] = ()

    @property
    def counts(self) -> bool:
        """Whether it takes effect if the window closed now (rulings nope-cancels, yup)."""
        return len(self.nopes) % 2 == 0

    @property
    def top(self) -> str:
        """Whose card lies on top: the last Nope's player, else the card's own."""
        return self.nopes[-1] if self.nopes else self.by


class Turn(Struct, frozen=True, kw_only=True):
    """One player's turn; ``owed``: how many they still have to take in a row, this one included."""

    number: int
    seat: str
    step: str
    owed: int = 1


PlayerT = TypeVar("PlayerT", bound=Player, covariant=True)
TurnT = TypeVar("TurnT", bound=Turn, covariant=True)
PlayedT = TypeVar("PlayedT", bound=Played, covariant=True)


class GameOf(Struct, Generic[PlayerT, TurnT, PlayedT], frozen=True, kw_only=True, dict=True):
    """One game from its beginning to the last one standing; players in order of play."""

    players: tuple[PlayerT, ...]
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
        """The player at this seat; KeyError when there is none."""
        return self.by_seat[seat]

    @property
    def current(self) -> TurnT:
        """The turn that is on; to be asked only where there is one."""
        assert self.turn is not None
        return self.turn

    @property
    def pending(self) -> PlayedT:
        """What was played and waits; to be asked only where something does."""
        assert self.played is not None
        return self.played

    @property
    def facts(self) -> Json:
        """Whose turn it is and what waits, for a sentence that refuses."""
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
        """The next living seat (ruling turn-ends)."""
        return after(self.order, self.living, seat)

    def before(self, seat: str) -> str:
        return before(self.order, self.living, seat)

    def with_player(self, seat: str, **changes: object) -> Self:
        return replace(self, players=with_seat(self.players, seat, **changes))

    def with_turn(self, **changes: object) -> Self:
        return self if self.turn is None else replace(self, turn=replace(self.turn, **changes))

    def holders(self, card: str) -> tuple[str, ...]:
        """The living seats with such a card in hand, for all that the call can know."""
        raise NotImplementedError

    def discard_from_hand(self, seat: str, card: str, /) -> Self:
        """After a card went from the hand to the discard pile, seen by all (ruling from-hand)."""
        raise NotImplementedError

    def with_winner(self, seat: str) -> Self:
        return replace(self, winner=seat, turn=None, played=None, window=None)

    def keeping(self, now: Self) -> Self:
        """This game with the notes of the one that is ``now``: a note is not undone."""
        players = tuple([player.keeping(now.player(player.seat)) for player in self.players])
        return replace(self, players=players)

    def remembering(self, undone: object) -> Self:
        """This game with what everybody saw by the event that is ``undone``."""
        players = tuple([player.remembering(undone) for player in self.players])
        return replace(self, players=players)


Game = GameOf[Player, Turn, Played]
