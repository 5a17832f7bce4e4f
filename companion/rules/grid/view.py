"""What is shown of a game on the draw grid."""

from collections.abc import Mapping
from functools import lru_cache

from companion.rules.core import view
from companion.rules.core.family import Json, Part, Parts
from companion.rules.core.game import at_seat, before
from companion.rules.core.model import Deck, Seat
from companion.rules.grid import deduction, texts
from companion.rules.grid.model import Notes, Played, Player, Stayed, Table, Turn
from companion.rules.grid.places import DOWN, Grid, face_down, full_grid
from companion.rules.grid.variant import Variant

Telling = tuple[Turn, Grid, tuple[str, ...], tuple[str, ...]]
"""The turn that is on, its player's grid, and the seats in order of play, all and the living."""

Say = Mapping[str, str]  # how a place in a grid is spoken


def game(table: Table) -> Part:
    game = table.game
    say = table.variant.words.say
    if game is None:
        return Part(_game, (None, None, None, None, say))
    turn = game.turn
    telling = (turn, game.by_seat[turn.seat].grid, game.order, game.living) if turn else None
    return Part(_game, (game.caller, telling, game.played, game.winner, say))


def _game(
    caller: str | None, telling: Telling | None, played: Played | None, winner: str | None, say: Say
) -> Json:
    return {
        "roll_call": {"caller": caller} if caller else None,
        "turn": _turn(*telling, say) if telling else None,
        "played": view.pick_fields(played, "card by target cell nopes counts") if played else None,
        "winner": winner,
    }


def _turn(
    turn: Turn, held: Grid, order: tuple[str, ...], living: tuple[str, ...], say: Say
) -> Json:
    shown = {
        **view.pick_fields(turn, "number seat step told"),
        "instructor": before(order, living, turn.seat),
        "say": texts.describe_cell(say, held, turn.told) if turn.told else None,
    }
    if turn.owed > 1:
        shown["owed"] = turn.owed
    if turn.again:
        shown["again"] = True
    return shown


def seats(table: Table) -> Parts:
    decks = table.dealt if table.game else table.decks
    return view.seats(table, _seat, decks, table.variant)


def _seat(
    seat: Seat, player: Player | None, with_odds: bool, over: bool, order: tuple[str, ...],
    living: tuple[str, ...], decks: tuple[Deck, ...], variant: Variant,
) -> Json:  # fmt: skip
    shown = {
        **view.person(seat, player),
        "discard": player.discard if player else (),
        "grid": player.grid if player else full_grid(variant.grid.rows, variant.grid.columns, None),
        "next": view.next_of(player, order, living),
        "deck": {"kind": "table"},
    }
    if deck := at_seat(decks, seat.seat):  # ruling own-deck
        shown["deck"] = {"kind": "device", "commit": deck.commit, "secret": deck.secret}
        if deck.here is not True:
            shown["deck"]["here"] = deck.here
    if with_odds and player and player.out is None:
        shown["odds"] = odds(player.knowledge, player.grid, (), player.stays)
    if with_odds and player and over:
        shown["survival"] = survival(variant, player)
    return shown


@lru_cache(maxsize=4096)
def odds(
    known: deduction.Knowledge, grid: Grid, notes: Notes = (), stays: tuple[Stayed, ...] = ()
) -> Json:
    """What a grid's face-down cells and the hand may hold, as chances from 0 to 1. ``cells``:
    ``"row,column"`` → title → chance; ``holds``: title → chance that the hand holds one or more;
    ``placed``: the Kitten lies where its owner chose, so the cells are an even guess. With the
    owner's ``notes`` it is what they know themselves; ``stays`` is what everybody knows by what was
    undone. Not to be changed."""
    noted = {one.cell: one.card for one in stays if one.cell and one.card} | dict(notes)
    held = tuple(one.card for one in stays if one.cell is None and one.card)
    safe = {one.cell for one in stays if one.card is None} - noted.keys()
    own = deduction.with_hand(known, held) if held else known
    own = deduction.with_notes(own, tuple(noted.values())) if noted else own
    even, holds = _chances(own)
    but = _without(even, known.deck.kitten)
    rest = _chances(deduction.with_safe(own, len(safe)))[0] if safe else even
    cells = {
        f"{row},{column}": {noted[row, column]: 1.0}
        if (row, column) in noted
        else but
        if (row, column) in safe
        else rest
        for row, column in face_down(grid)
    }
    holds = holds | dict.fromkeys(held, 1.0)
    return {"cells": cells, "holds": holds, "placed": known.has_placed_kitten}


def _without(even: dict[str, float], kitten: str) -> dict[str, float]:
    """The odds of a cell of which everybody knows that no Kitten lies there."""
    rest = 1 - even.get(kitten, 0)
    if not rest:
        return even
    return {title: 0.0 if title == kitten else round(p / rest, 6) for title, p in even.items()}


def survival(variant: Variant, player: Player) -> float:
    """The chance, from 0 to 1, that somebody with this history gets as far as they did. That is,
    that none of their draws but a last deadly one was a Kitten without a Defuse."""
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
    cell, hand = known.odds
    holds = _round_odds(known.titles, *hand)
    holds.pop(known.deck.kitten, None)
    return _round_odds(known.titles, *cell), holds


def _round_odds(titles: tuple[str, ...], numbers: list[int], whole: int) -> dict[str, float]:
    return {title: round(n / whole, 6) for title, n in zip(titles, numbers, strict=False)}


def own(table: Table) -> Parts:
    return view.own(table, _own, table.options.odds)


def _own(player: Player | None, with_odds: bool) -> Json:
    mine: Json = {"notes": []}
    if player is not None:
        mine["notes"] = [{"cell": cell, "card": card} for cell, card in player.notes]
        if with_odds and player.out is None:
            mine["odds"] = odds(player.knowledge, player.grid, player.notes, player.stays)
    return mine
