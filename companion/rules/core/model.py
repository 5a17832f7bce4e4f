"""The state of a table and of the game on it: frozen values, nothing derived.

What follows from these values (who comes next, whether a card stands, who may Nope) are
properties and functions, never fields. A family extends these records with what its games
have.
"""

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Generic, Literal, Self, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from companion.rules.core import chain
from companion.rules.core.commands import TakeBack
from companion.rules.core.family import Family, Json
from companion.rules.core.moves import Phase
from companion.rules.core.variant import Variant

Out = Literal["kitten", "left"]
"""How a player went out."""

HOLD_MS = 60_000
"""How long a held window waits before it runs again by itself (ruling hold)."""

HOST_AWAY_MS = 60_000
"""How long the host must have been away before another may take the role (host-is-gone)."""


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the host chose for the table; ``nope_seconds`` is a window's full time.

    A family has more of them.

    ``remind_seconds``: after how long who is waited for is reminded; ``None``: never.
    ``take_back``: whose words can be taken back, by whom (rulings undo, by-agreement).
    ``signs``: whether those who only watch may send a sign.
    """

    nope_seconds: int
    spectators: bool = True
    locked: bool = False
    odds: bool = True
    remind_seconds: Literal[30, 60] | None = None
    take_back: TakeBack = "host"
    signs: bool = True


class Seat(Struct, frozen=True, kw_only=True):
    """One person's place at the table. ``gone``: they left and will not be in a rematch.

    ``robot``: the temper of the robot that plays there; ``lent``: for a person, for one game.
    """

    seat: str
    name: str
    panel: bool
    ready: bool = False
    gone: bool = False
    robot: str | None = None
    lent: bool = False


class Waiting(Struct, frozen=True, kw_only=True):
    """Somebody who came while a game was on; ``seat`` will be theirs in the next one."""

    seat: str
    name: str


class Player(Struct, frozen=True, kw_only=True):
    """One seat in the game; ``hand`` counts cards, ``out`` is ``None`` for the living."""

    seat: str
    hand: int
    out: Out | None = None

    @property
    def alive(self) -> bool:
        """Still in the game."""
        return self.out is None


class Window(Struct, frozen=True, kw_only=True):
    """The time in which the card on top can be Noped; ``id`` is the version that opened it.

    ``closes_at`` is in ms since the epoch. While ``held_by`` holds the clock, ``left_ms``
    would still be left and ``closes_at`` is when it would close if nobody did anything.
    """

    id: int
    seconds: int
    closes_at: int
    passed: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    held_by: str | None = None
    left_ms: int = 0


class Played(Struct, frozen=True, kw_only=True):
    """What waits for its window or for its effect to be carried out.

    ``card`` is the card's id, or the name of what was played with several cards.
    """

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
    """One player's turn, and what it waits for.

    ``owed``: how many turns they still have to take in a row, this one included.
    """

    number: int
    seat: str
    step: str
    owed: int = 1


Plays = TypeVar("Plays", bound=Player, covariant=True)
IsOn = TypeVar("IsOn", bound=Turn, covariant=True)
Lies = TypeVar("Lies", bound=Played, covariant=True)


class GameOf(Struct, Generic[Plays, IsOn, Lies], frozen=True, kw_only=True, dict=True):
    """One game from its beginning to the last one standing; players in order of play.

    A family says what its players and turns are, and what is played.
    """

    players: tuple[Plays, ...]
    turn: IsOn | None = None
    played: Lies | None = None
    window: Window | None = None
    winner: str | None = None

    @property
    def phase(self) -> Phase:
        """How far the game is."""
        return "play" if self.winner is None else "over"

    @cached_property
    def order(self) -> tuple[str, ...]:
        """Every seat in order of play, the living and those who are out."""
        return tuple([player.seat for player in self.players])

    @cached_property
    def living(self) -> tuple[str, ...]:
        """The living seats in order of play."""
        return tuple([player.seat for player in self.players if player.out is None])

    @cached_property
    def by_seat(self) -> Mapping[str, Plays]:
        """The players by their seats."""
        return {player.seat: player for player in self.players}

    def player(self, seat: str) -> Plays:
        """The player at this seat; KeyError when there is none."""
        return self.by_seat[seat]

    @property
    def current(self) -> IsOn:
        """The turn that is on; to be asked only where there is one."""
        assert self.turn is not None
        return self.turn

    @property
    def pending(self) -> Lies:
        """What was played and waits; to be asked only where something does."""
        assert self.played is not None
        return self.played

    @property
    def facts(self) -> Json:
        """Whose turn it is and what waits, for a sentence that refuses."""
        turn, played, window = self.turn, self.played, self.window
        facts: Json = {"turn": turn.seat} if turn else {}
        if played is not None:
            facts |= {"card": played.card, "by": played.by, "target": played.target}
        if window is not None and window.held_by is not None:
            facts["holder"] = window.held_by
        return facts

    def after(self, seat: str) -> str:
        """The next living seat (ruling turn-ends)."""
        return chain.after(self.order, self.living, seat)

    def before(self, seat: str) -> str:
        """The living seat before."""
        return chain.before(self.order, self.living, seat)

    def with_player(self, seat: str, **changes: object) -> Self:
        """The game with one of its players changed."""
        return replace(self, players=with_seat(self.players, seat, **changes))

    def with_turn(self, **changes: object) -> Self:
        """The game with its turn changed, if one is on."""
        return self if self.turn is None else replace(self, turn=replace(self.turn, **changes))

    def keeping(self, now: Self) -> Self:
        """This game with what an undo doesn't take back of the one that is ``now``."""
        return self


Game = GameOf[Player, Turn, Played]

Seated = TypeVar("Seated", bound="Seat | Player")


def with_seat(those: tuple[Seated, ...], seat: str, **changes: object) -> tuple[Seated, ...]:
    """The same seats or players with one changed."""
    return tuple([replace(one, **changes) if one.seat == seat else one for one in those])


class Past(Struct, frozen=True, kw_only=True):
    """The game as it was before the event ``version``, which ``seat``'s word brought about."""

    version: int
    game: Game
    seat: str | None = None


class Asked(Struct, frozen=True, kw_only=True):
    """``seat`` asks to take back their last word, and ``agreed`` are those who agree so far.

    ``id`` is the version of the request; it lapses at ``until``, in ms.
    """

    id: int
    seat: str
    until: int
    agreed: tuple[str, ...] = ()


Playing = TypeVar("Playing", bound=Game, covariant=True)


class TableOf(Struct, Generic[Playing], frozen=True, kw_only=True):
    """A group of people on one call, and what they play: a game of the ``family``.

    ``version`` counts the events in its log.

    ``games`` numbers the game that is prepared or played, from 1. ``past`` holds the
    game as it was before each thing that somebody said, oldest first (ruling undo).
    ``ended`` is the table as it was before the host ended its game, until the next word.
    ``asked``: what a player asks to take back, until the next word.
    """

    family: Family
    code: str
    variant: Variant
    options: Options
    version: int = 0
    host: str | None = None
    seats: tuple[Seat, ...] = ()
    games: int = 1
    setup: bool = False
    game: Playing | None = None
    past: tuple[Past, ...] = ()
    ended: "Table | None" = None
    waiting: tuple[Waiting, ...] = ()
    asked: Asked | None = None

    @property
    def stay(self) -> tuple[Seat, ...]:
        """The seats of the next game: all but those of who left."""
        return tuple(seat for seat in self.seats if not seat.gone)

    def waiter(self, seat: str | None) -> Waiting | None:
        """Who waits for this seat."""
        return (
            next((one for one in self.waiting if one.seat == seat), None) if self.waiting else None
        )

    @property
    def undoable(self) -> tuple[Past, ...]:
        """What can be taken back, oldest first; a game that was ended has its end as well."""
        ended = self.ended
        if ended is None or ended.game is None:
            return self.past
        return (*ended.past, Past(version=ended.version + 1, game=ended.game))

    @property
    def phase(self) -> Phase:
        """Where the table stands between the lobby and the end of a game."""
        if self.game is None:
            return "setup" if self.setup else "lobby"
        return self.game.phase

    def seat(self, seat: str) -> Seat:
        """The seat with this id; KeyError when there is none."""
        for found in self.seats:
            if found.seat == seat:
                return found
        raise KeyError(seat)

    @property
    def in_order(self) -> tuple[Seat, ...]:
        """The seats in order of play once there is one, as they came before."""
        return self.seats if self.game is None else self.by_id(self.game.order)

    def by_id(self, order: Iterable[str]) -> tuple[Seat, ...]:
        """The seats with these ids."""
        seats = {seat.seat: seat for seat in self.seats}
        return tuple([seats[seat] for seat in order])

    def playing(self) -> Playing:
        """The game; to be asked only where there is one."""
        assert self.game is not None
        return self.game


Table = TableOf[Game]
