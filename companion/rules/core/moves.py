"""A command in a row: who may say it, when, what it asks and does, where it leads. A family's
``MOVES`` are its game, those of ``lobby`` the table. The referee, the list of what can be said now
and the diagram in ``docs/steps.md`` read the same rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from msgspec import Struct

from companion.rules.core.commands import Moment, Said

if TYPE_CHECKING:
    from companion.rules.core.events import Events, Happened
    from companion.rules.core.game import Game
    from companion.rules.core.model import Table

Phase = Literal["lobby", "setup", "roll_call", "play", "over"]  # not all have a roll call
ALWAYS: tuple[Phase, ...] = ("lobby", "setup", "roll_call", "play", "over")  # all of them
EVERY = "every step"  # when a word is in order whatever the game waits for
CLOSED = "closed"  # where a window's end leads, at once: Machine.closes says what follows it

S = TypeVar("S", bound=Said, covariant=True)
OfTable = TypeVar("OfTable", bound="Table", covariant=True)
OfGame = TypeVar("OfGame", bound="Game | None", covariant=True)


class Word(Struct, Generic[OfTable, OfGame, S], frozen=True):
    """A command whose speaker is known, at its table and in its game. ``seat`` is for whom it is
    said; of somebody who comes, the seat that will be theirs. ``host``: the host's seat, where the
    host says it for another."""

    table: OfTable
    game: OfGame
    seat: str
    said: S
    moment: Moment
    host: str | None = None


AnyWord = Word[Any, Any, Any]
Seats = Callable[[Any, Any], tuple[str, ...]]  # some of the seats, of a table and its game


class Role(Struct, frozen=True):
    """Who may say a thing: the role's name, who has it now, and the ruling that refuses others."""

    name: str
    seats: Seats
    ruling: str


TURN_PLAYER = Role(
    "turn player", lambda table, game: (game.turn.seat,) if game.turn else (), "own-turn"
)
HOST = Role("host", lambda table, game: (table.host,) if table.host else (), "host-only")
ALIVE = Role("any living player", lambda table, game: game.living, "out-is-out")


class Move(Struct, frozen=True):
    """A command of a game.

    ``during`` which step it is in order, ``by`` whom. ``asks`` refuses what else is wrong with it,
    ``does`` says what it leads to, and refuses nothing; ``leads_to`` are the steps that can follow.
    ``otherwise``: the ruling that refuses it in another step, or rulings by step (``""``: in any
    other). ``choices``: every way in which a seat can say it now (without: there is one; of an open
    window ``windows.ways``). ``own``: nobody says it for another seat; ``device``: the ruling which
    refuses that somebody says it for a seat whose device keeps its cards and is here."""

    said: type[Said]
    by: Role
    during: str
    does: Callable[[AnyWord], Events]
    leads_to: tuple[str, ...] = ()
    asks: Callable[[AnyWord], None] | None = None
    choices: Callable[[Any, Any, str], Iterable[Said]] | None = None
    otherwise: str | Mapping[str, str] = ""
    own: bool = False
    device: str = ""

    def refusing(self, step: str) -> str:
        if isinstance(self.otherwise, str):
            return self.otherwise
        return self.otherwise.get(step, self.otherwise[""])


class TableMove(Struct, frozen=True):
    """A command of the table: in which phases it is in order, which ruling refuses it in others.
    Without a ruling it is the one by which the family's cards are prepared. ``does`` refuses, too.
    ``host``: only the host says it, for whomever; ``by``: for whose seat alone it is said; ``own``:
    nobody says it for another seat; ``left``: who has left may say it too."""

    said: type[Said]
    during: tuple[Phase, ...]
    otherwise: str | None
    does: Callable[[AnyWord], Events]
    host: bool = False
    own: bool = False
    left: bool = False
    by: Role | None = None


AnyMove = Move | TableMove


class Machine(Struct, frozen=True, kw_only=True, dict=True):
    """A game's ``moves``: a command is refused in any step but its own. A game ``begins`` in one of
    these steps. ``closes``: what was played (or ``lost``) → the step that follows once the window
    has closed. ``alone``: the ruling which refuses all else in a step, whoever says it.
    ``step_first``: what is out of step is refused before it is asked whose turn it is, and a word
    for another window than the open one before all else. ``un_nopeable``: the events that no Nope
    answers (ruling un-nopeable)."""

    begins: tuple[str, ...]
    moves: tuple[Move, ...]
    closes: Mapping[str, str]
    alone: Mapping[str, str] = {}
    step_first: bool = False
    un_nopeable: tuple[type[Happened], ...] = ()

    @cached_property
    def steps(self) -> Mapping[str, tuple[Move, ...]]:
        steps = dict.fromkeys(move.during for move in self.moves if move.during != EVERY)
        return {step: tuple(m for m in self.moves if m.during == step) for step in steps}


def becomes(
    event: type[Happened], **facts: Callable[[AnyWord], object]
) -> Callable[[AnyWord], Events]:
    """What is said has happened: the event has the seat, what is said, ``facts`` of the word."""
    fields = [name for name in event.__struct_fields__ if name not in ("seat", *facts)]

    def does(word: AnyWord) -> Events:
        told = {name: getattr(word.said, name) for name in fields}
        told |= {name: fact(word) for name, fact in facts.items()}
        return (event(seat=word.seat, **told),)

    return does
