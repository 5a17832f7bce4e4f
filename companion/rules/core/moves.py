"""A command in a row: who may say it, when, what it asks and does, where it leads. A family's
``MOVES`` are its game, those of ``lobby`` the table. The referee, the list of what can be said now
and the diagram in ``docs/steps.md`` read the same rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from msgspec import Struct

from companion.rules.core.commands import Command, DecisionInputs

if TYPE_CHECKING:
    from companion.rules.core.events import Event, Events
    from companion.rules.core.game import Game
    from companion.rules.core.model import Table

Phase = Literal["lobby", "setup", "roll_call", "play", "over"]  # not all have a roll call
ALWAYS: tuple[Phase, ...] = ("lobby", "setup", "roll_call", "play", "over")  # all of them
EVERY_STEP = "every step"  # when a word is in order whatever the game waits for
WINDOW_CLOSED = "closed"  # where a window's end leads, at once: Machine.closes says what follows it

CommandT = TypeVar("CommandT", bound=Command, covariant=True)
TableT = TypeVar("TableT", bound="Table", covariant=True)
GameT = TypeVar("GameT", bound="Game | None", covariant=True)


class CommandContext(Struct, Generic[TableT, GameT, CommandT], frozen=True):
    """A command whose speaker is known, at its table and in its game. ``seat`` is for whom it is
    said; of somebody who comes, the seat that will be theirs. ``host``: the host's seat, where the
    host says it for another."""

    table: TableT
    game: GameT
    seat: str
    command: CommandT
    inputs: DecisionInputs
    host: str | None = None


AnyContext = CommandContext[Any, Any, Any]
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

    command: type[Command]
    by: Role
    during: str
    resolve: Callable[[AnyContext], Events]
    leads_to: tuple[str, ...] = ()
    validate: Callable[[AnyContext], None] | None = None
    choices: Callable[[Any, Any, str], Iterable[Command]] | None = None
    refused_by: str | Mapping[str, str] = ""
    own_seat_only: bool = False
    device_ruling: str = ""

    def ruling_against(self, step: str) -> str:
        if isinstance(self.refused_by, str):
            return self.refused_by
        return self.refused_by.get(step, self.refused_by[""])


class TableMove(Struct, frozen=True):
    """A command of the table: in which phases it is in order, which ruling refuses it in others.
    Without a ruling it is the one by which the family's cards are prepared. ``does`` refuses, too.
    ``host``: only the host says it, for whomever; ``by``: for whose seat alone it is said; ``own``:
    nobody says it for another seat; ``left``: who has left may say it too."""

    command: type[Command]
    during: tuple[Phase, ...]
    refused_by: str | None
    resolve: Callable[[AnyContext], Events]
    host_only: bool = False
    own_seat_only: bool = False
    after_leaving: bool = False
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
    un_nopeable: tuple[type[Event], ...] = ()

    @cached_property
    def steps(self) -> Mapping[str, tuple[Move, ...]]:
        steps = dict.fromkeys(move.during for move in self.moves if move.during != EVERY_STEP)
        return {step: tuple(m for m in self.moves if m.during == step) for step in steps}


def emits(
    event: type[Event], **facts: Callable[[AnyContext], object]
) -> Callable[[AnyContext], Events]:
    """What is said has happened: the event has the seat, what is said, ``facts`` of the word."""
    fields = [name for name in event.__struct_fields__ if name not in ("seat", *facts)]

    def does(context: AnyContext) -> Events:
        told = {name: getattr(context.command, name) for name in fields}
        told |= {name: fact(context) for name, fact in facts.items()}
        return (event(seat=context.seat, **told),)

    return does
