"""The effects which a variant's cards can name, and those of combos: at whom they are aimed, and
what they lead to.

An effect is carried out after the window has closed in its favour; what somebody still has to
do for it becomes the turn's step. This module must not know of windows.
"""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from companion.rules.core.events import Happened, StepBegan
from companion.rules.core.rulings import Refused
from companion.rules.pile import events, turns
from companion.rules.pile.model import Game, Played, Table


class Aim(Struct, frozen=True):
    """Another living player is named with the play (by this ruling); ``card``: one who holds
    a card."""

    ruling: str
    card: bool = True

    def asks(self, game: Game, seat: str, target: str | None, facts: dict[str, Any]) -> None:
        """Refuses whom it can't be aimed at."""
        if target is None:
            raise Refused(self.ruling, **facts)
        if target == seat:
            raise Refused(self.ruling, case="not-yourself", **facts)
        if not game.player(target).alive:
            raise Refused(self.ruling, case="out", target=target, **facts)
        if self.card and not game.player(target).hand:
            raise Refused(self.ruling, case="empty", target=target, **facts)

    def targets(self, game: Game, seat: str) -> tuple[str, ...]:
        """At whom it can be aimed."""
        return tuple(
            player.seat
            for player in game.players
            if player.alive and player.seat != seat and (player.hand or not self.card)
        )


class Effect(Struct, frozen=True):
    """``aim``: whom it names, if anybody; ``leads_to`` carries it out; ``then``: the step that
    follows."""

    aim: Aim | None
    leads_to: Callable[[Table, Played], tuple[Happened, ...]]
    then: str


def takes_effect(table: Table, played: Played) -> tuple[Happened, ...]:
    """What follows once the window has closed in the favour of what was played."""
    effect = COMBOS.get(played.card) or EFFECTS[table.variant.card(played.card).effect]
    if effect.aim is not None and played.target not in effect.aim.targets(
        table.playing(), played.by
    ):  # ruling target-emptied
        return (events.EffectOver(seat=played.by),)
    return effect.leads_to(table, played)


def _ends_turn(table: Table, played: Played) -> tuple[Happened, ...]:
    return (turns.next_turn(table.playing()),)


def _attacks_next(table: Table, played: Played) -> tuple[Happened, ...]:
    game = table.playing()
    return (turns.attacked(game, turns.after(game), table.variant.attack_stacks),)


def _attacks_target(table: Table, played: Played) -> tuple[Happened, ...]:
    assert played.target is not None
    return (turns.attacked(table.playing(), played.target, table.variant.attack_stacks),)


def _step(step: str) -> Callable[[Table, Played], tuple[Happened, ...]]:
    """The turn player has something to do."""

    def begins(table: Table, played: Played) -> tuple[Happened, ...]:
        return (StepBegan(seat=played.by, step=step),)

    return begins


def _targets_step(step: str) -> Callable[[Table, Played], tuple[Happened, ...]]:
    """The target has something to do."""

    def begins(table: Table, played: Played) -> tuple[Happened, ...]:
        assert played.target is not None
        return (StepBegan(seat=played.target, step=step),)

    return begins


EFFECTS = {
    "skip": Effect(None, _ends_turn, "act"),
    "attack": Effect(None, _attacks_next, "act"),
    "targeted_attack": Effect(Aim("targeted-attack", card=False), _attacks_target, "act"),
    "bottom": Effect(None, _step("report"), "report"),
    "see": Effect(None, _step("look"), "look"),
    "alter": Effect(None, _step("look"), "look"),
    "shuffle": Effect(None, _step("shuffle"), "shuffle"),
    "favor": Effect(Aim("favor-another"), _targets_step("give"), "give"),
}
"""The effects of cards that are played as an action of one's own (ruling not-an-action)."""

CATS = ("cat", "feral")
"""The effects of cards that do nothing alone (ruling powerless-alone)."""

COMBOS = {
    "pair": Effect(Aim("combo-target"), _step("take"), "take"),
    "triple": Effect(Aim("combo-target"), _targets_step("answer"), "answer"),
    "five": Effect(None, _step("pick"), "pick"),
}
"""The effects of combos (rulings pair-steals, three-names-a-card, five-different)."""
