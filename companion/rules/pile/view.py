"""What is shown of a classic game."""

from collections.abc import Mapping

from companion.rules.core.family import Json, Part, Parts
from companion.rules.core.model import Seat
from companion.rules.core.view import next_of, person, table_part, window_part
from companion.rules.pile.deduction import Deal, Observation, knowledge
from companion.rules.pile.model import Game, Played, Player, Table, Turn
from companion.rules.pile.order import Order, ends

Seen = tuple[Deal, tuple[Observation, ...]]
"""What everybody saw, since which deal."""

Piled = tuple[Seen, int, int, tuple[str, ...], Order]
"""What was seen, the pile's cards and Kittens, the discard pile, what was chosen of the order."""


def public(table: Table, now: int) -> Parts:
    """The public view without its seats."""
    return {
        "table": table_part(table),
        "game": _game_part(table.game, table.family.id, table.options.odds),
        "window": window_part(table, now),
    }


def _game_part(game: Game | None, family: str, odds: bool) -> Part:
    if game is None:
        return Part(_game, (family, None, None, None, None, odds))
    seen = game.deal, game.seen
    piled = seen, game.pile, game.kittens, game.discard, game.chosen
    return Part(_game, (family, piled, game.turn, game.played, game.winner, odds))


def _game(
    family: str,
    piled: Piled | None,
    turn: Turn | None,
    played: Played | None,
    winner: str | None,
    odds: bool,
) -> Json:
    return {
        "family": family,
        **(_piles(*piled, odds) if piled else {"pile": None, "discard": None}),
        "turn": _turn(turn) if turn else None,
        "played": _played(played) if played else None,
        "winner": winner,
    }


def _piles(
    seen: Seen, cards: int, kittens: int, discard: tuple[str, ...], chosen: Order, odds: bool
) -> Json:
    known = knowledge(*seen)
    pile: Json = {"cards": cards, "kittens": kittens, "exact": known.exact}
    if odds:
        pile |= ends(cards, kittens, chosen)
    return {"pile": pile, "discard": {"cards": discard, "unnoted": known.unnoted}}


def _turn(turn: Turn) -> Json:
    return {
        "number": turn.number,
        "seat": turn.seat,
        "owed": turn.owed,
        "attacked": turn.attacked,
        "step": turn.step,
        "end": turn.end,
    }


def _played(played: Played) -> Json:
    return {
        "kind": played.card,
        "cards": played.cards,
        "by": played.by,
        "target": played.target,
        "name": played.name,
        "nopes": played.nopes,
        "counts": played.counts,
    }


def seats(table: Table) -> Parts:
    """Each seat as everyone sees it."""
    game, odds, defuse = table.game, table.options.odds, table.variant.defuse
    players: Mapping[str, Player] = game.by_seat if game else {}
    order, living = (game.order, game.living) if game else ((), ())
    seen = (game.deal, game.seen) if game else None
    over = game is not None and game.winner is not None
    rest = order, living, odds, seen, over, defuse
    return {
        seat.seat: Part(_seat, (seat, players.get(seat.seat), *rest)) for seat in table.in_order
    }


def _seat(
    seat: Seat,
    player: Player | None,
    order: tuple[str, ...],
    living: tuple[str, ...],
    odds: bool,
    seen: Seen | None,
    over: bool,
    defuse: str,
) -> Json:
    shown = {**person(seat, player), "next": next_of(player, order, living)}
    if not odds:
        return shown
    if player is None or seen is None:
        return {**shown, "known": {}, "never": ()}
    known = knowledge(*seen)
    shown |= {"known": known.known(seat.seat), "never": known.never(seat.seat)}
    return {**shown, "survival": survival(*seen, player, defuse)} if over else shown


def survival(deal: Deal, seen: tuple[Observation, ...], player: Player, defuse: str) -> float:
    """The chance, from 0 to 1, that somebody with these draws gets as far as they did.

    That is, that none of their draws but a last deadly one was a Kitten when their hand did
    not surely hold a Defuse, the pile being as good as shuffled.
    """
    draws = player.touched[:-1] if player.out == "kitten" else player.touched
    chance = 1.0
    for count in draws:
        known = knowledge(deal, seen[:count])
        if defuse not in known.known(player.seat):
            chance *= 1 - known.kittens / known.pile
    return round(chance, 6)


def own(table: Table) -> Parts:
    """What each seat alone is shown: its notes, and the odds as it knows them."""
    game, kitten = table.game, table.variant.kitten
    players: Mapping[str, Player] = game.by_seat if game else {}
    pile = (game.pile, game.kittens, game.chosen) if game and table.options.odds else None
    return {seat.seat: Part(_own, (players.get(seat.seat), pile, kitten)) for seat in table.seats}


def _own(player: Player | None, pile: tuple[int, int, Order] | None, kitten: str) -> Json:
    mine: Json = {"notes": []}
    if player is not None:
        mine["notes"] = [{"place": note.place, "card": note.card} for note in player.notes]
        if pile and player.out is None:
            mine["odds"] = ends(*pile, player.notes, kitten)
    return mine
