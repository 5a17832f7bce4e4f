"""The machine of the classic games: in which step who may say what, and which step follows.

This module must not know what a command asks beyond that.
"""

from companion.rules.core.commands import Hold, Pass, PlayNope, Release
from companion.rules.core.machine import CLOSED, Machine, May, Who
from companion.rules.core.model import Table
from companion.rules.core.nopes import WINDOW
from companion.rules.core.roles import ALIVE, TURN_PLAYER
from companion.rules.pile import commands
from companion.rules.pile.effects import COMBOS, EFFECTS
from companion.rules.pile.model import Game


def _target(table: Table, game: Game) -> tuple[str, ...]:
    return (game.played.target,) if game.played and game.played.target else ()


TARGET = Who("target", _target, "their-own-hand")

_WAITS = {"": "one-thing-at-a-time"}
_TOUCHED = ("report", "kitten")

MACHINE = Machine(
    begins=("act",),
    steps={
        "act": {
            commands.PlayCard: May(TURN_PLAYER, ("window", CLOSED)),
            commands.PlayCombo: May(TURN_PLAYER, ("window", CLOSED)),
            commands.Draw: May(TURN_PLAYER, ("report",)),
        },
        "window": WINDOW,
        "look": {commands.Look: May(TURN_PLAYER, ("act",))},
        "shuffle": {commands.Shuffled: May(TURN_PLAYER, ("act",))},
        "give": {commands.Give: May(TARGET, ("act",))},
        "take": {commands.Take: May(TURN_PLAYER, ("act",))},
        "answer": {commands.Answer: May(TARGET, ("act",))},
        "pick": {commands.Pick: May(TURN_PLAYER, ("act",))},
        "report": {commands.Report: May(TURN_PLAYER, ("act", "kitten"))},
        "kitten": {
            commands.Defuse: May(TURN_PLAYER, ("act",)),
            commands.Explode: May(TURN_PLAYER, ("act", "over")),
        },
    },
    closes={
        "lost": "act",
        "target emptied": "act",
        **{name: effect.then for name, effect in {**EFFECTS, **COMBOS}.items()},
    },
    any_step={commands.MakeNote: ALIVE},
    otherwise={
        commands.PlayCard: {**dict.fromkeys(_TOUCHED, "no-play-after-draw"), **_WAITS},
        commands.PlayCombo: {**dict.fromkeys(_TOUCHED, "no-play-after-draw"), **_WAITS},
        commands.Draw: _WAITS,
        PlayNope: {**dict.fromkeys(_TOUCHED, "un-nopeable"), "": "in-time"},
        Pass: {"": "in-time"},
        Hold: {"": "in-time"},
        Release: {"": "in-time"},
        commands.Look: _WAITS,
        commands.Shuffled: _WAITS,
        commands.Give: _WAITS,
        commands.Take: _WAITS,
        commands.Answer: _WAITS,
        commands.Pick: _WAITS,
        commands.Report: _WAITS,
        commands.Defuse: {"": "defuse-only-a-kitten"},
        commands.Explode: _WAITS,
    },
    alone={},
    own=(commands.MakeNote,),
    step_first=True,
)
