"""The draw grid's machine: in which step who may say what, and which step follows.

This module must not know what a command asks beyond that.
"""

from companion.rules.core.commands import PlayNope
from companion.rules.core.machine import CLOSED, Machine, May, Who
from companion.rules.core.model import Table
from companion.rules.core.nopes import WINDOW
from companion.rules.core.roles import ALIVE, HOST, TURN_PLAYER
from companion.rules.grid import commands
from companion.rules.grid.effects import EFFECTS
from companion.rules.grid.model import Game


def _instructor(table: Table, game: Game) -> tuple[str, ...]:
    return (game.before(game.turn.seat),) if game.turn else ()


def _target(table: Table, game: Game) -> tuple[str, ...]:
    waits = game.turn is not None and game.turn.step == "reveal" and game.played is not None
    return (game.played.target or "",) if waits and game.played else game.living


def _caller(table: Table, game: Game) -> tuple[str, ...]:
    return (game.caller,) if game.caller else game.living


INSTRUCTOR = Who("instructor", _instructor, "told-by-previous")
TARGET = Who("Favor's target", _target, "favor-turns-one-up")
CALLER = Who("caller", _caller, "roll-call")

_TOO_LATE = {"report": "no-play-after-draw", "kitten": "no-play-after-draw"}

_OF_CARDS = (
    PlayNope, commands.PlayCard, commands.Draw, commands.Look, commands.Shuffled, commands.Reveal,
    commands.Report, commands.Defuse, commands.Explode,
)  # fmt: skip

MACHINE = Machine(
    begins=("roll_call", "tell"),
    steps={
        "roll_call": {
            commands.CallNext: May(CALLER, ("roll_call", "tell")),
            commands.SkipRollCall: May(HOST, ("tell",)),
        },
        "tell": {commands.Instruct: May(INSTRUCTOR, ("act",))},
        "act": {
            commands.PlayCard: May(TURN_PLAYER, ("window", CLOSED)),
            commands.Draw: May(TURN_PLAYER, ("report",)),
        },
        "window": WINDOW,
        "look": {commands.Look: May(TURN_PLAYER, ("act",))},
        "shuffle": {commands.Shuffled: May(TURN_PLAYER, ("tell",))},
        "reveal": {commands.Reveal: May(TARGET, ("act",))},
        "report": {commands.Report: May(TURN_PLAYER, ("tell", "kitten"))},
        "kitten": {
            commands.Defuse: May(TURN_PLAYER, ("tell",)),
            commands.Explode: May(TURN_PLAYER, ("tell", "over")),
        },
    },
    closes={"lost": "act", **{name: effect.then for name, effect in EFFECTS.items()}},
    any_step={commands.MakeNote: ALIVE},
    otherwise={
        commands.CallNext: {"": "roll-call"},
        commands.SkipRollCall: {"": "roll-call"},
        commands.Instruct: {"": "told-once"},
        commands.PlayCard: {"tell": "wait-to-be-told", **_TOO_LATE, "": "one-thing-at-a-time"},
        commands.Draw: {"tell": "wait-to-be-told", "": "one-thing-at-a-time"},
        commands.Look: {"": "look-at-one"},
        commands.Shuffled: {"": "shuffle-needs-a-new-word"},
        commands.Reveal: {"": "favor-turns-one-up"},
        commands.Report: {"": "draw-what-you-were-told", "kitten": "show-the-kitten"},
        commands.Defuse: {"": "defuse-only-a-kitten"},
        commands.Explode: {"": "defuse-or-out"},
    },
    alone={"roll_call": "roll-call"},
    own=(commands.MakeNote,),
    of_cards=dict.fromkeys(_OF_CARDS, "own-deck"),
)
