"""What is shown of a classic game."""

from companion.rules.core.family import Json, SectionOf
from companion.rules.core.model import Seat
from companion.rules.core.view import (
    TABLE,
    WINDOW,
    next_of,
    people_rest_on,
    person_rests_on,
    person_view,
)
from companion.rules.pile.deduction import knowledge
from companion.rules.pile.model import Game, Player, Table
from companion.rules.pile.order import ends, private_ends


def _game_view(table: Table, now: int) -> Json:
    game = table.game
    return {
        "family": table.family.id,
        "pile": _pile(table, game) if game else None,
        "discard": {"cards": game.discard, "unnoted": game.known.unnoted} if game else None,
        "turn": _turn(game) if game else None,
        "played": _played(game) if game else None,
        "winner": game.winner if game else None,
    }


def _game_rests_on(table: Table, now: int) -> tuple[object, ...] | None:
    game = table.game
    if game is None:
        return None
    own = game.turn, game.played, game.winner, game.seen, game.discard, game.chosen
    return *own, game.deal, table.options


SECTIONS = (TABLE, SectionOf(_game_view, _game_rests_on), WINDOW)
"""The public view without its seats."""


def seat_view(table: Table, seat: Seat) -> Json:
    """One seat as everyone sees it."""
    game = table.game
    player = game.by_seat.get(seat.seat) if game else None
    shown = {**person_view(seat, player), "next": next_of(game, player)}
    if not table.options.odds:
        return shown
    known, never = _certain(game, seat.seat)
    shown |= {"known": known, "never": never}
    if game and player and table.phase == "over":
        shown["survival"] = survival(table, game, player)
    return shown


def seats_rest_on(table: Table) -> tuple[object, ...]:
    """What no seat's view changes without."""
    return *people_rest_on(table), table.game and table.game.seen


def seat_rests_on(table: Table, seat: Seat) -> tuple[object, ...]:
    """All that a seat's view asks for."""
    return *person_rests_on(table, seat), *_certain(table.game, seat.seat)


def _certain(game: Game | None, seat: str) -> tuple[dict[str, int], tuple[str, ...]]:
    """What of a hand is certain for everybody: at least these cards, and none of those."""
    if game is None or seat not in game.order:
        return {}, ()
    known = game.known
    return known.known(seat), known.never(seat)


def _pile(table: Table, game: Game) -> Json:
    cards, kittens = game.pile, game.kittens
    shown = {"cards": cards, "kittens": kittens, "exact": game.known.exact}
    odds = ends(cards, kittens, game.chosen) if table.options.odds else {}
    return {**shown, **odds}


def _turn(game: Game) -> Json | None:
    turn = game.turn
    if turn is None:
        return None
    return {
        "number": turn.number,
        "seat": turn.seat,
        "owed": turn.owed,
        "attacked": turn.attacked,
        "step": turn.step,
        "end": turn.end,
    }


def _played(game: Game) -> Json | None:
    played = game.played
    if played is None:
        return None
    return {
        "kind": played.card,
        "cards": played.cards,
        "by": played.by,
        "target": played.target,
        "name": played.name,
        "nopes": played.nopes,
        "counts": played.counts,
    }


def survival(table: Table, game: Game, player: Player) -> float:
    """The chance, from 0 to 1, that somebody with these draws gets as far as they did.

    That is, that none of their draws but a last deadly one was a Kitten when their hand did
    not surely hold a Defuse, the pile being as good as shuffled.
    """
    draws = player.touched[:-1] if player.out == "kitten" else player.touched
    chance = 1.0
    for count in draws:
        known = knowledge(game.deal, game.seen[:count])
        if table.variant.defuse not in known.known(player.seat):
            chance *= 1 - known.kittens / known.pile
    return round(chance, 6)


def you(table: Table, seat: str) -> Json:
    """What a seat alone is shown: its notes, and the odds as it knows them."""
    game = table.game
    player = game.by_seat.get(seat) if game else None
    mine: Json = {"notes": []}
    if game is None or player is None:
        return mine
    mine["notes"] = [{"place": note.place, "card": note.card} for note in player.notes]
    if table.options.odds and player.alive:
        kitten = table.variant.kitten
        mine["odds"] = private_ends(game.pile, game.kittens, game.chosen, player.notes, kitten)
    return mine


def you_rests_on(table: Table, seat: str) -> tuple[object, ...]:
    """All that ``you`` asks for."""
    game = table.game
    player = game.by_seat.get(seat) if game else None
    if game is None or player is None:
        return (None,)
    return player.alive, player.notes, game.pile, game.kittens, game.chosen
