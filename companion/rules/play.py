"""The rules of the game's commands: what each asks beyond its step and role, and leads to.

This module must not know in which step a command is in order (the referee's table
does), nor who may say it.
"""

from typing import Any

from companion.rules import commands, deduction, events, grid, now, turns, windows
from companion.rules.commands import Moment
from companion.rules.effects import EFFECTS
from companion.rules.events import Event
from companion.rules.grid import Cell
from companion.rules.model import Played, Table
from companion.rules.nopes import NOPE_RULES
from companion.rules.rule import Rule, nothing_asked
from companion.rules.rulings import Refused

# --- the roll call ---------------------------------------------------------------------


def _asks_call(table: Table, said: commands.CallNext, moment: Moment) -> None:
    assert said.seat is not None
    right = now.game(table).after(said.seat)
    if said.next != right:
        raise Refused("roll-call", case="wrong-name", seat=said.seat, next=said.next, right=right)


def _call(table: Table, said: commands.CallNext, moment: Moment) -> tuple[Event, ...]:
    game = now.game(table)
    assert said.seat is not None
    caller = turns.next_caller(game, said.seat)
    called = events.NextCalled(seat=said.seat, next=said.next, caller=caller)
    return (called,) if caller else (called, turns.first_turn(game, game.first))


def _skip_roll_call(table: Table, said: Any, moment: Moment) -> tuple[Event, ...]:
    game = now.game(table)
    return events.RollCallSkipped(), turns.first_turn(game, game.first)


# --- the turn --------------------------------------------------------------------------


def _asks_instruct(table: Table, said: commands.Instruct, moment: Moment) -> None:
    player = now.player(table, now.turn(table).seat)
    if grid.at(player.grid, said.cell) is None:
        raise Refused("tell-a-card-that-is-there", seat=player.seat, cell=said.cell)


def _instruct(table: Table, said: commands.Instruct, moment: Moment) -> tuple[Event, ...]:
    assert said.seat is not None
    return (events.Instructed(seat=said.seat, target=now.turn(table).seat, cell=said.cell),)


def _no_such_card(table: Table, card: str, ruling: str | None = None) -> Refused:
    """A title that this game doesn't have, and those that it has."""
    return Refused(ruling or "cards-of-this-game", card=card, titles=tuple(table.variant.by_title))


def _asks_play(table: Table, said: commands.PlayCard, moment: Moment) -> None:
    variant = table.variant
    if said.card not in variant.by_title:
        raise _no_such_card(table, said.card, variant.elsewhere.get(said.card))
    effect = EFFECTS.get(variant.card(said.card).effect)
    if effect is None:
        raise Refused("not-an-action", case=variant.card(said.card).effect, card=said.card)
    now.leaves_hand(table, now.player(table, said.seat), said.card)
    effect.asks(now.game(table), said)


def _play(table: Table, said: commands.PlayCard, moment: Moment) -> tuple[Event, ...]:
    assert said.seat is not None
    closes_at = windows.closes_at(table, said.seat, said.card, moment)
    played = events.CardPlayed(
        seat=said.seat,
        card=said.card,
        target=said.target,
        cell=said.cell,
        seconds=table.options.nope_seconds,
        closes_at=closes_at,
    )
    if closes_at is not None:
        return (played,)
    top = Played(card=said.card, by=said.seat, target=said.target, cell=said.cell)
    return played, *windows.closing(table, top)


def _asks_look(table: Table, said: commands.Look, moment: Moment) -> None:
    if grid.at(now.player(table, said.seat).grid, said.cell) is None:
        raise Refused("look-at-one", case="empty", cell=said.cell, seat=said.seat)


def _look(table: Table, said: commands.Look, moment: Moment) -> tuple[Event, ...]:
    assert said.seat is not None
    return (events.Looked(seat=said.seat, cell=said.cell),)


def _asks_cells(table: Table, said: commands.Shuffled | commands.Defuse, moment: Moment) -> None:
    """Ruling same-number-of-cards."""
    if said.cells is None:
        return
    before = grid.filled(now.player(table, said.seat).grid)
    after = grid.filled(grid.arranged(now.player(table, said.seat).grid, said.cells))
    if not len(said.cells) == len(after) == len(before):
        raise Refused("same-number-of-cards", seat=said.seat, count=len(before))


def _cells(table: Table, said: commands.Shuffled | commands.Defuse) -> tuple[Cell, ...]:
    held = grid.filled(now.player(table, said.seat).grid) if said.cells is None else said.cells
    return tuple(sorted(held))


def _shuffle(table: Table, said: commands.Shuffled, moment: Moment) -> tuple[Event, ...]:
    assert said.seat is not None
    return (events.GridShuffled(seat=said.seat, cells=_cells(table, said)),)


def _asks_reveal(table: Table, said: commands.Reveal, moment: Moment) -> None:
    if said.card not in table.variant.by_title:
        raise _no_such_card(table, said.card)
    now.agrees(table, now.player(table, said.seat), deduction.TurnedUp(card=said.card))


def _reveal(table: Table, said: commands.Reveal, moment: Moment) -> tuple[Event, ...]:
    cell = now.played(table).cell
    assert said.seat is not None and cell is not None
    return (events.CardRevealed(seat=said.seat, cell=cell, card=said.card),)


# --- drawing and the Kitten ------------------------------------------------------------


def _asks_draw(table: Table, said: commands.Draw, moment: Moment) -> None:
    told = now.told(table)
    if said.cell != told:
        facts = {"seat": said.seat, "cell": said.cell, "told": told}
        raise Refused("draw-what-you-were-told", case="cell", **facts)


def _draw(table: Table, said: commands.Draw, moment: Moment) -> tuple[Event, ...]:
    assert said.seat is not None
    return (events.CardTouched(seat=said.seat, cell=said.cell),)


def _asks_report(table: Table, said: commands.Report, moment: Moment) -> None:
    player, kitten = now.player(table, said.seat), table.variant.kitten
    face = grid.at(player.grid, now.told(table))
    assert face is not None
    if face == grid.DOWN:
        safe = said.outcome == "safe"
        now.agrees(table, player, deduction.DrewHidden() if safe else deduction.TurnedUp(kitten))
    elif (face == kitten) != (said.outcome == "kitten"):
        raise Refused("face-up-is-known", seat=player.seat, card=face)


def _report(table: Table, said: commands.Report, moment: Moment) -> tuple[Event, ...]:
    turn, cell = now.turn(table), now.told(table)
    if said.outcome == "kitten":
        return (events.KittenShown(seat=turn.seat, cell=cell, kitten=table.variant.kitten),)
    face = grid.at(now.player(table, turn.seat).grid, cell)
    drawn = events.CardDrawn(seat=turn.seat, cell=cell, card=None if face == grid.DOWN else face)
    return drawn, turns.next_turn(now.game(table))


def _asks_defuse(table: Table, said: commands.Defuse, moment: Moment) -> None:
    now.leaves_hand(table, now.player(table, said.seat), table.variant.defuse, forced=True)
    _asks_cells(table, said, moment)


def _defuse(table: Table, said: commands.Defuse, moment: Moment) -> tuple[Event, ...]:
    assert said.seat is not None
    cells, card = _cells(table, said), table.variant.defuse
    defused = events.KittenDefused(seat=said.seat, card=card, cells=cells)
    return defused, turns.next_turn(now.game(table))


def _explode(table: Table, said: commands.Explode, moment: Moment) -> tuple[Event, ...]:
    assert said.seat is not None
    return turns.going_out(now.game(table), said.seat, "kitten")


# --- notes and undo --------------------------------------------------------------------


def _asks_note(table: Table, said: commands.MakeNote, moment: Moment) -> None:
    player = now.player(table, said.seat)
    if grid.at(player.grid, said.cell) != grid.DOWN:
        raise Refused("private-notes", case="face-down", cell=said.cell)
    if said.card is not None and said.card not in table.variant.by_title:
        raise _no_such_card(table, said.card)


def _note(table: Table, said: commands.MakeNote, moment: Moment) -> tuple[Event, ...]:
    assert said.seat is not None
    return (events.NoteMade(seat=said.seat, cell=said.cell, card=said.card),)


def _asks_undo(table: Table, said: commands.Undo, moment: Moment) -> None:
    if not table.undoable:
        raise Refused("undo", case="nothing")


def _undo(table: Table, said: commands.Undo, moment: Moment) -> tuple[Event, ...]:
    past = table.undoable[-1]
    closes_at = moment.now + table.options.nope_seconds * 1000 if past.game.window else None
    return (events.Undone(version=past.version, closes_at=closes_at),)


RULES: dict[type[commands.Said], Rule] = {
    **NOPE_RULES,
    commands.CallNext: Rule(_asks_call, _call),
    commands.SkipRollCall: Rule(nothing_asked, _skip_roll_call),
    commands.Instruct: Rule(_asks_instruct, _instruct),
    commands.PlayCard: Rule(_asks_play, _play),
    commands.Look: Rule(_asks_look, _look),
    commands.Shuffled: Rule(_asks_cells, _shuffle),
    commands.Reveal: Rule(_asks_reveal, _reveal),
    commands.Draw: Rule(_asks_draw, _draw),
    commands.Report: Rule(_asks_report, _report),
    commands.Defuse: Rule(_asks_defuse, _defuse),
    commands.Explode: Rule(nothing_asked, _explode),
    commands.MakeNote: Rule(_asks_note, _note),
    commands.Undo: Rule(_asks_undo, _undo),
}
