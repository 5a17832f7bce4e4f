"""The types for tables of moves.

Each row of such a table describes one command: the role that may send it, the step in which it is
legal, and its effect. Each family lists the moves of its game in ``MOVES``; ``lobby`` lists the
moves of the table. The referee, the list of legal commands and the diagram in ``docs/steps.md`` all
read the same rows, so they can't disagree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any, Generic, TypeVar

from msgspec import Struct

from companion.rules.core.commands import Command, DecisionInputs
from companion.rules.core.types import Event, Events, Phase

EVERY_STEP = "every step"  # value of Move.during for a command that is legal in all steps
# Value in ``Move.leads_to``: once the played card's window has closed, the game goes to the step
# that ``Machine.closes`` names for the card's effect.
WINDOW_CLOSED = "closed"

CommandT = TypeVar("CommandT", bound=Command, covariant=True)
TableT = TypeVar("TableT", covariant=True)
GameT = TypeVar("GameT", covariant=True)


class CommandContext(Struct, Generic[TableT, GameT, CommandT], frozen=True):
    """A command with everything that the rules need to decide on it."""

    table: TableT
    game: GameT
    seat: str  # the seat that the command acts for, or a newcomer's future seat
    command: CommandT
    inputs: DecisionInputs
    host: str | None = None  # the host's seat, if the host acts for another seat


AnyContext = CommandContext[Any, Any, Any]
Seats = Callable[[Any, Any], tuple[str, ...]]  # takes a table and its game, and returns seats


class Role(Struct, frozen=True):
    """A role that a command requires, such as the turn player or the host."""

    name: str
    seats: Seats  # returns the seats that have the role now
    ruling: str  # the ruling cited when another seat sends the command


TURN_PLAYER = Role(
    "turn player", lambda table, game: (game.turn.seat,) if game.turn else (), "own-turn"
)
HOST = Role("host", lambda table, game: (table.host,) if table.host else (), "host-only")
ALIVE = Role("any living player", lambda table, game: game.living, "out-is-out")


class Move(Struct, frozen=True):
    """A command of a game. The referee checks the command's role and step, and then calls
    ``validate``."""

    command: type[Command]
    by: Role
    during: str
    """The step in which the command is legal, or ``EVERY_STEP``."""
    resolve: Callable[[AnyContext], Events]
    """Returns the events of a valid command. It never refuses the command."""
    leads_to: tuple[str, ...] = ()
    """The steps that can follow."""
    validate: Callable[[AnyContext], None] | None = None
    """Makes the remaining checks. Raises ``Refused`` if one of them fails."""
    choices: Callable[[Any, Any, str], Iterable[Command]] | None = None
    """Returns every legal form of the command. The arguments are the table, the game and a seat. If
    ``choices`` is None, the command has no arguments to choose. ``windows.window_choices`` lists
    the commands of an open window."""
    refused_by: str | Mapping[str, str] = ""
    """The ruling cited when the command is sent in another step. Either one ruling for all other
    steps, or a mapping from step to ruling, in which the key ``""`` stands for the remaining steps.
    """
    own_seat_only: str = ""
    """The ruling that refuses the command for another seat, even from the host. Empty if the host
    may act for the seat."""
    device_ruling: str = ""
    """The ruling cited when the host acts for a seat although the device that keeps its deck is
    connected."""

    def ruling_against(self, step: str) -> str:
        """Return the ruling that refuses the command in this step."""
        if isinstance(self.refused_by, str):
            return self.refused_by
        return self.refused_by.get(step, self.refused_by[""])


class TableMove(Struct, frozen=True):
    """A command of the table, such as taking a seat or changing options."""

    command: type[Command]
    during: tuple[Phase, ...]
    """The phases in which the command is legal."""
    refused_by: str | None
    """The ruling cited in other phases. None stands for the family's ``preparation_ruling``."""
    resolve: Callable[[AnyContext], Events]
    """Returns the events; raises ``Refused`` if the command is wrong."""
    host_only: bool = False
    """True if only the host may send the command. The host may then act for any seat."""
    own_seat_only: bool = False
    """True if no other seat, not even the host's, may send the command for this seat."""
    after_leaving: bool = False
    """True if players who have left the table may still send the command."""
    by: Role | None = None
    """The command acts for a seat, and that seat must have this role. None stands for any seat."""


AnyMove = Move | TableMove


class Machine(Struct, frozen=True, kw_only=True, dict=True):
    """A family's game as a state machine: its steps, and the moves that lead from one step to
    another."""

    begins: tuple[str, ...]
    """The steps in which a game can begin."""
    moves: tuple[Move, ...]
    closes: Mapping[str, str]
    """Maps the effect of a played card to the next step, which begins when the card's window has
    closed. The key ``lost`` stands for a card that was Noped."""
    alone: Mapping[str, str] = {}
    """Maps a step to a ruling. During such a step only the step's own commands are legal, and any
    other command is refused with this ruling."""
    step_first: bool = False
    """True if the referee checks the step before the role, and the window's id before both of them.
    """
    un_nopeable: tuple[type[Event], ...] = ()
    """The events that can't be answered by a Nope (ruling un-nopeable)."""
    made_nopeable: Callable[[Any], tuple[type[Event], ...]] = lambda _table: ()
    """Returns the events in ``un_nopeable`` that the table's house rules have made nopeable."""

    @cached_property
    def steps(self) -> Mapping[str, tuple[Move, ...]]:
        """Maps each step to the moves that are legal in this step but not in every step."""
        steps = dict.fromkeys(move.during for move in self.moves if move.during != EVERY_STEP)
        return {step: tuple(m for m in self.moves if m.during == step) for step in steps}


def event_resolver(
    event: type[Event], **facts: Callable[[AnyContext], object]
) -> Callable[[AnyContext], Events]:
    """Return a ``resolve`` function that turns a command into one event of this type.

    The event's ``seat`` is the seat of the context. Each entry of ``facts`` is a function that
    computes the field of that name from the context. All other fields are copied from the command.
    """
    fields = [name for name in event.__struct_fields__ if name not in ("seat", *facts)]

    def resolve(context: AnyContext) -> Events:
        values = {name: getattr(context.command, name) for name in fields}
        values |= {name: compute(context) for name, compute in facts.items()}
        return (event(seat=context.seat, **values),)

    return resolve
