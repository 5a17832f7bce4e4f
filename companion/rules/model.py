"""The state of a table and of the game on it: frozen values, nothing derived.

What follows from these values (who comes next, who instructs, whether a card stands,
who may Nope) are properties and functions, never fields. This module must not know how
a state comes about.
"""

from typing import Literal

from msgspec import Struct

from companion.rules import chain, deduction
from companion.rules.grid import Cell, Grid
from companion.rules.variant import Variant

Phase = Literal["lobby", "setup", "roll_call", "play", "over"]
Step = Literal["tell", "act", "window", "look", "shuffle", "reveal", "report", "kitten"]

HOLD_MS = 60_000
"""How long a held window waits before it runs again by itself (ruling hold)."""

HOST_AWAY_MS = 60_000
"""How long the host must have been away before another may take the role (host-is-gone)."""


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the host chose for the table; ``nope_seconds`` is a window's full time.

    ``remind_seconds``: after how long who is waited for is reminded; ``None``: never.
    """

    nope_seconds: int
    roll_call: bool = True
    spectators: bool = True
    locked: bool = False
    odds: bool = True
    remind_seconds: Literal[30, 60] | None = None


class Seat(Struct, frozen=True, kw_only=True):
    """One person's place at the table. ``gone``: they left and will not be in a rematch."""

    seat: str
    name: str
    panel: bool
    ready: bool = False
    gone: bool = False


class Waiting(Struct, frozen=True, kw_only=True):
    """Somebody who came while a game was on; ``seat`` will be theirs in the next one."""

    seat: str
    name: str


class Player(Struct, frozen=True, kw_only=True):
    """One seat in the game. ``out`` is how they went out: ``kitten``, ``left`` or not yet.

    ``hand`` counts cards. ``arranged`` counts how often the grid was shuffled or
    rearranged: notes made under another arrangement mean nothing. ``seen`` is what the
    call saw of this player's cards since the deal, the ground of every deduction;
    ``touched`` has, for each draw, how much was seen before it and what lay in the cell.
    """

    seat: str
    hand: int
    grid: Grid
    out: Literal["kitten", "left"] | None = None
    discard: tuple[str, ...] = ()
    notes: tuple[tuple[Cell, str], ...] = ()
    arranged: int = 0
    seen: tuple[deduction.Observation, ...] = ()
    touched: tuple[tuple[int, str], ...] = ()

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
    """A card that waits for its window or for its effect to be carried out."""

    card: str
    by: str
    target: str | None = None
    cell: Cell | None = None
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
    """One player's turn; ``told`` is the cell which they must draw, once instructed."""

    number: int
    seat: str
    step: Step = "tell"
    told: Cell | None = None


class Game(Struct, frozen=True, kw_only=True):
    """One game from the roll call to the last one standing; players in order of play."""

    players: tuple[Player, ...]
    first: str
    caller: str | None = None
    turn: Turn | None = None
    played: Played | None = None
    window: Window | None = None
    winner: str | None = None

    @property
    def order(self) -> tuple[str, ...]:
        """Every seat in order of play, the living and those who are out."""
        return tuple(player.seat for player in self.players)

    @property
    def living(self) -> tuple[str, ...]:
        """The chain: the living seats in order of play."""
        return tuple(player.seat for player in self.players if player.alive)

    def player(self, seat: str) -> Player:
        """The player at this seat."""
        return next(player for player in self.players if player.seat == seat)

    def after(self, seat: str) -> str:
        """The next living seat (rulings chain-closes-up, turn-ends)."""
        return chain.after(self.order, self.living, seat)

    def before(self, seat: str) -> str:
        """The living seat before: the instructor of this seat's turn."""
        return chain.before(self.order, self.living, seat)


class Past(Struct, frozen=True, kw_only=True):
    """The game as it was before the event ``version``, which somebody's words brought about."""

    version: int
    game: Game


class Table(Struct, frozen=True, kw_only=True):
    """A group of people on one call. ``version`` counts the events in its log.

    ``games`` numbers the game that is prepared or played, from 1. ``past`` holds the
    game as it was before each thing that somebody said, oldest first (ruling undo).
    ``ended`` is the table as it was before the host ended its game, until the next word.
    """

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

    @property
    def stay(self) -> tuple[Seat, ...]:
        """The seats of the next game: all but those of who left."""
        return tuple(seat for seat in self.seats if not seat.gone)

    def waiter(self, seat: str | None) -> Waiting | None:
        """Who waits for this seat."""
        return next((one for one in self.waiting if one.seat == seat), None)

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
        if self.game.winner is not None:
            return "over"
        return "roll_call" if self.game.turn is None else "play"

    def seat(self, seat: str) -> Seat:
        """The seat with this id; KeyError when there is none."""
        for found in self.seats:
            if found.seat == seat:
                return found
        raise KeyError(seat)

    @property
    def in_order(self) -> tuple[Seat, ...]:
        """The seats in order of play from the setup on, as they came before."""
        if self.game is not None:
            return tuple(self.seat(seat) for seat in self.game.order)
        if self.setup:
            return tuple(sorted(self.seats, key=lambda seat: chain.alphabetical(seat.name)))
        return self.seats
