"""What is shown of a game on the draw grid."""

from functools import lru_cache

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
from companion.rules.grid import deduction, texts
from companion.rules.grid.model import Game, Notes, Player, Table
from companion.rules.grid.places import DOWN, Grid, face_down, laid
from companion.rules.grid.variant import Variant


def _game_view(table: Table, now: int) -> Json:
    game = table.game
    return {
        "roll_call": {"caller": game.caller} if game and game.caller else None,
        "turn": _turn(table, game) if game else None,
        "played": _played(game) if game else None,
        "winner": game.winner if game else None,
    }


def _game_rests_on(table: Table, now: int) -> tuple[object, ...] | None:
    game = table.game
    if game is None:
        return None
    return game.caller, game.turn, game.played, game.winner, game.players


SECTIONS = (TABLE, SectionOf(_game_view, _game_rests_on), WINDOW)
"""The public view without its seats."""


def seat_view(table: Table, seat: Seat) -> Json:
    """One seat as everyone sees it."""
    player = table.game.by_seat.get(seat.seat) if table.game else None
    shown = {
        **person_view(seat, player),
        "discard": player.discard if player else (),
        "grid": player.grid if player else _no_cards(table),
        "next": next_of(table.game, player),
        "deck": _deck(table, seat),
    }
    if table.options.odds and player and player.alive:
        shown["odds"] = odds(player.known, player.grid)
    if table.options.odds and player and table.phase == "over":
        shown["survival"] = survival(table.variant, player)
    return shown


def seat_rests_on(table: Table, seat: Seat) -> tuple[object, ...]:
    """All that a seat's view asks for."""
    return *person_rests_on(table, seat), table.deck(seat.seat)


def seats_rest_on(table: Table) -> tuple[object, ...]:
    """What no seat's view changes without."""
    return *people_rest_on(table), table.decks, table.dealt


def _deck(table: Table, seat: Seat) -> Json:
    """Where the seat's cards are (ruling own-deck)."""
    deck = table.deck(seat.seat)
    if deck is None:
        return {"kind": "table"}
    return {"kind": "device", "commit": deck.commit, "secret": deck.secret}


def _no_cards(table: Table) -> Grid:
    return laid(table.variant.rows, table.variant.columns, None)


def _turn(table: Table, game: Game) -> Json | None:
    turn = game.turn
    if turn is None:
        return None
    held = game.player(turn.seat).grid
    shown = {
        "number": turn.number,
        "seat": turn.seat,
        "instructor": game.before(turn.seat),
        "step": turn.step,
        "told": turn.told,
        "say": texts.spoken(table.variant.words.say, held, turn.told) if turn.told else None,
    }
    return {**shown, "owed": turn.owed} if turn.owed > 1 else shown


def _played(game: Game) -> Json | None:
    played = game.played
    if played is None:
        return None
    return {
        "card": played.card,
        "by": played.by,
        "target": played.target,
        "cell": played.cell,
        "nopes": played.nopes,
        "counts": played.counts,
    }


@lru_cache(maxsize=4096)
def odds(known: deduction.Knowledge, grid: Grid, notes: Notes = ()) -> Json:
    """What a grid's face-down cells and the hand may hold, as chances from 0 to 1.

    ``cells``: ``"row,column"`` → title → chance; ``holds``: title → chance that the hand
    holds one or more; ``placed``: the Kitten lies where its owner chose, so the cells are
    an even guess. With the owner's ``notes`` it is what they know themselves. Not to be changed.
    """
    noted = dict(notes)
    even, holds = _chances(known.with_notes(tuple(noted.values())))
    cells = {
        f"{row},{column}": {noted[row, column]: 1.0} if (row, column) in noted else even
        for row, column in face_down(grid)
    }
    return {"cells": cells, "holds": holds, "placed": known.placed}


def survival(variant: Variant, player: Player) -> float:
    """The chance, from 0 to 1, that somebody with this history gets as far as they did.

    That is, that none of their draws but a last deadly one was a Kitten without a Defuse.
    """
    draws = player.touched[:-1] if player.out == "kitten" else player.touched
    chance = 1.0
    for count, face in draws:
        known = deduction.knowledge(player.deal, player.seen[:count])
        even, holds = _chances(known)
        kitten = even[variant.kitten] if face == DOWN else float(face == variant.kitten)
        chance *= 1 - kitten * (1 - holds[variant.defuse])
    return round(chance, 6)


@lru_cache(maxsize=4096)
def _chances(known: deduction.Knowledge) -> tuple[dict[str, float], dict[str, float]]:
    """The odds of any one face-down cell and of the hand; views come often, news seldom."""
    cell, hand = known.counted
    holds = _rounded(known.titles, *hand)
    holds.pop(known.deck.kitten, None)
    return _rounded(known.titles, *cell), holds


def _rounded(titles: tuple[str, ...], numbers: list[int], whole: int) -> dict[str, float]:
    return {title: round(n / whole, 6) for title, n in zip(titles, numbers, strict=False)}


def you(table: Table, seat: str) -> Json:
    """What a seat alone is shown: its notes, and the odds as it knows them."""
    player = table.game.by_seat.get(seat) if table.game else None
    mine: Json = {"notes": []}
    if player is not None:
        mine["notes"] = [{"cell": cell, "card": card} for cell, card in player.notes]
        if table.options.odds and player.alive:
            mine["odds"] = odds(player.known, player.grid, player.notes)
    return mine


def you_rests_on(table: Table, seat: str) -> tuple[object, ...]:
    """All that ``you`` asks for."""
    return (table.game.by_seat.get(seat) if table.game else None,)
