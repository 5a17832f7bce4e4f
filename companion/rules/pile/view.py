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
    PutBackImploding,
    Remembered,
    knowledge,
    knowledge_with_undone,
)
from companion.rules.pile.order import Notes, Order, end_odds
from companion.rules.pile.state import Imploding, Played, Player, Table, Turn

Seen = tuple[Deal, tuple[Observation, ...]]
"""The deal, and all observations since the deal."""

SeenWithUndone = tuple[Deal, tuple[Observation, ...], tuple[Remembered, ...]]
"""The deal, all observations since the deal, and the observations that everybody still knows after
undos."""

PileViewInputs = tuple[Seen, int, int, tuple[str, ...], Order, Notes, Imploding | None]
"""The deal and observations, the number of cards in the pile, the number of Exploding Kittens among
them, the discard pile, what everybody knows about the pile's order, the cards in the pile that
everybody knows after undos, and the place of the Imploding Kitten."""

Kittens = tuple[str, str | None]
"""The titles of the Exploding Kitten and of the Imploding Kitten, if the box has one."""


def game_part(table: Table) -> Part:
    game = table.game
    family = table.family.id
    odds = table.options.odds
    variant = table.variant
    kittens = variant.kitten, variant.imploding
    direction = None
    if variant.can_reverse:
        turned = game is not None and game.counterclockwise
        direction = "counterclockwise" if turned else "clockwise"
    if game is None:
        return Part(_show_game, (family, None, None, None, None, odds, kittens, direction))
    piles = (
        (game.deal, game.seen),
        game.pile_size,
        game.kitten_count,
        game.discard,
        game.chosen,
        game.public_notes,
        game.imploding,
    )
    return Part(
        _show_game,
        (family, piles, game.turn, game.played, game.winner, odds, kittens, direction),
    )


def _show_game(
    family: str, pile_inputs: PileViewInputs | None, turn: Turn | None, played: Played | None,
    winner: str | None, odds: bool, kittens: Kittens, direction: str | None,
) -> Json:  # fmt: skip
    return {
        "family": family,
        **({"direction": direction} if direction else {}),
        **(
            _show_piles(*pile_inputs, odds, kittens)
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
    place: Imploding | None,
    odds: bool,
    titles: Kittens,
) -> Json:
    known = knowledge(*seen)
    kitten, imploding = titles
    pile: Json = {"cards": cards, "kittens": kittens, "exact": known.exact}
    if imploding:
        pile["imploding"] = place
    if odds:
        pile |= end_odds(
            cards, kittens, chosen, kitten=kitten, public_notes=public_notes, imploding=imploding
        )
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

    ``survival`` is the chance of surviving all of them. The player dies in a draw that shows an
    Exploding Kitten, unless the hand certainly holds a Defuse, and in a draw of the Imploding
    Kitten once it lies face up. ``boldest`` is the highest chance of a deadly Kitten in any of
    these draws. Both assume that the pile was shuffled before each draw. The draw that ended the
    player's game doesn't count.
    """
    draws = player.touched[:-1] if player.out == "kitten" else player.touched
    chance = 1.0
    boldest = 0.0
    for count in draws:
        known = knowledge(deal, seen[:count])
        lies_up = known.imploding and any(isinstance(s, PutBackImploding) for s in known.seen)
        imploding = int(lies_up)
        kitten = (known.kittens + imploding) / known.pile_size
        has_defuse = defuse in known.certain_cards(player.seat)
        chance *= 1 - (imploding / known.pile_size if has_defuse else kitten)
        boldest = max(boldest, kitten)
    return {"survival": round(chance, 6), "boldest": round(boldest, 6)}


def private_seat_parts(table: Table) -> Parts:
    game = table.game
    kittens = table.variant.kitten, table.variant.imploding
    if game is None or not table.options.odds:
        return view.own_parts(table, _show_own, None, kittens)
    pile = game.pile_size, game.kitten_count, game.chosen, game.public_notes
    return view.own_parts(table, _show_own, pile, kittens)


def _show_own(
    player: Player | None, pile: tuple[int, int, Order, Notes] | None, titles: Kittens
) -> Json:
    own_view: Json = {"notes": []}
    if player is not None:
        own_view["notes"] = [{"place": note.place, "card": note.card} for note in player.notes]
        if pile and player.out is None:
            cards, kittens, order, public_notes = pile
            kitten, imploding = titles
            own_view["odds"] = end_odds(
                cards, kittens, order, player.notes, kitten, public_notes, imploding
            )
    return own_view
