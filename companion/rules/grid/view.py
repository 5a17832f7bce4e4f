"""The views of a game on the draw grid: the public view, and each seat's own view.

Each part of a view is a ``Part``, which is a function with its arguments. A part is computed again
only if one of its arguments has changed.
"""

from collections.abc import Mapping
from functools import lru_cache

from companion.rules.core import view
from companion.rules.core.family import Part, Parts
from companion.rules.core.state import Deck, Seat, at_seat, previous_living
from companion.rules.core.types import Json
from companion.rules.grid import deduction, texts
from companion.rules.grid.places import DOWN, Grid, face_down, full_grid
from companion.rules.grid.state import Notes, Played, Player, Remembered, Table, Turn
from companion.rules.grid.variant import Variant

TurnInputs = tuple[Turn, Grid, tuple[str, ...], tuple[str, ...]]
"""The current turn, its player's grid, all seats in the order in which turns pass, and the living
seats."""

Say = Mapping[str, str]  # the phrases for a place in a grid


def game_part(table: Table) -> Part:
    game = table.game
    say = table.variant.words.say
    if game is None:
        return Part(_show_game, (None, None, None, None, say))
    turn = game.turn
    inputs = (turn, game.by_seat[turn.seat].grid, game.turn_order, game.living) if turn else None
    return Part(_show_game, (game.caller, inputs, game.played, game.winner, say))


def _show_game(
    caller: str | None,
    turn_inputs: TurnInputs | None,
    played: Played | None,
    winner: str | None,
    say: Say,
) -> Json:
    return {
        "roll_call": {"caller": caller} if caller else None,
        "turn": _show_turn(*turn_inputs, say) if turn_inputs else None,
        "played": view.pick_fields(played, "card by target cell nopes counts") if played else None,
        "winner": winner,
    }


def _show_turn(
    turn: Turn, grid: Grid, order: tuple[str, ...], living: tuple[str, ...], say: Say
) -> Json:
    view_of_turn = {
        **view.pick_fields(turn, "number seat step told"),
        "instructor": previous_living(order, living, turn.seat),
        "say": texts.describe_cell(say, grid, turn.told) if turn.told else None,
    }
    if turn.owed > 1:
        view_of_turn["owed"] = turn.owed
    if turn.again:
        view_of_turn["again"] = True
    if turn.noped:
        view_of_turn["noped"] = turn.noped
    return view_of_turn


def public_seat_parts(table: Table) -> Parts:
    decks = table.dealt if table.game else table.decks
    return view.seat_parts(table, _show_seat, decks, table.variant)


def _show_seat(
    seat: Seat, player: Player | None, with_odds: bool, over: bool, order: tuple[str, ...],
    living: tuple[str, ...], decks: tuple[Deck, ...], variant: Variant,
) -> Json:  # fmt: skip
    view_of_seat = {
        **view.seat_fields(seat, player),
        "discard": player.discard if player else (),
        "grid": player.grid if player else full_grid(variant.grid.rows, variant.grid.columns, None),
        "next": view.next_after(player, order, living),
        "deck": {"kind": "table"},
    }
    if deck := at_seat(decks, seat.seat):  # ruling own-deck
        view_of_seat["deck"] = {"kind": "device", "commit": deck.commit, "secret": deck.secret}
        if deck.here is not True:
            view_of_seat["deck"]["here"] = deck.here
    if with_odds and player and player.out is None:
        view_of_seat["odds"] = odds(player.knowledge, player.grid, (), player.still_known)
    if with_odds and player and over:
        view_of_seat |= chances_of_draws(variant, player)
    return view_of_seat


@lru_cache(maxsize=4096)
def odds(
    known: deduction.Knowledge,
    grid: Grid,
    notes: Notes = (),
    still_known: tuple[Remembered, ...] = (),
) -> Json:
    """Return the odds of a player's face-down cells and hand, as chances from 0 to 1.

    - ``cells`` maps each cell, as ``"row,column"``, to the chance of each title in the cell
    - ``holds`` maps each title to the chance that the hand holds at least one card of the title
    - ``placed`` is True if the owner chose the Kitten's cell; ``cells`` then assumes equal chances

    ``still_known`` is what everybody still knows after undos. If the owner's ``notes`` are given,
    only the owner may see the result. Don't change the result, because it is cached.
    """
    noted = {fact.cell: fact.card for fact in still_known if fact.cell and fact.card} | dict(notes)
    held = tuple(fact.card for fact in still_known if fact.cell is None and fact.card)
    safe = {fact.cell for fact in still_known if fact.card is None} - noted.keys()
    own = deduction.assume_held(known, held) if held else known
    own = deduction.assume_notes(own, tuple(noted.values())) if noted else own
    even, holds = _chances(own)
    safe_odds = _without_kitten(even, known.deck.kitten)
    other_odds = _chances(deduction.assume_safe_cells(own, len(safe)))[0] if safe else even
    cells = {}
    for cell in face_down(grid):
        row, column = cell
        chances = other_odds
        if cell in noted:
            chances = {noted[cell]: 1.0}
        elif cell in safe:
            chances = safe_odds
        cells[f"{row},{column}"] = chances
    holds = holds | dict.fromkeys(held, 1.0)
    return {"cells": cells, "holds": holds, "placed": known.has_placed_kitten}


def _without_kitten(even: dict[str, float], kitten: str) -> dict[str, float]:
    """Return the odds for a cell that certainly holds no Kitten.

    ``even`` are the odds for a cell about which nothing is known.
    """
    others = 1 - even.get(kitten, 0)
    if not others:
        return even
    return {title: 0.0 if title == kitten else round(p / others, 6) for title, p in even.items()}


def chances_of_draws(variant: Variant, player: Player) -> Json:
    """Return two chances, from 0 to 1, about the draws that this player survived.

    ``survival`` is the chance of surviving all of them. The player dies in a draw that shows a
    Kitten, unless the hand holds a Defuse. ``boldest`` is the highest chance of a Kitten in one of
    them. The draw that ended the player's game doesn't count.
    """
    draws = player.touched[:-1] if player.out == "kitten" else player.touched
    chance = 1.0
    boldest = 0.0
    for count, face in draws:
        known = deduction.knowledge(player.deal, player.seen[:count])
        even, holds = _chances(known)
        kitten = even[variant.kitten] if face == DOWN else float(face == variant.kitten)
        chance *= 1 - kitten * (1 - holds[variant.defuse])
        boldest = max(boldest, kitten)
    return {"survival": round(chance, 6), "boldest": round(boldest, 6)}


@lru_cache(maxsize=4096)
def _chances(known: deduction.Knowledge) -> tuple[dict[str, float], dict[str, float]]:
    """Return the odds of each title for a face-down cell, and the odds for the hand."""
    cell, hand = known.odds
    holds = _round_odds(known.titles, *hand)
    holds.pop(known.deck.kitten, None)
    return _round_odds(known.titles, *cell), holds


def _round_odds(titles: tuple[str, ...], numbers: list[int], whole: int) -> dict[str, float]:
    return {title: round(n / whole, 6) for title, n in zip(titles, numbers, strict=False)}


def private_seat_parts(table: Table) -> Parts:
    return view.own_parts(table, _show_own, table.options.odds)


def _show_own(player: Player | None, with_odds: bool) -> Json:
    own_view: Json = {"notes": []}
    if player is not None:
        own_view["notes"] = [{"cell": cell, "card": card} for cell, card in player.notes]
        if with_odds and player.out is None:
            own_view["odds"] = odds(player.knowledge, player.grid, player.notes, player.still_known)
    return own_view
