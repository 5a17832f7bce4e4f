"""The effects which a variant's cards can name: what playing one asks and leads to.

An effect is carried out after the window has closed in its favour; what its player
still has to do for it becomes the turn's step. This module must not know of windows.
"""

from collections.abc import Callable, Iterator

from msgspec import Struct

from companion.rules.core import events
from companion.rules.core.commands import Word
from companion.rules.core.events import Happened
from companion.rules.core.rulings import Refused
from companion.rules.grid import places, turns
from companion.rules.grid.commands import PlayCard
from companion.rules.grid.model import Game, Played


class Effect(Struct, frozen=True):
    """``asks`` refuses a play that lacks what the effect needs; ``leads_to`` carries it out.

    ``then`` is the step that follows. ``choices`` lists every way to play the card from a seat's
    hand now.
    """

    asks: Callable[[Game, Word[PlayCard]], None]
    leads_to: Callable[[Game, Played], tuple[Happened, ...]]
    then: str
    choices: Callable[[Game, str, str], Iterator[PlayCard]]


def _no_target(game: Game, word: Word[PlayCard]) -> None:
    if word.said.target is not None or word.said.cell is not None:
        raise Refused("favor-another", case="no-target-here", card=word.said.card)


def _one_way(game: Game, seat: str, card: str) -> Iterator[PlayCard]:
    yield PlayCard(seat=seat, card=card)


def _ends_turn(game: Game, played: Played) -> tuple[Happened, ...]:
    return (turns.next_turn(game),)


def _hands_two_on(game: Game, played: Played) -> tuple[Happened, ...]:
    return (turns.next_player(game, owed=2),)


def _looks(game: Game, played: Played) -> tuple[Happened, ...]:
    return (events.StepBegan(seat=played.by, step="look"),)


def _shuffles(game: Game, played: Played) -> tuple[Happened, ...]:
    return (events.StepBegan(seat=played.by, step="shuffle"),)


def _needs_a_card(game: Game, word: Word[PlayCard]) -> None:
    play = word.said
    if play.target is None or play.cell is None:
        raise Refused("favor-another", case="whose")
    if play.target == word.seat:
        raise Refused("favor-another", case="not-yourself")
    target = game.player(play.target)
    if not target.alive:
        raise Refused("favor-another", case="out", target=play.target)
    if places.at(target.grid, play.cell) != places.DOWN:
        raise Refused("favor-another", case="face-down", target=play.target, cell=play.cell)


def _turns_one_up(game: Game, played: Played) -> tuple[Happened, ...]:
    assert played.target is not None
    return (events.StepBegan(seat=played.target, step="reveal"),)


def _every_face_down_card(game: Game, seat: str, card: str) -> Iterator[PlayCard]:
    for player in game.players:
        if player.seat != seat and player.alive:
            for cell in places.face_down(player.grid):
                yield PlayCard(seat=seat, card=card, target=player.seat, cell=cell)


EFFECTS = {
    "skip": Effect(_no_target, _ends_turn, "tell", _one_way),
    "attack": Effect(_no_target, _hands_two_on, "tell", _one_way),
    "look": Effect(_no_target, _looks, "look", _one_way),
    "shuffle": Effect(_no_target, _shuffles, "shuffle", _one_way),
    "favor": Effect(_needs_a_card, _turns_one_up, "reveal", _every_face_down_card),
}
"""The effects of cards that are played as an action of one's own (ruling not-an-action)."""
