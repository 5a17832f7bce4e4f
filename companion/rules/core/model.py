"""The state of a table and of the game on it: frozen values, nothing derived.

What follows from these values (who comes next, whether a card stands, who may Nope) are
properties and functions, never fields. A family extends these records with what its games
have. This module must not know how a state comes about.
"""

from collections.abc import Iterable
from functools import cached_property
from typing import Literal

from msgspec import Struct

from companion.rules.core import chain
from companion.rules.core.commands import TakeBack
from companion.rules.core.events import Happened, Out
from companion.rules.core.family import Family
from companion.rules.core.machine import Phase
from companion.rules.core.variant import Variant

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


class Game(Struct, frozen=True, kw_only=True, dict=True):
    """One game from its beginning to the last one standing; players in order of play."""

    players: tuple[Player, ...]
    turn: Turn | None = None
    played: Played | None = None
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

    def player(self, seat: str) -> Player:
        """The player at this seat."""
        for player in self.players:
            if player.seat == seat:
                return player
        raise KeyError(seat)

    def after(self, seat: str) -> str:
        """The next living seat (ruling turn-ends)."""
        return chain.after(self.order, self.living, seat)

    def before(self, seat: str) -> str:
        """The living seat before."""
        return chain.before(self.order, self.living, seat)


class Past(Struct, frozen=True, kw_only=True):
    """The game as it was before the event ``version``, which ``seat``'s word brought about.

    ``event``: that one; ``None`` where it was no word of the game.
    """

    version: int
    game: Game
    seat: str | None = None
    event: Happened | None = None


class Asked(Struct, frozen=True, kw_only=True):
    """``seat`` asks to take back their last word, and ``agreed`` are those who agree so far.

    ``id`` is the version of the request; it lapses at ``until``, in ms.
    """

    id: int
    seat: str
    until: int
    agreed: tuple[str, ...] = ()


class Deck(Struct, frozen=True, kw_only=True):
    """A deck that ``seat``'s device keeps: what it committed to, and the secret once opened.

    ``name``: its player's, who may have left before it is opened.
    """

    seat: str
    commit: str
    secret: str | None = None
    name: str = ""


class Table(Struct, frozen=True, kw_only=True):
    """A group of people on one call, and what they play: a game of the ``family``.

    ``version`` counts the events in its log.

    ``games`` numbers the game that is prepared or played, from 1. ``past`` holds the
    game as it was before each thing that somebody said, oldest first (ruling undo).
    ``ended`` is the table as it was before the host ended its game, until the next word.
    ``asked``: what a player asks to take back, until the next word.
    ``decks``: those that devices will keep in the next game; ``dealt``: those which they keep
    or kept in the newest one. All other cards lie on the table (ruling own-deck).
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
    game: Game | None = None
    past: tuple[Past, ...] = ()
    ended: "Table | None" = None
    waiting: tuple[Waiting, ...] = ()
    asked: Asked | None = None
    decks: tuple[Deck, ...] = ()
    dealt: tuple[Deck, ...] = ()

    def deck(self, seat: str) -> Deck | None:
        """The seat's deck in the game that is prepared or on, if its device keeps it."""
        decks = self.dealt if self.game else self.decks
        return next((deck for deck in decks if deck.seat == seat), None)

    @property
    def opened(self) -> bool:
        """Whether a deck of the newest game is open: nothing of it is taken back any more."""
        return any(deck.secret for deck in self.dealt)

    @property
    def unopened(self) -> frozenset[str]:
        """The seats whose devices still have to open a deck of the newest game."""
        return frozenset(deck.seat for deck in self.dealt if deck.secret is None)

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
        return tuple(self.seat(seat) for seat in order)

    def playing(self) -> Game:
        """The game; to be asked only where there is one."""
        assert self.game is not None
        return self.game
