"""The views of a classic game: the public view, and each seat's own view.

Each part of a view is a ``Part``, which is a function with its arguments. A part is computed again
only if one of its arguments has changed.
"""

from companion.rules.core import view
from companion.rules.core.family import Part, Parts
from companion.rules.core.state import Seat
from companion.rules.core.types import Json
from companion.rules.pile.deduction import (
    Deal,
    Observation,
    Remembered,
    knowledge,
    knowledge_with_undone,
)
from companion.rules.pile.order import Notes, Order, end_odds
from companion.rules.pile.state import Played, Player, Table, Turn

Seen = tuple[Deal, tuple[Observation, ...]]
"""The deal, and all observations since the deal."""

SeenWithUndone = tuple[Deal, tuple[Observation, ...], tuple[Remembered, ...]]
"""The deal, all observations since the deal, and the observations that everybody still knows after
undos."""

PileViewInputs = tuple[Seen, int, int, tuple[str, ...], Order, Notes]
"""The deal and observations, the number of cards in the pile, the number of Kittens among them, the
discard pile, what everybody knows about the pile's order, and the cards in the pile that everybody
knows after undos."""


def game_part(table: Table) -> Part:
    game = table.game
    family = table.family.id
    odds = table.options.odds
    if game is None:
        return Part(_show_game, (family, None, None, None, None, odds, table.variant.kitten))
    seen = game.deal, game.seen
    piles = seen, game.pile_size, game.kitten_count, game.discard, game.chosen, game.public_notes
    kitten = table.variant.kitten
    return Part(_show_game, (family, piles, game.turn, game.played, game.winner, odds, kitten))


def _show_game(
    family: str, pile_inputs: PileViewInputs | None, turn: Turn | None, played: Played | None,
    winner: str | None, odds: bool, kitten: str,
) -> Json:  # fmt: skip
    return {
        "family": family,
        **(
            _show_piles(*pile_inputs, odds, kitten)
            if pile_inputs
            else {"pile": None, "discard": None}
        ),
        "turn": view.pick_fields(turn, "number seat owed attacked step end") if turn else None,
        "played": _show_played(played) if played else None,
        "winner": winner,
    }


def _show_piles(
    seen: Seen,
    cards: int,
    kittens: int,
    discard: tuple[str, ...],
    chosen: Order,
    public_notes: Notes,
    odds: bool,
    kitten: str,
) -> Json:
    known = knowledge(*seen)
    pile: Json = {"cards": cards, "kittens": kittens, "exact": known.exact}
    if odds:
        pile |= end_odds(cards, kittens, chosen, kitten=kitten, public_notes=public_notes)
    return {"pile": pile, "discard": {"cards": discard, "unnoted": known.unnoted_count}}


def _show_played(played: Played) -> Json:
    return {"kind": played.card, **view.pick_fields(played, "cards by target name nopes counts")}


def public_seat_parts(table: Table) -> Parts:
    game = table.game
    seen = (game.deal, game.seen, game.remembered) if game else None
    return view.seat_parts(table, _show_seat, seen, table.variant.defuse)


def _show_seat(
    seat: Seat, player: Player | None, odds: bool, over: bool, order: tuple[str, ...],
    living: tuple[str, ...], seen: SeenWithUndone | None, defuse: str,
) -> Json:  # fmt: skip
    person = {
        **view.seat_fields(seat, player),
        "next": view.next_after(player, order, living),
    }
    if not odds:
        return person
    if player is None or seen is None:
        return {**person, "known": {}, "never": ()}
    known = knowledge_with_undone(*seen)
    person |= {"known": known.certain_cards(seat.seat), "never": known.impossible_cards(seat.seat)}
    return person | chances_of_draws(*seen[:2], player, defuse) if over else person


def chances_of_draws(
    deal: Deal, seen: tuple[Observation, ...], player: Player, defuse: str
) -> Json:
    """Return two chances, from 0 to 1, about the draws that this player survived.

    ``survival`` is the chance of surviving all of them. The player dies in a draw that shows a
    Kitten, unless the hand certainly holds a Defuse. ``boldest`` is the highest chance of a Kitten
    in one of them. Both assume that the pile was shuffled before each draw. The draw that ended the
    player's game doesn't count.
    """
    draws = player.touched[:-1] if player.out == "kitten" else player.touched
    chance = 1.0
    boldest = 0.0
    for count in draws:
        known = knowledge(deal, seen[:count])
        kitten = known.kittens / known.pile_size
        if defuse not in known.certain_cards(player.seat):
            chance *= 1 - kitten
        boldest = max(boldest, kitten)
    return {"survival": round(chance, 6), "boldest": round(boldest, 6)}


def private_seat_parts(table: Table) -> Parts:
    game = table.game
    if game is None or not table.options.odds:
        return view.own_parts(table, _show_own, None, table.variant.kitten)
    pile = game.pile_size, game.kitten_count, game.chosen, game.public_notes
    return view.own_parts(table, _show_own, pile, table.variant.kitten)


def _show_own(
    player: Player | None, pile: tuple[int, int, Order, Notes] | None, kitten: str
) -> Json:
    own_view: Json = {"notes": []}
    if player is not None:
        own_view["notes"] = [{"place": note.place, "card": note.card} for note in player.notes]
        if pile and player.out is None:
            cards, kittens, order, public_notes = pile
            own_view["odds"] = end_odds(cards, kittens, order, player.notes, kitten, public_notes)
    return own_view
