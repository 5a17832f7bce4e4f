"""What each event of a game changes in it.

This module must not know what is allowed, nor what a card does.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from companion.rules.core import events as table_events
from companion.rules.core import progress
from companion.rules.core.model import Deck
from companion.rules.core.progress import window, with_player, with_turn
from companion.rules.grid import deduction, events, places
from companion.rules.grid.model import Game, Played, Player, Table, Turn
from companion.rules.grid.places import Cell


def _without(notes: tuple[tuple[Cell, str], ...], cell: Cell) -> tuple[tuple[Cell, str], ...]:
    return tuple(note for note in notes if note[0] != cell)


def game_began(table: Table, event: events.GameBegan) -> Table:
    """Everyone has a full hand and a grid of face-down cards."""
    variant = table.variant
    grid = places.laid(variant.rows, variant.columns)
    players = tuple(
        Player(seat=seat, hand=variant.hand, grid=grid, deal=variant.deck) for seat in event.order
    )
    game = Game(players=players, first=event.first, caller=event.caller)
    dealt = tuple(
        replace(deck, name=table.seat(deck.seat).name)
        for deck in table.decks
        if deck.seat in event.order
    )
    return replace(table, game=game, decks=(), dealt=dealt, ended=None)


def _deck_said(table: Table, event: events.DeckSaid) -> Table:
    decks = tuple(deck for deck in table.decks if deck.seat != event.seat)
    if event.commit is not None:
        decks += (Deck(seat=event.seat, commit=event.commit),)
    return replace(table, decks=decks, ended=None)


def _deck_opened(table: Table, event: events.DeckOpened) -> Table:
    """No word of the game: an ended one can still be taken back."""
    dealt = tuple(
        replace(deck, secret=event.secret) if deck.seat == event.seat else deck
        for deck in table.dealt
    )
    return replace(table, dealt=dealt)


TABLE_FOLDS: dict[type, Callable[[Table, Any], Table]] = {
    events.DeckSaid: _deck_said,
    events.DeckOpened: _deck_opened,
    events.GameBegan: game_began,
}
"""By kind of event: the table after it."""


def kept_notes(now: Game, then: Game) -> Game:
    """A note is not undone: what was noted since stays, while the cards lie as they did."""
    players = tuple(_keep_notes(now.player(player.seat), player) for player in then.players)
    return replace(then, players=players)


def _keep_notes(now: Player, then: Player) -> Player:
    if now.arranged != then.arranged:
        return then
    down = set(places.face_down(now.grid))
    kept = tuple(note for note in then.notes if note[0] not in down)
    return replace(then, notes=(*kept, *now.notes))


def _next_called(game: Game, event: events.NextCalled, version: int) -> Game:
    return replace(game, caller=event.caller)


def _caller_changed(game: Game, event: events.CallerChanged, version: int) -> Game:
    return replace(game, caller=event.caller, first=event.first)


def _roll_call_skipped(game: Game, event: events.RollCallSkipped, version: int) -> Game:
    return replace(game, caller=None)


def _turn_began(game: Game, event: events.TurnBegan, version: int) -> Game:
    turn = Turn(number=event.number, seat=event.seat, owed=event.owed)
    return replace(game, caller=None, turn=turn, played=None, window=None)


def _instructed(game: Game, event: events.Instructed, version: int) -> Game:
    return replace(game, turn=with_turn(game, step="act", told=event.cell))


def _card_leaves(game: Game, seat: str, card: str, forced: bool = False) -> tuple[Player, ...]:
    """The card goes from the hand to the discard pile, seen by all (ruling from-hand)."""
    player = game.player(seat)
    left = deduction.Left(card=card, forced=forced)
    return with_player(
        game,
        seat,
        hand=player.hand - 1,
        discard=(*player.discard, card),
        seen=(*player.seen, left),
    )


def _card_played(game: Game, event: events.CardPlayed, version: int) -> Game:
    return replace(
        game,
        players=_card_leaves(game, event.seat, event.card),
        turn=with_turn(game, step="window"),
        played=Played(card=event.card, by=event.seat, target=event.target, cell=event.cell),
        window=window(event.seconds, event.closes_at, version),
    )


def _nope_played(game: Game, event: table_events.NopePlayed, version: int) -> Game:
    played = game.played
    assert played is not None
    return replace(
        game,
        players=_card_leaves(game, event.seat, event.nope),
        played=replace(played, nopes=(*played.nopes, event.seat)),
        window=window(event.seconds, event.closes_at, version),
    )


def _looked(game: Game, event: events.Looked, version: int) -> Game:
    return replace(game, played=None, turn=with_turn(game, step="act"))


def _rearranged(game: Game, seat: str, cells: tuple[Cell, ...], placed: bool) -> tuple[Player, ...]:
    player = game.player(seat)
    hidden = deduction.Hidden(placed=placed)
    return with_player(
        game,
        seat,
        grid=places.arranged(player.grid, cells),
        notes=(),
        arranged=player.arranged + 1,
        seen=(*player.seen, hidden),
    )


def _grid_shuffled(game: Game, event: events.GridShuffled, version: int) -> Game:
    return replace(
        game,
        players=_rearranged(game, event.seat, event.cells, placed=False),
        played=None,
        turn=with_turn(game, step="tell", told=None),
    )


def _turned_up(game: Game, seat: str, cell: Cell, card: str) -> tuple[Player, ...]:
    player = game.player(seat)
    return with_player(
        game,
        seat,
        grid=places.put(player.grid, cell, card),
        notes=_without(player.notes, cell),
        seen=(*player.seen, deduction.TurnedUp(card=card)),
    )


def _card_revealed(game: Game, event: events.CardRevealed, version: int) -> Game:
    players = _turned_up(game, event.seat, event.cell, event.card)
    return replace(game, players=players, played=None, turn=with_turn(game, step="act"))


def _favor_over(game: Game, event: events.FavorOver, version: int) -> Game:
    return replace(game, played=None, turn=with_turn(game, step="act"))


def _card_touched(game: Game, event: events.CardTouched, version: int) -> Game:
    player = game.player(event.seat)
    face = places.at(player.grid, event.cell)
    touched = (*player.touched, (len(player.seen), face or places.DOWN))
    players = with_player(game, event.seat, touched=touched)
    return replace(game, players=players, turn=with_turn(game, step="report"))


def _card_drawn(game: Game, event: events.CardDrawn, version: int) -> Game:
    player = game.player(event.seat)
    drawn = deduction.DrewHidden() if event.card is None else deduction.DrewFaceUp(card=event.card)
    players = with_player(
        game,
        event.seat,
        hand=player.hand + 1,
        grid=places.put(player.grid, event.cell, None),
        notes=_without(player.notes, event.cell),
        seen=(*player.seen, drawn),
    )
    return replace(game, players=players)


def _kitten_shown(game: Game, event: events.KittenShown, version: int) -> Game:
    players = game.players
    if places.at(game.player(event.seat).grid, event.cell) == places.DOWN:
        players = _turned_up(game, event.seat, event.cell, event.kitten)
    return replace(game, players=players, turn=with_turn(game, step="kitten"))


def _kitten_defused(game: Game, event: events.KittenDefused, version: int) -> Game:
    game = replace(game, players=_card_leaves(game, event.seat, event.card, forced=True))
    return replace(game, players=_rearranged(game, event.seat, event.cells, placed=True))


def _went_out(game: Game, event: table_events.WentOut, version: int) -> Game:
    """A player who is out loses hand and grid (ruling out-is-out)."""
    rows = game.player(event.seat).grid
    empty = places.laid(len(rows), len(rows[0]), None)
    players = with_player(game, event.seat, out=event.out, hand=0, grid=empty, notes=())
    return replace(game, players=players)


def _game_won(game: Game, event: table_events.GameWon, version: int) -> Game:
    return replace(game, winner=event.seat, caller=None, turn=None, played=None, window=None)


def _note_made(game: Game, event: events.NoteMade, version: int) -> Game:
    notes = _without(game.player(event.seat).notes, event.cell)
    if event.card is not None:
        notes = (*notes, (event.cell, event.card))
    return replace(game, players=with_player(game, event.seat, notes=notes))


FOLDS: dict[type, Callable[[Game, Any, int], Game]] = {
    **progress.FOLDS,
    events.NextCalled: _next_called,
    events.CallerChanged: _caller_changed,
    events.RollCallSkipped: _roll_call_skipped,
    events.TurnBegan: _turn_began,
    events.Instructed: _instructed,
    events.CardPlayed: _card_played,
    table_events.NopePlayed: _nope_played,
    events.Looked: _looked,
    events.GridShuffled: _grid_shuffled,
    events.CardRevealed: _card_revealed,
    events.FavorOver: _favor_over,
    events.CardTouched: _card_touched,
    events.CardDrawn: _card_drawn,
    events.KittenShown: _kitten_shown,
    events.KittenDefused: _kitten_defused,
    table_events.WentOut: _went_out,
    table_events.GameWon: _game_won,
    events.NoteMade: _note_made,
}
"""By kind of event: the game after it, given the version it makes."""

SAID = (
    events.Instructed,
    events.CardPlayed,
    table_events.NopePlayed,
    events.Looked,
    events.GridShuffled,
    events.CardRevealed,
    events.CardTouched,
    events.CardDrawn,
    events.KittenShown,
    events.KittenDefused,
    table_events.WentOut,
)
"""What somebody said and the host can take back (ruling undo)."""
