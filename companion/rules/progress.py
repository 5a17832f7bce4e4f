"""What each event of a game changes in it.

This module must not know what is allowed, nor what a card does.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from companion.rules import deduction, events, grid
from companion.rules.grid import Cell
from companion.rules.model import Game, Played, Player, Turn, Window


def _with(game: Game, seat: str, **changes: Any) -> tuple[Player, ...]:
    return tuple(replace(p, **changes) if p.seat == seat else p for p in game.players)


def _turn(game: Game, **changes: Any) -> Turn | None:
    return None if game.turn is None else replace(game.turn, **changes)


def _without(notes: tuple[tuple[Cell, str], ...], cell: Cell) -> tuple[tuple[Cell, str], ...]:
    return tuple(note for note in notes if note[0] != cell)


def _next_called(game: Game, event: events.NextCalled, version: int) -> Game:
    return replace(game, caller=event.caller)


def _caller_changed(game: Game, event: events.CallerChanged, version: int) -> Game:
    return replace(game, caller=event.caller, first=event.first)


def _roll_call_skipped(game: Game, event: events.RollCallSkipped, version: int) -> Game:
    return replace(game, caller=None)


def _turn_began(game: Game, event: events.TurnBegan, version: int) -> Game:
    turn = Turn(number=event.number, seat=event.seat)
    return replace(game, caller=None, turn=turn, played=None, window=None)


def _instructed(game: Game, event: events.Instructed, version: int) -> Game:
    return replace(game, turn=_turn(game, step="act", told=event.cell))


def _card_leaves(game: Game, seat: str, card: str, forced: bool = False) -> tuple[Player, ...]:
    """The card goes from the hand to the discard pile, seen by all (ruling from-hand)."""
    player = game.player(seat)
    left = deduction.Left(card=card, forced=forced)
    return _with(
        game,
        seat,
        hand=player.hand - 1,
        discard=(*player.discard, card),
        seen=(*player.seen, left),
    )


def _window(seconds: int, closes_at: int | None, version: int) -> Window | None:
    if closes_at is None:
        return None
    return Window(id=version, seconds=seconds, closes_at=closes_at)


def _card_played(game: Game, event: events.CardPlayed, version: int) -> Game:
    return replace(
        game,
        players=_card_leaves(game, event.seat, event.card),
        turn=_turn(game, step="window"),
        played=Played(card=event.card, by=event.seat, target=event.target, cell=event.cell),
        window=_window(event.seconds, event.closes_at, version),
    )


def _nope_played(game: Game, event: events.NopePlayed, version: int) -> Game:
    played = game.played
    assert played is not None
    return replace(
        game,
        players=_card_leaves(game, event.seat, event.nope),
        played=replace(played, nopes=(*played.nopes, event.seat)),
        window=_window(event.seconds, event.closes_at, version),
    )


def _change_window(game: Game, **changes: Any) -> Game:
    return game if game.window is None else replace(game, window=replace(game.window, **changes))


def _passed(game: Game, event: events.Passed, version: int) -> Game:
    passed = game.window.passed if game.window else ()
    return _change_window(game, passed=(*passed, event.seat))


def _held(game: Game, event: events.Held, version: int) -> Game:
    return _change_window(
        game,
        held=(*(game.window.held if game.window else ()), event.seat),
        held_by=event.seat,
        left_ms=event.left_ms,
        closes_at=event.until + event.left_ms,
    )


def _released(game: Game, event: events.Released, version: int) -> Game:
    return _change_window(game, held_by=None, left_ms=0, closes_at=event.closes_at)


def _window_extended(game: Game, event: events.WindowExtended, version: int) -> Game:
    return _change_window(game, closes_at=event.closes_at)


def _window_closed(game: Game, event: events.WindowClosed, version: int) -> Game:
    if event.counts:
        return replace(game, window=None)
    return replace(game, window=None, played=None, turn=_turn(game, step="act"))


def _step_began(game: Game, event: events.StepBegan, version: int) -> Game:
    return replace(game, turn=_turn(game, step=event.step))


def _looked(game: Game, event: events.Looked, version: int) -> Game:
    return replace(game, played=None, turn=_turn(game, step="act"))


def _rearranged(game: Game, seat: str, cells: tuple[Cell, ...], placed: bool) -> tuple[Player, ...]:
    player = game.player(seat)
    hidden = deduction.Hidden(placed=placed)
    return _with(
        game,
        seat,
        grid=grid.arranged(player.grid, cells),
        notes=(),
        arranged=player.arranged + 1,
        seen=(*player.seen, hidden),
    )


def _grid_shuffled(game: Game, event: events.GridShuffled, version: int) -> Game:
    return replace(
        game,
        players=_rearranged(game, event.seat, event.cells, placed=False),
        played=None,
        turn=_turn(game, step="tell", told=None),
    )


def _turned_up(game: Game, seat: str, cell: Cell, card: str) -> tuple[Player, ...]:
    player = game.player(seat)
    return _with(
        game,
        seat,
        grid=grid.put(player.grid, cell, card),
        notes=_without(player.notes, cell),
        seen=(*player.seen, deduction.TurnedUp(card=card)),
    )


def _card_revealed(game: Game, event: events.CardRevealed, version: int) -> Game:
    players = _turned_up(game, event.seat, event.cell, event.card)
    return replace(game, players=players, played=None, turn=_turn(game, step="act"))


def _favor_over(game: Game, event: events.FavorOver, version: int) -> Game:
    return replace(game, played=None, turn=_turn(game, step="act"))


def _card_touched(game: Game, event: events.CardTouched, version: int) -> Game:
    player = game.player(event.seat)
    face = grid.at(player.grid, event.cell)
    touched = (*player.touched, (len(player.seen), face or grid.DOWN))
    players = _with(game, event.seat, touched=touched)
    return replace(game, players=players, turn=_turn(game, step="report"))


def _card_drawn(game: Game, event: events.CardDrawn, version: int) -> Game:
    player = game.player(event.seat)
    drawn = deduction.DrewHidden() if event.card is None else deduction.DrewFaceUp(card=event.card)
    players = _with(
        game,
        event.seat,
        hand=player.hand + 1,
        grid=grid.put(player.grid, event.cell, None),
        notes=_without(player.notes, event.cell),
        seen=(*player.seen, drawn),
    )
    return replace(game, players=players)


def _kitten_shown(game: Game, event: events.KittenShown, version: int) -> Game:
    players = game.players
    if grid.at(game.player(event.seat).grid, event.cell) == grid.DOWN:
        players = _turned_up(game, event.seat, event.cell, event.kitten)
    return replace(game, players=players, turn=_turn(game, step="kitten"))


def _kitten_defused(game: Game, event: events.KittenDefused, version: int) -> Game:
    game = replace(game, players=_card_leaves(game, event.seat, event.card, forced=True))
    return replace(game, players=_rearranged(game, event.seat, event.cells, placed=True))


def _went_out(game: Game, event: events.WentOut, version: int) -> Game:
    """A player who is out loses hand and grid (ruling out-is-out)."""
    rows = game.player(event.seat).grid
    empty = grid.laid(len(rows), len(rows[0]), None)
    players = _with(game, event.seat, out=event.out, hand=0, grid=empty, notes=())
    return replace(game, players=players)


def _game_won(game: Game, event: events.GameWon, version: int) -> Game:
    return replace(game, winner=event.seat, caller=None, turn=None, played=None, window=None)


def _note_made(game: Game, event: events.NoteMade, version: int) -> Game:
    notes = _without(game.player(event.seat).notes, event.cell)
    if event.card is not None:
        notes = (*notes, (event.cell, event.card))
    return replace(game, players=_with(game, event.seat, notes=notes))


GAME: dict[type, Callable[[Game, Any, int], Game]] = {
    events.NextCalled: _next_called,
    events.CallerChanged: _caller_changed,
    events.RollCallSkipped: _roll_call_skipped,
    events.TurnBegan: _turn_began,
    events.Instructed: _instructed,
    events.CardPlayed: _card_played,
    events.NopePlayed: _nope_played,
    events.Passed: _passed,
    events.Held: _held,
    events.Released: _released,
    events.WindowExtended: _window_extended,
    events.WindowClosed: _window_closed,
    events.StepBegan: _step_began,
    events.Looked: _looked,
    events.GridShuffled: _grid_shuffled,
    events.CardRevealed: _card_revealed,
    events.FavorOver: _favor_over,
    events.CardTouched: _card_touched,
    events.CardDrawn: _card_drawn,
    events.KittenShown: _kitten_shown,
    events.KittenDefused: _kitten_defused,
    events.WentOut: _went_out,
    events.GameWon: _game_won,
    events.NoteMade: _note_made,
}
"""By kind of event: the game after it, given the version it makes."""
