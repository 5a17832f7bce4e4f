"""What a machine is: in which phase or step who may say what, and which step follows.

The referee and the diagram in ``docs/steps.md`` read the same tables. This module must not
know a step.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Literal

from msgspec import Struct

from companion.rules.core.commands import Said
from companion.rules.core.events import Happened

Phase = Literal["lobby", "setup", "roll_call", "play", "over"]
"""Where a table stands; only some families have a roll call."""


class Who(Struct, frozen=True):
    """A role: its name in the docs, who has it now, and the ruling which refuses others.

    ``seats`` is asked of the table and its game.
    """

    name: str
    seats: Callable[[Any, Any], tuple[str, ...]]
    ruling: str


class Line(Struct, frozen=True):
    """A command of the table: where it is in order, what refuses it elsewhere, what it leads to.

    Without a ruling it is the one by which the family's cards are prepared. ``host``: only the
    host says it; ``own``: nobody says it for another seat; ``left``: who has left may say it too.
    """

    phases: tuple[Phase, ...]
    ruling: str | None
    leads_to: Callable[[Any, Any], tuple[Happened, ...]]
    host: bool = False
    own: bool = False
    left: bool = False


CLOSED = "closed"
"""Where a window's end leads, at once: ``Machine.closes`` says what follows it."""


class May(Struct, frozen=True):
    """Who may say it, and the steps that can follow it."""

    who: Who
    then: tuple[str, ...]


class Machine(Struct, frozen=True, kw_only=True):
    """``steps`` is the whole machine; a command is refused in any step that doesn't list it. A game
    ``begins`` in one of these steps.

    ``closes``: what was played (or ``lost``) → the step that follows once the window has closed.
    ``any_step``: what may be said in all of them. ``otherwise``: the ruling which refuses a
    command, by step (``""``: in any other). ``alone``: the ruling which refuses all else in a
    step, whoever says it. ``own``: what nobody says for another seat; ``of_cards``: the ruling
    which refuses what nobody says for one whose device keeps its cards and is here. ``step_first``:
    what is out of step is refused before it is asked whose turn it is, and a word for another
    window than the open one before all else.
    """

    begins: tuple[str, ...]
    steps: Mapping[str, Mapping[type[Said], May]]
    closes: Mapping[str, str]
    any_step: Mapping[type[Said], Who]
    otherwise: Mapping[type[Said], Mapping[str, str]]
    alone: Mapping[str, str]
    own: tuple[type[Said], ...]
    of_cards: Mapping[type[Said], str] = MappingProxyType({})
    step_first: bool = False

    def who(self, kind: type[Said]) -> Who:
        """Whose command it is, in whatever step; KeyError for one that isn't the game's."""
        if kind in self.any_step:
            return self.any_step[kind]
        return next(row[kind].who for row in self.steps.values() if kind in row)

    def legal(self, step: str, kind: type[Said]) -> bool:
        """Whether it is in order in this step."""
        return kind in self.steps[step] or kind in self.any_step

    def ruling(self, step: str, kind: type[Said]) -> str:
        """The ruling that refuses a command which is out of step."""
        return self.otherwise[kind].get(step, self.otherwise[kind][""])
