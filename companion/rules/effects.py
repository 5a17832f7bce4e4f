"""The effects which a variant's cards can name: what playing one asks and leads to.

An effect is carried out after the window has closed in its favour; what its player
still has to do for it becomes the turn's step. This module must not know of windows.
"""

from collections.abc import Callable, Iterator

from msgspec import Struct

from companion.rules import events, grid, turns
from companion.rules.commands import PlayCard
from companion.rules.events import Event
from companion.rules.model import Game, Played
from companion.rules.rulings import Refused


class Effect(Struct, frozen=True):
    """``asks`` refuses a play that lacks what the effect needs; ``leads_to`` carries it out.

    ``choices`` lists every way to play the card from a seat's hand now.
    """

    asks: Callable[[Game, PlayCard], None]
    leads_to: Callable[[Game, Played], tuple[Event, ...]]
    choices: Callable[[Game, str, str], Iterator[PlayCard]]


def _no_target(game: Game, play: PlayCard) -> None:
    if play.target is not None or play.cell is not None:
        raise Refused("favor-another", case="no-target-here", card=play.card)


def _one_way(game: Game, seat: str, card: str) -> Iterator[PlayCard]:
    yield PlayCard(seat=seat, card=card)


def _ends_turn(game: Game, played: Played) -> tuple[Event, ...]:
    return (turns.next_turn(game),)


def _looks(game: Game, played: Played) -> tuple[Event, ...]:
    return (events.StepBegan(seat=played.by, step="look"),)


def _shuffles(game: Game, played: Played) -> tuple[Event, ...]:
    return (events.StepBegan(seat=played.by, step="shuffle"),)


def _needs_a_card(game: Game, play: PlayCard) -> None:
    if play.target is None or play.cell is None:
        raise Refused("favor-another", case="whose")
    if play.target == play.seat:
        raise Refused("favor-another", case="not-yourself")
    target = game.player(play.target)
    if not target.alive:
        raise Refused("favor-another", case="out", target=play.target)
    if grid.at(target.grid, play.cell) != grid.DOWN:
        raise Refused("favor-another", case="face-down", target=play.target, cell=play.cell)


def _turns_one_up(game: Game, played: Played) -> tuple[Event, ...]:
    assert played.target is not None
    return (events.StepBegan(seat=played.target, step="reveal"),)


def _every_face_down_card(game: Game, seat: str, card: str) -> Iterator[PlayCard]:
    for player in game.players:
        if player.seat != seat:
            for cell in grid.face_down(player.grid):
                yield PlayCard(seat=seat, card=card, target=player.seat, cell=cell)


EFFECTS = {
    "skip": Effect(_no_target, _ends_turn, _one_way),
    "look": Effect(_no_target, _looks, _one_way),
    "shuffle": Effect(_no_target, _shuffles, _one_way),
    "favor": Effect(_needs_a_card, _turns_one_up, _every_face_down_card),
}
"""The effects of cards that are played as an action of one's own (ruling not-an-action)."""
